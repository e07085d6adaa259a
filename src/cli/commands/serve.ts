import type { Command } from 'commander';
import type { runServeWeb } from '../actions/serve.ts';
import { addServedNetworkFlags } from '../flags/flags.ts';

/** `orbweaver serve <what>`. */
export function addServe(program: Command): void {
  const serve = program.command('serve');
  addServeWeb(serve);
}

/** `orbweaver serve web [graph]`: a stored graph, or folders of HTML, as a web on loopback. */
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
    .addHelpText(
      'after',
      `
Prints a line when ready, and serves until SIGINT or SIGTERM. Without network flags, responses come at once and without
faults. Host names are those of the graph: a crawler finds them by --resolve, any other client by using the address as a proxy,
as in curl --proxy. Latency and faults are those of simulate for the same flags and seed; attempts per page are counted here.

Examples:
  orbweaver serve web docs-web
  orbweaver serve web docs-web --latency-ms 20 --robots-txt-share 0.5 --denied-share 0.1 --log requests.jsonl
  orbweaver serve web docs-web --network hostile --seed 7 --json
  mkdir -p site && printf '<a href=b.html>b</a>' > site/index.html && orbweaver serve web --folder docs.example=site`,
    )
    .action(async (...given: Parameters<typeof runServeWeb>) => {
      await (await import('../actions/serve.ts')).runServeWeb(...given);
    });
}
