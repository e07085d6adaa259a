import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  firstPending, grownPending, pendingOrigin, superstepLimitOf, superstepLimitOrigin,
} from '../../src/core/settings/index.ts';

const usual = { processors: 8, robots: 4, superstepMs: 10_000 };

describe('R_x where none is set', () => {
  test.each([
    [0, 96], [960, 96], [961, 97], [5000, 500], [20_000, 2000], [1e6, 2000],
  ])('after %i pages it is %i: a tenth, at least 96, at most 50 per robot and second', (fetched, limit) => {
    expect(superstepLimitOf(usual, fetched)).toBe(limit);
  });

  test('grows with the processors, and without a maximum length with the robots', () => {
    expect(superstepLimitOf({ ...usual, processors: 64 }, 0)).toBe(256);
    expect(superstepLimitOf({ ...usual, superstepMs: 0, robots: 512 }, 1e6)).toBe(1024);
  });

  test('never falls, whatever the settings', () => {
    const settings = fc.record({
      processors: fc.integer({ min: 1, max: 4096 }), robots: fc.integer({ min: 1, max: 65_536 }),
      superstepMs: fc.integer({ min: 0, max: 1e6 }),
    });
    fc.assert(fc.property(settings, fc.nat(1e9), fc.nat(1e9), (at, one, more) => {
      expect(superstepLimitOf(at, one)).toBeLessThanOrEqual(superstepLimitOf(at, one + more));
    }));
  });

  test('one that is set stays, and is called given', () => {
    expect(superstepLimitOf({ ...usual, superstepLimit: 7 }, 1e6)).toBe(7);
    expect(superstepLimitOrigin({ ...usual, superstepLimit: 7 })).toBe('given');
    expect(superstepLimitOrigin(usual)).toMatch(/^default: a tenth of the pages .*96 and 4 for each processor/);
  });
});

describe('pending jobs where no target is set', () => {
  test.each([
    ['follow', 10, 400], ['frozen', 100, 4000],
  ] as const)('keys %s: begin at %i per robot and second of a superstep, or 4 R_x', (pendingKeys, per, jobs) => {
    const settings = { ...usual, pendingKeys };
    expect(firstPending(settings)).toBe(jobs);
    expect(firstPending({ ...settings, superstepMs: 0 })).toBe(384);
    expect(firstPending({ ...settings, superstepMs: 1 })).toBe(16);
    expect([pendingOrigin({ ...settings, pending: 5 }), pendingOrigin(settings)]).toEqual([
      'given', `default: ${per} per robot and second of a superstep; doubled while robots wait for hosts`,
    ]);
  });

  const counts = { busyUs: 600, stalledUs: 51, noJobUs: 0, barrierWaitUs: 349, queued: 1 };
  test.each([
    ['waits of more than a twentieth', {}, 20],
    ['a twentieth', { stalledUs: 50, busyUs: 601 }, 10],
    ['an empty queue', { queued: 0 }, 10],
  ])('%s', (_, more, target) => {
    expect(grownPending(10, { ...counts, ...more })).toBe(target);
  });

  test('stop at 2^31', () => {
    expect(grownPending(2 ** 31, counts)).toBe(2 ** 31);
  });
});
