import * as z from 'zod';
import { benchQueues, queueBenchDefaults, queueParts, type QueueBenchOptions } from '../../questions/bench/index.ts';
import type { WebGraph } from '../../graphs/graph/index.ts';
import { didYouMean, inOwnUnit, quantityOf } from '../../base/index.ts';
import { benchHtml, benchTables, benchText } from '../text/bench/bench-text.ts';
import { counted, grouped, paragraph } from '../text/figures.ts';
import { ownFlags, type OutFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { commandLine, filled } from '../flags/out-folder.ts';
import { print, printText, storedLines, tellInterrupted } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { withProgress } from '../text/progress.ts';

const partNames = queueParts.map(({ name }) => name);

/** How each number of a list may be written. */
const count = quantityOf('', true);

function counts(most: number, standard: readonly number[]) {
  return z.union([z.number(), z.string()]).default(standard.join(',')).transform((text, context) => {
    const values = String(text).split(',')
      .map((part) => Number(inOwnUnit(part.trim() === '' ? NaN : part, count)));
    if (values.every((value) => Number.isInteger(value) && value >= 1 && value <= most)) return [...new Set(values)];
    context.addIssue({ code: 'custom', message: `must be integers from 1 to ${most}, with commas between them` });
    return z.NEVER;
  });
}

/** Parts as they are typed: "hold,figure-8". They are measured in their own order. */
const partList = z.union([z.number(), z.string()]).default(partNames.join(',')).transform((text, context) => {
  const names = String(text).split(',').map((name) => name.trim());
  const unknown = names.find((name) => !partNames.includes(name));
  if (unknown === undefined) return queueParts.filter(({ name }) => names.includes(name));
  context.addIssue({
    code: 'custom',
    message: `must be some of ${partNames.join(', ')}, with commas between them${didYouMean(unknown, partNames)}`,
  });
  return z.NEVER;
});

const own = z.object({
  parts: partList,
  entries: counts(1e8, queueBenchDefaults.entries),
  block: counts(1e6, queueBenchDefaults.blocks),
  rounds: z.int().min(1).max(1000).default(queueBenchDefaults.rounds),
  tableBlock: z.int().min(8).max(1e7).default(queueBenchDefaults.tableBlock),
  syntheticPages: z.int().min(2).max(1e7).default(queueBenchDefaults.syntheticPages),
  adversaryEntries: z.int().min(1000).max(1e8).default(queueBenchDefaults.adversaryEntries),
  pagedEntries: z.int().min(1000).max(1e9).default(queueBenchDefaults.pagedEntries),
  pagedMemoryBytes: z.int().min(2 ** 16).max(2 ** 40).default(queueBenchDefaults.pagedMemoryBytes),
});

interface Flags extends OutFlags {
  readonly graph?: readonly string[];
}

export async function runBench(flags: Flags): Promise<void> {
  const { parts, block: blocks, ...measured } = ownFlags(own, flags);
  const signal = interruptSignal();
  const { report, folder } = await withProgress((line) => filled(flags.out, 'bench.json', async (folder) => {
    const graphs: WebGraph[] = [];
    for (const name of flags.graph ?? ['docs-web']) graphs.push(await namedGraph(name));
    const options: QueueBenchOptions = {
      parts, blocks, graphs, ...measured, seed: queueBenchDefaults.seed, signal,
      onProgress: (text) => line.show(() => text),
    };
    if (flags.json !== true) printText(`${intention(options)}\n`);
    const report = await benchQueues(options);
    await folder?.write('bench.json', `${JSON.stringify(report, null, 2)}\n`);
    for (const [name, content] of benchTables(report)) await folder?.write(name, content);
    await folder?.write('report.html', benchHtml(report, commandLine()));
    return { report, folder };
  }));
  print(flags.json, () => report, () => [benchText(report), ...storedLines('Figures', flags.out)].join('\n'));
  if (signal.aborted)
    tellInterrupted(`in part ${Object.keys(report.parts).length} of ${parts.length} of bench queues`, folder);
}

/** Printed before the work, which takes minutes. */
function intention({ parts = queueParts, entries, blocks, rounds, graphs }: QueueBenchOptions): string {
  const list = (values: readonly number[]): string => values.map(grouped).join('; ');
  return paragraph(
    `Measuring ${parts.map(({ name }) => name).join(', ')}: N = ${list(entries)}, R = ${list(blocks)}, ${counted(rounds, 'round')}, ` +
      `streams of ${printable(graphs.map(({ name }) => name).join(', '))}. Ctrl-C ends it and keeps the finished parts.`,
  );
}
