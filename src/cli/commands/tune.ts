import type { Command } from 'commander';
import { addConfigFlags, addExperimentFlags } from '../flags/flags.ts';
import { tableProcessors } from '../help/lists.ts';
import { notInTunes } from '../jobs/job-flags.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  const command = program
    .command('tune')
    .description(
      '--for stale: while the order stays within epsilon of the ideal one. Trials crawl best first by true PageRank, and ' +
        'nothing in them takes time: settings of time, network, policy and queue have no effect.\n' +
        '--for rank and --for time: by whole simulations with robots, delays and network, to a factor of two. --network ' +
        'also takes a finished crawl, as in simulate.',
    )
    .argument('<graph>', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input; or the folder of a finished crawl, whose settings and network are then the defaults');
  addConfigFlags(addExperimentFlags(command, notInTunes))
    .option('--for <GOAL>', 'stale: the largest R_x whose error is allowed; rank: the most PageRank within --max-seconds; time: the least time for all pages, or --max-pages (default: stale)')
    .option('--epsilon <E>', 'with --for stale: allowed error, from 0 to below 1 (default: 0.05)')
    .option('--threads <T>', 'worker threads; the result does not depend on them (default: all cores)')
    .option('--table', `also find R_x for ${tableProcessors.join(', ')} processors`)
    .option('--out <DIR>', 'write tune.json and report.html there, and with --for stale tune.svg')
    .option('--watch', 'let the dashboard of this user show and stop the trials (orbweaver dashboard)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Examples:
  orbweaver tune docs-web
  orbweaver tune clique --processors 4 --epsilon 0.1 --out runs/tune
  orbweaver tune docs-web --for rank --max-seconds 300 --robots 20
  orbweaver tune star --table --threads 1 --json`)
    .action(later(async () => (await import('../actions/tune.ts')).runTune));
}
