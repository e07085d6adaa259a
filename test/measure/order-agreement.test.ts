import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonRanks, compareOrders, placesByProcessor } from '../../src/core/measure/index.ts';
import { tries } from '../sweep.ts';

// Goal: how far two orders agree is what the definitions say, pair by pair and place by place.

/** Two orders of some of the pages 0 ... 29, with ids that are far apart. */
const order = fc
  .uniqueArray(fc.nat(29), { maxLength: 30 })
  .map((pages) => pages.map((page) => (page * 150_994_947) >>> 0));
const compared = (first: readonly number[], second: readonly number[]) =>
  compareOrders(Uint32Array.from(first), Uint32Array.from(second));

/** By the definitions, with lists and look-ups. */
function plain(first: readonly number[], second: readonly number[]) {
  const [one, other] = [first.filter((page) => second.includes(page)), second.filter((page) => first.includes(page))];
  const n = one.length;
  let agreeing = 0;
  for (const [i, page] of one.entries()) {
    for (const later of one.slice(i + 1)) agreeing += other.indexOf(page) < other.indexOf(later) ? 1 : -1;
  }
  const off = one.map((page, place) => Math.abs(place - other.indexOf(page)));
  let place = 0;
  while (place < first.length && first[place] === second[place]) place++;
  const ends = place === first.length && place === second.length;
  return {
    common: n, firstOnly: first.length - n, secondOnly: second.length - n,
    tauB: n < 2 ? null : agreeing / ((n * (n - 1)) / 2), samePrefix: place,
    divergence: ends ? null : { place, first: first[place] ?? null, second: second[place] ?? null },
    meanDisplacement: n === 0 ? null : off.reduce((sum, one) => sum + one, 0) / n,
    mostDisplacement: n === 0 ? null : Math.max(...off),
  };
}

describe('two orders', () => {
  test('agree as the definitions say', () => {
    fc.assert(fc.property(order, order, (first, second) => {
      const { tauB, uniformDisplacement, ...rest } = compared(first, second);
      const { tauB: expected, ...others } = plain(first, second);
      expect(rest).toEqual(others);
      if (expected === null) expect(tauB).toBeNull();
      else expect(tauB).toBeCloseTo(expected, 12);
      expect(uniformDisplacement === null).toBe(rest.common === 0);
    }), { numRuns: tries(300) });
  });

  test('an order agrees with itself, with its reverse not at all, and with neither it matters how pages are numbered', () => {
    const pages = Array.from({ length: 1000 }, (_, i) => (7 * i) % 1009);
    expect(compared(pages, pages)).toMatchObject({
      common: 1000, tauB: 1, samePrefix: 1000, divergence: null, meanDisplacement: 0, mostDisplacement: 0,
    });
    // Reversed, page i of n is off by |n - 1 - 2i|: n/2 on average of an even number.
    expect(compared(pages, pages.toReversed())).toMatchObject({
      tauB: -1, samePrefix: 0, meanDisplacement: 500, mostDisplacement: 999,
    });
    fc.assert(fc.property(order, order, (first, second) => {
      const { divergence, ...numbered } = compared(first, second);
      const renumbered = (page: number): number => (page ^ 0x5a5a5a5a) >>> 0;
      const other = compared(first.map(renumbered), second.map(renumbered));
      expect({ ...other, divergence: other.divergence?.place }).toEqual({ ...numbered, divergence: divergence?.place });
    }));
  });

  test('a uniform order is as far off as is expected of one', () => {
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const all = permutations(n);
      const sum = all.reduce((total, one) => total + compared([...one.keys()], one).meanDisplacement!, 0);
      expect(sum / all.length).toBeCloseTo(compared([...all[0].keys()], all[0]).uniformDisplacement!, 12);
    }
  });

  test('where one has ended, that is where they differ', () => {
    expect(compared([3, 5], [3, 5, 8]).divergence).toEqual({ place: 2, first: null, second: 8 });
    expect(compared([], []).divergence).toBeNull();
    expect(compared([3, 9, 5], [5, 3])).toMatchObject({
      common: 2, firstOnly: 1, secondOnly: 0, tauB: -1, meanDisplacement: 1,
    });
  });

  test('a page that occurs twice is reported', () => {
    expect(() => compared([1, 1], [1])).toThrow('the first order names a page twice');
    expect(() => compared([1, 2], [2, 2])).toThrow('the second order names page 2 twice');
  });

  test('ranks are those among the common pages', () => {
    expect([...commonRanks(Uint32Array.of(9, 4, 7, 1), Uint32Array.of(1, 9, 5, 7))]).toEqual([2, 0, 1]);
  });

  test('the places of processors are all places, each in its order', () => {
    expect(
      placesByProcessor(Uint32Array.of(6, 1, 4, 3, 9), (page) => page % 3, 4).map((places) => [...places]),
    ).toEqual([[0, 3, 4], [1, 2], [], []]);
  });
});

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((shorter) =>
    Array.from({ length: n }, (_, at) => shorter.toSpliced(at, 0, n - 1)),
  );
}
