import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createPagedQueue, openPagedQueue, pagedQueueKinds, type PagedQueue } from '../../../src/core/queue/index.ts';
import { AssertionError, DrawStream } from '../../../src/base/index.ts';
import { assertProperty, runSeed } from '../../conformance/queue.ts';
import { insert, queueFiles, small, take } from './paged-harness.ts';

const { newPath, remove } = queueFiles('paged-queue');
afterAll(remove);

describe.each(pagedQueueKinds)('paged %s', (kind) => {
  const make = (options: { pageBytes?: number; cacheBytes?: number; seed?: number } = {}): PagedQueue =>
    createPagedQueue({ kind, path: newPath(), ...small, ...options });

  test('memory stays within its bound, and is used', () => {
    const draws = new DrawStream(runSeed, 'memory');
    const cacheBytes = 50 * 64;
    const queue = make({ cacheBytes });
    let most = 0;
    for (let round = 0; round < 200; round++) {
      insert(queue, Array.from({ length: 40 }, (_, i) => draws.uniform(40 * round + i)));
      take(queue, 10);
      expect(queue.memoryBytes).toBeLessThanOrEqual(cacheBytes);
      most = Math.max(most, queue.memoryBytes);
    }
    // 6000 entries take 48,000 bytes.
    expect(queue.size).toBe(6000);
    expect(most).toBeGreaterThan(0.9 * cacheBytes);
  });

  test('closed and opened at any moment, it goes on as its undisturbed twin', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ insert: fc.array(fc.nat(40), { maxLength: 60 }) }) },
      { weight: 3, arbitrary: fc.record({ extract: fc.nat(50) }) },
      { weight: 2, arbitrary: fc.record({ reopenWith: fc.constantFrom(12, 15, 40) }) },
    );
    assertProperty(
      fc.property(fc.array(step, { maxLength: 30 }), (script) => {
        const path = newPath();
        let queue = createPagedQueue({ kind, path, ...small });
        const twin = make();
        for (const one of script) {
          if ('insert' in one) {
            insert(queue, one.insert);
            insert(twin, one.insert);
          } else if ('extract' in one) {
            expect(take(queue, one.extract)).toEqual(take(twin, one.extract));
          } else {
            const { comparisons } = queue;
            queue.close();
            queue = openPagedQueue({ path, cacheBytes: one.reopenWith * 64 });
            expect(queue.comparisons).toEqual(comparisons);
          }
          expect(queue.size).toBe(twin.size);
          queue.checkInvariants();
        }
        expect(take(queue, queue.size)).toEqual(take(twin, twin.size));
        queue.dispose();
        twin.dispose();
      }),
      60,
    );
  });

  test('a closed queue takes and gives nothing', () => {
    const queue = make();
    insert(queue, [1, 2, 3]);
    queue.close();
    expect(() => insert(queue, [4])).toThrow(AssertionError);
    expect(() => take(queue, 1)).toThrow(AssertionError);
    expect(() => queue.close()).toThrow(AssertionError);
  });

  test('pages given up are used again: the file does not grow while the queue holds', () => {
    const path = newPath();
    const queue = createPagedQueue({ kind, path, ...small });
    const draws = new DrawStream(runSeed, 'hold');
    insert(queue, Array.from({ length: 1000 }, (_, i) => draws.uniform(i)));
    for (let round = 0; round < 300; round++) {
      take(queue, 20);
      insert(queue, Array.from({ length: 20 }, (_, i) => draws.uniform(1000 + 20 * round + i)));
    }
    queue.close();
    const opened = openPagedQueue({ path, cacheBytes: small.cacheBytes });
    // The header apart, every byte of the file was read: 8000 bytes of entries, twice that while an operation lasts,
    // and tables.
    expect(opened.io.bytesRead - 2 * 4096).toBeLessThan(3.5 * 8000);
    opened.dispose();
  });

  test('options that cannot be are refused', () => {
    for (const pageBytes of [0, 8, 20, NaN])
      expect(() => make({ pageBytes, cacheBytes: 10_000 }), `${pageBytes}`).toThrow(AssertionError);
    expect(() => make({ cacheBytes: 7 * 64 })).toThrow(AssertionError);
  });
});

test('a CBT block must be, and a seed', () => {
  for (const block of [0, 1.5, NaN]) {
    expect(() => createPagedQueue({ kind: 'cbt', path: newPath(), ...small, block })).toThrow(AssertionError);
  }
  for (const seed of [-1, 0.5, 2 ** 53]) {
    expect(() => createPagedQueue({ kind: 'quickheap', path: newPath(), ...small, seed })).toThrow(AssertionError);
  }
});

// Goal: no order of keys makes the QuickHeap's pivots or its work grow. Method: counts, in a queue 20 times its memory.
describe('paged quickheap against adversaries', () => {
  type Keys = (i: number, top: number) => number;
  const draws = new DrawStream(7, 'adversary');
  const adversaries: Record<string, Keys> = {
    'uniform': (i) => draws.uniform(i),
    'rising': (i) => i + 1,
    'falling': (i) => 1 / (i + 1),
    'above the last top': (i, top) => top + 1e-6 * (i + 1),
    'below the last top': (i, top) => top * (1 - 2 ** -20) ** (1 + (i & 1)),
    'four values': (i) => 1 + (i & 3),
    'one value': () => 7,
    'few values, one frequent': (i) => (draws.uniform(i) < 0.8 ? 5 : draws.uniform(i)),
  };
  test.each(Object.entries(adversaries))('keys %s', (_, keyAt) => {
    const cacheBytes = 24 * 512;
    const queue: PagedQueue = createPagedQueue({ kind: 'quickheap', path: newPath(), pageBytes: 512, cacheBytes });
    let made = 0;
    let top = 1;
    let taken = 0;
    const started = 20 * (cacheBytes / 8);
    insert(queue, Array.from({ length: started }, () => keyAt(made++, top)));
    let pivots = 0;
    const rounds = 400;
    for (let round = 0; round < rounds; round++) {
      insert(queue, Array.from({ length: 150 }, () => keyAt(made++, top)));
      const left = take(queue, 75);
      [top] = left;
      taken += left.length;
      pivots = Math.max(pivots, queue.structure.count);
    }
    queue.checkInvariants();
    // 15 frames less 2 for buckets, and the front's own bound.
    expect(pivots).toBeLessThanOrEqual(15);
    const moved = (queue.io.bytesRead + queue.io.bytesWritten) / 8;
    expect(moved / (made + taken)).toBeLessThan(12);
    expect((queue.comparisons.insert + queue.comparisons.extract) / (made + taken)).toBeLessThan(40);
    queue.dispose();
  });
});

