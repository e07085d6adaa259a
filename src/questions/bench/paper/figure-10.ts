import { availableParallelism } from 'node:os';
import { createQueue, ThreadedSlices } from '../../../core/queue/index.ts';
import { alternate, average, watchedLoad, type BenchCase, type Side } from '../alternate.ts';
import {
  type Figure10Case, type Figure10Result, type MeasuredPoint, type Mode, type ModelledPoint, paperThreads, showFigure10,
} from './figure-10-shown.ts';
import type { Part, PartContext } from '../part.ts';
import { LoadThreads } from '../slices/slice-load-threads.ts';
import { LoadKeys, loadedQueues, SliceLoad, type LoadedQueue } from '../slices/slice-load.ts';

/** Entries out and in while the clock runs, at most. */
const operations = 1_000_000;
/** Rounds that the model counts; a fifth as many go before. */
const modelRounds = 50;

/** Figure 10 of the paper: the speed-up of T threads over one, each with its slice. */
export const figure10Part: Part<Figure10Result> = {
  name: 'figure-10',
  title: 'Figure 10: the speed-up of T threads',
  show: showFigure10,
  async measure(context: PartContext): Promise<Figure10Result> {
    const { tableBlock, rounds, seed, signal } = context;
    const cores = availableParallelism();
    const loadNow = watchedLoad(cores);
    const cases: Figure10Case[] = [];
    const skipped: string[] = [];
    for (const entries of context.entries) {
      // The paper's R, and an eighth of it.
      for (const block of [tableBlock, Math.ceil(tableBlock / 8)]) {
        if (signal.aborted) break;
        if (entries < 10 * block) {
          skipped.push(`Not measured: R = ${block} with N = ${entries}, since fewer than ten batches would be held.`);
          continue;
        }
        const measured: MeasuredPoint[] = [];
        const modelled: ModelledPoint[] = [];
        for (const queue of loadedQueues) {
          await context.report(`figure 10, N = ${entries}, R = ${block}, ${queue}`);
          const work = { queue, entries, block, rounds, seed };
          const counts = threadCounts(cores, block);
          measured.push(...(await measureThreads(work, counts)), ...(await measureProduct(work, counts)));
          await context.report(`figure 10, N = ${entries}, R = ${block}, ${queue}, model`);
          modelled.push(...modelSlices(work, paperThreads.filter((slices) => slices <= block)));
        }
        cases.push({ entries, block, measured, modelled });
      }
    }
    const { before, after } = loadNow();
    return { cores, load: { before, after }, rounds, cases, skipped };
  },
};

/** 1, 2, 4, ... and the number of cores; none more than R. */
function threadCounts(cores: number, block: number): number[] {
  const counts = [1];
  while (2 * counts[counts.length - 1] < cores) counts.push(2 * counts[counts.length - 1]);
  return [...new Set([...counts, cores])].filter((threads) => threads <= block);
}

interface Workload {
  readonly queue: LoadedQueue;
  /** N. */
  readonly entries: number;
  /** R. */
  readonly block: number;
  readonly rounds: number;
  readonly seed: number;
}

/** Batches of a run: each entry leaves four times at most. */
const batchesOf = ({ entries, block }: Workload): number =>
  Math.max(1, Math.round(Math.min(operations, 4 * entries) / block));

/** T = 1, 2, ... in turn, so that those compared are neighbours; first free-running, then with a barrier. */
async function measureThreads(work: Workload, counts: readonly number[]): Promise<MeasuredPoint[]> {
  const { queue, entries, block, rounds, seed } = work;
  const batches = batchesOf(work);
  const sides: { threads: LoadThreads; count: number }[] = [];
  const points: MeasuredPoint[] = [];
  try {
    for (const count of counts) {
      const threads = await LoadThreads.start({
        kind: queue, threads: count, entries, block, batches: 2 * (rounds + 1) * batches, seed,
      });
      sides.push({ threads, count });
    }
    for (const mode of ['free-running', 'barrier'] as const) {
      const { cases } = await alternate(
        sides.map(({ threads, count }): Side => ({
          name: `${mode}, T = ${count}`,
          measuresIn: 'ns',
          run: () => threads.run({ batches, hasBarrier: mode === 'barrier' }),
        })),
        rounds,
      );
      points.push(...cases.map((side, i) => measuredPoint(queue, mode, counts[i], side)));
    }
  } finally {
    await Promise.all(sides.map(({ threads }) => threads.close()));
  }
  return points;
}

