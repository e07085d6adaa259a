import type { Command } from 'commander';
import { addServedNetworkFlags } from '../flags/flags.ts';
import { addOne, later } from '../flags/words.ts';

export function add(program: Command): void {
  const serve = program.command('serve');
  addServeWeb(serve);
  addServeFrontier(serve);
  addServeSearch(serve);
}

function addServeWeb(serve: Command): void {
  const command = serve
    .command('web')
    .description(
      'Serve a stored graph, or folders of HTML, as a real web on loopback: one virtual host per host, real pages, links and sizes.',
    )
    .argument('[graph]', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input')
    .option(
      '--folder <[HOST=]DIR>',
      'instead of a graph, serve the files of a folder as a host, by default named FOLDER.localhost; repeatable',
      (value: string, earlier: readonly string[] | undefined): readonly string[] => [...(earlier ?? []), value],
    )
    .option('--host-per-folder', 'with --folder: each folder in it is its own host')
    .option('--listen <ADDRESS>', 'address of this machine to listen on (default: 127.0.0.1)')
    .option('--port <N>', 'port to listen on (default: a free one)')
    .option('--log <FILE>', 'write one line of JSON per finished request to this file');
  addServedNetworkFlags(command)
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', `
Prints a line when ready, and serves until SIGINT or SIGTERM. Without network flags, responses come at once and without
faults. Host names are those of the graph: a crawler finds them by --resolve, any other client by using the address as a proxy,
as in curl --proxy. Latency and faults are those of simulate for the same flags and seed; attempts per page are counted here.

Examples:
  orbweaver serve web docs-web
  orbweaver serve web docs-web --latency-ms 20 --robots-txt-share 0.5 --denied-share 0.1 --log requests.jsonl
  orbweaver serve web docs-web --network hostile --seed 7 --json
  mkdir -p site && printf '<a href=b.html>b</a>' > site/index.html && orbweaver serve web --folder docs.example=site`)
    .action(later(async () => (await import('../actions/serve.ts')).runServeWeb));
}

function addServeFrontier(serve: Command): void {
  serve
    .command('frontier')
    .description(
      'Serve a frontier to other fetchers, over the gRPC protocol URLFrontier 2.6: URLs ranked by a policy, one delay per host, leases that survive a kill.',
    )
    .option('--store <DIR>', 'folder of what is put; taken up if it exists (default: frontier)')
    .option('--policy <NAME|FILE>', 'order of discovered URLs; not one that needs ranks or scores (default: opic)')
    .option('--policy-option <NAME=VALUE>', 'setting of the policy, such as opic-root=known; repeatable', addOne)
    .option('--seed <N>', 'root seed of what the policy draws (default: 1)')
    .option('--listen <ADDRESS>', 'address of this machine to listen on (default: 127.0.0.1)')
    .option('--port <N>', 'port to listen on; 0: a free one (default: 7071)')
    .option('--tls-cert <FILE>', 'certificate of the server, PEM; with --tls-key')
    .option('--tls-key <FILE>', 'its private key, PEM')
    .option('--token-file <FILE>', 'file with a token that clients must send: authorization: Bearer TOKEN')
    .option('--metrics <PORT>', 'serve metrics for Prometheus at http://127.0.0.1:PORT/metrics; 0: a free port')
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', `
Prints a line when ready, with the number of URLs that fit, and serves until SIGINT or SIGTERM. What was acknowledged is
stored: items, delays, blocks, limits and leases survive a kill. The delay of a queue counts from one hand-out to the
next, in whole seconds: clients space the URLs of one hand-out, and read robots.txt.

Links of a page, in the metadata orbweaver.links of its known item, are what the policy ranks by; without them it ranks
by what is left, for opic the order of discovery.

Examples:
  orbweaver serve frontier
  orbweaver serve frontier --store crawls/frontier --policy opic --policy-option opic-root=known --metrics 9100
  orbweaver serve frontier --listen 0.0.0.0 --tls-cert server.pem --tls-key server.key --token-file token`)
    .action(later(async () => (await import('../actions/serve-frontier.ts')).runServeFrontier));
}

function addServeSearch(serve: Command): void {
  serve
    .command('search')
    .description('Serve an index to browsers, and to programs as JSON: snippets, hosts, spelling, and why this order.')
    .argument('<index>', 'index made by orbweaver index')
    .option('--name <TEXT>', 'what the pages call it (default: the name of the file)')
    .option('--listen <ADDRESS>', 'address of this machine to listen on (default: 127.0.0.1)')
    .option('--port <N>', 'port to listen on (default: a free one)')
    .option('--threads <N>', 'searches at the same time; further ones wait (default: one per core)')
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', `
Prints a URL with a token, and serves until SIGINT or SIGTERM. Whoever opens the URL can search, and nobody else; programs
send the token: Authorization: Bearer TOKEN. Pages work without JavaScript, and load nothing from elsewhere. Browsers can
add it as a search engine. Results as JSON: /api/search?q=WORDS, with ranking, after, max and explain=1.

Examples:
  orbweaver serve search crawls/docs.index
  orbweaver serve search crawls/docs.index --port 8080 --name 'Documentation'`)
    .action(later(async () => (await import('../actions/serve.ts')).runServeSearch));
}
