import { describe, expect, test } from 'vitest';
import {
  buildGraph, copying, copyingDefaults, distancesOf, exactNeighbourhoods, strongComponents, type WebGraph,
} from '../../src/graphs/graph/index.ts';
import type { StatisticsRow } from '../../src/core/measure/index.ts';
import { GrowingStatistics, type StatisticsMethod } from '../../src/core/statistics/index.ts';
import { builtOf } from '../crawl/loopback.ts';
import { isFullSweep } from '../sweep.ts';

// Goal: exact figures are those of searches from every page, after every superstep; estimates have honest intervals.

/** Without loops, which statistics leave out. */
function webOf(pages: number, arcs: number, seed: number): WebGraph {
  return builtOf(copying({ ...copyingDefaults, pages, arcs, seed, selfLoops: 0 }));
}

const web = webOf(900, 6000, 3);

/** A breadth-first crawl of the web in supersteps of some pages, and its rows, the last with all figures. */
function crawled(
  method: StatisticsMethod, { pages = 700, step = 50, maxPages = 700 } = {},
): StatisticsRow[] {
  const statistics = new GrowingStatistics({ method, maxPages, seed: 1 });
  const rows: StatisticsRow[] = [];
  let supersteps = 0;
  for (let page = 0; page < pages; page++) {
    statistics.addPage(page, web.outTargets.subarray(web.outOffsets[page], web.outOffsets[page + 1]));
    if ((page + 1) % step === 0) rows.push(...statistics.superstep(supersteps++));
  }
  return [...rows, ...statistics.end()];
}

/** The graph of the first pages. */
function firstPages(pages: number): WebGraph {
  const sources: number[] = [];
  const targets: number[] = [];
  for (let page = 0; page < pages; page++) {
    for (const target of web.outTargets.subarray(web.outOffsets[page], web.outOffsets[page + 1])) {
      if (target >= pages) continue;
      sources.push(page);
      targets.push(target);
    }
  }
  return buildGraph({ name: 'part', pages, sources: Uint32Array.from(sources), targets: Uint32Array.from(targets) });
}

function expectExact(row: StatisticsRow): void {
  const graph = firstPages(row.pages);
  const { average, effectiveDiameter, longest } = distancesOf(row.pages, [exactNeighbourhoods(graph)]);
  expect(row).toMatchObject({
    arcs: graph.arcs, components: strongComponents(graph).count, diameter: longest, maxDiameter: longest,
    averageDistance: average?.value, effectiveDiameter: effectiveDiameter?.value,
  });
}

describe('exact statistics', () => {
  test('are those of searches from every page after every superstep', () => {
    const rows = crawled('exact');
    expect(rows).toHaveLength(14);
    for (const row of rows) {
      expect(row.method).toBe('exact');
      expectExact(row);
    }
    expect(rows.at(-1)).toMatchObject({ superstep: 13, pages: 700 });
    expect(rows.at(-1)?.corePages).not.toBeNull();
  });

  test('are the same if the number of pages is not known beforehand', () => {
    const long = { pages: 700, step: 100, maxPages: 700 };
    expect(crawled('exact', { ...long, maxPages: Infinity })).toEqual(crawled('exact', long));
  });
});

test('auto is exact while the graph is small, then estimates whenever its links have trebled, and at the end', () => {
  const rows = crawled('auto');
  const methods = rows.map(({ method }) => method);
  const exact = methods.lastIndexOf('exact');
  expect(exact).toBe(9); // 500 pages; 512 is the limit.
  for (const row of rows.slice(0, exact + 1)) expectExact(row);
  expect(methods.slice(exact + 1)).not.toContain('exact');
  expect(methods.at(-1)).toBe('estimate');
  for (const { method, components, averageDistance } of rows) {
    expect(components === null).toBe(method === '');
    expect(averageDistance === null).toBe(method === '');
  }
});

test('a run without pages, or without a superstep, has no figures', () => {
  const statistics = new GrowingStatistics({ method: 'auto', maxPages: 5, seed: 1 });
  expect(statistics.end()).toEqual([]);
  expect(statistics.superstep(0)).toEqual([]);
  expect(statistics.end()).toMatchObject([{ pages: 0, arcs: 0, averageDistance: null, diameter: null }]);
});

test.each([['estimate', 20], ['auto', 60]] as const)(
  'intervals of %s cover the exact figures in nine of ten checks, over %d seeds',
  (method, seeds) => {
    const large = isFullSweep ? webOf(12_000, 90_000, 8) : webOf(3000, 20_000, 8);
    const { average, effectiveDiameter, longest } = distancesOf(large.pages, [exactNeighbourhoods(large)]);
    const checks = { all: 0, covered: 0 };
    const check = (value: number, low: number | null, high: number | null): void => {
      checks.all++;
      if (low! <= value && value <= high!) checks.covered++;
    };
    for (let seed = 1; seed <= seeds; seed++) {
      const statistics = new GrowingStatistics({ method, maxPages: Infinity, seed }, large);
      for (let page = 0; page < large.pages; page++) statistics.addPage(page);
      statistics.superstep(0);
      const row = statistics.end().at(-1)!;
      expect(row.method).toBe('estimate');
      check(average!.value, row.averageDistanceLow, row.averageDistanceHigh);
      check(effectiveDiameter!.value, row.effectiveDiameterLow, row.effectiveDiameterHigh);
      expect(row.diameter).toBeLessThanOrEqual(longest);
      expect(row.maxDiameter).toBeGreaterThanOrEqual(longest);
      expect(row.components).toBe(strongComponents(large).count);
    }
    expect(checks.covered / checks.all).toBeGreaterThanOrEqual(0.9);
  },
);
