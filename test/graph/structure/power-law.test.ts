import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitPowerLaw, histogramOf, leastTail, plausibility, powerLawAbove } from '../../../src/graphs/graph/index.ts';
import { hurwitzZeta, scaledZeta } from '../../../src/graphs/graph/structure/hurwitz-zeta.ts';
import { powerLawDraws } from '../../../src/graphs/graph/structure/plausibility.ts';
import { DrawStream } from '../../../src/base/index.ts';

// Goal: a fit gives back the law that values were drawn from, and says how sure it is of it.

const catalan = 0.915965594177219015;

describe('Hurwitz zeta', () => {
  test.each([
    [2, 1, Math.PI ** 2 / 6], [4, 1, Math.PI ** 4 / 90], [2, 0.5, Math.PI ** 2 / 2],
    [2, 0.25, Math.PI ** 2 + 8 * catalan], [3, 1, 1.2020569031595942854], [1.5, 1, 2.6123753486854883433],
    [1.1, 1, 10.584448464950809826], [2, 2, Math.PI ** 2 / 6 - 1],
  ])('of %d and %d', (s, q, expected) => {
    expect(hurwitzZeta(s, q) / expected).toBeCloseTo(1, 13);
  });

  test('obeys its recurrence, far out too', () => {
    fc.assert(
      fc.property(fc.double({ min: 1.01, max: 50, noNaN: true }), fc.integer({ min: 1, max: 1_000_000 }), (s, q) => {
        // zeta(s, q) = q^-s + zeta(s, q + 1), scaled by q^s.
        expect(scaledZeta(s, q) / (1 + (q / (q + 1)) ** s * scaledZeta(s, q + 1))).toBeCloseTo(1, 12);
      }),
    );
  });
});

function drawn(law: { alpha: number; xMin: number }, count: number, seed: number): Uint32Array {
  const stream = new DrawStream(seed, 'test of power laws');
  const draw = powerLawDraws(law);
  return Uint32Array.from({ length: count }, (_, i) => draw(stream.uniform(i)));
}

describe('a fit', () => {
  test.each([
    [1.8, 1], [2.1, 1], [2.5, 1], [3.2, 1], [2.5, 7],
  ])('gives alpha %d from %d on back within its error', (alpha, xMin) => {
    const sample = drawn({ alpha, xMin }, 20_000, 10 * alpha + xMin);
    const fit = fitPowerLaw(histogramOf(sample))!;
    expect(Math.abs(fit.alpha - alpha)).toBeLessThan(3 * fit.standardError);
    expect(fit.standardError).toBeLessThan(0.08);
    expect(fit.tail / fit.positive).toBeGreaterThan(0.05);
  });

  test('finds where the law begins, and knows no 0', () => {
    const law = { alpha: 2.5, xMin: 20 };
    const other = Uint32Array.from({ length: 10_000 }, (_, i) => i % 20);
    const fit = fitPowerLaw(histogramOf(Uint32Array.from([...drawn(law, 10_000, 3), ...other])))!;
    expect(fit.xMin).toBeGreaterThanOrEqual(18);
    expect(fit.xMin).toBeLessThan(40);
    expect(Math.abs(fit.alpha - 2.5)).toBeLessThan(3 * fit.standardError);
    expect(fit.positive).toBe(19_500);
  });

  test('is the dull search\'s: every xMin, alpha on a grid, distances at every whole number', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 60, maxLength: 90 }), (numbers) => {
      const fit = fitPowerLaw(histogramOf(Uint32Array.from(numbers)));
      const best = dullFit(numbers);
      if (fit === null || best === undefined) {
        expect([fit, best]).toEqual([null, undefined]);
        return;
      }
      expect(fit.ksDistance).toBeCloseTo(best.ksDistance, 3);
      expect(numbers.filter((x) => x >= fit.xMin).length).toBe(fit.tail);
      expect(dullDistance(numbers, fit.xMin, fit.alpha)).toBeCloseTo(fit.ksDistance, 9);
      const height = likelihood(numbers, fit.xMin, fit.alpha);
      for (const nearby of [-0.01, 0.01])
        expect(likelihood(numbers, fit.xMin, fit.alpha + nearby)).toBeLessThan(height);
    }), { numRuns: 15 });
  });

  const hundred = (value: number): number[] => new Array<number>(100).fill(value);
  test.each([
    ['nothing', []], ['one value', hundred(3)], ['too few', [1, 2, 3, 4]], ['zeros', hundred(0)],
  ])('of %s is undefined', (_, numbers) => {
    expect(fitPowerLaw(histogramOf(Uint32Array.from(numbers)))).toBeNull();
  });
});

function likelihood(numbers: readonly number[], xMin: number, alpha: number): number {
  const tail = numbers.filter((x) => x >= xMin);
  return -tail.length * Math.log(hurwitzZeta(alpha, xMin)) - alpha * tail.reduce((sum, x) => sum + Math.log(x), 0);
}

function dullDistance(numbers: readonly number[], xMin: number, alpha: number): number {
  const tail = numbers.filter((x) => x >= xMin);
  let most = 0;
  for (let x = xMin; x <= Math.max(...tail) + 1; x++) {
    const share = tail.filter((one) => one >= x).length / tail.length;
    most = Math.max(most, Math.abs(share - hurwitzZeta(alpha, x) / hurwitzZeta(alpha, xMin)));
  }
  return most;
}

function dullFit(numbers: readonly number[]): { ksDistance: number } | undefined {
  let best: { ksDistance: number } | undefined;
  for (let xMin = 1; xMin < Math.max(...numbers); xMin++) {
    if (!numbers.includes(xMin) || numbers.filter((x) => x >= xMin).length < leastTail) continue;
    // Golden section: the logarithm of the likelihood is concave.
    let [low, high] = [1.002, 50];
    while (high - low > 1e-6) {
      const [a, b] = [high - 0.618 * (high - low), low + 0.618 * (high - low)];
      if (likelihood(numbers, xMin, a) < likelihood(numbers, xMin, b)) low = a;
      else high = b;
    }
    const ksDistance = dullDistance(numbers, xMin, low);
    if (best === undefined || ksDistance < best.ksDistance) best = { ksDistance };
  }
  return best;
}

describe('plausibility', () => {
  const p = (sample: Uint32Array): number => {
    const histogram = histogramOf(sample);
    return plausibility(histogram, fitPowerLaw(histogram)!, 50, 1).p;
  };

  test('does not rule out what was drawn from the law', () => {
    expect(p(drawn({ alpha: 2.4, xMin: 1 }, 1000, 5))).toBeGreaterThan(0.1);
  });

  test('rules out what falls geometrically', () => {
    const stream = new DrawStream(4, 'geometric');
    expect(
      p(Uint32Array.from({ length: 1000 }, (_, i) => 1 + Math.floor(Math.log(stream.uniform(i)) / Math.log(0.9)))),
    ).toBeLessThan(0.1);
  });

  test('draws have the law\'s shares, beyond the table too', () => {
    const law = { alpha: 1.5, xMin: 2 };
    const sample = drawn(law, 20_000, 9);
    for (const x of [2, 3, 10, 100, 4097, 4098, 5000, 100_000]) {
      const expected = powerLawAbove(law, x);
      const share = sample.filter((value) => value >= x).length / sample.length;
      expect(Math.abs(share - expected)).toBeLessThanOrEqual(4 * Math.sqrt(expected / sample.length));
    }
  });
});
