import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertCbt, type CbtState } from '../../../src/core/queue/cbt/cbt-state.ts';
import { blockSizeLimit, CbtKernel, packEntry, type PriorityQueue, WasmCbt } from '../../../src/core/queue/index.ts';
import { mergeSort, sortByDigits } from '../twins/sort-descending.ts';
import { SortedCbt } from '../twins/sorted-cbt.ts';
import { AssertionError, DrawStream, WorldError } from '../../../src/base/index.ts';
import { assertProperty } from '../../conformance/queue.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

/** Sorted as a typed array, which takes a tenth of the time. */
function descending(entries: Iterable<number>): number[] {
  return [...Float64Array.from(entries).sort().reverse()];
}

function insert(queue: PriorityQueue, entries: readonly number[]): void {
  queue.insertMany(Float64Array.from(entries), 0, entries.length);
}

function extract(queue: PriorityQueue, k: number): number[] {
  const into = new Float64Array(Math.min(k, queue.size));
  queue.extractTop(k, into);
  return descending(into);
}

/** What entries may look like to a sort by digits: entry number `i`. */
const looks: Record<string, (i: number, draws: DrawStream) => number> = {
  'all bits': (i, draws) => packEntry(draws.uint32(i) >>> 2, draws.uint32(i, 1)),
  'few keys': (i, draws) => packEntry(draws.uint32(i) & 15, i),
  'low bits only': (i, draws) => packEntry(7, draws.uint32(i) & 4095),
  'all equal': () => packEntry(7, 7),
  // The two highest digits distinguish one entry from all others: the sort by digits has to start again.
  'one far above': (i, draws) => packEntry(i % 97 === 0 ? 2 ** 30 : 0, draws.uint32(i)),
  rising: (i) => packEntry(i, i),
};

function flat(state: CbtState): Buffer {
  const numbers = [
    ...state.winner.slice(1), state.hole, ...state.leaf.keys(), ...state.leaf.values(), Number(state.restSorted),
  ];
  return Buffer.concat(
    [Float64Array.from(numbers), ...state.block.values(), state.rest].map((part) => new Uint8Array(part.buffer)),
  );
}

// Goal: the kernel does what the plain program does, so that what is argued about the one holds for the other.
// Method: both are fed alike, and everything about them is compared after every step.
describe('the kernel and its twin agree after every step', () => {
  class Pair {
    readonly wasm: WasmCbt;
    readonly twin: SortedCbt;
    constructor(block: number, compareOnly: boolean) {
      this.wasm = new WasmCbt(block, { compareOnly });
      this.twin = new SortedCbt(block, { compareOnly });
    }
    step(entries: readonly number[], k: number): void {
      insert(this.wasm, entries);
      insert(this.twin, entries);
      this.#compare();
      expect(extract(this.wasm, k)).toEqual(extract(this.twin, k));
      this.#compare();
    }
    #compare(): void {
      expect(this.wasm.comparisons).toEqual(this.twin.comparisons);
      expect(this.wasm.structure).toEqual(this.twin.structure);
      const [one, other] = [this.wasm.state(), this.twin.state()];
      // A mismatch in large blocks is reported without its difference: to look for one takes most of the time.
      if (one.blockSize < 1000) expect(one).toEqual(other);
      else expect(flat(one).equals(flat(other))).toBe(true);
    }
  }

  test.each([1, 2, 3, 8, 32, 100])('R = %d, random scripts', (block) => {
    const lengths = fc.oneof(fc.nat(3 * block + 3), fc.constantFrom(0, block - 1, block, block + 1, 2 * block));
    const script = fc.array(fc.tuple(lengths, lengths), { maxLength: 12 });
    assertProperty(
      fc.property(script, fc.constantFrom(...Object.keys(looks)), fc.boolean(), (steps, look, compareOnly) => {
        const pair = new Pair(block, compareOnly);
        const draws = new DrawStream(1, look);
        let made = 0;
        for (const [length, k] of steps) pair.step(Array.from({ length }, () => looks[look](made++, draws)), k);
        pair.step([], pair.twin.size);
        pair.wasm.dispose();
      }),
      60,
    );
  });

  test.each(sampled(Object.keys(looks), 3))('R = 1000 and 7000, entries with %s', (look) => {
    for (const [block, rounds] of [[1000, 24], [7000, 6]]) {
      const pair = new Pair(block, false);
      const draws = new DrawStream(2, look);
      let made = 0;
      for (let round = 0; round < rounds; round++) {
        // Grows, holds with all lengths equal to R, then with other ones.
        const length = round % 3 === 0 ? block + 17 : block;
        const k = round < 6 ? 0 : round % 4 === 0 ? block >>> 1 : block;
        pair.step(Array.from({ length: round < 6 ? 2 * block : length }, () => looks[look](made++, draws)), k);
      }
      pair.step([], pair.twin.size);
    }
  });
});

