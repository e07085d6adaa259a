import { afterEach, describe, expect, test, vi } from 'vitest';
import { createQueue, type PriorityQueue, type QueueKind } from '../../src/queue/index.ts';
import { DrawStream } from '../../src/std/index.ts';

function fed(kind: QueueKind, block: number, keys: readonly number[], seed = 0): PriorityQueue {
  const queue = createQueue({ kind, block, seed });
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

// Goal: a reported comparison is a comparison made, and the reverse.
// Method: queues over keys that are objects. `a > b` then calls valueOf of both, and so the engine itself counts.
describe('counts are those of the engine', () => {
  let looks = 0;

  class Key {
    readonly #value: number;
    constructor(value: number) {
      this.#value = value;
    }
    valueOf(): number {
      looks++;
      return this.#value;
    }
  }

  /** What the queues use of Float64Array, holding anything. `subarray` copies: the queues only read from theirs. */
  class AnyArray extends Array<unknown> {
    set(source: ArrayLike<unknown>, offset = 0): void {
      for (let i = 0; i < source.length; i++) this[offset + i] = source[i];
    }
    subarray(from: number, to?: number): unknown[] {
      return this.slice(from, to);
    }
  }

  afterEach(() => void vi.unstubAllGlobals());

  test.each<[QueueKind, number]>([
    ['binary-heap', 1], ['cbt', 1], ['cbt', 5], ['cbt', 16], ['cbt', 64], ['quickheap', 1],
  ])('%s, R = %d', (kind, block) => {
    vi.stubGlobal('Float64Array', AnyArray);
    const queue = createQueue({ kind, block, seed: 3 });
    const draws = new DrawStream(3, 'counts');
    const taken = { insert: 0, extract: 0 };
    looks = 0;
    for (let round = 0; round < 60; round++) {
      const batch = new AnyArray();
      for (let i = 0; i < 40; i++) batch.push(new Key(draws.uint32(40 * round + i) % 500));
      queue.insertMany(batch as unknown as Float64Array, 0, 40);
      taken.insert += looks / 2;
      looks = 0;
      queue.extractTop(draws.uint32(round, 1) % 50, new AnyArray(50) as unknown as Float64Array);
      taken.extract += looks / 2;
      looks = 0;
      expect(queue.comparisons).toEqual(taken);
    }
    expect(taken.insert).toBeGreaterThan(100);
    expect(taken.extract).toBeGreaterThan(100);
  });
});

describe('counts in closed form', () => {
  test('binary heap, falling or equal keys: one look at the parent each', () => {
    expect(fed('binary-heap', 1, descending(1000)).comparisons.insert).toBe(999);
    expect(fed('binary-heap', 1, new Array<number>(1000).fill(7)).comparisons.insert).toBe(999);
  });

  test('binary heap, rising keys: each climbs to the root', () => {
    const climbs = sum(1000, (i) => Math.floor(Math.log2(i + 1)));
    expect(fed('binary-heap', 1, ascending(1000)).comparisons.insert).toBe(climbs);
  });

  test('binary heap, equal keys: each extraction looks at the root and its children only', () => {
    const queue = fed('binary-heap', 1, new Array<number>(1000).fill(7));
    take(queue, 1000);
    // 997 extractions leave three or more (two comparisons), one leaves two (one comparison), two leave one or none.
    expect(queue.comparisons.extract).toBe(2 * 997 + 1);
  });

  test('CBT, R = 1, by hand', () => {
    expect(fed('cbt', 1, [3]).comparisons.insert).toBe(0);
    // 2 is held against 3. Rising, 3 is held against 2, and one selection of one among two moves it up.
    expect(fed('cbt', 1, [3, 2]).comparisons.insert).toBe(1);
    expect(fed('cbt', 1, [2, 3]).comparisons.insert).toBe(2);
    // Of three keys the first to leave causes one match, the second none: two comparisons, least against least and the test.
    const queue = fed('cbt', 1, [3, 2, 1]);
    take(queue, 1);
    expect(queue.comparisons.extract).toBe(2);
    take(queue, 2);
    expect(queue.comparisons.extract).toBe(2);
  });

  test.each([1, 2, 8])('CBT, R = %d, falling or equal keys: a chunk meets each block on its way and moves none of its keys', (block) => {
    // The way to the leaf of block number n+1 is written in the bits of n: each 1 after the first is a turn to another block.
    const blocks = 100;
    const expected = sum(blocks, (n) => block - 1 + block * bitsSet(n));
    expect(fed('cbt', block, descending(blocks * block)).comparisons.insert).toBe(expected);
    expect(fed('cbt', block, new Array<number>(blocks * block).fill(7)).comparisons.insert).toBe(expected);
  });

  test('QuickHeap: nothing to insert where there are no pivots, nothing to extract where all leave', () => {
    const queue = fed('quickheap', 1, ascending(500));
    take(queue, 500);
    expect(queue.comparisons).toEqual({ insert: 0, extract: 0 });
  });

  test('QuickHeap: an entry equal to the outermost pivot stays outside it', () => {
    const queue = fed('quickheap', 1, new Array<number>(500).fill(7));
    take(queue, 1);
    expect(queue.structure.count).toBeGreaterThan(2);
    queue.insertMany(Float64Array.of(7), 0, 1);
    expect(queue.comparisons.insert).toBe(1);
  });

  test('QuickHeap: the first of n entries costs 2n - 2H(n) on average over the seeds', () => {
    const n = 64;
    const seeds = 2000;
    const total = sum(seeds, (seed) => {
      const queue = fed('quickheap', 1, ascending(n), seed);
      take(queue, 1);
      return queue.comparisons.extract;
    });
    const mean = 2 * n - 2 * sum(n, (i) => 1 / (i + 1));
    expect(Math.abs(total / seeds - mean) / mean).toBeLessThan(0.03);
  });
});

/** Comparisons an entry, in and out, over rounds that take R of m uniform keys and put R new ones in; and the dearest round. */
function hold(kind: QueueKind, block: number, m: number): { mean: number; worst: number } {
  const draws = new DrawStream(1, 'hold');
  const queue = fed(kind, block, ascending(m).map((i) => draws.uniform(i)), 1);
  const batch = new Float64Array(block);
  queue.extractTop(block, batch);
  let before = queue.comparisons.insert + queue.comparisons.extract;
  const first = before;
  let worst = 0;
  const rounds = (2 * m) / block;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < block; i++) batch[i] = draws.uniform(m + round * block + i);
    queue.insertMany(batch, 0, block);
    queue.extractTop(block, batch);
    const now = queue.comparisons.insert + queue.comparisons.extract;
    worst = Math.max(worst, (now - before) / block);
    before = now;
  }
  return { mean: (before - first) / (rounds * block), worst };
}

describe('counts within the stated bounds, m = 2^14', () => {
  test.each<[QueueKind, number, number, number]>([
    // kind, R, comparisons an entry: at most on average, at most in the dearest round
    ['binary-heap', 128, 31, 34],
    ['cbt', 16, 66, 120],
    ['cbt', 128, 58, 105],
    ['cbt', 1024, 40, 60],
    ['quickheap', 16, 34, Infinity],
    ['quickheap', 128, 29, Infinity],
    ['quickheap', 1024, 22, Infinity],
  ])('%s, R = %d: mean <= %d, worst <= %d', (kind, block, meanLimit, worstLimit) => {
    const { mean, worst } = hold(kind, block, 2 ** 14);
    expect(mean).toBeLessThan(meanLimit);
    // Far below the limit would mean that something is not counted.
    expect(mean).toBeGreaterThan(meanLimit / 2);
    expect(worst).toBeLessThan(worstLimit);
  });

  test.each([1, 2, 3])('quickheap, two above the top in and one out: pivots and cost stay small, seed %d', (seed) => {
    const queue = createQueue({ kind: 'quickheap', block: 1, seed });
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
  });
});
