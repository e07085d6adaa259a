import { describe, expect, test } from 'vitest';
import { superstepBins } from '../../src/views/report/bins.ts';
import { reportData } from '../../src/views/report/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { prepare } from '../../src/graphs/graph/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { syntheticWeb } from '../crawl/loopback.ts';
import { madeRun } from './made-run.ts';

const web = prepare(syntheticWeb(3000, 1));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('bins of supersteps', () => {
  const { rows } = madeRun({ supersteps: 1000, processors: 4 }).events;
  const settings = { processors: 4, robots: 2 };
  const events = (some: typeof rows) => ({ rows: some, changes: [] });

  test('one a superstep where there is room: least, mean and most are those of its rows', () => {
    const bins = superstepBins(events(rows.slice(0, 40)), settings, 240);
    expect(bins.firstSuperstep).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(bins.lastSuperstep).toEqual(bins.firstSuperstep);
    const pages = rows.slice(8, 12).map((row) => row.pages);
    expect([bins.pagesMin[2], bins.pagesMean[2], bins.pagesMax[2]])
      .toEqual([Math.min(...pages), sum(pages) / 4, Math.max(...pages)]);
    expect(bins.queued[2]).toBe(sum(rows.slice(8, 12).map((row) => row.queued)));
  });

  test('several to a bin: none is lost, none counted twice, time has no gaps', () => {
    const bins = superstepBins(events(rows), settings, 240);
    expect(bins.pagesMean).toHaveLength(240);
    const sizes = bins.firstSuperstep.map((first, i) => bins.lastSuperstep[i] - first + 1);
    expect(sum(sizes)).toBe(1000);
    expect(sum(sizes.map((size, i) => size * bins.pairsSent[i]))).toBeCloseTo(
      sum(rows.map((row) => row.pairsSent)), -1,
    );
    expect(bins.startSeconds.slice(1)).toEqual(bins.endSeconds.slice(0, -1));
  });

  test('robots of all states are all robots, in every bin', () => {
    const bins = superstepBins(events(rows), settings, 240);
    bins.busy.forEach((busy, i) => expect(busy + bins.stalled[i] + bins.noJob[i] + bins.barrier[i]).toBeCloseTo(8, 3));
  });

  test('no rows, no bins', () => expect(superstepBins(events([]), settings, 240).busy).toEqual([]));
});

describe('the data of a report', () => {
  const data = reportData(
    [
      { label: 'a', result: madeRun() }, { label: 'b', result: madeRun({ seed: 2 }) },
    ],
    { title: 'two' },
  );

  test('curves begin with nothing and end with everything', () => {
    const { rankByPages, rankBySeconds } = data.runs[0];
    expect([rankByPages.x[0], rankByPages.y[0]]).toEqual([0, 0]);
    expect([rankByPages.x.at(-1), rankByPages.y.at(-1)]).toEqual([500, 1]);
    expect([rankBySeconds.x.at(-1), rankBySeconds.y.at(-1)]).toEqual([50, 1]);
  });

  test.each<ExperimentInput>([{}, { maxPages: 300 }, { maxSeconds: 40 }, { maxPages: 900, policy: 'breadth-first' }])(
    'shares of the rank are of that within reach, in figures and curves alike: %j',
    async (input) => {
      const result = await simulate(web, { processors: 2, ...input });
      const [run] = reportData([{ label: 'a', result }], { title: 'a' }).runs;
      const { rankByPages, rankBySeconds, summary, milestones } = run;
      const { rankGathered: { ofReachable }, secondsToRank } = summary;
      for (const curve of [rankByPages, rankBySeconds]) expect(curve.y.at(-1)).toBeCloseTo(ofReachable, 4);
      for (const { rank } of milestones) expect(rank).toBeLessThanOrEqual(ofReachable + 1e-6);
      for (const share of ['50', '80', '90'] as const) {
        const after = rankBySeconds.x.find((_, i) => rankBySeconds.y[i] >= Number(share) / 100) ?? null;
        expect(after === null).toBe(secondsToRank[share] === null);
        // The curve has one point in several pages.
        if (after !== null) expect(Math.abs(after / secondsToRank[share]! - 1)).toBeLessThan(0.05);
      }
    },
  );

  test('runs against the same sorted order share it', () => {
    expect(data.bounds).toHaveLength(1);
    const other = reportData(
      [
        { label: 'a', result: madeRun() }, { label: 'b', result: madeRun({ pages: 400 }) },
      ],
      { title: 'two' },
    );
    expect(other.runs.map((run) => run.bound)).toEqual([0, 1]);
  });

  test('settings are named by their path, long lists are cut, what is not set is left out', () => {
    const experiment = {
      robots: 4, queue: { kind: 'cbt' }, seedPages: Array.from({ length: 40 }, (_, i) => i), maxPages: undefined,
    };
    const { settings } = reportData([{ label: 'a', result: madeRun({ experiment }) }], { title: 'a' }).runs[0];
    expect(settings).toEqual([
      ['robots', '4'], ['queue.kind', 'cbt'], ['seedPages', '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 28 more'],
    ]);
  });

  test('a run of nothing is reported as such', () => {
    const nothing = reportData([{ label: 'a', result: madeRun({ pages: 0, supersteps: 1 }) }], { title: 'a' }).runs[0];
    expect(nothing.rankByPages).toEqual({ x: [0], y: [0] });
    expect(nothing.afterTenth).toBeNull();
    expect(nothing.milestones).toEqual([]);
  });
});