describe('sorts', () => {
  test.each(Object.keys(looks))('entries with %s: sorted, within the stated comparisons', (look) => {
    for (const n of [0, 1, 2, 63, 64, 65, 1000, 6001]) {
      const draws = new DrawStream(3, look);
      const entries = Float64Array.from({ length: n }, (_, i) => looks[look](i, draws));
      const byDigits = entries.slice();
      const comparisons = sortByDigits(byDigits, n);
      expect([...byDigits]).toEqual(descending(entries));
      if (n >= 64) expect(comparisons).toBeLessThanOrEqual(2 * n);
      const merged = entries.slice();
      expect(mergeSort(merged, n)).toBeLessThanOrEqual(n * Math.ceil(Math.log2(Math.max(1, n))));
      expect(merged).toEqual(byDigits);
    }
  });
});

describe('comparisons within the bounds, whatever the keys, m = 2^16, R = 256', () => {
  const block = 256;
  const m = 2 ** 16;
  const lgBlocks = Math.log2(m / block);

  /** Key number `i` of a run, below 2^30; `least` is the least key that left last. */
  const adversaries: Record<string, (i: number, draws: DrawStream, least: number) => number> = {
    uniform: (i, draws) => draws.uint32(i) >>> 2,
    'above all that left': (i, draws, least) => Math.min(2 ** 30 - 1, least + (draws.uint32(i) & 1023)),
    'just below what left': (i, draws, least) => Math.max(0, least - (draws.uint32(i) & 1023)),
    'far below what left': (i, draws, least) => Math.floor(least * draws.uniform(i)),
    rising: (i) => i,
    falling: (i) => 2 ** 30 - 1 - i,
    'four keys': (i, draws) => draws.uint32(i) & 3,
    'heavy-tailed': (i, draws) => Math.min(2 ** 30 - 1, Math.floor(draws.uniform(i) ** -1.2)),
    saw: (i, draws) => 1000 * (i % (5 * block)) + (draws.uint32(i) & 511),
    'alternately high and low': (i, draws) => (Math.floor(i / block) & 1) * 2 ** 29 + (draws.uint32(i) >>> 4),
    'every block spans all': (i, draws) => (i % block) * 2 ** 21 + (draws.uint32(i) >>> 11),
  };

  test.each(sampled(Object.entries(adversaries), 3))('%s', (name, keyAt) => {
    const queue = new WasmCbt(block);
    const draws = new DrawStream(5, name);
    const batch = new Float64Array(2 * block);
    const levels = lgBlocks + 2;
    const match = 2 * block + Math.log2(block) + 3;
    let made = 0;
    let least = 2 ** 29;
    let moved = 0;
    /** Inserts and extracts multiples of R; every call keeps to the worst case stated. */
    const step = (into: number, out: number): void => {
      const before = { ...queue.comparisons };
      for (let i = 0; i < into; i++) batch[i] = packEntry(keyAt(made, draws, least), made++ & 0xffff);
      queue.insertMany(batch, 0, into);
      expect(queue.comparisons.insert - before.insert).toBeLessThanOrEqual(
        (into / block) * (levels * match + 2 * block),
      );
      const count = queue.extractTop(out, batch);
      expect(queue.comparisons.extract - before.extract).toBeLessThanOrEqual((out / block) * levels * match);
      if (count > 0) least = Number(new BigUint64Array(batch.buffer, 8 * (count - 1), 1)[0] >> 32n);
      moved += (into + count) / 2;
    };
    /** Comparisons an entry in and out, of the steps done by `run`. */
    const mean = (run: () => void): number => {
      const before = queue.comparisons.insert + queue.comparisons.extract;
      moved = 0;
      run();
      return (queue.comparisons.insert + queue.comparisons.extract - before) / moved;
    };
    const bound = 4 * lgBlocks + 4;
    expect(
      mean(() => {
        while (queue.size < m) step(2 * block, block);
      }),
      'two in, one out',
    ).toBeLessThanOrEqual(bound);
    expect(
      mean(() => {
        for (let i = 0; i < 300; i++) step(block, block);
      }),
      'hold',
    ).toBeLessThanOrEqual(2 * lgBlocks + 5);
    const pairs = (): void => {
      for (let i = 0; i < 150; i++) {
        step(2 * block, 0);
        step(0, 2 * block);
      }
    };
    expect(mean(pairs), 'two in, two out').toBeLessThanOrEqual(bound);
    queue.checkInvariants();
    expect(mean(() => { while (queue.size > 0) step(0, block); }), 'drain').toBeLessThanOrEqual(bound);
    queue.dispose();
  });
});

