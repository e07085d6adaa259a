import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apart, logTicks, powersOfTwo } from '../../src/views/report/page/chart/ticks.ts';

// Goal: a logarithmic axis of any length has ticks that can be read, within it and not too many.
describe('ticks of a logarithmic axis', () => {
  test.each([
    [[1, 1e6, 8], [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]],
    [[2.5, 130, 6], [5, 10, 20, 50, 100]],
    // 2 and 3 would touch.
    [[1e5, 1e8, 13], [1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8]],
    [[0.4, 0.9, 8], [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]],
    [[11, 11.4, 6], [11, 11.1, 11.2, 11.3, 11.4]],
    // Too many digits for three ticks, and only one of 1, 2 and 5 among them.
    [[0.031, 0.07, 3], [0.04, 0.06]],
  ])('%j', ([low, high, most], expected) => expect(logTicks(low, high, most)).toEqual(expected));

  test('lie within, rise, and are no more than asked for, but at least two', () => {
    const axis = fc.record({
      low: fc.double({ min: 1e-6, max: 1e9, noNaN: true }), ratio: fc.double({ min: 1.05, max: 1e8, noNaN: true }),
      most: fc.integer({ min: 3, max: 12 }),
    });
    fc.assert(fc.property(axis, ({ low, ratio, most }) => {
      const ticks = logTicks(low, low * ratio, most);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(most + 3);
      ticks.forEach((tick, i) => {
        expect(tick).toBeGreaterThanOrEqual(low * (1 - 1e-9));
        expect(tick).toBeLessThanOrEqual(low * ratio * (1 + 1e-9));
        if (i > 0) expect(tick).toBeGreaterThan(ticks[i - 1]);
      });
    }));
  });

  test('powers of two stand where they were measured, or not at all', () => {
    expect(powersOfTwo([64, 16, 32, 16], 8)).toEqual([16, 32, 64]);
    expect(powersOfTwo([1, 2, 4, 8, 16], 3)).toEqual([1, 4, 16]);
    expect(powersOfTwo([16, 48], 8)).toBeUndefined();
    expect(powersOfTwo([16], 8)).toBeUndefined();
  });

  test('few measured values are ticks where they do not crowd; the last always', () => {
    expect(apart([1, 2, 4, 8], 0.5)).toEqual([1, 2, 4, 8]);
    expect(apart([1, 2, 4, 8, 16, 64], 6)).toEqual([2, 8, 16, 64]);
    expect(apart([5], 0)).toEqual([5]);
  });
});
