import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bandwidthText, countText, durationText, InputError, parseBandwidth, parseCount, parseDuration, parseSize, sizeText,
} from '../../src/base/index.ts';

describe('values with units', () => {
  test.each([
    ['10h', 36e6], ['1h30m', 54e5], ['90s', 9e4], ['250ms', 250], ['2d', 1728e5], ['500us', 0.5], ['500µs', 0.5],
    ['1.1h', 3_960_000], ['1.1s', 1100], ['0s', 0], ['1 h 30 min', 54e5], ['1d12h', 1296e5], [' 5s ', 5000],
    ['1e3ms', 1000], ['.5s', 500],
  ])('duration %s', (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));

  test('a plain number has the unit of its setting', () => {
    expect(parseDuration('90', 's')).toBe(90_000);
    expect(parseDuration(1.5, 'h')).toBe(54e5);
    expect(parseDuration(1e21, 'ms')).toBe(1e21);
    expect(parseDuration('250', 'us')).toBe(0.25);
    expect(parseDuration('250ms', 's')).toBe(250);
    expect(() => parseDuration('90')).toThrow(InputError);
  });

  test.each([
    ['100Mbit', 12.5e6], ['1Gbit', 125e6], ['1Gbit/s', 125e6], ['12.5MB', 12.5e6], ['12.5 MB/s', 12.5e6],
    ['10MiB', 10 * 2 ** 20], ['8bit', 1], ['100Mbps', 12.5e6], ['1000', 1000], ['0', 0], ['1.1kbit', 137.5],
  ])('bandwidth %s', (text, bytesPerSecond) => expect(parseBandwidth(text)).toBe(bytesPerSecond));

  test.each([
    ['64KiB', 65_536], ['10MB', 1e7], ['512', 512], ['512B', 512], ['1.5GiB', 1.5 * 2 ** 30], ['2KB', 2000],
    ['1TiB', 2 ** 40], ['1e6', 1e6],
  ])('size %s', (text, size) => expect(parseSize(text)).toBe(size));

  test.each([
    ['1.5M', 1_500_000], ['250k', 250_000], ['250K', 250_000], ['3e6', 3e6], ['1,000,000', 1e6], ['7', 7],
    ['0.007k', 7], ['2G', 2e9],
  ])('count %s', (text, count) => expect(parseCount(text)).toBe(count));

  test.each([
    ['', 'is not'], ['-5s', 'is negative'], ['-5', 'is negative'], ['5x', 'is not'], ['h', 'is not'],
    ['30m1h', 'is not'], ['1h1h', 'is not'], ['1h30', 'is not'], ['Infinity', 'is not'], ['NaN', 'is not'],
    ['5S', 'is not'], ['1:30', 'is not'], ['+5s', 'is not'], ['1h-30m', 'is not'], ['1e9999s', 'is not'],
    ['1e999s', 'is not'],
  ])('no duration: %s', (text, why) => {
    expect(() => parseDuration(text)).toThrow(
      `${why}${why === 'is not' ? ' a duration' : ''}: ` +
        'give a number with one of the units d, h, m, s, ms, us, such as 250ms',
    );
  });

  test.each(['1e999', '100Mb', '100mb', '100mbit', '-1Mbit', '5h', 'fast', '', '1Mbit/h', '64K'])(
    'no bandwidth: %s', (text) => expect(() => parseBandwidth(text)).toThrow(/one of the units bit, kbit, Mbit,/),
  );

  test.each(['64K', '64kib', '-1', '10Mbit', '1,5MB', ''])(
    'no size: %s', (text) => expect(() => parseSize(text)).toThrow(/one of the units B, kB, MB, GB, TB, KiB,/),
  );

  test.each(['1.5', '1.2345k', '1,00', '1,000,00', '1.5m', '-3', '1e300', '0x10', ''])(
    'no count: %s', (text) => expect(() => parseCount(text)).toThrow(/units k, M, G that comes to a whole number/),
  );

  test('texts are those that people write', () => {
    expect([5_400_000, 90_000, 250, 0, 172_800_000, 0.5, 61_250].map(durationText))
      .toEqual(['1h30m', '1m30s', '250ms', '0ms', '2d', '0.5ms', '1m1s250ms']);
    expect([12.5e6, 125e6, 1, 1000].map(bandwidthText)).toEqual(['100Mbit/s', '1Gbit/s', '1B/s', '8kbit/s']);
    expect([65_536, 1e7, 512, 1.5 * 2 ** 30].map(sizeText)).toEqual(['64KiB', '10MB', '512B', '1.5GiB']);
    expect([1_500_000, 250_000, 1234, 0].map(countText)).toEqual(['1.5M', '250k', '1234', '0']);
  });

  test('texts stand for exactly the value that they were made from', () => {
    const amounts = fc.oneof(fc.double({ min: 0, max: 1e15, noNaN: true, noDefaultInfinity: true }), fc.maxSafeNat());
    const same = (text: (value: number) => string, parse: (text: string) => number, values = amounts) => {
      fc.assert(fc.property(values, (value) => parse(text(value)) === Math.abs(value)));
    };
    same(durationText, parseDuration);
    same(bandwidthText, parseBandwidth);
    same(sizeText, parseSize);
    same(countText, parseCount, fc.maxSafeNat());
  });

  test('a text is either a finite number, not negative, or refused', () => {
    for (const parse of [parseDuration, parseBandwidth, parseSize, parseCount]) {
      const texts = fc.oneof(fc.string(), fc.stringMatching(/^[\d.,e-]{0,8} ?[a-zA-Z/]{0,5}$/));
      fc.assert(fc.property(texts, (text) => {
        try {
          expect(parse(text)).toBeGreaterThanOrEqual(0);
          expect(parse(text)).toBeLessThan(Infinity);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }));
    }
  });
});
