import { Option, type Command } from 'commander';
import { addConfigFlags, addExperimentFlags } from '../flags/flags.ts';
import { later } from '../flags/words.ts';

const of = (flags: string, text: string): Option => new Option(flags, text).helpGroup('Several machines:');

export function add(program: Command): void {
  const command = program
    .command('simulate')
    .argument('[graph]', 'name of the catalogue, .owg file, text file of links, folder of tables, BVGraph, or - for standard input; or the folder of a finished crawl, whose settings, limits and network are then the defaults');
  addConfigFlags(addExperimentFlags(command))
    .option('--scores <FILE>', 'for a policy that needs scores: a file of them, as rank --scores takes it; its checksum is recorded')
    .option('--repeat <N>', 'run N times, with seeds from --seed on, and give means with 95 % intervals')
    .option('--from <DIR>', 'fork: go on from a recorded simulation, whose settings are then the defaults; needs --at')
    .option('--at <SUPERSTEP>', 'with --from: the first superstep that is the fork\'s own')
    .option('--what-if', 'run again with twice as much of each thing that may limit the crawl, and without R_x, and show what it brings')
    .addOption(new Option('--threads <T>', 'without effect').hideHelp())
    .option('--out <DIR>', 'write the run record and its report there')
    .option('--pages-csv', 'also write pages.csv there: URL, host, processor, start, end, outcome and PageRank of each page')
    .option('--watch', 'let the dashboard of this user show and steer the run (orbweaver dashboard)')
    .addOption(of('--cluster <URL>', 'one of several nodes, which meet at this Redis server: redis://[user:password@]host[:port][/database]; REDISCLI_AUTH in the environment can have the password'))
    .addOption(of('--node <n>', 'with --cluster: which node this is, from 0'))
    .addOption(of('--nodes <N>', 'with --cluster: number of nodes; processor p belongs to node p mod N'))
    .addOption(of('--prepare', 'only compute what nodes need of the whole graph, and store it beside it: FILE.owg.prepared; a node that finds none makes it'))
    .option('--json', 'print one JSON document: what run.json holds')
    .option('--verify', 'check the run and its ranks with code that had no part in making them')
    .addHelpText('after', `
--network also takes a finished crawl, to which the network is fitted: its folder, a crawl.log (also Heritrix's), or a table
of url, start, duration, bytes and status.

Examples:
  orbweaver simulate docs-web
  orbweaver simulate docs-web --policy breadth-first --processors 4 --robots 2 --out runs/breadth-first
  orbweaver simulate docs-web --queue cbt --superstep-limit 32 --max-pages 5000 --verify
  orbweaver simulate docs-web --policy random --repeat 5 --json
  orbweaver simulate docs-web --what-if
  orbweaver simulate docs-web --policy breadth-first --out runs/first && orbweaver simulate --from runs/first --at 20 --policy opic
  orbweaver simulate docs-web --policy batch-pagerank --rank-every-pages 2000
  orbweaver simulate docs-web --policy weighted --weights opic=0.7,larger-sites-first=0.3
  orbweaver simulate docs-web --network web --slow-share 0.1 --retries 5
  orbweaver simulate docs-web --partition consistent --exchange batch --exchange-batch 100 --message-us 103 --max-pages 5000
  orbweaver rank docs-web --algorithm in-degree --out in-degree.f64 && orbweaver simulate docs-web --policy scores --scores in-degree.f64
  orbweaver simulate docs-web --cluster redis://localhost --nodes 2 --node 0
  orbweaver import docs-web --out docs-web.owg && orbweaver simulate docs-web.owg --prepare
  orbweaver simulate clique --seed-page 3 --politeness-ms 0`)
    .action(later(async () => (await import('../actions/simulate.ts')).runSimulate));
}
