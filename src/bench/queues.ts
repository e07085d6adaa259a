import { cpus, loadavg } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { WebGraph } from '../graph/index.ts';
import { assert } from '../std/index.ts';
import { alternate, machine, type BenchCase, type Side } from './alternate.ts';
import { countingContenders, kernelContenders, type Contender } from './contenders.ts';
import { figure8, figure8Blocks, type Figure8Stream } from './figure-8.ts';
import { hold, holdPlan, type HoldResult } from './hold-model.ts';
import { bytesPerEntry } from './memory.ts';
import { javascriptPeers, type Absent } from './peers/javascript.ts';
import { stdPriorityQueue, stdVariants, type StdPriorityQueue } from './peers/std-priority-queue.ts';
import { crawlSource, holdSource, syntheticGraph, type StreamSource } from './priority-streams.ts';

export interface QueueBenchOptions {
  /** N of the hold model. */
  readonly entries: readonly number[];
  /** R of the hold model. */
  readonly blocks: readonly number[];
  /** Rounds that count; one more goes before them. */
  readonly rounds: number;
  /** Graphs whose crawls give streams to figure 8. */
  readonly graphs: readonly WebGraph[];
  /** Entries of figure 8's hold model, and pages of its synthetic graph. */
  readonly figure8Entries: number;
  readonly syntheticPages: number;
  readonly seed: number;
  readonly onProgress?: ((text: string) => void) | undefined;
  /** Aborted, the benchmark ends after the part under way, with what it has. */
  readonly signal?: AbortSignal | undefined;
}

export const queueBenchDefaults = {
  entries: [100_000, 1_000_000], blocks: [1000, 8000], rounds: 3,
  figure8Entries: 100_000, syntheticPages: 20_000, seed: 1,
} as const;

/** One queue at one N and R: ns an element (one entry out and one in). */
export interface HoldCase extends BenchCase {
  readonly queue: string;
  readonly isOurs: boolean;
  readonly entries: number;
  readonly block: number;
  readonly operations: number;
  /** Median over the rounds of the longest batch. */
  readonly worstBatchMs: number;
  /** null where comparisons are not counted. */
  readonly comparisonsPerElement: number | null;
  readonly worstBatchComparisons: number | null;
  readonly firstBatchComparisons: number | null;
  readonly bytesPerEntry: number;
}

export interface QueueBenchReport {
  readonly machine: string;
  /** Cores, and the mean number of busy processes over the last minute before and after: above the cores, times are worth little. */
  readonly load: { readonly cores: number; readonly before: number; readonly after: number };
  readonly rounds: number;
  readonly seed: number;
  /** Compiler and flags of the C++ peer; null where it is absent. */
  readonly compiler: string | null;
  readonly cases: readonly HoldCase[];
  readonly figure8: readonly Figure8Stream[];
  /** Peers that could not take part. */
  readonly absent: readonly Absent[];
  /** What was not measured, what is synthetic, and what is not known. */
  readonly notes: readonly string[];
}

/** The queues, ours and others', under the hold model; the paper's figure 8 and Table 1 for ours. */
export async function benchQueues(options: QueueBenchOptions): Promise<QueueBenchReport> {
  const { rounds, seed, signal, graphs } = options;
  const tell = async (text: string): Promise<void> => {
    options.onProgress?.(text);
    await setImmediate();
  };
  const before = loadavg()[0];
  const isOver = (): boolean => signal?.aborted === true;
  const notes: string[] = [];

  const { present, absent } = await javascriptPeers();
  await tell('compiling the C++ peer');
  const std = await stdPriorityQueue();
  const native = 'reason' in std ? undefined : std;
  const cases: HoldCase[] = [];
  try {
    for (const entries of options.entries) {
      for (const block of options.blocks) {
        if (isOver()) break;
        if (block > entries) {
          notes.push(`Not measured: R = ${block} with N = ${entries}, since a batch is larger than the queue.`);
          continue;
        }
        await tell(`hold model, N = ${entries}, R = ${block}`);
        cases.push(...(await holdCases([...countingContenders, ...kernelContenders, ...present], native, entries, block, rounds, seed)));
      }
    }
  } finally {
    await native?.remove();
  }

  const sources: StreamSource[] = [
    ...graphs.flatMap((graph) => [crawlSource(graph, 1), crawlSource(graph, 8)]),
    crawlSource(syntheticGraph(options.syntheticPages, seed), 1, true),
    holdSource(options.figure8Entries, options.figure8Entries, seed),
  ];
  const figure: Figure8Stream[] = [];
  for (const source of sources) {
    if (isOver()) break;
    await tell(`figure 8, ${source.name}`);
    figure.push(await figure8(source, figure8Blocks));
  }

  return {
    machine: machine(),
    load: { cores: cpus().length, before, after: loadavg()[0] },
    rounds, seed,
    compiler: native?.compiler ?? null,
    cases,
    figure8: figure,
    absent: 'reason' in std ? [...absent, std] : absent,
    notes: [...notes, ...standingNotes],
  };
}