describe('memory', () => {
  const entries = (length: number): Float64Array => {
    const draws = new DrawStream(6, 'memory');
    return Float64Array.from({ length }, (_, i) => packEntry(draws.uint32(i) >>> 2, i));
  };

  test('grows with the queue, in the middle of a long insertion too', () => {
    const kernel = new CbtKernel();
    const queue = new WasmCbt(100, { kernel });
    const all = entries(isFullSweep ? 300_000 : 120_000);
    const before = kernel.bytes;
    for (let from = 0; from < all.length; from += 50_050)
      queue.insertMany(all, from, Math.min(all.length, from + 50_050));
    expect(kernel.bytes).toBeGreaterThan(before + 8 * all.length);
    expect(kernel.bytes).toBeLessThan(12 * all.length + 2 ** 20);
    queue.checkInvariants();
    expect(extract(queue, all.length)).toEqual(descending(all));
  });

  test('a thousand queues live in one memory, each its own', () => {
    const kernel = new CbtKernel();
    const draws = new DrawStream(7, 'queues');
    const make = (): void => {
      const queues = Array.from({ length: 1000 }, (_, i) => new WasmCbt([4, 16, 100][i % 3], { kernel }));
      const models = queues.map((): number[] => []);
      for (let round = 0; round < (isFullSweep ? 4 : 2); round++) {
        for (const [i, queue] of queues.entries()) {
          const batch = Array.from({ length: 60 }, (_, j) => packEntry(draws.uint32(i, 60 * round + j) >>> 2, j));
          insert(queue, batch);
          models[i] = descending([...models[i], ...batch]);
          expect(extract(queue, 25 + (i % 7))).toEqual(models[i].splice(0, 25 + (i % 7)));
        }
      }
      for (const queue of queues) queue.checkInvariants();
      for (const queue of queues) queue.dispose();
    };
    make();
    const { bytes } = kernel;
    expect(bytes).toBeLessThan(16 * 2 ** 20);
    make();
    expect(kernel.bytes).toBe(bytes);
  });

  test('a queue of fewer than R entries takes what they take, however large R is', () => {
    const kernel = new CbtKernel();
    const queues = Array.from({ length: 1000 }, () => new WasmCbt(100_000, { kernel }));
    const empty = kernel.bytes;
    const all = entries(120_000);
    for (const queue of queues) {
      queue.insertMany(all, 0, 20);
      queue.extractTop(3, new Float64Array(3));
      queue.insertMany(all, 20, 40);
    }
    // 64 entries of room, and 32 before: the kernel takes an eighth more than it needs when it grows.
    expect(kernel.bytes - empty).toBeLessThan(1.2 * 1000 * 8 * (32 + 64));
    const [queue] = queues;
    for (let from = 40; from < all.length; from += 990) queue.insertMany(all, from, Math.min(all.length, from + 990));
    expect(queue.structure.count).toBe(1);
    queue.checkInvariants();
    expect(extract(queue, 120_000)).toEqual(
      descending([...descending(all.subarray(0, 20)).slice(3), ...all.subarray(20)]),
    );
    expect(extract(queues[1], 40)).toEqual(
      descending([...descending(all.subarray(0, 20)).slice(3), ...all.subarray(20, 40)]),
    );
  });

  test('what a queue leaves is used by the next of its R, and by all when none is left', () => {
    const kernel = new CbtKernel();
    const staying = new WasmCbt(64, { kernel });
    const fillAndDispose = (block: number): number => {
      const queue = new WasmCbt(block, { kernel });
      queue.insertMany(entries(100_000), 0, 100_000);
      queue.dispose();
      return kernel.bytes;
    };
    const bytes = fillAndDispose(64);
    expect(fillAndDispose(64)).toBe(bytes);
    expect(fillAndDispose(65)).toBeGreaterThan(bytes);
    staying.dispose();
    const all = kernel.bytes;
    for (const block of [30, 300, 3000]) expect(fillAndDispose(block)).toBe(all);
  });

  test('nothing is lost over a thousand queues one after the other', () => {
    const kernel = new CbtKernel();
    const staying = new WasmCbt(64, { kernel });
    const all = entries(3000);
    const into = new Float64Array(1000);
    let bytes = 0;
    for (let round = 0; round < 1000; round++) {
      const queue = new WasmCbt(64, { kernel });
      queue.insertMany(all, 0, 3000);
      queue.extractTop(1000, into);
      queue.dispose();
      if (round === 10) bytes = kernel.bytes;
    }
    expect(kernel.bytes).toBe(bytes);
    staying.checkInvariants();
  });

  test('where it ends, the queue stays as it was and goes on', () => {
    const kernel = new CbtKernel(2 ** 20);
    const queue = new WasmCbt(100, { kernel });
    const other = new WasmCbt(100, { kernel });
    const all = entries(200_000);
    queue.insertMany(all, 0, 30_050);
    insert(other, [3, 1, 2]);
    queue.extractTop(100, new Float64Array(100));
    const before = { state: queue.state(), size: queue.size, comparisons: { ...queue.comparisons } };
    expect(() => queue.insertMany(all, 0, 200_000)).toThrow(
      /^CBT: no memory for 200000 more entries in blocks of 100: .* 1 MiB/,
    );
    expect({ state: queue.state(), size: queue.size, comparisons: { ...queue.comparisons } }).toEqual(before);
    expect(() => new WasmCbt(100_000, { kernel })).toThrow(WorldError);
    queue.insertMany(all, 30_050, 50_000);
    queue.checkInvariants();
    const held = [...descending(all.subarray(0, 30_050)).slice(100), ...all.subarray(30_050, 50_000)];
    expect(extract(queue, 60_000)).toEqual(descending(held));
    expect(extract(other, 3)).toEqual([3, 2, 1]);
    expect(kernel.bytes).toBeLessThanOrEqual(2 ** 20);
  });
});

