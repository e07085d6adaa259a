import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText } from '../../src/base/index.ts';

// Goal: numbers are shown as Intl shows them, whose tables take longer to load than a short command takes.

const theirs = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

describe('decimalText', () => {
  test('shows any number as toLocaleString does', () => {
    const numbers = fc.oneof(
      fc.double(), fc.integer(), fc.double({ min: -1e6, max: 1e6 }),
      // Halves of the last digit, and what is near a power of ten.
      fc.tuple(fc.integer({ min: -1e7, max: 1e7 }), fc.nat(5)).map(([whole, digits]) => Number(`${whole}5e-${digits}`)),
      fc.nat(20).chain((power) => fc.constantFrom(10 ** power - 0.5, 10 ** power, 10 ** -power / 2)),
    );
    fc.assert(fc.property(numbers, fc.nat(6), (value, digits) => {
      expect(decimalText(value, digits)).toBe(theirs(value, digits));
    }), { numRuns: 5000 });
  });

  test.each([
    [1146020, 0, '1,146,020'], [999.95, 1, '1,000.0'], [1.005, 2, '1.01'], [-0.5, 0, '-1'], [-0, 1, '-0.0'],
    [0.000_000_1, 2, '0.00'], [1e21, 0, '1,000,000,000,000,000,000,000'], [NaN, 2, 'NaN'], [-Infinity, 0, '-∞'],
  ])('shows %d with %d decimals as %s', (value, digits, text) => {
    expect(decimalText(value, digits)).toBe(text);
  });
});
