import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agreement } from '../../src/core/measure/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';

// Goal: Kendall's tau-b, the overlap of the tops and the L1 distance are what their definitions say.

const share = (scores: readonly number[]): number[] => {
  const sum = scores.reduce((total, score) => total + score, 0);
  return scores.map((score) => score / sum);
};

/** Tau-b by its definition, pair by pair. */
function pairwiseTauB(a: readonly number[], b: readonly number[]): number | null {
  const [x, y] = [a, b].map((scores) => share(scores).map(Math.fround));
  let [difference, untiedInA, untiedInB] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const [inA, inB] = [Math.sign(x[i] - x[j]), Math.sign(y[i] - y[j])];
      difference += inA * inB;
      untiedInA += inA ** 2;
      untiedInB += inB ** 2;
    }
  }
  return untiedInA === 0 || untiedInB === 0 ? null : difference / Math.sqrt(untiedInA * untiedInB);
}

function topOf(scores: readonly number[], count: number): number[] {
  const rounded = share(scores).map(Math.fround);
  return [...rounded.keys()].sort((i, j) => rounded[j] - rounded[i] || i - j).slice(0, count);
}

/** Few values, so that there are ties of every kind; and values that differ in their last digits only. */
const score = fc.oneof(
  fc.nat({ max: 4 }), fc.constantFrom(1, 1 + 2 ** -40, 1e-30, 1e30), fc.double({ min: 0, max: 1, noNaN: true }),
);
const scorings = fc
  .integer({ min: 1, max: 40 })
  .chain((pages) =>
    fc.tuple(
      fc.array(score, { minLength: pages, maxLength: pages }), fc.array(score, { minLength: pages, maxLength: pages }),
    ),
  )
  .filter((both) => both.every((scores) => scores.some((value) => value > 0)));

describe('agreement', () => {
  test('is what the definitions give, pair by pair and page by page', () => {
    fc.assert(
      fc.property(scorings, ([a, b]) => {
        const found = agreement(Float64Array.from(a), Float64Array.from(b));
        const expected = pairwiseTauB(a, b);
        if (expected === null) expect(found.tauB).toBeNull();
        else expect(found.tauB).toBeCloseTo(expected, 12);
        const [x, y] = [share(a), share(b)];
        expect(found.l1).toBeCloseTo(x.reduce((sum, value, page) => sum + Math.abs(value - y[page]), 0), 12);
        for (const { pages, shared } of found.top)
          expect(shared).toBe(topOf(a, pages).filter((page) => topOf(b, pages).includes(page)).length);
      }),
      { numRuns: tries(300) },
    );
  });

  test('counts exchanges in sequences that merge unevenly', () => {
    const draws = new DrawStream(3, 'agreement');
    for (const pages of [1, 2, 3, 5, 63, 64, 65, 127, 200]) {
      const a = Array.from({ length: pages }, (_, page) => 1 + (draws.uint32(page) % 50));
      const b = Array.from({ length: pages }, (_, page) => 1 + (draws.uint32(page, 1) % 50));
      const { tauB } = agreement(Float64Array.from(a), Float64Array.from(b));
      const expected = pairwiseTauB(a, b);
      if (expected === null) expect(tauB).toBeNull();
      else expect(tauB).toBeCloseTo(expected, 12);
    }
  });

  test('of one order is 1, of opposite orders -1, whatever the scale', () => {
    const rising = Float64Array.from({ length: 2000 }, (_, page) => page + 1);
    const same = agreement(rising, rising.map((value) => 7 * value));
    expect(same.tauB).toBeCloseTo(1, 14);
    expect(same.l1).toBeLessThan(1e-12);
    expect(same.top).toEqual([10, 20, 100, 200, 1000].map((pages) => ({ pages, shared: pages })));
    const opposite = agreement(rising, rising.slice().reverse());
    expect(opposite.tauB).toBeCloseTo(-1, 14);
    expect(opposite.top).toEqual([10, 20, 100, 200, 1000].map((pages) => ({ pages, shared: 0 })));
  });

  test('by hand, with ties', () => {
    // Pairs: (0,1) same, (0,2) tied in B, (1,2) tied in A; n0 = 3, n1 = 1, n2 = 1.
    expect(agreement(Float64Array.of(1, 2, 2), Float64Array.of(1, 3, 1)).tauB).toBeCloseTo(1 / 2, 15);
    expect(agreement(Float64Array.of(1, 1), Float64Array.of(1, 3))).toEqual({ tauB: null, l1: 0.5, top: [] });
  });

  test('refuses what is no scoring', () => {
    expect(() => agreement(Float64Array.of(1), Float64Array.of(1, 2))).toThrow(/1 scores beside 2/);
    expect(() => agreement(Float64Array.of(1, NaN), Float64Array.of(1, 2))).toThrow(/page 1 is NaN/);
    expect(() => agreement(Float64Array.of(1, 1), Float64Array.of(0, 0))).toThrow(/sum to 0/);
  });
});