const standingNotes = [
  'The clock stands while the keys of a batch are made, for every side. Build-up and a fifth of the batches go before, uncounted.',
  'The hold model\'s keys are uniform and synthetic, as is the graph synthetic-copying. Crawls of stored graphs are simulated: their links are real.',
  'Other packages\' queues do not count comparisons and are not measured for them. They, and the C++ one, return their entries sorted, which ours do not promise.',
  'Bytes an entry are by the engine\'s own account, spare room of arrays included; below N = 100000 they say little.',
  'The C++ peer runs in a process of its own. Its bytes an entry are the size of an entry, without spare room.',
  'Worst batches in ms are as often the machine\'s as the queue\'s: compare worst batches in comparisons.',
  'The paper\'s figure 8 survives without axes, values of R and names of samples: only the order of the curves can be compared. Its Table 1 is in seconds, ours in comparisons.',
  'binary-heap makes two comparisons a level, as in the textbooks; bottom-up heap, like std::priority_queue, little more than one. Which of them the paper compared with is not known.',
  'A CBT\'s match costs R comparisons where the loser keeps its keys, and a selection among up to 2R keys more where some change sides, and a block that is inserted meets each winner on its way once, be they one or lg(m/R): its work is bounded, not constant, which counts show and seconds may hide.',
  'Times travel badly between machines and hours, ratios better. Read them only where the load is below the number of cores.',
] as const;

/** A side of the hold model, with what it returned in each round, the uncounted one first. */
interface Run {
  readonly name: string;
  readonly isOurs: boolean;
  readonly hold: () => HoldResult | Promise<HoldResult>;
  readonly results: HoldResult[];
  /** What is measured apart, because it would disturb the clock. */
  readonly more: () => Promise<Partial<HoldCase> & Pick<HoldCase, 'bytesPerEntry'>>;
}

async function holdCases(
  contenders: readonly Contender[], native: StdPriorityQueue | undefined, entries: number, block: number, rounds: number, seed: number,
): Promise<HoldCase[]> {
  const plan = holdPlan({ entries, block, operations: Math.max(entries, 100_000), seed });
  const runs: Run[] = [
    ...contenders.map((contender) => {
      const make = () => contender.make({ block, seed, capacity: entries });
      return {
        name: contender.name, isOurs: contender.isOurs, results: [],
        hold: () => hold(make(), plan),
        more: async () => ({ bytesPerEntry: await bytesPerEntry(make, plan) }),
      };
    }),
    ...(native === undefined ? [] : stdVariants.map((variant) => ({
      name: `std::priority_queue ${variant}`, isOurs: false, results: [],
      hold: () => native.hold(variant, plan),
      more: async () => {
        const { bytesPerEntry: bytes, comparisonsPerElement, worstBatchComparisons, firstBatchComparisons } = await native.hold(variant, plan, true);
        return { bytesPerEntry: bytes, comparisonsPerElement, worstBatchComparisons, firstBatchComparisons };
      },
    }))),
  ];
  const sides = runs.map(({ name, hold: run, results }): Side => ({
    name,
    measuresIn: 'ns',
    run: async () => {
      const result = await run();
      results.push(result);
      return result.nsPerElement;
    },
  }));
  const { cases } = await alternate(sides, rounds);

  const [{ results: [{ checksum }] }] = runs;
  const found: HoldCase[] = [];
  for (const [i, { name, isOurs, results, more }] of runs.entries()) {
    for (const result of results) {
      assert(result.checksum === checksum, () => `${name} took out other keys than ${runs[0].name} did, N = ${entries}, R = ${block}`);
    }
    const counted = results.slice(1);
    const { comparisonsPerElement, worstBatchComparisons, firstBatchComparisons } = counted[0];
    const worst = counted.map(({ worstBatchMs }) => worstBatchMs).sort((a, b) => a - b);
    found.push({
      ...cases[i],
      name: `${name}, N = ${entries}, R = ${block}`,
      queue: name, isOurs, entries, block, operations: plan.batches * block,
      worstBatchMs: worst[worst.length >> 1],
      comparisonsPerElement, worstBatchComparisons, firstBatchComparisons,
      ...(await more()),
    });
  }
  return found;
}
