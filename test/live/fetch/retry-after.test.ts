import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterUs } from '../../../src/core/live/fetch/retry-after.ts';

// Goal: a host that asks to be left alone is, for as long as it says within bounds.

const nowMs = Date.UTC(1994, 10, 6, 8, 49, 0);
const DAY_US = 86_400e6;
const headers = (value: string | undefined): string[] => (value === undefined ? [] : ['Retry-After', value]);
const of = (value: string | undefined): number => retryAfterUs(headers(value), nowMs, DAY_US);

test('seconds, and dates in the three forms of HTTP', () => {
  expect(of('120')).toBe(120e6);
  expect(of(' 0 ')).toBe(0);
  expect(of('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(37e6);
  expect(of('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(37e6);
  expect(of('Sun Nov  6 08:49:37 1994')).toBe(37e6);
});

test('at most what is allowed, and nothing for what is past', () => {
  expect(of('99999999999999999999')).toBe(DAY_US);
  expect(of('9'.repeat(1000))).toBe(DAY_US);
  expect(of('Sun, 06 Nov 2094 08:49:37 GMT')).toBe(DAY_US);
  expect(of('Sun, 06 Nov 1994 08:48:00 GMT')).toBe(0);
});

test('nothing for what is neither', () => {
  const values = [
    undefined, '', '-5', '1.5', '1e3', '0x10', 'soon', '2094-11-06', 'Nov 6 2094', 'Sun, 99 Foo 2094 08:49:37 GMT',
    'NaN',
  ];
  for (const value of values) {
    expect(of(value)).toBe(0);
  }
  fc.assert(fc.property(fc.string(), fc.nat(), (value, maxUs) => {
    const waitUs = retryAfterUs(headers(value), nowMs, maxUs);
    expect(Number.isInteger(waitUs) && waitUs >= 0 && waitUs <= maxUs).toBe(true);
  }));
});

test('a date counts from the Date of the same answer, so that a clock that is wrong here makes no wait longer', () => {
  const answer = ['Date', 'Sun, 06 Nov 1994 08:49:00 GMT', 'Retry-After', 'Sun, 06 Nov 1994 08:49:37 GMT'];
  for (const clockMs of [nowMs, nowMs - 3_600_000, nowMs + 3_600_000])
    expect(retryAfterUs(answer, clockMs, DAY_US)).toBe(37e6);
  expect(retryAfterUs(['Date', 'today', ...answer.slice(2)], nowMs - 5000, DAY_US)).toBe(42e6);
});
