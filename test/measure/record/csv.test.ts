import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csv } from '../../../src/core/measure/record/csv.ts';

/** As plain as can be. */
const plain = (values: readonly unknown[]): string =>
  `value,again\n${values.map((value) => `${String(value)},${String(value)}\n`).join('')}`;
const written = (values: readonly unknown[]): string =>
  csv(
    ['value', 'again'], values.map((value) => ({ value, again: value })),
  );

test('numbers are written as String writes them, at and beside every power of ten and two', () => {
  const powers = Array.from({ length: 54 }, (_, i) => [2 ** i, 10 ** Math.min(i, 22)]).flat();
  const around = powers.flatMap((power) => [
    power - 1, power, power + 1, -power, 1 / power, 10 * power - 1, power - 0.5,
  ]);
  const values = [
    ...around, 0, -0, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, Number.MIN_VALUE, Infinity, -Infinity, NaN,
  ];
  expect(written(values)).toBe(plain(values));
});

test('any numbers and words, in any order', () => {
  const value = fc.oneof(
    fc.maxSafeNat(), fc.nat(99), fc.double(), fc.maxSafeInteger(), fc.constantFrom('timeout', 'größer', '', undefined),
  );
  fc.assert(fc.property(fc.array(value), (values) => {
    expect(written(values)).toBe(plain(values));
  }), { seed: 1 });
});

test('rows that fill blocks of bytes many times over, wherever these end', () => {
  for (const length of [1, 2, 3, 7, 15, 16]) {
    const values = Array.from({ length: 20_000 }, (_, i) => 10 ** (length - 1) + (i % 9));
    expect(written(values)).toBe(plain(values));
  }
});

test('no rows leave the header', () => {
  expect(written([])).toBe('value,again\n');
});
