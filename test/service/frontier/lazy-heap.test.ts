import fc from 'fast-check';
import { expect, onTestFailed, test } from 'vitest';
import { LazyHeap } from '../../../src/views/service/frontier/crawl/lazy-heap.ts';
import { replayCommand, tries } from '../../sweep.ts';

// Goal: a heap that drops entries which are out of date drops no others, and has at most twice as many.

const file = 'test/service/frontier/lazy-heap.test.ts';
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);
const items = 30;
const step = fc.record({ item: fc.nat(items - 1), rank: fc.nat(5), isTaken: fc.boolean() });

test('items leave by their last rank, each once, and entries that are out of date are few', () => {
  onTestFailed(() => { process.stderr.write(`${replayCommand(seed, file)}\n`); });
  fc.assert(fc.property(fc.array(step, { minLength: 100, maxLength: 600, size: 'max' }), (steps) => {
    const heap = new LazyHeap<number>();
    const ranks = new Map<number, number>();
    const isCurrent = (item: number, rank: number): boolean => ranks.get(item) === rank;
    const takeCurrent = (): void => {
      while (heap.size > 0 && !isCurrent(heap.first!, heap.firstRank)) heap.take();
      expect(heap.firstRank).toBe(Math.max(-Infinity, ...ranks.values()));
      const item = heap.take();
      if (item !== undefined) ranks.delete(item);
    };
    for (const { item, rank, isTaken } of steps) {
      ranks.set(item, rank);
      heap.add(item, rank, isCurrent);
      expect(heap.size).toBeLessThanOrEqual(2 * items + 16);
      if (isTaken) takeCurrent();
    }
    for (let left = ranks.size; left > 0; left--) takeCurrent();
    expect(ranks.size).toBe(0);
  }), { numRuns: tries(400), seed });
});
