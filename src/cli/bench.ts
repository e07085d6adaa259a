import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { benchQueues, queueBenchDefaults } from '../bench/index.ts';
import { openGraph } from '../dataset/index.ts';
import type { WebGraph } from '../graph/index.ts';
import { figure8Csv, figure8Svg, holdCsv } from './bench-files.ts';
import { benchText } from './bench-text.ts';
import { counted } from './figures.ts';
import { ownFlags, type RawFlags } from './flags.ts';
import { interruptSignal } from './interrupt.ts';
import { filled, openOutFolder } from './out-folder.ts';
import { print, tellInterrupted } from './output.ts';
import { printable } from './printable.ts';
import { ProgressLine } from './progress.ts';

/** A list as it is typed: "1e5,1e6". */
function counts(most: number, standard: readonly number[]) {
  return z.union([z.number(), z.string()]).default(standard.join(',')).transform((text, context) => {
    const values = String(text).split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
    if (values.every((value) => Number.isInteger(value) && value >= 1 && value <= most)) return [...new Set(values)];
    context.addIssue({ code: 'custom', message: `must be integers from 1 to ${most}, with commas between them` });
    return z.NEVER;
  });
}

const own = z.object({
  entries: counts(1e8, queueBenchDefaults.entries),
  block: counts(1e7, queueBenchDefaults.blocks),
  rounds: z.int().min(1).max(1000).default(queueBenchDefaults.rounds),
  tableBlock: z.int().min(8).max(1e7).default(8000),
  syntheticPages: z.int().min(2).max(1e7).default(queueBenchDefaults.syntheticPages),
});

interface Flags extends RawFlags {
  readonly graph?: readonly string[];
  readonly out?: string;
  readonly json?: true;
}

/** `orbweaver bench queues`: the paper's figures about queues, and ours beside other people's. */
export function addBench(program: Command): void {
  program
    .command('bench')
    .description(
      'Measure the priority queues: ns and comparisons under the hold model, beside queues of other packages and C++ in the same run;\n' +
        'key comparisons against R on the streams of real crawls (the paper\'s figure 8); the balance of slices (its Table 1).',
    )
    .addArgument(new Argument('<what>', 'what to measure').choices(['queues']))
    .option('--entries <N,...>', `entries held in the hold model (default: ${queueBenchDefaults.entries.join(',')})`)
    .option('--block <R,...>', `entries of a batch in the hold model (default: ${queueBenchDefaults.blocks.join(',')})`)
    .option('--rounds <N>', `rounds that count, all sides in turn in each (default: ${queueBenchDefaults.rounds})`)
    .option(
      '--graph <GRAPH>', 'graph whose crawls figure 8 replays, by name or file; repeatable (default: docs-web)',
      (value: string, earlier: readonly string[] | undefined): readonly string[] => [...(earlier ?? []), value],
    )
    .option('--synthetic-pages <N>', `pages of figure 8's synthetic graph and entries of its hold model (default: ${queueBenchDefaults.syntheticPages}; ${queueBenchDefaults.figure8Entries})`)
    .option('--table-block <R>', `entries that leave in a round of Table 1 (default: 8000)`)
    .option('--out <DIR>', 'write bench.json, CSV files and figure-8.svg there')
    .option('--json', 'print one JSON document: what bench.json holds')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver bench queues --entries 1e4 --block 500 --rounds 1 --graph star --synthetic-pages 1000 --table-block 800
  orbweaver bench queues --entries 2000 --block 100,250 --rounds 1 --graph clique --synthetic-pages 500 --table-block 80 --json`,
    )
    .action(runBench);
}

async function runBench(what: string, flags: Flags): Promise<void> {
  const { entries, block, rounds, syntheticPages } = ownFlags(own, flags);
  const signal = interruptSignal();
  const folder = flags.out === undefined ? undefined : await openOutFolder(flags.out, 'bench.json');
  const progress = new ProgressLine();
  try {
    const finish = await filled(folder, async () => {
      const graphs: WebGraph[] = [];
      for (const name of flags.graph ?? ['docs-web']) graphs.push(await openGraph(name));
      const report = await benchQueues({
        ...queueBenchDefaults, entries, blocks: block, rounds, graphs, syntheticPages,
        figure8Entries: flags['syntheticPages'] === undefined ? queueBenchDefaults.figure8Entries : syntheticPages,
        signal, onProgress: (text) => progress.show(() => text),
      });
      if (folder) {
        await folder.write('bench.json', `${JSON.stringify(report, null, 2)}\n`);
        await folder.write('hold-model.csv', holdCsv(report));
        await folder.write('figure-8.csv', figure8Csv(report));
        await folder.write('figure-8.svg', figure8Svg(report.figure8));
      }
      return () => {
        print(flags.json, () => report, () => [benchText(report), ...(flags.out === undefined ? [] : ['', `Figures: ${printable(flags.out)}`])].join('\n'));
        if (signal.aborted) tellInterrupted(`after ${counted(report.cases.length, 'case')} of bench ${what}`, folder);
      };
    });
    progress.clear();
    finish();
  } finally {
    progress.clear();
  }
}
