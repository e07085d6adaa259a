import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../src/dashboard/charts/csv.ts';
import { figuresOf, type Figure } from '../../src/dashboard/charts/figures.ts';
import { svgOf } from '../../src/dashboard/charts/svg.ts';
import { evenTicks } from '../../src/dashboard/charts/ticks.ts';
import { noCurves } from '../../src/dashboard/run/curves.ts';
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
    const [rank, speed, work, exchange] = figuresOf(curves, 'time');
    expect(rank).toMatchObject({ x: curves.seconds, xLabel: 'time of the run, seconds', isShare: true });
    expect(speed.series[0].values).toEqual([10, 10, 10]);
    expect(work.series.map(({ values }) => values[0])).toEqual([0.5, 0.75]);
    const [,, idle] = figuresOf({ ...curves, pages: [100, 100, 500] }, 'time');
    expect(idle.series[1].values).toEqual([0.75, null, 0.75]);
    // Supersteps 0 and 1, 2, and 3 to 5.
    expect(exchange.series.map(({ values }) => values)).toEqual([[10, 40, 100 / 3], [15, 60, 50]]);
    expect(figuresOf(curves, 'pages')[0]).toMatchObject({ x: [100, 200, 500], xLabel: 'pages fetched' });
  });

  test('without ranks it shows pages against time, and a sentence says what is seen', () => {
    const [pages] = figuresOf({ ...curvesOf([1, 2]), rank: [] }, 'pages');
    expect(pages).toMatchObject({ name: 'pages-fetched', x: [10, 20], series: [{ values: [100, 200] }] });
    expect(pages.sentence).toBe('Pages fetched against time: 200 after 20.0 seconds.');
    for (const { sentence } of figuresOf(noCurves, 'pages')) expect(sentence).toBe('No superstep has ended yet.');
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
