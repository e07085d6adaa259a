import { createQueue, entryKey, keyLimit, packEntry, type PriorityQueue, type QueueKind } from '../queue/index.ts';
import { DrawStream } from '../std/index.ts';

/** What the paper's Table 1 says: T, then X/Y of extract-top and of insert-many, in seconds on its machine, R = 8000. */
export const paperTable1 = [
  { slices: 1, extract: 1, insert: 1 },
  { slices: 2, extract: 0.99, insert: 0.98 },
  { slices: 4, extract: 0.98, insert: 0.97 },
  { slices: 8, extract: 0.95, insert: 0.93 },
] as const;

/** Mean of the greatest of T independent standard normal draws: what the busiest of T slices has over the mean, in deviations. */
const meanOfGreatest: Readonly<Record<number, number>> = { 1: 0, 2: 0.564, 4: 1.029, 8: 1.424 };

/** Differences from the paper's figures that are explained: those above. */
export const explainedFrom = 0.02;

/** How new keys come to slices: each its R/T exactly, as the paper's experiment has it; or by a hash of the page, as a crawl does. */
export const sharings = ['even', 'hash'] as const;
export type Sharing = (typeof sharings)[number];

/** What one operation cost the slices, in comparisons, over all rounds. */
export interface Work {
  /** X: mean over slices and rounds. */
  readonly mean: number;
  /** Y: mean over rounds of the most that any slice did. */
  readonly meanOfMost: number;
  /** X/Y; 1 where nothing was done. */
  readonly efficiency: number;
  /** The least and the most that one slice did in one round. */
  readonly least: number;
  readonly most: number;
  /** Standard deviation over slices and rounds, as a share of the mean. */
  readonly deviation: number;
  /** Work of the slice that did most over all rounds, as a share of the mean slice's. */
  readonly busiestSlice: number;
  /** X/Y that T slices would have which vary so, each on its own: 1 / (1 + deviation times `meanOfGreatest`). */
  readonly ifIndependent: number;
  /** Share of (slice, round) in which it cost nothing. */
  readonly freeShare: number;
}

export interface Table1Row {
  readonly kind: QueueKind;
  readonly sharing: Sharing;
  readonly slices: number;
  /** R/T. */
  readonly block: number;
  readonly extract: Work;
  readonly insert: Work;
  /** X/Y of the numbers of entries put in. */
  readonly entriesEfficiency: number;
  readonly paper: { readonly extract: number; readonly insert: number };
  /** Why a figure is more than .02 off the paper's, by the counts; one sentence each. */
  readonly explanations: readonly string[];
}

export interface Table1Options {
  readonly kinds: readonly QueueKind[];
  /** Entries in all slices together. */
  readonly entries: number;
  /** R: entries that leave in a round, over all slices; a multiple of every T. */
  readonly block: number;
  readonly rounds: number;
  readonly seed: number;
}

/** Table 1 of the paper in comparisons instead of seconds: the balance of T slices, each a queue of its own with R/T keys a block. */
export function table1({ kinds, ...options }: Table1Options): Table1Row[] {
  return kinds.flatMap((kind) =>
    sharings.flatMap((sharing) => paperTable1.map((paper) => row(kind, sharing, paper, options))));
}

function row(
  kind: QueueKind, sharing: Sharing, { slices, ...paper }: (typeof paperTable1)[number], options: Omit<Table1Options, 'kinds'>,
): Table1Row {
  const block = Math.floor(options.block / slices);
  const { extract, insert, entries } = sliceRounds(kind, sharing, slices, block, options);
  const figures = { kind, sharing, slices, block, extract, insert, entriesEfficiency: entries.efficiency, paper };
  return { ...figures, explanations: explanations(figures) };
}

/**
 * T queues side by side, one after the other: rounds of "take R/T out of each, put R new keys in" (reading A of the paper's text:
 * slices are independent). The first fifth of the rounds is not counted: what queues put off while they fill would swamp the rest.
 */
