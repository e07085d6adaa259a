import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { probabilityAtMost, probabilityOf, studentBelow } from '../../src/questions/plan/finals/odds.ts';

describe("Student's t", () => {
  // Any table of it.
  test.each([
    [12.7062, 1, 0.975], [4.3027, 2, 0.975], [3.1824, 3, 0.975], [2.7764, 4, 0.975], [2.2281, 10, 0.975],
    [2.0423, 30, 0.975], [6.3138, 1, 0.95], [1.8125, 10, 0.95], [0.6998, 10, 0.75], [0.7649, 3, 0.75],
  ])('P(t < %d), %d degrees: %d', (t, degrees, share) => {
    expect(studentBelow(t, degrees)).toBeCloseTo(share, 4);
    expect(studentBelow(-t, degrees)).toBeCloseTo(1 - share, 4);
  });

  test('grows with t, from 0 to 1', () => {
    fc.assert(fc.property(
      fc.double({ min: -50, max: 50, noNaN: true }), fc.double({ min: 0, max: 5, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
      (t, step, degrees) => {
        const [low, high] = [studentBelow(t, degrees), studentBelow(t + step, degrees)];
        expect(low).toBeGreaterThanOrEqual(-1e-12);
        expect(high).toBeLessThanOrEqual(1 + 1e-12);
        expect(high).toBeGreaterThanOrEqual(low - 1e-12);
      },
    ));
  });
});

describe('probabilities', () => {
  test('are one half at the mean, and never 0 or 1', () => {
    expect(probabilityAtMost([9, 10, 11], 10)).toBeCloseTo(0.5, 12);
    expect(probabilityAtMost([5, 5, 5], 6)).toBe(0.999);
    expect(probabilityAtMost([5, 5, 5], 4)).toBeCloseTo(0.001, 12);
    expect(probabilityOf(3, 3)).toBe(0.8);
    expect(probabilityOf(0, 3)).toBe(0.2);
  });

  test('cover what they say: of normal draws, the next is below the limit about as often', () => {
    // Fixed draws by Box and Muller from a counter, so that the test cannot fail by chance.
    let state = 1;
    const uniform = (): number => ((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647);
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    let [expected, met] = [0, 0];
    for (let i = 0; i < 20_000; i++) {
      expected += probabilityAtMost([normal(), normal(), normal()], 0.7);
      met += normal() <= 0.7 ? 1 : 0;
    }
    // The predictive distribution averages to less than the truth where the limit is above the mean: it does not know.
    expect(expected / 20_000).toBeGreaterThan(0.6);
    expect(expected / 20_000).toBeLessThan(met / 20_000);
  });
});
