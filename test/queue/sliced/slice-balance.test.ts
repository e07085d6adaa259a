import { expect, test } from 'vitest';
import { createQueue, packEntry, SlicedQueue, type QueueKind } from '../../../src/core/queue/index.ts';
import { DrawStream } from '../../../src/base/index.ts';

// Goal: how evenly the work falls on slices, as Table 1 of the paper measures it: X/Y, X the average and Y the maximum
// of the slices' comparisons in a round of R out and R in, both averaged over the rounds.

type Operation = 'insert' | 'extract';

function efficiency(kind: QueueKind, block: number, slices: number): Record<Operation, number> {
  const [entries, extracted, rounds] = [2 ** 15, 2048, 60];
  const draws = new DrawStream(3, 'balance');
  const queue = createQueue({ kind, block, seed: 3, slices, slicing: 'approximate' });
  if (!(queue instanceof SlicedQueue)) throw new Error('more than one slice was asked for');
  let made = 0;
  const random = (): number => packEntry(draws.uint32(++made) >>> 2, draws.uint32(made, 1));
  queue.insertMany(Float64Array.from({ length: entries }, random), 0, entries);
  const sums = { insert: { mean: 0, most: 0 }, extract: { mean: 0, most: 0 } };
  const batch = new Float64Array(extracted);
  for (let round = 0; round < rounds; round++) {
    const before = queue.slices.map(({ comparisons }) => ({ ...comparisons }));
    queue.extractTop(extracted, batch);
    queue.insertMany(batch.map(random), 0, extracted);
    for (const operation of ['insert', 'extract'] as const) {
      const work = queue.slices.map(({ comparisons }, slice) => comparisons[operation] - before[slice][operation]);
      sums[operation].mean += work.reduce((a, b) => a + b) / slices;
      sums[operation].most += Math.max(...work);
    }
  }
  return { insert: sums.insert.mean / sums.insert.most, extract: sums.extract.mean / sums.extract.most };
}

test('CBTs are even, more so with small blocks; QuickHeaps are not', () => {
  const one = efficiency('cbt', 2048, 8);
  const eighth = efficiency('cbt', 256, 8);
  const quick = efficiency('quickheap', 1, 8);
  expect(eighth.extract).toBeGreaterThan(0.85);
  expect(eighth.extract).toBeGreaterThan(one.extract + 0.05);
  expect(eighth.insert).toBeGreaterThan(one.insert);
  expect(quick.extract).toBeLessThan(0.6);
  expect(Math.max(one.insert, one.extract, eighth.insert, eighth.extract)).toBeLessThan(1);
});
