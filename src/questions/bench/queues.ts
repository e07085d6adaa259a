import { setImmediate } from 'node:timers/promises';
import { adversariesPart } from './adversaries/adversaries.ts';
import { machine, watchedLoad, type Load } from './alternate.ts';
import { figure10Part } from './paper/figure-10.ts';
import { figure8Part } from './paper/figure-8.ts';
import { figure9Part } from './paper/figure-9.ts';
import { holdPart } from './hold/hold.ts';
import { pagedDrainPart } from './paged/paged-drain.ts';
import type { Part, PartSettings, Shown } from './part.ts';
import type { Absent } from './peers/javascript.ts';
import { table1Part } from './paper/table-1.ts';

/** What `orbweaver bench queues` measures, in this order: to add a part, add it here. */
export const queueParts: readonly Part[] = [
  holdPart, adversariesPart, figure8Part, figure9Part, figure10Part, table1Part, pagedDrainPart,
];

/** As large as a run of some three minutes on two cores allows. */
export const queueBenchDefaults = {
  entries: [100_000, 1_000_000], blocks: [1000], rounds: 3, syntheticPages: 20_000, tableBlock: 8000,
  adversaryEntries: 100_000, pagedEntries: 1_000_000, pagedMemoryBytes: 2 ** 20, seed: 1,
} as const satisfies Omit<PartSettings, 'graphs'>;

export interface QueueBenchOptions extends PartSettings {
  /** All by default. */
  readonly parts?: readonly Part[];
  readonly onProgress?: ((text: string) => void) | undefined;
  /** Aborted, the benchmark ends after the case under way, with what it has. */
  readonly signal?: AbortSignal | undefined;
}

export interface MeasuredPart {
  readonly title: string;
  readonly result: unknown;
  readonly shown: Shown;
}

export interface QueueBenchReport {
  /** Processor, its cores and the version of Node. */
  readonly machine: string;
  readonly load: Load;
  readonly rounds: number;
  readonly seed: number;
  readonly parts: Readonly<Record<string, MeasuredPart>>;
  /** Parts asked for and not begun. */
  readonly absent: readonly Absent[];
  /** On all parts: what figures are worth. */
  readonly notes: readonly string[];
}

/** Measures the parts one after the other. An AssertionError ends it where queues disagree on what leaves. */
export async function benchQueues(options: QueueBenchOptions): Promise<QueueBenchReport> {
  const { parts = queueParts, onProgress, signal = new AbortController().signal, ...settings } = options;
  const report = async (text: string): Promise<void> => {
    onProgress?.(text);
    await setImmediate();
  };
  const loadNow = watchedLoad();
  const measured: Record<string, MeasuredPart> = {};
  const absent: Absent[] = [];
  for (const part of parts) {
    if (signal.aborted) {
      absent.push({ name: part.name, reason: 'interrupted before it began' });
      continue;
    }
    await report(part.title);
    const result = await part.measure({ ...settings, signal, report });
    measured[part.name] = { title: part.title, result, shown: part.show(result) };
  }
  return {
    machine: machine(),
    load: loadNow(),
    rounds: settings.rounds,
    seed: settings.seed,
    parts: measured,
    absent,
    notes: [
      'Crawls of stored graphs are simulated: their links are real. What is called synthetic is drawn by us.',
      'Times travel badly between machines and hours, ratios better. Read them only where the load is below the number of cores.',
      'Counts (comparisons, moved keys) are exact: the same seed gives the same on any machine.',
    ],
  };
}
