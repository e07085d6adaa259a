import { afterEach, describe, expect, test, vi } from 'vitest';
import { PaperCbt } from '../../src/questions/bench/literature/paper-cbt.ts';
import { RandomisedQuickHeap } from '../../src/questions/bench/literature/randomised-quickheap.ts';
import { BinaryHeap, createQueue, type PriorityQueue, type QueueKind } from '../../src/core/queue/index.ts';
import { SortedCbt } from './twins/sorted-cbt.ts';
import { DrawStream } from '../../src/base/index.ts';
import { expectCountsOfTheEngine } from '../conformance/engine-counts.ts';

// Goal: comparisons are counted, all of them and nothing else, and are as many as the contract's table says.

const ascending = (length: number): number[] => Array.from({ length }, (_, i) => i);

function fed(queue: PriorityQueue, keys: readonly number[]): PriorityQueue {
  queue.insertMany(Float64Array.from(keys), 0, keys.length);
  return queue;
}

describe('counts are those of the engine', () => {
  afterEach(() => void vi.unstubAllGlobals());

  // The CBT's kernel makes the comparisons of its twin (sorted-cbt.test.ts). A bucket QuickHeap charges each entry a
  // search of full depth and looks at keys by other means too; its twin's counts are those of the kernel
  // (bucket-quickheap.test.ts).
  test.each<[string, () => PriorityQueue]>([
    ['binary heap', () => new BinaryHeap()],
    ['randomised quickheap', () => new RandomisedQuickHeap(3)],
    ...[1, 2, 5, 16, 63, 100].flatMap((block): [string, () => PriorityQueue][] => [
      [`cbt, R = ${block}`, () => new SortedCbt(block, { compareOnly: true })],
      [`paper cbt, R = ${block}`, () => new PaperCbt(block)],
    ]),
  ])('%s', (_, make) => expectCountsOfTheEngine(make));
});

describe('binary heap: counts in closed form', () => {
  const equal = new Array<number>(1000).fill(7);

  test('falling or equal keys: one look at the parent each', () => {
    expect(fed(new BinaryHeap(), ascending(1000).reverse()).comparisons.insert).toBe(999);
    expect(fed(new BinaryHeap(), equal).comparisons.insert).toBe(999);
  });

  test('rising keys: each climbs to the root', () => {
    const climbs = ascending(1000).reduce((sum, i) => sum + Math.floor(Math.log2(i + 1)), 0);
    expect(fed(new BinaryHeap(), ascending(1000)).comparisons.insert).toBe(climbs);
  });

  test('equal keys: each extraction looks at the root and its children only', () => {
    const queue = fed(new BinaryHeap(), equal);
    queue.extractTop(1000, new Float64Array(1000));
    // 997 extractions leave three or more (two comparisons), one leaves two (one comparison), two leave one or none.
    expect(queue.comparisons.extract).toBe(2 * 997 + 1);
  });
});

/**
 * Comparisons an entry, in and out, over rounds that take R of m uniform keys and put R new ones in; and the dearest
 * round.
 */
function hold(kind: QueueKind, block: number, m: number): { mean: number; worst: number } {
  const draws = new DrawStream(1, 'hold');
  const queue = fed(createQueue({ kind, block, seed: 1 }), ascending(m).map((i) => draws.uniform(i)));
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
  queue.dispose();
  return { mean: (before - first) / (rounds * block), worst };
}

describe('counts within the stated bounds, m = 2^14', () => {
  test.each<[QueueKind, number, number, number]>([
    // kind, R, comparisons an entry: at most on average, at most in the dearest round
    ['binary-heap', 128, 31, 34],
    ['cbt', 16, 20, 26],
    ['cbt', 128, 17, 21],
    ['cbt', 1024, 15, 18],
    // In its dearest round a run of at least 1024 entries is sorted.
    ['quickheap', 16, 18, 1300],
    ['quickheap', 128, 18, 160],
    ['quickheap', 1024, 16, 42],
  ])('%s, R = %d: mean <= %d, worst <= %d', (kind, block, meanLimit, worstLimit) => {
    const { mean, worst } = hold(kind, block, 2 ** 14);
    expect(mean).toBeLessThan(meanLimit);
    // Far below the limit would mean that something is not counted.
    expect(mean).toBeGreaterThan(meanLimit / 2);
    expect(worst).toBeLessThan(worstLimit);
  });
});
