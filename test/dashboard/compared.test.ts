import { describe, expect, test } from 'vitest';
import type { RunView } from '../../src/views/service/dashboard/api.ts';
import { at, comparedFigures } from '../../src/views/dashboard/views/compare/compared-figures.ts';
import { comparedFacts, differingSettings, namesOf } from '../../src/views/dashboard/views/compare/compared.ts';
import { noCurves } from '../../src/views/dashboard/run/curves.ts';
import type { CurveColumns } from '../../src/views/watch/contract.ts';
import { listed, started } from './made.ts';

// Goal: runs set side by side are drawn over the same axis, and the best of a row is what the numbers say.

const curves = (seconds: readonly number[], pages: readonly number[], rank: readonly number[]): CurveColumns =>
  ({ ...noCurves, superstep: seconds.map((_, i) => i), seconds, pages, rank });

const view = (name: string, pages: number, seconds: number, rank: number | null, half?: number): RunView => ({
  listed: { ...listed, id: name, folder: `/r/${name}`, figures: { ...listed.figures!, pages, seconds, rank } },
  run: { ...started, settings: { policy: name, robots: 4, network: { latencyMs: pages } } }, state: null, job: null,
  curves: noCurves, feed: [], limits: null,
  summary: {
    pagesFetched: pages, rankGathered: { ofReachable: rank },
    ...(half !== undefined && { secondsToRank: { 50: half } }),
  },
  processors: [],
});

describe('curves', () => {
  test('are read at the same places: straight between their points, nothing after their end', () => {
    expect(at([10, 20], [100, 400], [0, 5, 10, 15, 20, 25])).toEqual([0, 50, 100, 250, 400, null]);
    expect(at([10, 22], [100, 400], [20, 25, 30])).toEqual([350, 400, null]);
    expect(at([], [], [0, 1])).toEqual([null, null]);
  });

  test('of rank against pages or time; of pages where one run knows no rank', () => {
    const runs = [
      { name: 'a', curves: curves([10, 20], [100, 200], [0.2, 0.6]) },
      { name: 'b', curves: curves([5, 10], [50, 100], [0.1, 0.3]) },
    ];
    const [rank, speed] = comparedFigures(runs, 'pages');
    expect(rank).toMatchObject({ name: 'compared-rank', xLabel: 'pages fetched', isShare: true });
    expect(rank.x.at(-1)).toBe(200);
    expect(rank.series.map(({ name, colour }) => [name, colour])).toEqual([['a', '--run-0'], ['b', '--run-1']]);
    expect(rank.series[0].values.at(-1)).toBeCloseTo(0.6, 12);
    expect(rank.series[1].values.at(-1)).toBeNull();
    expect(speed.series[0].values.find((value) => value !== null)).toBeCloseTo(10, 9);
    expect(speed.series[1].values.at(-1)).toBeNull();
    expect(comparedFigures(runs, 'time')[0].x.at(-1)).toBe(20);
    const [pages] = comparedFigures([runs[0], { name: 'c', curves: curves([5], [50], []) }], 'pages');
    expect(pages).toMatchObject({ name: 'compared-pages', xLabel: 'time of the run, seconds', isShare: false });
    expect(comparedFigures([], 'pages')[0].series).toEqual([]);
  });
});

describe('the table', () => {
  test('marks the best of a row, several if they are alike, none if all are', () => {
    const rows = comparedFacts([view('a', 100, 10, 0.5, 4), view('b', 200, 20, 0.7, 3), view('c', 100, 10, 0.7)]);
    const row = (name: string) => rows.find((one) => one.name === name);
    expect(row('Rank gathered')?.best).toEqual([false, true, true]);
    expect(row('50 % of the rank after')).toMatchObject({
      cells: [expect.stringContaining('4.00') as string, expect.stringContaining('3.00') as string, 'none'],
      best: [false, true, false],
    });
    // Neither more nor fewer pages are better in themselves.
    expect(row('Pages fetched')?.best).toEqual([false, false, false]);
    expect(row('Pages per second')?.best).toEqual([false, false, false]);
    expect(row('PageRank area')).toBeUndefined();
  });

  test('has the settings that differ, also where a run has none of them', () => {
    const views = [view('a', 1, 1, null), view('b', 2, 1, null)];
    expect(differingSettings(views).map(({ name, cells }) => [name, ...cells])).toEqual([
      ['policy', 'a', 'b'], ['network.latencyMs', '1', '2'],
    ]);
    expect(differingSettings([views[0], { run: null }]).map(({ name, cells }) => [name, ...cells])).toContainEqual(
      ['robots', '4', ''],
    );
    expect(differingSettings([views[0], views[0]])).toEqual([]);
  });

  test('names runs so that they can be told apart', () => {
    const of = (folder: string | null) => ({ name: 'docs-web', folder });
    expect(namesOf([of('/x/opic'), of('/y/opic'), of(null)])).toEqual(['opic', 'opic (2)', 'docs-web']);
  });
});
