import {
  CbtKernel, QuickHeapKernel, SlicedQueue, WasmCbt, WasmQuickHeap, type PriorityQueue,
} from '../../../core/queue/index.ts';
import { average } from '../alternate.ts';
import { PaperCbt } from '../literature/paper-cbt.ts';
import type { Part, PartContext } from '../part.ts';
import { RandomisedQuickHeap } from '../literature/randomised-quickheap.ts';
import {
  crawlWorkload, holdWorkload, sharings, type SliceStep, type SliceWorkload,
} from '../slices/slice-workloads.ts';
import { steadySelect } from '../literature/steady-select.ts';
import {
  explanationsOf, type Measures, paperTable1, showTable1, type Table1Result, type Table1Row, type Work, yardsticks,
} from './table-1-shown.ts';

/** Rounds that count under the hold model. */
const holdRounds = 50;

interface SliceContender {
  readonly name: string;
  readonly isYardstick?: boolean;
  /** Makes slices of R/T keys a block, by comparisons alone. Called once for all slices of a queue. */
  readonly maker: (block: number, seed: number) => (slice: number) => PriorityQueue;
}

const contenders: readonly SliceContender[] = [
  { name: 'paper cbt', maker: (block) => () => new PaperCbt(block) },
  { name: yardsticks.inFull, isYardstick: true, maker: (block) => () => new PaperCbt(block, { inFull: true }) },
  {
    name: yardsticks.steady, isYardstick: true,
    maker: (block, seed) => (slice) => new PaperCbt(block, { inFull: true, select: steadySelect(seed + slice) }),
  },
  {
    name: 'cbt',
    maker: (block) => {
      const kernel = new CbtKernel();
      return () => new WasmCbt(block, { compareOnly: true, kernel });
    },
  },
  { name: 'randomised quickheap', maker: (_, seed) => (slice) => new RandomisedQuickHeap(seed + slice) },
  {
    name: 'quickheap',
    maker: (block) => {
      const kernel = new QuickHeapKernel();
      return () => new WasmQuickHeap(block, { compareOnly: true, kernel });
    },
  },
];

/**
 * Table 1 of the paper: the balance of T slices of a queue (`SlicedQueue`, approximate), R entries out and R in a
 * round, in work that is counted instead of seconds. Deterministic.
 */
export const table1Part: Part<Table1Result> = {
  name: 'table-1',
  title: 'Table 1: the balance of T slices',
  show: showTable1,
  async measure(context: PartContext): Promise<Table1Result> {
    const { tableBlock: block, graphs, seed, signal } = context;
    // At least ten blocks, or nothing is left to compare.
    const entries = Math.max(...context.entries, 10 * block);
    const workloads: SliceWorkload[] = sharings.map((sharing) =>
      holdWorkload({ entries, block, rounds: holdRounds, sharing, seed }),
    );
    const skipped: string[] = [];
    for (const graph of graphs) {
      if (signal.aborted) break;
      await context.report(`Table 1, crawl of ${graph.name}`);
      const workload = await crawlWorkload(graph, block);
      if (typeof workload === 'string') skipped.push(workload);
      else workloads.push(workload);
    }
    const rows: Table1Row[] = [];
    for (const [i, workload] of workloads.entries()) {
      for (const contender of contenders) {
        // Once is enough to show what makes the difference, and they are slow.
        if (contender.isYardstick === true && i > 0) continue;
        for (const paper of paperTable1) {
          if (signal.aborted) break;
          await context.report(`Table 1, ${workload.name}, ${contender.name}, T = ${paper.slices}`);
          rows.push(measureSlices(contender, workload, paper, seed));
        }
      }
    }
    return { workloads: workloads.map(({ name, isSynthetic, note }) => ({ name, isSynthetic, note })), rows, skipped };
  },
};

const operations = ['extract', 'insert'] as const;
/** By slice. */
type Counts = Readonly<Record<'comparisons' | 'matches' | 'moved' | 'entries', readonly number[]>>;

