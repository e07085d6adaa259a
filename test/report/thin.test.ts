import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thin } from '../../src/views/report/thin.ts';

/** Curves that rise or stand still, as cumulative ones do. */
const rising = fc.array(fc.nat(1000), { maxLength: 400 }).map((steps) => {
  let sum = 0;
  return steps.map((step) => (sum += step));
});

const limits = fc.integer({ min: 3, max: 60 });

function thinned(values: readonly number[], limit: number) {
  return thin(values.length, limit, (i) => i, (i) => values[i]);
}

// Goal: a thin curve can stand for the whole one.
describe('a thinned curve', () => {
  test('has as many points as there are, or as many as allowed', () => {
    fc.assert(fc.property(rising, limits, (values, limit) => {
      const { x, y } = thinned(values, limit);
      expect(x.length).toBe(Math.min(values.length, limit));
      expect(y.length).toBe(x.length);
    }));
  });

  test('keeps both ends, and goes only through points of the curve, in order', () => {
    fc.assert(fc.property(rising, limits, (values, limit) => {
      const { x, y } = thinned(values, limit);
      if (values.length === 0) return;
      expect([x[0], y[0]]).toEqual([0, values[0]]);
      expect([x.at(-1), y.at(-1)]).toEqual([values.length - 1, values.at(-1)]);
      x.forEach((at, i) => {
        expect(y[i]).toBe(values[at]);
        if (i > 0) expect(at).toBeGreaterThan(x[i - 1]);
      });
    }));
  });

  test('never falls where the curve never falls', () => {
    fc.assert(fc.property(rising, limits, (values, limit) => {
      const { y } = thinned(values, limit);
      y.forEach((value, i) => expect(value).toBeGreaterThanOrEqual(y[Math.max(0, i - 1)]));
    }));
  });

  test('stays close to a smooth curve everywhere', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => Math.sqrt(i));
    const { x, y } = thinned(values, 600);
    let worst = 0;
    for (let piece = 1; piece < x.length; piece++) {
      for (let i = x[piece - 1]; i <= x[piece]; i++) {
        const straight = y[piece - 1] + (y[piece] - y[piece - 1]) * (i - x[piece - 1]) / (x[piece] - x[piece - 1]);
        worst = Math.max(worst, Math.abs(straight - values[i]));
      }
    }
    expect(worst).toBeLessThan(0.01 * values.at(-1)!);
  });

  test('keeps a single peak among many flat points', () => {
    const values = new Array<number>(10_000).fill(0);
    values[7777] = 1;
    expect(thinned(values, 50).y).toContain(1);
  });
});
