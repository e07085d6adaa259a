import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createQueue, entryIndex, packEntry, queueKinds, SlicedQueue, type PriorityQueue, type QueueOptions,
} from '../../../src/core/queue/index.ts';
import { sharesOf, sliceOf, sliceOptions, splitBySlice } from '../../../src/core/queue/sliced/slicing.ts';
import { AssertionError, DrawStream } from '../../../src/base/index.ts';
import { assertProperty } from '../../conformance/queue.ts';

// Goal: approximate slices give exactly the tops of T queues, exact ones take out few for nothing; the counts of each
// slice are its own. That exact slices give what one queue gives is held by the suite of all queues, `queues.test.ts`.

/** The slice by its definition, in integers of any length. */
const plainSlice = (entry: number, slices: number): number =>
  Number((((BigInt(entryIndex(entry)) * 2654435769n) % 2n ** 32n) * BigInt(slices)) / 2n ** 32n);

const descending = (entries: Iterable<number>): number[] => [...entries].sort((a, b) => b - a);

/** Deals `k` one at a time: what slice takes the next, round by round, among those with entries left. */
function dealt(k: number, sizes: readonly number[]): number[] {
  const shares = sizes.map(() => 0);
  for (let left = k, slice = 0; left > 0; slice = (slice + 1) % sizes.length) {
    if (shares[slice] === sizes[slice]) continue;
    shares[slice]++;
    left--;
  }
  return shares;
}

function extract(queue: PriorityQueue, k: number): number[] {
  const into = new Float64Array(k);
  return [...into.subarray(0, queue.extractTop(k, into))];
}

function insert(queue: PriorityQueue, entries: readonly number[]): void {
  queue.insertMany(Float64Array.from(entries), 0, entries.length);
}

/** `count` entries of random keys and indices. */
function randomEntries(count: number, name: string): number[] {
  const draws = new DrawStream(1, name);
  return Array.from({ length: count }, (_, i) => packEntry(draws.uint32(i) >>> 2, draws.uint32(i, 1)));
}

describe('the slice of an index', () => {
  test.each([1, 2, 3, 8, 64])('is that of the definition, T = %d', (slices) => {
    const indices = [0, 1, 2, 2 ** 31, 2 ** 32 - 1, ...randomEntries(500, 'indices').map(entryIndex)];
    for (const index of indices) expect(sliceOf(index, slices)).toBe(plainSlice(packEntry(0, index), slices));
  });

  test.each([2, 3, 8, 64])('takes consecutive indices in turn nearly, T = %d', (slices) => {
    const sizes = new Array<number>(slices).fill(0);
    for (let index = 0; index < 64_000; index++) sizes[sliceOf(index, slices)]++;
    // At random the deviation would be sqrt(64000/T): 31 of 1000 where T = 64.
    for (const size of sizes) expect(Math.abs(size - 64_000 / slices)).toBeLessThan(8);
  });

  test('splits a batch, keeping the order within a slice', () => {
    const entry = fc.nat(40).map((index) => packEntry(7, index));
    assertProperty(
      fc.property(fc.array(entry, { maxLength: 50 }), fc.constantFrom(1, 2, 3, 8), fc.nat(9), (batch, slices, from) => {
        const entries = Float64Array.from([...new Array<number>(from).fill(-1), ...batch, -1]);
        const into = new Float64Array(batch.length + 1).fill(-2);
        const starts = new Uint32Array(slices + 1).fill(99);
        splitBySlice(entries, from, from + batch.length, slices, into, starts);
        for (let slice = 0; slice < slices; slice++) {
          const own = batch.filter((one) => plainSlice(one, slices) === slice);
          expect([...into.subarray(starts[slice], starts[slice + 1])]).toEqual(own);
        }
        expect([starts[0], starts[slices], into[batch.length]]).toEqual([0, batch.length, -2]);
      }),
      300,
    );
  });
});

test('shares are those dealt one at a time', () => {
  assertProperty(
    fc.property(fc.array(fc.nat(12), { minLength: 1, maxLength: 9 }), fc.nat(), (sizes, choice) => {
      const leaving = choice % (sizes.reduce((a, b) => a + b) + 1);
      expect(sharesOf(leaving, sizes)).toEqual(dealt(leaving, sizes));
    }),
    1000,
  );
  expect(sharesOf(5, [5, 1, 5])).toEqual([2, 1, 2]);
  expect(sharesOf(7, [3, 3, 3])).toEqual([3, 2, 2]);
  expect(() => sharesOf(4, [1, 2])).toThrow(AssertionError);
});

