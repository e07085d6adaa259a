import { Option, type Command } from 'commander';
import { addConfigFlags, addLiveCrawlFlags } from '../flags/flags.ts';
import { addLiveFlags } from '../flags/live/live-flags.ts';
import { later } from '../flags/words.ts';

const of = (flags: string, text: string): Option => new Option(flags, text).helpGroup('Several machines:');

export function add(program: Command): void {
  const command = program
    .command('crawl')
    .description('Polite, and safe to kill: --resume continues.')
    .argument('[urls...]', 'pages to start from');
  addConfigFlags(addLiveFlags(addLiveCrawlFlags(command)))
    .option('--scores <FILE>', 'for policies scores and pagerank: a file with lines of URL TAB score, or Parquet with URLs and scores; pages not in it score 0')
    .option('--out <DIR>', 'folder for the store, archives, log, graph and run record of the crawl; must be new or empty')
    .option('--resume <DIR>', 'continue the crawl in this folder; only --max-pages, --max-seconds, --scores, a file for --policy, --log, --metrics, --watch, --json and the flags of --cluster may be set')
    .option('--retry <WHAT>', 'with --resume, "failed": try pages again that failed without an answer, and those of hosts that were given up')
    .option('--or-resume', 'with --out: continue the crawl in that folder if there is one; of the settings only --max-pages and --max-seconds are read again')
    .option('--log <FORM>', 'write a line per minute to standard error, as text or, with all remarks, as json (default: text, if that is not a terminal)')
    .option('--metrics <PORT>', 'serve metrics for Prometheus at http://127.0.0.1:PORT/metrics during the crawl; 0: a free port')
    .option('--watch', 'let the dashboard of this user show and steer the crawl (orbweaver dashboard)')
    .addOption(of('--cluster <URL>', 'one of several nodes, which meet at this Redis server: redis://[user:password@]host[:port][/database]; the folder of the node is node-<n> in that of --out'))
    .addOption(of('--node <n>', 'with --cluster: which node this is, from 0'))
    .addOption(of('--nodes <N>', 'with --cluster: number of nodes; processor p belongs to node p mod N'))
    .addOption(of('--lease-seconds <S>', 'with --cluster: how long a node that was killed is waited for before its place may be taken, 1 to 3600 (default: 15)'))
    .option('--json', 'print one JSON document: the content of run.json')
    .addHelpText('after', `
Examples:
  orbweaver crawl https://example.org/ --contact you@example.org --out crawls/example --max-pages 1000
  orbweaver crawl https://example.org/ --contact you@example.org --out crawls/one-site --allow-domain example.org --policy opic
  printf 'scope:\\n- prefix: https://docs.example.org/guide/\\n  extraHops: 1\\n- domain: example.net\\n' > scope.yaml && orbweaver crawl https://docs.example.org/guide/ --contact you@example.org --out crawls/guide --scope scope.yaml
  orbweaver crawl https://example.org/ --contact you@example.org --out crawls/plain --drop-query 'utm_*,fbclid'
  orbweaver crawl --config crawl.yaml --out crawls/from-file
  orbweaver crawl --resume crawls/example --max-pages 2000
  orbweaver crawl --config crawl.yaml --out crawls/from-file --or-resume --log json --metrics 9464
  orbweaver crawl --config crawl.yaml --out crawls/wide --or-resume --cluster redis://localhost --nodes 3 --node 0
  orbweaver crawl http://doc.rust-lang.org/ --contact you@example.org --out crawls/loopback --resolve '*=127.0.0.1:8080' --allow-network 127.0.0.0/8

A crawl that stores no page, redirects apart, says why and ends with exit code 4. A node whose place was taken by another process ends with 75.
The first SIGINT or SIGTERM ends the crawl: no download starts any more, open ones have 10 s to finish, and everything is saved. The second
ends it at once. You may also kill it: --resume continues either way.`)
    .action(later(async () => (await import('../actions/crawl.ts')).runCrawl));
}
