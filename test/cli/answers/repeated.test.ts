import { describe, expect, test } from 'vitest';
import { repeatedShown, type Intervals } from '../../../src/cli/text/findings/repeated-shown.ts';
import { interval } from '../../../src/core/measure/index.ts';
import { madeRun } from '../../report/made-run.ts';

// Goal: the report of repeated runs shows the mean that the terminal prints, and how sure it is.
describe('repeated runs', () => {
  const runs = [1, 2, 3].map((seed) => madeRun({ seed, pages: 500 + seed }));
  const none = {
    rankGathered: null, normalisedGain: null, virtualSeconds: null, balancePages: null, pairsPerPage: null,
  };
  const areas = runs.map(({ run }) => run.summary.quality.pagerankArea);
  const intervals: Intervals = { ...none, pagerankArea: interval(areas) };
  const shown = repeatedShown(runs, intervals);

  test('curves are means over the seeds with their interval, to the end of the shortest', () => {
    const [byPages, bySeconds] = shown.charts.map(({ series: [{ points }] }) => points);
    expect(byPages.at(-1)!.x).toBe(501);
    for (const { x, y, band } of byPages.slice(1)) {
      const expected = interval(runs.map(({ curves }) => curves.cumulativeRank[x - 1]));
      expect([y, ...band!]).toEqual([expected.mean, expected.low, expected.high]);
    }
    const ends = runs.map(({ events: { times } }) => times[times.length - 1] / 1e6);
    expect(bySeconds.at(-1)!.x).toBeCloseTo(Math.min(...ends), 9);
    for (const { x, y } of bySeconds.slice(1)) {
      const gathered = runs.map(({ events: { order, times }, curves }) => {
        const done = Array.from(order).filter((_, i) => times[2 * i + 1] / 1e6 <= x).length;
        return done === 0 ? 0 : curves.cumulativeRank[done - 1];
      });
      expect(y).toBeCloseTo(interval(gathered).mean, 12);
    }
  });

  test('a figure that a run lacks has no mean, and areas over different numbers of pages are said to be so', () => {
    const rows = new Map(shown.tables[0].rows.map(([name, ...cells]) => [name, cells]));
    expect(rows.get('PageRank area')![0]).toBe(intervals.pagerankArea!.mean.toFixed(4));
    expect(rows.get('balance of pages')).toEqual([null, null, null]);
    const horizons = new Set(runs.map(({ run }) => run.summary.quality.horizonPages));
    expect(shown.paragraphs.some((text) => text.includes('different numbers of pages'))).toBe(horizons.size > 1);
  });
});
