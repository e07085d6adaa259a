import type { Command } from 'commander';
import type { runTour } from '../actions/tour.ts';

/** `orbweaver tour <graph>`: what this program can show, on one graph, in one table. */
export function addTour(program: Command): void {
  program
    .command('tour')
    .argument('<graph>', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input')
    .option('--out <DIR>', 'write every run record, and one report on all runs, to this folder')
    .option('--pages-csv', 'also write pages.csv to each record: URL, host, processor, start, end, outcome and PageRank of each page')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver tour docs-web
  orbweaver tour star --out runs/tour
  orbweaver tour clique --json`,
    )
    .action(async (...given: Parameters<typeof runTour>) => {
      await (await import('../actions/tour.ts')).runTour(...given);
    });
}
