import { assert } from '../../../base/index.ts';
import { alternate, type Side } from '../alternate.ts';
import { countingContenders, kernelContenders, type Contender } from '../contenders.ts';
import { hold, holdPlan, type HoldPlan, type HoldResult } from './hold-model.ts';
import { type HoldBench, type HoldCase, showHold } from './hold-shown.ts';
import { bytesPerEntry } from './memory.ts';
import type { Part, PartContext } from '../part.ts';
import { javascriptPeers } from '../peers/javascript.ts';
import { simdQuickHeap, type SimdQuickHeap } from '../peers/simd-quickheap.ts';
import { stdPriorityQueue, stdVariants, type StdPriorityQueue } from '../peers/std-priority-queue.ts';

/** The queues, ours and others', under the hold model. */
export const holdPart: Part<HoldBench> = {
  name: 'hold', title: 'The hold model, beside queues of others', measure, show: showHold,
};

async function measure(context: PartContext): Promise<HoldBench> {
  const { entries: sizes, blocks, signal, report } = context;
  const { present, absent } = await javascriptPeers();
  await report('compiling the C++ peer');
  const std = await stdPriorityQueue();
  const native = 'reason' in std ? undefined : std;
  await report('building the peer in Rust');
  const simd = await simdQuickHeap();
  const rust = 'reason' in simd ? undefined : simd;
  // The first is the side that all others are compared with.
  const contenders = [...kernelContenders, ...countingContenders, ...present];
  const cases: HoldCase[] = [];
  const skipped: string[] = [];
  try {
    for (const entries of sizes) {
      for (const block of blocks) {
        if (block > entries)
          skipped.push(`Not measured: R = ${block} with N = ${entries}, since a batch is larger than the queue.`);
        else cases.push(...(await holdCases(contenders, { native, rust }, entries, block, context)));
      }
    }
  } catch (error) {
    // Half a case has no medians: it is left out.
    if (!signal.aborted) throw error;
  } finally {
    await native?.remove();
    await rust?.remove();
  }
  return {
    compiler: native?.compiler ?? null, rustCompiler: rust?.compiler ?? null, cases,
    absent: [...absent, ...[std, simd].filter((peer) => 'reason' in peer)], skipped,
  };
}

/** A side of the hold model, with what it returned in each round, the uncounted one first. */
interface Run {
  readonly name: string;
  readonly isOurs: boolean;
  readonly hold: () => HoldResult | Promise<HoldResult>;
  readonly results: HoldResult[];
  /** What is measured apart, because it would disturb the clock. */
  readonly more: () => Promise<Partial<HoldCase> & Pick<HoldCase, 'bytesPerEntry'>>;
}

/** Peers that run in processes of their own, where their compilers are there. */
interface Natives {
  readonly native: StdPriorityQueue | undefined;
  readonly rust: SimdQuickHeap | undefined;
}

function runsOf(
  contenders: readonly Contender[], { native, rust }: Natives, plan: HoldPlan, seed: number,
): Run[] {
  return [
    ...contenders.map((contender) => {
      const make = () => contender.make({ block: plan.block, seed, capacity: plan.entries });
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
        const {
          bytesPerEntry: bytes, comparisonsPerElement, worstBatchComparisons, firstBatchComparisons,
        } = await native.hold(variant, plan, true);
        return { bytesPerEntry: bytes, comparisonsPerElement, worstBatchComparisons, firstBatchComparisons };
      },
    }))),
    ...(rust === undefined ? [] : [{
      name: 'SimdQuickHeap u64', isOurs: false, results: [],
      hold: () => rust.hold(plan),
      // What an entry takes; room to spare is not counted.
      more: () => Promise.resolve({ bytesPerEntry: 8 }),
    }]),
  ];
}

/** One N and R. Throws what the signal was aborted with as soon as a side is done. */
async function holdCases(
  contenders: readonly Contender[], natives: Natives, entries: number, block: number,
  { rounds, seed, signal, report }: PartContext,
): Promise<HoldCase[]> {
  const plan = holdPlan({ entries, block, operations: Math.max(entries, 100_000), seed });
  const runs = runsOf(contenders, natives, plan, seed);
  const underWay = async (what: string): Promise<void> => {
    await report(`hold model, N = ${entries}, R = ${block}, ${what}`);
    signal.throwIfAborted();
  };
  const sides = runs.map(({ name, hold: run, results }): Side => ({
    name,
    measuresIn: 'ns',
    run: async () => {
      await underWay(`${results.length === 0 ? 'warming up' : `round ${results.length} of ${rounds}`}, ${name}`);
      const result = await run();
      results.push(result);
      return result.nsPerElement;
    },
  }));
  const { cases } = await alternate(sides, rounds);

  const [{ results: [{ checksum }] }] = runs;
  const rows: HoldCase[] = [];
  for (const [i, { name, isOurs, results, more }] of runs.entries()) {
    for (const result of results) {
      assert(
        result.checksum === checksum,
        () => `${name} took out other keys than ${runs[0].name} did, N = ${entries}, R = ${block}`,
      );
    }
    await underWay(`counts and bytes, ${name}`);
    const counted = results.slice(1);
    const { comparisonsPerElement, worstBatchComparisons, firstBatchComparisons, worstBatchMoved } = counted[0];
    const worst = counted.map(({ worstBatchMs }) => worstBatchMs).sort((a, b) => a - b);
    rows.push({
      ...cases[i],
      name: `${name}, N = ${entries}, R = ${block}`,
      queue: name, isOurs, entries, block, operations: plan.batches * block,
      worstBatchMs: worst[worst.length >> 1],
      comparisonsPerElement, worstBatchComparisons, firstBatchComparisons, worstBatchMoved,
      ...(await more()),
    });
  }
  return rows;
}
