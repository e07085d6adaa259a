import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packEntry, QuickHeapKernel, WasmQuickHeap, type PriorityQueue } from '../../../src/core/queue/index.ts';
import { BucketQuickHeap } from '../twins/bucket-quickheap.ts';
import { AssertionError, DrawStream, kernelModule, WorldError } from '../../../src/base/index.ts';
import { assertProperty } from '../../conformance/queue.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

/** A step: entries come, or up to `take` go. `last` are the entries that left last. */
type Script = (feed: (entries: number[]) => void, take: (k: number) => Float64Array, draws: DrawStream) => void;

/** Feeds one key after the other, of page 0, 1, 2 ... */
function numbered(): (key: number) => number {
  let page = 0;
  return (key) => packEntry(Math.max(0, Math.floor(key)), page++);
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Batches of 1000, some 60,000 entries: the least at which buckets split and join in levels. */
const adversaries: Record<string, Script> = {
  'hold: an entry that leaves comes back lower': (feed, take, draws) => {
    const entry = numbered();
    let drawn = 0;
    for (let round = 0; round < 60; round++) feed(range(1000).map(() => entry(draws.uniform(drawn++) * 2 ** 30)));
    for (let round = 0; round < 120; round++) feed([...take(1000)].map((left) => entry(left * draws.uniform(drawn++))));
  },
  'two above the top, one out': (feed, take) => {
    const entry = numbered();
    let top = 0;
    for (let round = 0; round < 80; round++) {
      feed(range(2000).map(() => entry((top += 7))));
      take(1000);
    }
  },
  'two above the top in no order, one out': (feed, take, draws) => {
    const entry = numbered();
    let drawn = 0;
    for (let round = 0; round < 80; round++) {
      feed(range(2000).map(() => entry(2 ** 20 * round + draws.uniform(drawn++) * 2 ** 21)));
      take(1000);
    }
  },
  rising: (feed, take) => {
    const entry = numbered();
    for (let round = 0; round < 80; round++) feed(range(1000).map((i) => entry(1000 * round + i)));
    for (let round = 0; round < 80; round++) take(1000);
  },
  'built, then drained': (feed, take, draws) => {
    const entry = numbered();
    for (let round = 0; round < 200; round++) feed(range(1000).map((i) => entry(draws.uniform(round, i) * 2 ** 30)));
    for (let round = 0; round < 200; round++) take(1000);
  },
  falling: (feed, take) => {
    const entry = numbered();
    for (let round = 0; round < 80; round++) feed(range(1000).map((i) => entry(2 ** 30 - 1000 * round - i)));
    for (let round = 0; round < 80; round++) take(1000);
  },
  'four keys': (feed, take, draws) => {
    const entry = numbered();
    let drawn = 0;
    for (let round = 0; round < 60; round++) feed(range(1000).map(() => entry(draws.uniform(drawn++) * 4)));
    for (let round = 0; round < 60; round++) {
      take(1000);
      feed(range(1000).map(() => entry(draws.uniform(drawn++) * 4)));
    }
  },
  'heavy tail': (feed, take, draws) => {
    const entry = numbered();
    let drawn = 0;
    const key = (): number => entry(Math.min(2 ** 30, 1 / (draws.uniform(drawn++) + 1e-9) ** 1.2));
    for (let round = 0; round < 60; round++) feed(range(1000).map(key));
    for (let round = 0; round < 120; round++) {
      take(1000);
      feed(range(1000).map(key));
    }
  },
  saw: (feed, take, draws) => {
    const entry = numbered();
    let drawn = 0;
    for (let round = 0; round < 60; round++) feed(range(1000).map(() => entry(draws.uniform(drawn++) * 2 ** 30)));
    for (let tooth = 0; tooth < 20; tooth++) {
      for (let round = 0; round < 5; round++)
        feed(range(1000).map(() => entry(2 ** 29 + tooth * 2 ** 20 + draws.uniform(drawn++) * 2 ** 22)));
      for (let round = 0; round < 5; round++) take(1000);
    }
  },
  'equal entries': (feed, take, draws) => {
    for (let round = 0; round < 80; round++)
      feed(range(1000).map((i) => packEntry(5 + (draws.uint32(round, i) % 3 === 0 ? i % 3 : 1), 1)));
    for (let round = 0; round < 90; round++) take(900);
  },
  'all at once': (feed, take, draws) => {
    const entry = numbered();
    for (let round = 0; round < 3; round++) {
      feed(range(50_000).map((i) => entry(draws.uniform(round, i) * 2 ** 30)));
      take(30_000);
    }
    take(61_000);
  },
  'single entries out': (feed, take, draws) => {
    const entry = numbered();
    feed(range(20_000).map((i) => entry(draws.uniform(i) * 2 ** 30)));
    for (let i = 0; i < 6000; i++) take(1);
  },
};

interface Bucketed extends PriorityQueue {
  readonly copies: { readonly total: number; readonly worst: number };
}

/** Plays a script on a queue; returns everything that left, sorted within each batch, and the counts. */
function play(
  script: Script, queue: Bucketed,
): { left: Float64Array[]; counts: object[]; elements: number; pivots: number; copies: object } {
  const left: Float64Array[] = [];
  const counts: object[] = [];
  let entries = 0;
  let pivots = 0;
  const after = (): void => {
    counts.push({ ...queue.comparisons, ...queue.structure, ...queue.copies });
    pivots = Math.max(pivots, queue.structure.count);
    if (counts.length % 20 === 0) queue.checkInvariants();
  };
  script(
    (batch) => {
      queue.insertMany(Float64Array.from(batch), 0, batch.length);
      entries += batch.length;
      after();
    },
    (k) => {
      const into = new Float64Array(Math.min(k, queue.size));
      queue.extractTop(k, into);
      left.push(into.sort());
      entries += into.length;
      after();
      return into;
    },
    new DrawStream(11, 'adversary'),
  );
  queue.checkInvariants();
  // An element is an entry in and an entry out.
  return { left, counts, elements: entries / 2, pivots, copies: { ...queue.copies } };
}

/** The same entries left, batch by batch. */
function expectSame(one: Float64Array[], other: Float64Array[]): void {
  expect(one.length).toBe(other.length);
  for (const [index, batch] of one.entries())
    expect(Buffer.compare(asBytes(batch), asBytes(other[index])), `batch ${index}`).toBe(0);
}

function asBytes(entries: Float64Array): Uint8Array {
  return new Uint8Array(entries.buffer, entries.byteOffset, entries.byteLength);
}

/** Scripts with one call far larger than R: it moves all that it brought, once a level. */
const bursts = ['all at once', 'single entries out'];

describe('bucket quickheap: twin and kernel decide alike', () => {
  test.each(sampled(Object.entries(adversaries), 6))('%s', (name, script) => {
    const radix = new WasmQuickHeap(1000);
    const twin = play(script, new BucketQuickHeap(1000));
    const counted = play(script, new WasmQuickHeap(1000, { compareOnly: true }));
    const fast = play(script, radix);
    expectSame(counted.left, twin.left);
    expectSame(fast.left, twin.left);
    expect(counted.counts).toEqual(twin.counts);
    // Sorting apart, the radix mode decides the same.
    expect(fast.copies).toEqual(twin.copies);
    expect(twin.pivots).toBeLessThanOrEqual(200);
    expect((radix.comparisons.insert + radix.comparisons.extract) / fast.elements).toBeLessThanOrEqual(25);
    if (!bursts.includes(name)) expect(radix.copies.worst).toBeLessThanOrEqual(6 * 1000);
  });

  test.each(sampled(Object.entries(adversaries), 3))(
    '%s, runs of 4 entries: many buckets, splits in splits, joins',
    (name, script) => {
      const twin = play(script, new BucketQuickHeap(1, { shortestRun: 4 }));
      const counted = play(script, new WasmQuickHeap(1, { shortestRun: 4, compareOnly: true }));
      expectSame(counted.left, twin.left);
      expect(counted.counts).toEqual(twin.counts);
      expect(twin.pivots).toBeLessThanOrEqual(254);
      if (name === 'rising') expect(twin.pivots).toBeGreaterThan(160);
    },
  );

  test('random scripts', () => {
    const step = fc.record({
      insert: fc.nat(400), spread: fc.constantFrom(1, 3, 50, 2 ** 30), rise: fc.nat(1000), take: fc.nat(500),
    });
    assertProperty(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(4, 5, 16, 100),
        fc.nat(1000),
        (steps, shortestRun, seed) => {
          const draws = new DrawStream(seed, 'random scripts');
          const script: Script = (feed, take) => {
            let page = 0;
            for (const [round, { insert, spread, rise, take: k }] of steps.entries()) {
              feed(
                range(insert).map((i) =>
                  packEntry(rise * round + Math.floor(draws.uniform(round, i) * spread), spread === 1 ? 7 : page++),
                ),
              );
              take(k);
            }
            take(1e6);
          };
          const twin = play(script, new BucketQuickHeap(1, { shortestRun }));
          const counted = play(script, new WasmQuickHeap(1, { shortestRun, compareOnly: true }));
          expectSame(counted.left, twin.left);
          expectSame(play(script, new WasmQuickHeap(1, { shortestRun })).left, twin.left);
          expect(counted.counts).toEqual(twin.counts);
        },
      ),
      60,
    );
  });

  test('counts in closed form', () => {
    // One comparison an entry while there are two buckets; a merge sort of 1024 rising entries: ten levels of 512.
    for (const queue of [new BucketQuickHeap(1), new WasmQuickHeap(1, { compareOnly: true })]) {
      queue.insertMany(Float64Array.from(range(1024)), 0, 1024);
      expect(queue.comparisons).toEqual({ insert: 1024, extract: 0 });
      queue.extractTop(1, new Float64Array(1));
      expect(queue.comparisons.extract).toBe(10 * 512);
      expect(queue.copies.total).toBe(1024);
      // Nothing is above the new entry: one comparison sends it to the front, one more ends the merge.
      queue.insertMany(Float64Array.of(5000), 0, 1);
      queue.extractTop(1, new Float64Array(1));
      expect(queue.comparisons).toEqual({ insert: 1025, extract: 10 * 512 + 1 });
    }
  });
});