function sliceRounds(
  kind: QueueKind, sharing: Sharing, slices: number, block: number, { entries, rounds, seed }: Omit<Table1Options, 'kinds'>,
): { extract: Work; insert: Work; entries: Work } {
  const draws = new DrawStream(seed, 'table 1');
  const queues: PriorityQueue[] = Array.from({ length: slices }, (_, slice) => createQueue({ kind, block, seed: seed + slice }));
  const sliceOf = (index: number): number => (sharing === 'even' ? index : draws.uint32(index, 1)) % slices;
  const warmRounds = Math.ceil(rounds / 5);
  const unit = Math.floor(keyLimit / (4 * Math.ceil(((rounds + warmRounds) * slices * block) / entries) + 6));
  const size = slices * block;
  const batches = queues.map(() => ({ entries: new Float64Array(size), count: 0 }));
  let index = 0;
  const spread = (count: number, highest: number, width: number): void => {
    for (const batch of batches) batch.count = 0;
    for (let i = 0; i < count; i++, index++) {
      const batch = batches[sliceOf(index)];
      batch.entries[batch.count++] = packEntry(highest - Math.floor(draws.uniform(index) * width), index);
    }
    queues.forEach((queue, slice) => queue.insertMany(batches[slice].entries, 0, batches[slice].count));
  };
  for (let left = entries; left > 0; left -= size) spread(Math.min(size, left), keyLimit - 1, unit);

  const extract = new WorkCount();
  const insert = new WorkCount();
  const inserted = new WorkCount();
  const into = new Float64Array(block);
  for (let round = -warmRounds; round < rounds; round++) {
    const before = queues.map(({ comparisons }) => ({ ...comparisons }));
    let least = keyLimit;
    for (const queue of queues) {
      const taken = queue.extractTop(block, into);
      for (let i = 0; i < taken; i++) least = Math.min(least, entryKey(into[i]));
    }
    spread(size, least, 2 * unit);
    if (round < 0) continue;
    extract.add(queues.map(({ comparisons }, slice) => comparisons.extract - before[slice].extract));
    insert.add(queues.map(({ comparisons }, slice) => comparisons.insert - before[slice].insert));
    inserted.add(batches.map(({ count }) => count));
  }
  return { extract: extract.work(), insert: insert.work(), entries: inserted.work() };
}

class WorkCount {
  readonly #rounds: number[][] = [];

  add(ofSlices: number[]): void {
    this.#rounds.push(ofSlices);
  }

  work(): Work {
    const all = this.#rounds.flat();
    const mean = average(all);
    const meanOfMost = average(this.#rounds.map((ofSlices) => Math.max(...ofSlices)));
    const variance = average(all.map((work) => (work - mean) ** 2));
    const ofSlices = this.#rounds[0].map((_, slice) => average(this.#rounds.map((round) => round[slice])));
    const deviation = mean === 0 ? 0 : Math.sqrt(variance) / mean;
    return {
      mean, meanOfMost, efficiency: meanOfMost === 0 ? 1 : mean / meanOfMost, least: Math.min(...all), most: Math.max(...all),
      deviation, ifIndependent: 1 / (1 + meanOfGreatest[ofSlices.length] * deviation), busiestSlice: mean === 0 ? 1 : Math.max(...ofSlices) / mean,
      freeShare: all.filter((work) => work === 0).length / all.length,
    };
  }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * A slice's work varies from round to round; the busiest of T is above the mean by that variation times `meanOfGreatest`, even where
 * no slice has more than another in the long run. Beside it stand what else the counts tell.
 */
function explanations({ kind, sharing, slices, block, extract, insert, entriesEfficiency, paper }: Omit<Table1Row, 'explanations'>): string[] {
  const found: string[] = [];
  for (const [operation, work, expected] of [['extract', extract, paper.extract], ['insert', insert, paper.insert]] as const) {
    const off = work.efficiency - expected;
    if (Math.abs(off) <= explainedFrom) continue;
    const parts = [
      `a slice makes ${Math.round(work.mean)} comparisons a round, from ${Math.round(work.least)} to ${Math.round(work.most)}, ` +
        `standard deviation ${percent(work.deviation)} of the mean: ${slices} slices that vary so, each on its own, give about ${fixed(work.ifIndependent)}`,
      `over all rounds the busiest slice did ${percent(work.busiestSlice - 1)} more than the mean`,
    ];
    if (operation === 'insert' && sharing === 'hash') parts.push(`the shares of a hash have X/Y ${fixed(entriesEfficiency)} of their own`);
    if (work.freeShare > 0) {
      const why = kind === 'cbt' && operation === 'insert' ? ` (no block of ${block} came full)` : '';
      parts.push(`${percent(work.freeShare)} of the batches cost nothing${why}`);
    }
    found.push(`${kind}, ${sharing}, T = ${slices}, ${operation} ${fixed(work.efficiency)}, paper ${fixed(expected)}: ${parts.join('; ')}`);
  }
  return found;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function fixed(value: number): string {
  return value.toFixed(2).replace(/^0/, '');
}
