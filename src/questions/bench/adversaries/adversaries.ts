import {
  BinaryHeap, CbtKernel, entryIndex, entryKey, QuickHeapKernel, WasmCbt, WasmQuickHeap, type PriorityQueue,
} from '../../../core/queue/index.ts';
import { assert } from '../../../base/index.ts';
import {
  type AdversariesResult, type AdversaryRow, coinRule, joinRule, showAdversaries,
} from './adversaries-shown.ts';
import { adversaries, type Adversary } from './adversary-steps.ts';
import type { Part } from '../part.ts';
import { RandomisedQuickHeap } from '../literature/randomised-quickheap.ts';

/** R of the adversaries: small, where pivots are many, and as in a crawl. */
export const adversaryBlocks: readonly number[] = [16, 1000];

type AdversaryQueue = PriorityQueue & { readonly copies?: { readonly worst: number } };

interface Side {
  readonly name: string;
  readonly make: (block: number, seed: number) => AdversaryQueue;
}

export const adversarySides: readonly Side[] = [
  { name: joinRule, make: (block) => new WasmQuickHeap(block, { kernel: new QuickHeapKernel(), compareOnly: true }) },
  { name: 'quickheap, radix sort', make: (block) => new WasmQuickHeap(block, { kernel: new QuickHeapKernel() }) },
  { name: coinRule, make: (_, seed) => new RandomisedQuickHeap(seed) },
  { name: 'cbt', make: (block) => new WasmCbt(block, { kernel: new CbtKernel(), compareOnly: true }) },
  { name: 'binary-heap', make: () => new BinaryHeap() },
];

/**
 * Orders of keys that queues dislike, on every queue. A case with N keys takes some N x 2 us over all queues; all but
 * the times is the same on any machine. A queue that takes out other keys than the first one ends it with an
 * AssertionError.
 */
export const adversariesPart: Part<AdversariesResult> = {
  name: 'adversaries',
  title: 'Adversaries: what the rules bound',
  async measure(context) {
    const { adversaryEntries, seed, signal } = context;
    const rows: AdversaryRow[] = [];
    for (const block of adversaryBlocks) {
      for (const adversary of adversaries) {
        let expected: number | undefined;
        for (const side of adversarySides) {
          if (signal.aborted) return { entries: adversaryEntries, rows };
          await context.report(`adversaries, R = ${block}, ${adversary.name}, ${side.name}`);
          const { checksum, ...row } = play(adversary, side, adversaryEntries, block, seed);
          expected ??= checksum;
          assert(
            checksum === expected,
            () => `${side.name} took out other keys than ${joinRule}: ${adversary.name}, R = ${block}`,
          );
          rows.push(row);
        }
      }
    }
    return { entries: adversaryEntries, rows };
  },
  show: showAdversaries,
};

function play(
  adversary: Adversary, side: Side, entries: number, block: number, seed: number,
): AdversaryRow & { checksum: number } {
  const queue = side.make(block, seed);
  const into = new Float64Array(block);
  let checksum = 0;
  let ms = 0;
  let mostParts = 0;
  let worstBatchComparisons = 0;
  let earlier = 0;
  for (const step of adversary.steps(entries, block, seed)) {
    const start = performance.now();
    if (typeof step === 'number') queue.extractTop(step, into);
    else queue.insertMany(step, 0, step.length);
    ms += performance.now() - start;
    if (typeof step === 'number') checksum = (Math.imul(checksum, 31) + sumOf(into.subarray(0, step))) >>> 0;
    mostParts = Math.max(mostParts, queue.structure.count);
    const compared = queue.comparisons.insert + queue.comparisons.extract;
    worstBatchComparisons = Math.max(worstBatchComparisons, compared - earlier);
    earlier = compared;
  }
  assert(queue.size === 0, () => `${side.name}: ${queue.size} entries are left of ${adversary.name}`);
  const row = {
    adversary: adversary.name, block, queue: side.name, comparisonsPerElement: earlier / entries, mostParts,
    unit: queue.structure.unit, worstBatchComparisons, worstBatchMoved: queue.copies?.worst ?? null,
    nsPerElement: (1e6 * ms) / entries, checksum,
  };
  queue.dispose();
  return row;
}

/** Depends on the entries, not on their order, which no queue promises. */
function sumOf(batch: Float64Array): number {
  let sum = 0;
  for (const entry of batch)
    sum = (sum + Math.imul(entryKey(entry) ^ Math.imul(entryIndex(entry), 0x85ebca6b), 0x9e3779b1)) >>> 0;
  return sum;
}