/** `length` entries, the greatest of them differing in their last bits only now and then. */
function drawn(length: number, seed: number): Float64Array {
  const draws = new DrawStream(seed, 'entries');
  return Float64Array.from({ length }, (_, i) => packEntry(draws.uint32(i) >>> 2, i));
}

describe('bucket quickheap in WebAssembly: memory', () => {
  test('grows under a batch, and under many', () => {
    const kernel = new QuickHeapKernel();
    const queue = new WasmQuickHeap(1000, { kernel });
    const batch = isFullSweep ? 100_000 : 30_000;
    const entries = drawn(12 * batch, 1);
    queue.insertMany(entries, 0, 9 * batch);
    for (let from = 9 * batch; from < entries.length; from += batch) queue.insertMany(entries, from, from + batch);
    expect(kernel.exports.bytesTaken()).toBeGreaterThan(8 * entries.length);
    queue.checkInvariants();
    const into = new Float64Array(entries.length);
    expect(queue.extractTop(2_000_000, into)).toBe(entries.length);
    expect(Buffer.compare(asBytes(into.sort()), asBytes(entries.sort()))).toBe(0);
  });

  test('1000 queues in one memory, each its own', () => {
    const kernel = new QuickHeapKernel();
    const queues = range(1000).map((i) => new WasmQuickHeap(1 + (i % 64), { kernel }));
    const batches = queues.map((_, i) => drawn(100 + (i % 300), i));
    for (const half of [0, 1]) {
      for (const [i, queue] of queues.entries()) {
        const middle = batches[i].length >> 1;
        queue.insertMany(batches[i], half * middle, half === 0 ? middle : batches[i].length);
      }
    }
    for (const [i, queue] of queues.entries()) {
      queue.checkInvariants();
      const into = new Float64Array(7);
      queue.extractTop(7, into);
      expect(into.sort()).toEqual(batches[i].sort().slice(-7));
    }
  });

  test('a queue takes nothing before its first entry, and little while it holds little, whatever its block', () => {
    const kernel = new QuickHeapKernel();
    const queues = range(1000).map(() => new WasmQuickHeap(2 ** 16, { kernel }));
    expect(kernel.exports.bytesTaken()).toBeLessThan(2 ** 20);
    queues[0].insertMany(Float64Array.of(1), 0, 1);
    const one = kernel.exports.bytesTaken();
    for (const queue of queues.slice(1)) queue.insertMany(Float64Array.of(1, 2, 3), 0, 3);
    for (const queue of queues) queue.extractTop(1, new Float64Array(1));
    // The queue and its tables, two buckets and a run: five chunks.
    expect((kernel.exports.bytesTaken() - one) / 999).toBe(5 * 4096);
    const entries = drawn(150_000, 4);
    for (let from = 0; from < entries.length; from += 100) queues[0].insertMany(entries, from, from + 100);
    queues[0].checkInvariants();
    const into = new Float64Array(150_000);
    queues[0].extractTop(150_000, into);
    expect(Buffer.compare(asBytes(into.sort()), asBytes(entries.sort()))).toBe(0);
  });

  test('what is disposed of is used again', () => {
    const kernel = new QuickHeapKernel();
    const entries = drawn(40_000, 2);
    const fill = (): WasmQuickHeap[] => range(40).map((i) => {
      const queue = new WasmQuickHeap(10 * i + 1, { kernel });
      queue.insertMany(entries, 500 * i, 500 * i + 20_000);
      queue.extractTop(3000, new Float64Array(3000));
      return queue;
    });
    const first = fill();
    const taken = kernel.exports.bytesTaken();
    for (const queue of first) queue.dispose();
    const second = fill();
    expect(kernel.exports.bytesTaken()).toBe(taken);
    for (const queue of second) queue.dispose();
    expect(() => second[0].size).toThrow(AssertionError);
  });

  test('full: the call is refused, nothing is lost, and extraction goes on', () => {
    const kernel = new QuickHeapKernel(256);
    const queue = new WasmQuickHeap(1000, { kernel });
    const other = new WasmQuickHeap(1000, { kernel });
    const entries = drawn(2_000_000, 3);
    other.insertMany(entries, 0, 5000);
    expect(() => queue.insertMany(entries, 0, entries.length)).toThrow(
      /^QuickHeap: no memory to insert 2000000 entries: .* kernel has \d+ MiB/,
    );
    expect(queue.size).toBe(0);
    let held = 0;
    const fill = (): void => {
      for (; held < entries.length; held += 1000) queue.insertMany(entries, held, held + 1000);
    };
    expect(fill).toThrow(WorldError);
    expect(held).toBeGreaterThan(500_000);
    expect(queue.size).toBe(held);
    queue.checkInvariants();
    expect(() => new WasmQuickHeap(2 ** 20, { kernel }).insertMany(entries, 0, 1)).toThrow(
      'no memory to make another queue',
    );

    const sorted = entries.slice(0, held).sort();
    const into = new Float64Array(held);
    queue.extractTop(1500, into);
    expect(into.subarray(0, 1500).sort()).toEqual(sorted.slice(-1500));
    queue.extractTop(held, into);
    const [rest, expected] = [into.subarray(0, held - 1500).sort(), sorted.subarray(0, held - 1500)];
    expect(Buffer.compare(asBytes(rest), asBytes(expected))).toBe(0);
    expect(other.size).toBe(5000);
    other.checkInvariants();
  });

  test('blocks and runs that cannot be are refused', () => {
    for (const block of [0, -1, 1.5, NaN, 2 ** 20 + 1]) {
      expect(() => new WasmQuickHeap(block)).toThrow(AssertionError);
      expect(() => new BucketQuickHeap(block)).toThrow(AssertionError);
    }
    for (const shortestRun of [3, 4.5, 2 ** 21 + 1])
      expect(() => new WasmQuickHeap(1, { shortestRun })).toThrow(AssertionError);
  });

  test('a kernel that was not built is named', () => {
    expect(() => kernelModule('queue/no-such-kernel')).toThrow(
      /dist.queue.no-such-kernel\.wasm: no such kernel; run npm run build/,
    );
    const kernel = kernelModule('core/queue/quickheap/quickheap-kernel');
    expect(kernel).toBe(kernelModule('core/queue/quickheap/quickheap-kernel'));
  });
});