function measureSlices(
  contender: SliceContender, workload: SliceWorkload, figures: (typeof paperTable1)[number], seed: number,
): Table1Row {
  const { name, isYardstick = false, maker } = contender;
  const { slices, ...paper } = figures;
  const sliceBlock = Math.ceil(workload.block / slices);
  const make = maker(sliceBlock, seed);
  const queues = Array.from({ length: slices }, (_, slice) => make(slice));
  const sliced = new SlicedQueue({ slices, slicing: 'approximate', make: (slice) => queues[slice] });
  const count = (): Counts => ({
    comparisons: sliced.slices.map(({ comparisons }) => comparisons.insert + comparisons.extract),
    matches: queues.map((queue) => (queue instanceof PaperCbt ? queue.counts.matches : NaN)),
    moved: queues.map((queue) =>
      queue instanceof PaperCbt ? queue.counts.selected : queue instanceof WasmQuickHeap ? queue.copies.total : NaN,
    ),
    entries: sliced.slices.map(({ size }) => size),
  });

  let earlier = count();
  const nothing = mapped(earlier, earlier, (a, b) => a - b);
  const rounds: { isFull: boolean; extract: Counts; insert: Counts }[] = [];
  let last: SliceStep['operation'] = 'insert';
  for (const { operation, isFull } of workload.steps(sliced, slices)) {
    const after = count();
    const step = mapped(after, earlier, (a, b) => a - b);
    earlier = after;
    if (operation === 'extract' && last === 'insert') rounds.push({ isFull: false, extract: nothing, insert: nothing });
    last = operation;
    const round = rounds.at(-1);
    if (round === undefined) continue;
    round.isFull ||= isFull;
    round[operation] = mapped(round[operation], step, (a, b) => a + b);
  }
  // What queues put off while they fill would swamp the rest.
  const full = rounds.filter(({ isFull }) => isFull);
  const counted = full.slice(Math.floor(full.length / 6));
  const measures = (of: (round: (typeof counted)[number]) => Counts): Measures => ({
    comparisons: work(counted.map((round) => of(round).comparisons))!,
    matches: work(counted.map((round) => of(round).matches)),
    moved: work(counted.map((round) => of(round).moved)),
  });
  const [extract, insert] = operations.map((operation) => measures((round) => round[operation]));
  const row = {
    workload: workload.name, queue: name, isYardstick, slices, block: workload.block, sliceBlock,
    rounds: counted.length, extract, insert,
    round: measures((round) => mapped(round.extract, round.insert, (a, b) => a + b)),
    entries: work(counted.map((round) => round.insert.entries))!, paper,
  };
  return { ...row, explanations: explanationsOf(row) };
}

function mapped(first: Counts, other: Counts, of: (a: number, b: number) => number): Counts {
  const both = (unit: keyof Counts): number[] => first[unit].map((value, slice) => of(value, other[unit][slice]));
  return { comparisons: both('comparisons'), matches: both('matches'), moved: both('moved'), entries: both('entries') };
}

/** The work of rounds of slices; null where the unit is not counted. */
function work(rounds: readonly (readonly number[])[]): Work | null {
  const all = rounds.flat();
  const mean = average(all);
  if (Number.isNaN(mean)) return null;
  const meanOfMost = average(rounds.map((ofSlices) => Math.max(...ofSlices)));
  const slices = rounds[0].length;
  const squares = rounds.flatMap((ofSlices) => ofSlices.map((value) => (value - average(ofSlices)) ** 2));
  const variance = average(squares) * (slices / Math.max(1, slices - 1));
  const ofSlices = rounds[0].map((_, slice) => average(rounds.map((round) => round[slice])));
  return {
    mean, meanOfMost, efficiency: meanOfMost === 0 ? 1 : mean / meanOfMost, least: Math.min(...all),
    most: Math.max(...all), deviation: mean === 0 ? 0 : Math.sqrt(variance) / mean,
    busiestSlice: mean === 0 ? 1 : Math.max(...ofSlices) / mean,
    freeShare: all.filter((value) => value === 0).length / all.length,
  };
}
