import type { Command } from 'commander';
import { queueBenchDefaults, queueParts } from '../../questions/bench/index.ts';
import { HiddenFlag, later } from '../flags/words.ts';
import { addGraphbench } from './graphbench.ts';

export function add(program: Command): void {
  const standard = queueBenchDefaults;
  const bench = program.command('bench');
  bench
    .command('queues')
    .description("Measure the priority queues, Orbweaver's and others in the same run: the hold model beside queues of " +
      "other packages and C++; the paper's figures and Table 1 on streams from simulated crawls. By default all parts, " +
      'in about three minutes on two cores.')
    .option('--parts <NAME,...>', `parts to measure (default: all: ${queueParts.map(({ name }) => name).join(',')})`)
    .option('--entries <N,...>', `entries in each queue (default: ${standard.entries.join(',')})`)
    .option('--block <R,...>', `entries per batch (default: ${standard.blocks.join(',')})`)
    .option('--rounds <N>', `measured rounds, with all queues in turn in each (default: ${standard.rounds})`)
    .option(
      '--graph <GRAPH>', 'graph whose crawls provide priority streams, by name or file; repeatable (default: docs-web)',
      (value: string, earlier: readonly string[] | undefined): readonly string[] => [...(earlier ?? []), value],
    )
    .option('--synthetic-pages <N>', `pages of the synthetic graph used beside them (default: ${standard.syntheticPages})`)
    .option('--table-block <R>', `entries extracted from all slices per round (default: ${standard.tableBlock})`)
    .option('--adversary-entries <N>', `keys per adversary (default: ${standard.adversaryEntries})`)
    .option('--paged-entries <N>', `entries in queues in secondary memory (default: ${standard.pagedEntries})`)
    .option('--paged-memory-bytes <BYTES>', `main memory that these may use (default: ${standard.pagedMemoryBytes})`)
    .addOption(new HiddenFlag('paged-memory', 'paged-memory-bytes', 'BYTES'))
    .option('--out <DIR>', 'write bench.json, report.html with charts, and a CSV file per table to this folder')
    .option('--json', 'print one JSON document: the content of bench.json')
    .addHelpText('after', `
Examples:
  orbweaver bench queues --parts figure-8 --entries 2000 --graph star --synthetic-pages 1000
  orbweaver bench queues --parts hold --entries 1e4 --block 500,1000 --rounds 1 --json`)
    .action(later(async () => (await import('../actions/bench.ts')).runBench));
  addGraphbench(bench);
}
