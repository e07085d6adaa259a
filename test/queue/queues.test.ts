import { describe, expect, test } from 'vitest';
import { createQueue, queueKinds } from '../../src/queue/index.ts';
import { AssertionError } from '../../src/std/index.ts';
import { describeQueue } from '../conformance/queue.ts';

describeQueue('binary-heap', 4, () => createQueue({ kind: 'binary-heap', block: 1, seed: 0 }));
for (const block of [1, 2, 3, 8, 32]) {
  describeQueue(`cbt, R = ${block}`, block, () => createQueue({ kind: 'cbt', block, seed: 0 }));
}
for (const seed of [0, 1, 2 ** 53 - 1]) {
  describeQueue(`quickheap, seed ${seed}`, 4, () => createQueue({ kind: 'quickheap', block: 1, seed }));
}

test.each(queueKinds)('%s: the entries shown are a copy', (kind) => {
  const queue = createQueue({ kind, block: 2, seed: 1 });
  queue.insertMany(Float64Array.of(3, 1, 2), 0, 3);
  queue.entries().fill(9);
  expect([...queue.entries()].sort()).toEqual([1, 2, 3]);
});

describe('createQueue', () => {
  test.each(queueKinds)('%s reports what it looks like', (kind) => {
    const queue = createQueue({ kind, block: 4, seed: 1 });
    expect(queue.structure.count).toBe(0);
    const entries = Float64Array.from({ length: 10 }, (_, i) => i);
    queue.insertMany(entries, 0, 10);
    // 10 entries: a heap of four levels; two blocks of four, two entries in the buffer; no pivot before the first extraction.
    const expected = {
      'binary-heap': { unit: 'levels', count: 4 },
      cbt: { unit: 'blocks', count: 2 },
      quickheap: { unit: 'pivots', count: 0 },
    } as const;
    expect(queue.structure).toEqual(expected[kind]);
    expect(queue.size).toBe(10);
  });

  test('refuses a block or a seed that cannot be', () => {
    for (const block of [0, -1, 1.5, NaN]) {
      expect(() => createQueue({ kind: 'cbt', block, seed: 0 })).toThrow(AssertionError);
    }
    for (const seed of [-1, 0.5, 2 ** 53]) {
      expect(() => createQueue({ kind: 'quickheap', block: 1, seed })).toThrow(AssertionError);
    }
  });
});
