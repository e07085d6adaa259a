import { expect, test } from 'vitest';
import { simulate, tuneTimed, type TimedRow } from '../../../src/core/engine/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { bestOf } from '../../../src/core/engine/tune/timed.ts';
import { syntheticWeb } from '../../crawl/loopback.ts';

// Goal: R_x by whole simulations is the best of those that were run, and each is the simulation of that R_x.

const web = prepare(syntheticWeb(3000, 1));
const settings = { processors: 4, robots: 10, policy: 'opic', seed: 3 } as const;

test('each row is the simulation of its R_x, on one thread and on two', async () => {
  const input = { ...settings, maxSeconds: 60 };
  const seen: string[] = [];
  const onProgress = (done: number, expected: number): void => { seen.push(`${done} of ${expected}`); };
  const [one] = await tuneTimed(web, input, [4], 'rank', { threads: 1, onProgress });
  const [two] = await tuneTimed(web, input, [4], 'rank', { threads: 2 });
  expect(two).toEqual(one);
  expect(seen).toHaveLength(one.sweep.length);
  expect(one.sweep.map(({ r }) => r).slice(0, 3)).toEqual([null, 1, 4]);
  for (const { r, ...row } of [one.sweep[0], one.sweep.find((row) => row.r === one.superstepLimit)!]) {
    const { run: { summary } } = await simulate(web, { ...input, superstepLimit: r ?? undefined });
    expect(row).toMatchObject({
      rankGathered: summary.rankGathered.ofReachable, pagesFetched: summary.pagesFetched,
      virtualSeconds: summary.virtualSeconds, supersteps: summary.supersteps, isWhole: false,
    });
  }
  const most = Math.max(...one.sweep.filter(({ r }) => r !== null).map(({ rankGathered }) => rankGathered));
  expect(one.sweep.find(({ r }) => r === one.superstepLimit)?.rankGathered).toBe(most);
});

test('the least time for so many pages', async () => {
  const [{ sweep, superstepLimit }] = await tuneTimed(web, { ...settings, maxPages: 800 }, [4], 'time', { threads: 1 });
  expect(sweep.every(({ isWhole, pagesFetched }) => isWhole && pagesFetched === 800)).toBe(true);
  const least = Math.min(...sweep.filter(({ r }) => r !== null).map(({ virtualSeconds }) => virtualSeconds));
  expect(sweep.find(({ r }) => r === superstepLimit)?.virtualSeconds).toBe(least);
});

test('the most rank needs a time', async () => {
  await expect(tuneTimed(web, settings, [4], 'rank')).rejects.toThrow(/needs that time.*--max-seconds/);
});

test('an interrupted search has no answer', async () => {
  const results = await tuneTimed(web, settings, [2, 4], 'time', { signal: AbortSignal.abort() });
  expect(results.map(({ superstepLimit, sweep }) => [superstepLimit, sweep.length])).toEqual([[null, 0], [null, 0]]);
});

test('what counts first, then what breaks a tie', () => {
  const row = (r: number | null, changes: Partial<TimedRow>): TimedRow => ({
    r, rankGathered: 0.5, pagesFetched: 9, virtualSeconds: 10, isWhole: true, supersteps: 1, pairsPerPage: 1,
    ...changes,
  });
  const rule = row(null, { rankGathered: 0.9, virtualSeconds: 1 });
  expect(bestOf([rule, row(1, {}), row(4, { rankGathered: 0.6, virtualSeconds: 20 })], 'rank')).toBe(4);
  expect(bestOf([rule, row(1, {}), row(4, { rankGathered: 0.6, virtualSeconds: 20 })], 'time')).toBe(1);
  expect(bestOf([rule, row(1, {}), row(4, { virtualSeconds: 9, isWhole: false })], 'time')).toBe(1);
  expect(bestOf([rule, row(1, { supersteps: 3 }), row(4, {}), row(2, {}), row(8, {})], 'time')).toBe(2);
});
