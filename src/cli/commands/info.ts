import type { Command } from 'commander';
import { partitionNames } from '../../core/settings/index.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('info')
    .description('Degrees and their power laws, components and bow-tie, distances, hosts with their links, communities and centrality, and the pages that its seeds reach.')
    .argument('<graph>', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input')
    .option(
      '--distances <HOW>',
      'auto (exact or approximate if that takes seconds, otherwise left out), off, exact (a search from every page), ' +
        'approximate (HyperBall) (default: auto)',
    )
    .option(
      '--registers-log2 <B>',
      'for approximate distances: 2^B registers of one byte in each of two counters per page (default: 7, or as many as fit in 4 GiB)',
    )
    .option(
      '--bootstrap <SAMPLES>',
      'samples for the p-value of each power law; 0 = none (default: 100 for up to 10000 values, otherwise none)',
    )
    .option('--seed <N>', 'root seed of these random draws, and of communities (default: 1)')
    .option('--processors <P>', 'also show the effects of a partition of the hosts onto P processors (default: 8 with --partition)')
    .option('--partition <NAME>', `the partition: ${partitionNames.join(', ')} (default: host-hash with --processors)`)
    .option('--top <K>', 'number of hosts to list (default: 5)')
    .option('--out <DIR>', 'write info.json and report.html, with charts, to this folder')
    .option('--json', 'print one JSON document: the content of info.json')
    .addHelpText('after', `
Examples:
  orbweaver info docs-web
  orbweaver info docs-web --processors 16 --partition lpt --top 10 --distances off
  orbweaver info docs-web --distances approximate --registers-log2 6 --bootstrap 0 --out looks
  orbweaver info star --json`)
    .action(later(async () => (await import('../actions/info.ts')).runInfo));
}
