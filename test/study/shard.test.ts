import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/base/index.ts';
import { runsOf, shardOf } from '../../src/questions/study/index.ts';

// Goal: the shares of a study are the study: each run in one of them, and none with much more than another.

const study = fc.record({ count: fc.nat(2000), of: fc.integer({ min: 1, max: 60 }) });
const shares = (count: number, of: number): number[][] =>
  Array.from({ length: of }, (_, i) => runsOf(count, { index: i + 1, of }));

test('each run is in exactly one share, and shares differ by one run at most', () => {
  fc.assert(fc.property(study, ({ count, of }) => {
    const all = shares(count, of);
    expect(all.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, run) => run));
    const sizes = all.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    for (const runs of all) expect(runs).toEqual([...runs].sort((a, b) => a - b));
  }));
});

test('as many shares as values on the last axis: no share has one value alone', () => {
  fc.assert(fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 10 }), (values, rounds) => {
    for (const runs of shares(values * values * rounds, values)) {
      const times = Array.from({ length: values }, (_, value) => runs.filter((run) => run % values === value).length);
      expect(times).toEqual(times.map(() => rounds));
    }
  }));
});

test('a share is named from 1, as vitest and playwright do', () => {
  expect(shardOf('2/8')).toEqual({ index: 2, of: 8 });
  expect(shardOf('1/1')).toEqual({ index: 1, of: 1 });
  for (const text of ['0/8', '9/8', '1', '1/', '/8', '1/0', '-1/8', '1.5/8', '1/8/2', 'a/b', '1/100001', '']) {
    expect(() => shardOf(text), text).toThrow(InputError);
  }
});