describe('approximate slices', () => {
  const entry = fc.tuple(fc.nat(9), fc.nat(30)).map(([key, index]) => packEntry(key, index));
  const steps = fc.array(fc.tuple(fc.array(entry, { maxLength: 20 }), fc.nat(15)), { maxLength: 20 });

  test.each(queueKinds)('%s: each batch is the union of the slices\' tops, and everything leaves once', (kind) => {
    assertProperty(
      fc.property(steps, fc.constantFrom(1, 2, 3, 8), (script, slices) => {
        const queue = createQueue({ kind, block: 4, seed: 1, slices, slicing: 'approximate' });
        // One slice is a plain queue, which is what one approximate slice must equal.
        const contents = Array.from({ length: slices }, (): number[] => []);
        const play = (batch: readonly number[], k: number): void => {
          insert(queue, batch);
          for (const one of batch) contents[plainSlice(one, slices)].push(one);
          const held = contents.flat().length;
          const shares = dealt(Math.min(k, held), contents.map(({ length }) => length));
          const tops = contents.flatMap((own, slice) => own.sort((a, b) => b - a).splice(0, shares[slice]));
          expect(descending(extract(queue, k))).toEqual(descending(tops));
          expect(queue.size).toBe(contents.flat().length);
          queue.checkInvariants();
        };
        for (const [batch, k] of script) play(batch, k);
        play([], queue.size + 5);
        expect(queue.size).toBe(0);
      }),
      200,
    );
  });

  test('miss what exact slices do not', () => {
    const entries = randomEntries(1000, 'miss');
    const [exact, approximate] = (['exact', 'approximate'] as const).map((slicing) => {
      const queue = createQueue({ kind: 'quickheap', block: 1, seed: 1, slices: 8, slicing });
      insert(queue, entries);
      return descending(extract(queue, 100));
    });
    expect(exact).toEqual(descending(entries).slice(0, 100));
    expect(approximate).not.toEqual(exact);
    expect(approximate).toHaveLength(100);
  });
});

function sliced(options: QueueOptions): SlicedQueue {
  const queue = createQueue(options);
  if (!(queue instanceof SlicedQueue)) throw new Error('more than one slice was asked for');
  return queue;
}

/** A sliced queue of binary heaps, and the entries that its slices were asked for and given back. */
function watched(slices: number): { queue: SlicedQueue; moved: { taken: number; batches: number; inserted: number } } {
  const moved = { taken: 0, batches: 0, inserted: 0 };
  const queue = new SlicedQueue({
    slices,
    slicing: 'exact',
    make: () => {
      const inner = createQueue({ kind: 'binary-heap', block: 1, seed: 1 });
      const insertMany = inner.insertMany.bind(inner);
      const extractTop = inner.extractTop.bind(inner);
      inner.insertMany = (batch, from, to) => {
        moved.inserted += to - from;
        insertMany(batch, from, to);
      };
      inner.extractTop = (k, into) => {
        moved.taken += k;
        moved.batches++;
        return extractTop(k, into);
      };
      return inner;
    },
  });
  return { queue, moved };
}

describe('exact slices', () => {
  test.each([
    [2, 1000], [8, 1000], [64, 1000], [8, 8],
  ])('take out few entries that they put back: T = %d, k = %d', (slices, k) => {
    const { queue, moved } = watched(slices);
    const entries = randomEntries(8000, 'in vain');
    insert(queue, entries);
    expect(descending(extract(queue, k))).toEqual(descending(entries).slice(0, k));
    expect(moved.taken - k).toBe(moved.inserted - 8000);
    expect(moved.taken - k).toBeLessThan(2.5 * Math.sqrt(k * slices));
  });

  test('all of the top in one slice: the steps double', () => {
    const { queue, moved } = watched(8);
    const own = Array.from({ length: 100_000 }, (_, index) => packEntry(2 + (index % 5), index));
    const top = own.filter((entry) => plainSlice(entry, 8) === 5).slice(0, 4096);
    insert(queue, [...top, ...randomEntries(20_000, 'below').map((entry) => packEntry(1, entryIndex(entry)))]);
    expect(descending(extract(queue, 4096))).toEqual(descending(top));
    // All slices give their share, 512. Then this one gives 23 + 46 + ... + 1472 and the rest: 8 batches; of the
    // others, all but the one that gave the least give one more.
    expect(moved.batches).toBe(8 + 8 + 6);
    expect(moved.taken).toBe(8 * 512 + 7 * 512 + 6 * 23);
  });
});

