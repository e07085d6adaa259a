import type { HoldPlan, HoldResult } from '../hold/hold-model.ts';
import { compileCpp } from './cpp-program.ts';
import type { Absent } from './javascript.ts';

/** How an entry is stored: a struct of key and id, or our packed word. */
export const stdVariants = ['f64+u32', 'u64'] as const;
export type StdVariant = (typeof stdVariants)[number];

export interface NativeHold extends HoldResult {
  readonly bytesPerEntry: number;
}

/** The C++ peer, compiled. `remove` takes its folder away. */
export interface StdPriorityQueue {
  /** Compiler and flags, for which any figure holds. */
  readonly compiler: string;
  /** Runs the hold model in another process; with `count` it counts comparisons, and its times mean nothing. */
  hold(variant: StdVariant, plan: HoldPlan, count?: boolean): Promise<NativeHold>;
  remove(): Promise<void>;
}

/** Compiles the peer with the first compiler that is there, or says why it is absent. */
export async function stdPriorityQueue(): Promise<StdPriorityQueue | Absent> {
  const program = await compileCpp('std-priority-queue.cpp');
  if (typeof program === 'string') return { name: 'std::priority_queue', reason: program };
  const { compiler, run, remove } = program;
  return {
    compiler,
    hold: (variant, plan, count = false) =>
      heldBy((words) => run([variant, ...words, ...(count ? ['count'] : [])]), plan),
    remove,
  };
}

/** The hold model in another process, which is told the plan in words and leaves out counts that it does not make. */
export async function heldBy(
  run: (words: readonly string[]) => Promise<unknown>, plan: HoldPlan,
): Promise<NativeHold> {
  const { entries, block, warmBatches, batches, state, unitBits } = plan;
  const result = await run([entries, block, warmBatches, batches, state, unitBits].map(String));
  const uncounted = {
    comparisonsPerElement: null, worstBatchComparisons: null, firstBatchComparisons: null, worstBatchMoved: null,
  };
  return { ...uncounted, ...(result as Partial<NativeHold>) } as NativeHold;
}