describe('limits', () => {
  test.each([0, -1, 1.5, NaN, blockSizeLimit + 1])('no block of %d', (block) => {
    expect(() => new SortedCbt(block)).toThrow(AssertionError);
    expect(() => new WasmCbt(block)).toThrow(AssertionError);
  });

  test('the largest block', () => {
    const queue = new WasmCbt(blockSizeLimit, { kernel: new CbtKernel() });
    insert(queue, [3, 1, 2]);
    expect(extract(queue, 2)).toEqual([3, 2]);
    queue.checkInvariants();
  });

  test('nothing after dispose()', () => {
    const queue = new WasmCbt(4);
    queue.dispose();
    expect(() => queue.insertMany(new Float64Array(1), 0, 1)).toThrow('after dispose()');
    expect(() => queue.extractTop(1, new Float64Array(1))).toThrow('after dispose()');
    expect(() => { queue.checkInvariants(); }).toThrow('after dispose()');
    expect(() => queue.structure).toThrow('after dispose()');
  });
});

describe('the check of the invariants sees each one broken', () => {
  const queue = new SortedCbt(2);
  insert(queue, [9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const sound = queue.state();
  const blocks = [...sound.block];

  test('and nothing in a sound queue', () => {
    expect(() => { assertCbt(sound, 9); }).not.toThrow();
  });

  test.each<[string, Partial<CbtState>, string]>([
    ['rest too long', { rest: Float64Array.of(1, 2) }, 'fewer than R'],
    ['size', { rest: Float64Array.of() }, 'size 9'],
    [
      'block in disorder', { block: new Map([...blocks.slice(1), [blocks[0][0], Float64Array.of(1, 2)]]) },
      'greatest first',
    ],
    [
      'winner too small', { block: new Map([...blocks.slice(1), [blocks[0][0], Float64Array.of(1, 0)]]) },
      'invariant I',
    ],
    ['leaf unknown', { leaf: new Map([...sound.leaf].map(([item, at]) => [item, at ^ 1])) }, 'not at its leaf'],
    [
      'winner that did not play', { winner: sound.winner.map((item, at) => (at === 1 ? 77 : item)) },
      'without having played',
    ],
    ['hole that is not the champion', { hole: 77 }, 'blocks'],
  ])('%s', (_what, damage, message) => {
    expect(() => { assertCbt({ ...sound, ...damage }, 9); }).toThrow(message);
  });

  test('rest called sorted', () => {
    const larger = new SortedCbt(4);
    insert(larger, [1, 2, 3]);
    expect(() => { assertCbt({ ...larger.state(), restSorted: true }, 3); }).toThrow('called sorted');
  });
});