describe('counts', () => {
  const entries = randomEntries(3000, 'counts');

  test.each(queueKinds)('%s: each slice pays what a queue of its own would, and is seen to work', (kind) => {
    for (const slicing of ['exact', 'approximate'] as const) {
      const queue = sliced({ kind, block: 64, seed: 1, slices: 4, slicing });
      for (let round = 0; round < 6; round++) {
        insert(queue, entries.slice(500 * round, 500 * (round + 1)));
        extract(queue, 200);
      }
      const total = (of: 'insert' | 'extract'): number =>
        queue.slices.reduce((sum, slice) => sum + slice.comparisons[of], 0);
      expect(queue.slices).toHaveLength(4);
      for (const { size, comparisons } of queue.slices) {
        expect(size).toBeGreaterThan(0);
        expect(comparisons.insert).toBeGreaterThan(0);
        expect(comparisons.extract).toBeGreaterThan(0);
      }
      expect(queue.slices.reduce((sum, { size }) => sum + size, 0)).toBe(queue.size);
      expect(total('insert')).toBe(queue.comparisons.insert);
      // Selecting among what the slices gave is no slice's work.
      if (slicing === 'approximate') expect(total('extract')).toBe(queue.comparisons.extract);
      else expect(queue.comparisons.extract - total('extract')).toBeGreaterThan(6 * 200);
    }
  });

  test('an insertion costs what the slices alone cost; what an extraction puts back is extraction', () => {
    const queue = sliced({ kind: 'binary-heap', block: 1, seed: 1, slices: 3 });
    insert(queue, entries);
    const alone = [0, 1, 2].map((slice) => {
      const heap = createQueue({ kind: 'binary-heap', block: 1, seed: 1 });
      insert(heap, entries.filter((entry) => plainSlice(entry, 3) === slice));
      return heap.comparisons.insert;
    });
    const counted = queue.slices.map(({ comparisons }) => comparisons.insert);
    expect(counted).toEqual(alone);
    extract(queue, 300);
    expect(queue.slices.map(({ comparisons }) => comparisons.insert)).toEqual(alone);
  });

  test('the structure is the slices\' together', () => {
    const entry = (slice: number): number => {
      for (let index = 0; ; index++) if (sliceOf(index, 2) === slice) return packEntry(1, index);
    };
    // Slice 0 gets five entries, slice 1 two; blocks of ceil(3/2) = 2.
    const batch = [...new Array<number>(5).fill(entry(0)), entry(1), entry(1)];
    const counts = { 'binary-heap': ['levels', 3 + 2], cbt: ['blocks', 2 + 1], quickheap: ['pivots', 0] } as const;
    for (const kind of queueKinds) {
      const queue = createQueue({ kind, block: 3, seed: 1, slices: 2 });
      insert(queue, batch);
      const [unit, count] = counts[kind];
      expect(queue.structure).toEqual({ unit, count });
    }
  });
});

describe('wrong slices', () => {
  test('a broken slice is found', () => {
    const broken = (): PriorityQueue => {
      const inner = createQueue({ kind: 'cbt', block: 1, seed: 1 });
      inner.checkInvariants = () => { throw new AssertionError('broken'); };
      return inner;
    };
    expect(() => new SlicedQueue({ slices: 2, slicing: 'exact', make: broken }).checkInvariants()).toThrow('broken');
  });

  test('each is made with ceil(R/T) of the block and all other options', () => {
    const whole: QueueOptions = { kind: 'cbt', block: 10, seed: 3, slices: 3, slicing: 'exact', compareOnly: false };
    const options = [0, 1, 2].map((slice) => sliceOptions(whole, slice));
    for (const one of options) expect(one).toMatchObject({ kind: 'cbt', block: 4, slices: 1, compareOnly: false });
    expect(new Set(options.map(({ seed }) => seed)).size).toBe(3);
  });

  test('dispose() is passed on to each', () => {
    const disposed: number[] = [];
    const make = (slice: number): PriorityQueue => {
      const inner = createQueue({ kind: 'binary-heap', block: 1, seed: 1 });
      inner.dispose = () => { disposed.push(slice); };
      return inner;
    };
    new SlicedQueue({ slices: 3, slicing: 'exact', make }).dispose();
    expect(disposed).toEqual([0, 1, 2]);
  });

  test.each([0, -1, 1.5, NaN, 65_537])('%d slices are refused', (slices) => {
    expect(() => createQueue({ kind: 'quickheap', block: 1, seed: 1, slices })).toThrow(AssertionError);
  });
});
