import { describe, expect, test } from 'vitest';
import { PaperCbt } from '../../../src/questions/bench/literature/paper-cbt.ts';
import { RandomisedQuickHeap } from '../../../src/questions/bench/literature/randomised-quickheap.ts';
import type { PriorityQueue } from '../../../src/core/queue/index.ts';

// Goal: the queues of the literature, which ours are measured against, cost what is known of them. That they are sound
// queues is held by test/queue/queues.test.ts, that their counts are those of the engine by
// test/queue/comparisons.test.ts.

function fed<Queue extends PriorityQueue>(queue: Queue, keys: readonly number[]): Queue {
  queue.insertMany(Float64Array.from(keys), 0, keys.length);
  return queue;
}

function take(queue: PriorityQueue, k: number): void {
  queue.extractTop(k, new Float64Array(k));
}

const ascending = (length: number): number[] => Array.from({ length }, (_, i) => i);
const descending = (length: number): number[] => ascending(length).reverse();
const sum = (length: number, term: (i: number) => number): number =>
  ascending(length).reduce((total, i) => total + term(i), 0);
const bitsSet = (n: number): number => n.toString(2).replaceAll('0', '').length;

describe('counts in closed form', () => {
  test('paper CBT, R = 1, by hand', () => {
    expect(fed(new PaperCbt(1), [3]).comparisons.insert).toBe(0);
    // 2 is held against 3. Rising, 3 is held against 2, and one selection of one among two moves it up.
    expect(fed(new PaperCbt(1), [3, 2]).comparisons.insert).toBe(1);
    expect(fed(new PaperCbt(1), [2, 3]).comparisons.insert).toBe(2);
    // Of three keys the first to leave causes one match, the second none: two comparisons, least against least and the
    // test.
    const queue = fed(new PaperCbt(1), [3, 2, 1]);
    take(queue, 1);
    expect(queue.comparisons.extract).toBe(2);
    take(queue, 2);
    expect(queue.comparisons.extract).toBe(2);
  });

  test.each([1, 2, 8])(
    'paper CBT, R = %d, falling or equal keys: a chunk meets each block on its way and moves none of its keys',
    (block) => {
      // The way to the leaf of block number n+1 is written in the bits of n: each 1 after the first is a turn to
      // another block.
      const blocks = 100;
      const expected = sum(blocks, (n) => block - 1 + block * bitsSet(n));
      expect(fed(new PaperCbt(block), descending(blocks * block)).comparisons.insert).toBe(expected);
      expect(fed(new PaperCbt(block), new Array<number>(blocks * block).fill(7)).comparisons.insert).toBe(expected);
    },
  );

  test('randomised QuickHeap: nothing to insert where there are no pivots, nothing to extract where all leave', () => {
    const queue = fed(new RandomisedQuickHeap(0), ascending(500));
    take(queue, 500);
    expect(queue.comparisons).toEqual({ insert: 0, extract: 0 });
  });

  test('randomised QuickHeap: an entry equal to the outermost pivot stays outside it', () => {
    const queue = fed(new RandomisedQuickHeap(0), new Array<number>(500).fill(7));
    take(queue, 1);
    expect(queue.structure.count).toBeGreaterThan(2);
    queue.insertMany(Float64Array.of(7), 0, 1);
    expect(queue.comparisons.insert).toBe(1);
  });

  test('randomised QuickHeap: the first of n entries costs 2n - 2H(n) on average over the seeds', () => {
    const n = 64;
    const seeds = 2000;
    const total = sum(seeds, (seed) => {
      const queue = fed(new RandomisedQuickHeap(seed), ascending(n));
      take(queue, 1);
      return queue.comparisons.extract;
    });
    const mean = 2 * n - 2 * sum(n, (i) => 1 / (i + 1));
    expect(Math.abs(total / seeds - mean) / mean).toBeLessThan(0.03);
  });
});

  test.each([1, 2, 3])(
    'randomised QuickHeap, two above the top in and one out: pivots and cost stay small, seed %d',
    (seed) => {
      const queue = new RandomisedQuickHeap(seed);
      const rounds = 8000;
      let pivots = 0;
      for (let round = 0; round < rounds; round++) {
        queue.insertMany(Float64Array.of(2 * round + 1, 2 * round + 2), 0, 2);
        take(queue, 1);
        pivots = Math.max(pivots, queue.structure.count);
      }
      const operations = 3 * rounds;
      expect(pivots).toBeLessThanOrEqual(30);
      expect((queue.comparisons.insert + queue.comparisons.extract) / operations).toBeLessThan(26);
    },
  );
