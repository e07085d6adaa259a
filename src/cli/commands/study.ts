import type { Command } from 'commander';
import { availableParallelism } from 'node:os';
import { addJudgingFlags } from '../answers/compared/judging-flags.ts';
import { addOne, later } from '../flags/words.ts';

export function add(program: Command): void {
  const command = program
    .command('study')
    .description('The report says which policy gathers PageRank fastest, what that costs and which settings matter most.')
    .argument('[file]', 'study file (YAML), or a study from the package: pending-keys, policies, searchers, tiny');
  const threads = `worker threads; 1 = the main thread; the results do not depend on them (default: ${availableParallelism()})`;
  command.option('--graph <GRAPH>', "crawl this graph, as in orbweaver simulate, not that of the file; of a crawl's folder only the graph is used: settings are those of the file");
  command.option(
    '--policy <NAME>', 'compare this policy too; a .js file with your own is run as code; repeatable', addOne,
  );
  addJudgingFlags(
    command, 'index of the pages of its graph: also judge each run by how well searchers are served after part of the pages',
  );
  command
    .option('--threads <T>', threads)
    .option('--workers <REDIS>', 'let the workers of this Redis server run it (orbweaver cluster worker): redis://[user:password@]host[:port][/database]; REDISCLI_AUTH in the environment can have the password')
    .option('--graphs <FOLDER>', 'where the graph is stored for the workers (default: ORBWEAVER_GRAPHS, or else orbweaver/graphs in the cache folder)')
    .option('--shard <I/N>', 'run only the I-th of N shares of the runs, into the cache, for machines that share it; without it, study gathers the results')
    .option('--cache <DIR>', 'folder for finished runs (default: ORBWEAVER_STUDIES, or else orbweaver/studies in the cache folder)')
    .option('--out <DIR>', 'write results.csv, results.parquet, curves.csv, study.json and report.html to this folder; with --index also effectiveness.csv and agreement.csv')
    .option('--watch', 'let the dashboard of this user show and stop the study (orbweaver dashboard)')
    .option('--json', 'print one JSON document: the content of study.json')
    .option('--schema', 'print the JSON Schema of study files, for editors')
    .addHelpText('after', `
A study file:
  graph: docs-web                 # as in orbweaver simulate
  network: crawls/example         # optional: fit the network to this finished crawl
  experiment: { robots: 8 }       # settings of all runs that are not the default
  axes:                           # every combination is run; names of flags, or as in --schema
    policy: [opic, ./my-policy.js]  # a file is your own policy, run as code
    latency-ms: [50, 0.15s]       # network.latencyMs; values take units
    seed: [1, 2, 3, 4, 5]         # repetitions, for means and intervals
  sample: { runs: 10, seed: 1 }   # run only this many combinations, drawn at random

Finished runs are cached by graph, experiment and code. A study that was interrupted or killed continues where it stopped.

Examples:
  orbweaver study tiny
  orbweaver study tiny --graph clique
  orbweaver study tiny --policy breadth-first --policy random
  orbweaver study tiny --threads 1 --cache runs/cache --out runs/study
  orbweaver study tiny --cache runs/cache --shard 1/2
  orbweaver study --schema`)
    .action(later(async () => (await import('../actions/study.ts')).runStudyCommand));
}
