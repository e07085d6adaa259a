import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../src/views/dashboard/charts/csv.ts';
import { degreeFigure, degreeRanges, rangeText } from '../../src/views/dashboard/charts/degrees.ts';
import { figuresOf, type Figure } from '../../src/views/dashboard/charts/figures.ts';
import { svgOf } from '../../src/views/dashboard/charts/svg.ts';
import { evenTicks } from '../../src/views/dashboard/charts/ticks.ts';
import { noCurves } from '../../src/views/dashboard/run/curves.ts';
import { curvesOf } from './made.ts';

/** Throws where it is not well-formed. */
function elementsOf(xml: string): { readonly name: string; readonly attributes: Record<string, string | undefined> }[] {
  const found: { name: string; attributes: Record<string, string | undefined> }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes }));
  parser.on('error', (error) => { throw error; });
  parser.write(xml).close();
  return found;
}

const figure: Figure = {
  name: 'a', title: 'Pages & <script>', sentence: '"quoted"', xLabel: 'time, "s"', x: [0, 1, 2, 4],
  series: [{ name: 'one', colour: '--run-0', values: [1, null, 3, 4] }], yTop: 1, isShare: false,
};

// Goal: what is taken away shows the numbers of the run, to the point.
describe('pictures of a run', () => {
  test('columns since the point before become rates, also after points were left out', () => {
    const curves = curvesOf([1, 2, 5]);
    const [rank, speed, work, pairs, comparisons] = figuresOf(curves, 'time');
    expect(rank).toMatchObject({ x: curves.seconds, xLabel: 'time of the run, seconds', isShare: true });
    expect(speed.series[0].values).toEqual([10, 10, 10]);
    expect(work.series.map(({ values }) => values[0])).toEqual([0.5, 0.75]);
    const [,, idle] = figuresOf({ ...curves, pages: [100, 100, 500] }, 'time');
    expect(idle.series[1].values).toEqual([0.75, null, 0.75]);
    // Supersteps 0 and 1, 2, and 3 to 5.
    expect([pairs, comparisons].map(({ series: [{ values }] }) => values))
      .toEqual([[10, 40, 100 / 3], [15, 60, 50]]);
    expect(figuresOf(curves, 'pages')[0]).toMatchObject({ x: [100, 200, 500], xLabel: 'pages fetched' });
  });

  test('without ranks it shows pages against time, and a sentence says what is seen', () => {
    const [pages] = figuresOf({ ...curvesOf([1, 2]), rank: [] }, 'pages');
    expect(pages).toMatchObject({ name: 'pages-fetched', x: [10, 20], series: [{ values: [100, 200] }] });
    expect(pages.sentence).toBe('Pages fetched against time: 200 after 20.0 seconds.');
    for (const { sentence } of figuresOf(noCurves, 'pages')) expect(sentence).toBe('No superstep has ended yet.');
  });

  test('the rank has its bounds at as many pages, against pages, against time, and beside a fork', () => {
    const curves = curvesOf([1, 2, 4]);
    const bound = { pages: [0, 100, 300, 1000], rank: [0, 0.4, 0.6, 1] };
    const best = [0.4, 0.5, 0.6 + 0.4 / 7];
    for (const against of ['pages', 'time'] as const) {
      const [{ series, sentence }] = figuresOf(curves, against, { bound });
      expect(series.map(({ style }) => style)).toEqual([undefined, 'dashed', 'dashed']);
      for (const [i, value] of best.entries()) expect(series[1].values[i]).toBeCloseTo(value, 12);
      expect(series[2].values).toEqual([0.1, 0.2, 0.4]);
      expect(sentence).toMatch(/the best order has 65\.7.%, and a random order 40\.0.% on average\.$/);
    }
    const [beside] = figuresOf(curves, 'pages', { bound, beside: curvesOf([1, 3]) });
    expect(beside.x).toEqual([100, 200, 300, 400]);
    expect(beside.series.map(({ values }) => values.length)).toEqual([4, 4, 4, 4]);
    expect(beside.series[1].name).toBe('the run it is a fork of');
    expect(beside.series[3].values[2]).toBeCloseTo(0.3, 12);
    expect(figuresOf(curves, 'pages')[0].note).toMatch(/^The best order is not shown/);
    expect(figuresOf({ ...curves, rank: [] }, 'pages', { bound })[0].series).toHaveLength(1);
  });

  test('a few values far above all others leave the picture, which says so; the CSV has them', () => {
    const supersteps = Array.from({ length: 200 }, (_, i) => i);
    const curves = { ...curvesOf(supersteps), comparisons: supersteps.map((i) => (i === 3 ? 30_000 : 100 + i)) };
    const figure = figuresOf(curves, 'pages').at(-1)!;
    expect(figure.cut).toBe(1.25 * 299);
    expect(figure.note).toBe('Cut off at the top: the highest value is 30,000, in superstep 3.');
    const heights = elementsOf(svgOf(figure)).filter(({ attributes }) => attributes['d']?.includes('L') === true)
      .flatMap(({ attributes }) => [...attributes['d']!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y)));
    expect(Math.min(...heights)).toBe(64);
    expect(csvOf(figure)).toContain('\n3,30000\n');
    const even = figuresOf({ ...curves, comparisons: supersteps }, 'pages').at(-1)!;
    expect([even.cut, even.note]).toEqual([undefined, undefined]);
    const short = curvesOf([1, 2, 3]);
    expect(figuresOf({ ...short, comparisons: [1, 1, 9000] }, 'pages').at(-1)!.cut).toBeUndefined();
  });

  test('degrees are dots on logarithmic axes, and a table of ranges', () => {
    const counts = { superstep: 9, pages: 30, inDegrees: [5, 10, 8, 0, 7], outDegrees: [20, 10] };
    const figure = degreeFigure(counts);
    expect(degreeRanges(counts).map(rangeText)).toEqual(['0', '1', '2 to 3', '4 to 7', '8 to 15']);
    expect(figure.series.map(({ values }) => values)).toEqual([[10, 4, null, 7 / 8], [10, null, null, null]]);
    expect(figure.series[0].texts).toEqual(['10 pages', '8 pages', '0 pages', '7 pages']);
    expect(csvOf(figure).split('\n')[5]).toBe('8,15,7,0');
    const elements = elementsOf(svgOf(figure));
    const dots = elements.filter(({ name }) => name === 'circle').map(({ attributes }) => attributes);
    expect(dots).toHaveLength(4);
    // From 1 to 100 links, and 0.1 to 10 pages: 1 link is at the left, 10 pages are at the top.
    expect([dots[0]['cx'], dots[0]['cy']]).toEqual(['64', '64']);
    expect(Number(dots[2]['cx'])).toBeCloseTo(64 + (676 * Math.log10(Math.sqrt(120))) / 2, 0);
    expect(svgOf(degreeFigure({ ...counts, inDegrees: [30], outDegrees: [30] }))).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('an SVG is well-formed, has no script, and draws each point where it belongs', () => {
    for (const one of [figure, ...figuresOf(curvesOf([1, 2, 3]), 'pages'), ...figuresOf(noCurves, 'time')]) {
      const names = new Set(elementsOf(svgOf(one)).map(({ name }) => name));
      expect([...names].sort()).toEqual(['path', 'rect', 'svg', 'text', 'title']);
      expect(svgOf(one)).not.toMatch(/NaN|Infinity|undefined/);
    }
    const path = elementsOf(svgOf(figure)).map(({ attributes }) => attributes['d']).find((d) => d?.includes('L'))!;
    // A gap begins a new stroke; the last point is at the right edge, its value 1 / 1.05 of the height.
    const points = [...path.matchAll(/([ML])([\d.]+) ([\d.]+)/g)].map(([, pen, x, y]) => [pen, Number(x), Number(y)]);
    expect(points.map(([pen]) => pen)).toEqual(['M', 'M', 'L']);
    expect(points.at(-1)).toEqual(['L', 740, Math.round(10 * (348 - 284 / 1.05)) / 10]);
  });

  test('a CSV has a line for each point, and reads back', () => {
    expect(csvOf(figure)).toBe('"time, ""s""",one\n0,1\n1,\n2,3\n4,4\n');
  });

  test('ticks are even, begin at 0 and stay within', () => {
    for (const top of [1e-9, 0.3, 1, 7, 99.99, 100, 12_345, 3e11]) {
      const ticks = evenTicks(top, 7);
      expect(ticks[0]).toBe(0);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.at(-1)).toBeLessThanOrEqual(top * (1 + 1e-9));
    }
    expect(evenTicks(0, 7)).toEqual([0]);
  });
});
