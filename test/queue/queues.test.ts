import { afterAll, describe, expect, test } from 'vitest';
import * as queueFolder from '../../src/core/queue/index.ts';
import {
  blockSizeLimit, createQueue, LoggedQueue, pagedQueueKinds, queueKinds, repeat, SlicedQueue, type PriorityQueue,
} from '../../src/core/queue/index.ts';
import { largestBlock } from '../../src/core/settings/crawl-settings.ts';
import { AssertionError, DrawStream } from '../../src/base/index.ts';
import { describeQueues } from '../conformance/queue.ts';
import { candidates, removeFiles } from '../conformance/queues.ts';

afterAll(removeFiles);

describeQueues(candidates);

test('no queue is left out of the suite', () => {
  type Class = new (...options: never[]) => unknown;
  const contract = ['insertMany', 'extractTop', 'checkInvariants', 'dispose'];
  const isQueue = (value: unknown): value is Class =>
    typeof value === 'function' && contract.every((name) => name in ((value.prototype as object | undefined) ?? {}));
  const made = candidates.map(({ make }) => make());
  const classes = Object.values<unknown>(queueFolder).filter(isQueue);
  expect(classes).toContain(SlicedQueue);
  for (const one of classes) expect(made.some((queue) => queue instanceof one), one.name).toBe(true);
  for (const kind of pagedQueueKinds)
    expect(
      candidates.some(({ name }) => name.startsWith(`paged ${kind}`)),
      kind,
    ).toBe(true);
  for (const queue of made) queue.dispose();
});

const others = candidates.filter(({ name }) => !name.endsWith('logged'));
const makers = others.map(({ name, make }) => [name, make] as const);
test.each(makers)('done again, it is the same inside: %s', (name, make) => {
  const draws = new DrawStream(44, name);
  const [first, again] = [new LoggedQueue(make()), make()];
  const entries = new Float64Array(60);
  const step = (queue: PriorityQueue, round: number): Float64Array => {
    const count = draws.uint32(round) % 50;
    if (draws.uint32(round, 1) % 3 === 0) return entries.slice(0, queue.extractTop(count, entries));
    for (let i = 0; i < count; i++) entries[i] = draws.uint32(round, 2 + i) % 1000;
    queue.insertMany(entries, 0, count);
    return entries.slice(0, 0);
  };
  for (let round = 0; round < 40; round++) step(first, round);
  repeat(first.log(), again);
  for (let round = 40; round < 80; round++) {
    expect(step(again, round)).toEqual(step(first, round));
    expect(again.comparisons).toEqual(first.comparisons);
    expect(again.structure).toEqual(first.structure);
  }
  const all = new Float64Array(first.size);
  const left = first.entries();
  first.extractTop(all.length, all);
  expect(left).toEqual(all.sort());
  for (const queue of [first, again]) queue.dispose();
});

describe('createQueue', () => {
  test.each(queueKinds)('%s reports what it looks like', (kind) => {
    const queue = createQueue({ kind, block: 4, seed: 1 });
    expect(queue.structure.count).toBe(0);
    const entries = Float64Array.from({ length: 10 }, (_, i) => i);
    queue.insertMany(entries, 0, 10);
    // 10 entries: a heap of four levels; two blocks of four, two entries in the rest; no pivot before there is a split.
    const expected = {
      'binary-heap': { unit: 'levels', count: 4 },
      cbt: { unit: 'blocks', count: 2 },
      quickheap: { unit: 'pivots', count: 0 },
    } as const;
    expect(queue.structure).toEqual(expected[kind]);
    expect(queue.size).toBe(10);
    queue.dispose();
  });

  test('makes the kernels, by comparisons alone by default', () => {
    const entries = Float64Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5003);
    for (const kind of ['cbt', 'quickheap'] as const) {
      const comparisons = [undefined, true, false].map((compareOnly) => {
        const queue = createQueue({ kind, block: 500, seed: 1, ...(compareOnly !== undefined && { compareOnly }) });
        queue.insertMany(entries, 0, 5000);
        queue.extractTop(500, new Float64Array(500));
        const { insert, extract } = queue.comparisons;
        queue.dispose();
        return insert + extract;
      });
      expect(comparisons[0]).toBe(comparisons[1]);
      expect(comparisons[2]).toBeLessThan(0.8 * comparisons[0]);
    }
  });

  test('takes any block that an experiment may have', () => {
    expect(largestBlock).toBe(blockSizeLimit);
    for (const kind of queueKinds) {
      const queue = createQueue({ kind, block: largestBlock, seed: 1 });
      queue.insertMany(Float64Array.of(1, 2), 0, 2);
      expect(queue.size).toBe(2);
      queue.dispose();
    }
  });

  test('refuses a block that cannot be', () => {
    for (const block of [0, -1, 1.5, NaN]) {
      expect(() => createQueue({ kind: 'cbt', block, seed: 0 })).toThrow(AssertionError);
      expect(() => createQueue({ kind: 'quickheap', block, seed: 0 })).toThrow(AssertionError);
    }
    expect(() => createQueue({ kind: 'cbt', block: largestBlock + 1, seed: 0 })).toThrow(AssertionError);
  });
});
