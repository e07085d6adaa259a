import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gatherGreater, leastOf, partition, selectTop } from '../../../src/core/queue/sliced/partition.ts';
import { assertProperty } from '../../conformance/queue.ts';

const descending = (keys: Iterable<number>): number[] => [...keys].sort((a, b) => b - a);
const someKeys = fc.array(fc.nat(9), { minLength: 1, maxLength: 60 });

describe('partition', () => {
  test('puts the pivot at its place, in a circular array too', () => {
    assertProperty(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 16 }), fc.nat(15), fc.nat(), (keys, from, choice) => {
        const to = from + keys.length;
        const cells = new Float64Array(16).fill(-1);
        keys.forEach((key, i) => (cells[(from + i) & 15] = key));
        const pivot = keys[choice % keys.length];
        const at = partition(cells, 15, from, to, from + (choice % keys.length));
        const inOrder = Array.from(keys, (_, i) => cells[(from + i) & 15]);
        expect(inOrder[at - from]).toBe(pivot);
        expect(inOrder.slice(0, at - from).every((key) => key >= pivot)).toBe(true);
        expect(inOrder.slice(at - from).every((key) => key <= pivot)).toBe(true);
        expect(descending(inOrder)).toEqual(descending(keys));
        expect(cells.filter((key) => key === -1).length).toBe(16 - keys.length);
      }),
      500,
    );
  });
});

describe('selectTop', () => {
  test('puts the n greatest first, the least of them last', () => {
    assertProperty(
      fc.property(someKeys, fc.nat(), (keys, choice) => {
        const n = 1 + (choice % keys.length);
        const cells = Float64Array.of(-1, ...keys, 99);
        selectTop(cells, 1, 1 + keys.length, n);
        expect(cells[0]).toBe(-1);
        expect(cells[1 + keys.length]).toBe(99);
        expect(descending(cells.subarray(1, 1 + n))).toEqual(descending(keys).slice(0, n));
        expect(cells[n]).toBe(descending(keys)[n - 1]);
        expect(descending(cells.subarray(1, 1 + keys.length))).toEqual(descending(keys));
      }),
      1000,
    );
  });

  const length = 4096;
  const half = length / 2;
  /**
   * Musser's sequence, made to defeat the median of first, middle and last (Introspective Sorting and Selection, 1997).
   */
  const killer = (i: number): number => (i >= half ? 2 * (i - half + 1) : i % 2 === 0 ? i + 1 : half + i);
  const shapes: Record<string, (i: number) => number> = {
    rising: (i) => i,
    falling: (i) => -i,
    equal: () => 1,
    'organ pipe': (i) => Math.min(i, length - i),
    valley: (i) => Math.max(i, length - i),
    'two values': (i) => (i * 7919) % 2,
    killer,
    'killer, falling': (i) => -killer(i),
  };
  test.each(Object.entries(shapes))('is linear on keys %s', (_, shape) => {
    for (const n of [1, 10, half, length - 10, length]) {
      const cells = Float64Array.from({ length }, (__, i) => shape(i));
      const greatest = descending(cells).slice(0, n);
      expect(selectTop(cells, 0, length, n)).toBeLessThan(20 * length);
      expect(descending(cells.subarray(0, n))).toEqual(greatest);
    }
  });

  // McIlroy, "A Killer Adversary for Quicksort" (1999): keys are gas, greater than all solid ones, until two meet in a
  // comparison; then the likelier pivot turns solid. So each sampled pivot turns out next to the least of its range.
  test('is linear against an adversary that decides the keys as they are compared', () => {
    const gas = Number.MAX_VALUE;
    let solid = 0;
    let looks = 0;
    let candidate = -1;
    let firstWasGas = false;

    class Key {
      value = gas;
      readonly #id: number;
      constructor(id: number) {
        this.#id = id;
      }
      valueOf(): number {
        const first = looks++ % 2 === 0;
        if (this.value === gas && (first ? this.#id === candidate : firstWasGas)) this.value = solid++;
        else if (this.value === gas) candidate = this.#id;
        if (first) firstWasGas = this.value === gas;
        return this.value;
      }
    }

    const keys = Array.from({ length }, (_, id) => new Key(id));
    const comparisons = selectTop(keys as unknown as Float64Array, 0, length, half);
    expect(comparisons).toBe(looks / 2);
    // Without the medians of medians: about length^2 / 6.
    expect(comparisons).toBeLessThan(40 * length);
    const values = keys.map((key) => key.value);
    expect(Math.min(...values.slice(0, half))).toBe(values[half - 1]);
    expect(Math.max(...values.slice(half))).toBeLessThanOrEqual(values[half - 1]);
  });
});

test('gatherGreater and leastOf agree with the plain definitions', () => {
  assertProperty(
    fc.property(someKeys, fc.nat(9), (keys, bound) => {
      const cells = Float64Array.of(-1, ...keys, 99);
      expect(leastOf(cells, 1, 1 + keys.length)).toBe(descending(keys).at(-1));
      const count = gatherGreater(cells, 1, 1 + keys.length, bound);
      expect(descending(cells.subarray(1, 1 + count))).toEqual(descending(keys.filter((key) => key > bound)));
      expect(descending(cells.subarray(1, 1 + keys.length))).toEqual(descending(keys));
      expect([cells[0], cells[1 + keys.length]]).toEqual([-1, 99]);
    }),
    500,
  );
});
