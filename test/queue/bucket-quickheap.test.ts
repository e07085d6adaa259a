import { describe, expect, test } from 'vitest';
import { BucketQuickHeap, packEntry, QuickHeapKernel, WasmQuickHeap, type PriorityQueue } from '../../src/queue/index.ts';
import { AssertionError, DrawStream } from '../../src/std/index.ts';
import { describeQueue } from '../conformance/queue.ts';

// With runs of 4 entries the suite's short scripts split, join and meet equal entries on every level.
for (const shortestRun of [4, 16, 1024]) {
  describeQueue(`bucket quickheap, F = ${shortestRun}`, 10, () => new BucketQuickHeap(1, { shortestRun }));
  describeQueue(`bucket quickheap in WebAssembly, F = ${shortestRun}`, 10, () => new WasmQuickHeap(1, { shortestRun }));
}
describeQueue('bucket quickheap in WebAssembly, comparisons only', 10, () => new WasmQuickHeap(1, { shortestRun: 8, compareOnly: true }));

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
      for (let round = 0; round < 5; round++) feed(range(1000).map(() => entry(2 ** 29 + tooth * 2 ** 20 + draws.uniform(drawn++) * 2 ** 22)));
      for (let round = 0; round < 5; round++) take(1000);
    }
  },
  'equal entries': (feed, take, draws) => {
    for (let round = 0; round < 80; round++) feed(range(1000).map((i) => packEntry(5 + (draws.uint32(round, i) % 3 === 0 ? i % 3 : 1), 1)));
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
  readonly moved: { readonly total: number; readonly worst: number };
}

/** Plays a script on a queue; returns everything that left, sorted within each batch, and the counts. */
function play(script: Script, queue: Bucketed): { left: Float64Array[]; counts: object[]; elements: number; pivots: number } {
  const left: Float64Array[] = [];
  const counts: object[] = [];
  let entries = 0;
  let pivots = 0;
  const after = (): void => {
    counts.push({ ...queue.comparisons, ...queue.structure, ...queue.moved });
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
  return { left, counts, elements: entries / 2, pivots };
}

describe('bucket quickheap: twin and kernel', () => {
  test.each(Object.entries(adversaries))('%s, runs of 4 entries', (_name, script) => {
    const twin = play(script, new BucketQuickHeap(1, { shortestRun: 4 }));
    const counted = play(script, new WasmQuickHeap(1, { shortestRun: 4, compareOnly: true }));
    const fast = play(script, new WasmQuickHeap(1, { shortestRun: 4 }));
    expect(counted.left).toEqual(twin.left);
    expect(fast.left).toEqual(twin.left);
    expect(counted.counts).toEqual(twin.counts);
    console.log(_name, twin.pivots);
  });

  test.each(Object.entries(adversaries))('%s', (name, script) => {
    const twin = play(script, new BucketQuickHeap(1000));
    const counted = play(script, new WasmQuickHeap(1000, { compareOnly: true }));
    const radix = new WasmQuickHeap(1000);
    const fast = play(script, radix);
    expect(counted.left).toEqual(twin.left);
    expect(fast.left).toEqual(twin.left);
    expect(counted.counts).toEqual(twin.counts);
    expect(twin.pivots).toBeLessThanOrEqual(200);
    const { insert, extract } = radix.comparisons;
    console.log(name, radix.moved, (insert + extract) / fast.elements, twin.pivots, fast.elements);
    expect((insert + extract) / fast.elements).toBeLessThanOrEqual(25);
  });
});
