import type { Command } from 'commander';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('tour')
    .argument('<graph>', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input')
    .option('--out <DIR>', 'write every run record, and one report on all runs, to this folder')
    .option('--pages-csv', 'also write pages.csv to each record: URL, host, processor, start, end, outcome and PageRank of each page')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Examples:
  orbweaver tour docs-web
  orbweaver tour star --out runs/tour
  orbweaver tour clique --json`)
    .action(later(async () => (await import('../actions/tour.ts')).runTour));
}