/** The product's threads, compared with its queue without threads. */
async function measureProduct(work: Workload, counts: readonly number[]): Promise<MeasuredPoint[]> {
  const { queue: kind, entries, block, rounds, seed } = work;
  const batches = batchesOf(work);
  const opened: ThreadedSlices[] = [];
  const newKeys = (): LoadKeys =>
    new LoadKeys({ entries, batch: block, batches: (rounds + 1) * batches, seed, slice: 0 });
  const into = new Float64Array(block);
  const fast = { kind, block, seed, compareOnly: false } as const;
  const single = createQueue(fast);
  /** Rounds on any of them; for a queue without threads `await` waits for nothing. */
  const sideOf = (name: string, keys: LoadKeys, queue: Pick<ThreadedSlices, 'insertMany' | 'extractTop'>): Side => ({
    name,
    measuresIn: 'ns',
    run: async () => {
      const prepared = keys.next(batches);
      const start = performance.now();
      for (let at = 0; at < prepared.length; at += block) {
        await queue.extractTop(block, into);
        await queue.insertMany(prepared, at, at + block);
      }
      return (1e6 * (performance.now() - start)) / prepared.length;
    },
  });
  try {
    const nothing = Promise.resolve();
    const keys = newKeys();
    for (const part of keys.initial()) single.insertMany(part, 0, part.length);
    const sides = [sideOf('no threads', keys, {
      insertMany: (batch, from, to) => {
        single.insertMany(batch, from, to);
        return nothing;
      },
      extractTop: (k, out) => Promise.resolve(single.extractTop(k, out)),
    })];
    for (const slices of counts) {
      const threads = new ThreadedSlices({ ...fast, slices });
      opened.push(threads);
      const keysOfSide = newKeys();
      for (const part of keysOfSide.initial()) await threads.insertMany(part, 0, part.length);
      sides.push(sideOf(`T = ${slices}`, keysOfSide, threads));
    }
    const { cases: [, ...cases] } = await alternate(sides, rounds);
    return cases.map((side, i) => measuredPoint(kind, 'ThreadedSlices', counts[i], side));
  } finally {
    single.dispose();
    await Promise.all(opened.map((threads) => threads.close()));
  }
}

function measuredPoint(
  queue: LoadedQueue, mode: Mode, threads: number, { median, min, max, ratio }: BenchCase,
): MeasuredPoint {
  return { queue, mode, threads, nsPerElement: { median, min, max }, speedUp: ratio ?? { median: 1, min: 1, max: 1 } };
}

/**
 * Speed-up(T) = comparisons per entry of a single queue in a round, over the busiest of T slices.
 * Deterministic.
 */
export function modelSlices(
  { queue, entries, block, seed }: Omit<Workload, 'rounds'>, counts: readonly number[],
): ModelledPoint[] {
  const warmRounds = Math.ceil(modelRounds / 5);
  const batches = warmRounds + modelRounds;
  let single = 0;
  return counts.map((slices): ModelledPoint => {
    const batch = Math.floor(block / slices);
    /** Comparisons of each round, slice by slice. */
    const work = Array.from({ length: slices }, (_, slice) => {
      const load = new SliceLoad(queue, {
        entries: Math.floor(entries / slices), batch, batches, seed, slice, compareOnly: true,
      });
      const prepared = load.prepare(batches);
      const count = (): number => load.queue.comparisons.insert + load.queue.comparisons.extract;
      const comparisons = Array.from({ length: batches }, (__, round) => {
        const earlier = count();
        load.run(prepared, round * batch);
        return count() - earlier;
      });
      load.dispose();
      return comparisons.slice(warmRounds);
    });
    const meanOfBusiest = average(work[0].map((_, round) => Math.max(...work.map((ofSlice) => ofSlice[round]))));
    const busiestOverall = Math.max(...work.map(average));
    if (slices === 1) single = meanOfBusiest;
    // Where T does not divide R, slices move fewer entries in a round than one queue does.
    const share = (slices * batch) / block;
    return {
      queue, slices, meanOfSlice: average(work.map(average)), meanOfBusiest, busiestOverall,
      speedUp: { barrier: (share * single) / meanOfBusiest, 'free-running': (share * single) / busiestOverall },
    };
  });
}
