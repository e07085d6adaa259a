import { describe, expect, test } from 'vitest';
import { adversaries, hold, holdPlan } from '../../../src/questions/bench/index.ts';
import { QuickHeapKernel, WasmQuickHeap } from '../../../src/core/queue/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

// Goal: what the bucket QuickHeap costs at most stays what it is. Counts are exact: a bound that is passed once is
// passed always. 10^7 keys are the benchmark's (`questions/bench/adversaries/adversaries.ts`), which holds to the same
// bounds.

/** Runs hold 1024 keys at least, so that smaller batches cost as if they were 683. */
const paced = (block: number): number => Math.max(block, 1024 / 1.5);

describe('bucket quickheap: no call is dear', () => {
  test.each(sampled([
    [100_000, 100], [100_000, 1000], [100_000, 8000], [300_000, 1000],
  ], 2))('hold model, N = %d, R = %d', (entries, block) => {
    const plan = holdPlan({ entries, block, operations: 2 * entries, seed: 5 });
    const digits = new WasmQuickHeap(block, { kernel: new QuickHeapKernel() });
    const { comparisonsPerElement, worstBatchMoved } = hold(digits, plan);
    expect(comparisonsPerElement).toBeLessThanOrEqual(20);
    // A batch out and a batch in, together.
    expect(worstBatchMoved).toBeLessThanOrEqual(6 * paced(block));
    const compared = new WasmQuickHeap(block, { kernel: new QuickHeapKernel(), compareOnly: true });
    expect(hold(compared, plan).comparisonsPerElement).toBeLessThanOrEqual(30);
    expect(digits.copies.worst).toBeLessThanOrEqual(5 * paced(block));
    expect(compared.copies).toEqual(digits.copies);
  });

  const cases = adversaries.map(
    ({ name, steps }) => [[name, 16, 100_000, steps], [name, 1000, isFullSweep ? 300_000 : 100_000, steps]] as const,
  );
  // In the short sweep each adversary has batches of one size, the next one the other.
  const tried = isFullSweep ? cases.flat() : cases.map((sizes, i) => sizes[i % 2]);
  test.each(tried)('%s, R = %d, %d keys', (_, block, entries, steps) => {
    const queue = new WasmQuickHeap(block, { kernel: new QuickHeapKernel(), compareOnly: true });
    const into = new Float64Array(block);
    let pivots = 0;
    for (const step of steps(entries, block, 5)) {
      if (typeof step === 'number') queue.extractTop(step, into);
      else queue.insertMany(step, 0, step.length);
      pivots = Math.max(pivots, queue.structure.count);
    }
    expect(queue.size).toBe(0);
    expect((queue.comparisons.insert + queue.comparisons.extract) / entries).toBeLessThanOrEqual(25);
    expect(pivots).toBeLessThanOrEqual(200);
    expect(queue.copies.worst).toBeLessThanOrEqual(6 * paced(block));
  });
});
