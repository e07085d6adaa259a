import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureGathered, measureQuality } from '../../src/core/measure/index.ts';
import { tries } from '../sweep.ts';

/** Quality of an order, the page at place k having finished after k + 1 seconds. */
function qualityOf(
  ranks: number[], order: number[], horizonPages?: number, unreachable: number[] = [],
): ReturnType<typeof measureQuality> {
  return measureQuality({
    ranks: Float64Array.from(ranks),
    reachable: Uint8Array.from(ranks, (_, page) => (unreachable.includes(page) ? 0 : 1)),
    horizonPages,
    order: Uint32Array.from(order),
    times: Float64Array.from(order.flatMap((_, k) => [1e6 * k, 1e6 * (k + 1)])),
  });
}

/** What the order gathered, page k having finished after k + 1 seconds. */
function gatheredOf(ranks: number[], order: number[], unreachable: number[] = []): ReturnType<typeof measureGathered> {
  const within = ranks.filter((_, page) => !unreachable.includes(page)).sort((a, b) => b - a);
  const times = Float64Array.from(order.flatMap((_, k) => [1e6 * k, 1e6 * (k + 1)]));
  return measureGathered(
    { order: Uint32Array.from(order), times }, Float64Array.from(ranks), Float64Array.from(within),
  );
}

function permutations(values: number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) =>
    permutations(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
  );
}

const ranks = [0.1, 0.4, 0.2, 0.25, 0.05];
const sorted = [1, 3, 2, 0, 4];

describe('cumulative PageRank', () => {
  test('a node of a crawl may have no page within reach: nothing was gathered', () => {
    const { curves, ...quality } = qualityOf(ranks, [], Infinity, [0, 1, 2, 3, 4]);
    expect(quality).toEqual({
      pagerankArea: 0, bound: 0, random: 0, normalisedGain: null, horizonPages: 0,
      secondsToPages: { '50%': null, '90%': null, '100%': null },
    });
    expect(curves).toEqual({
      cumulativeRank: new Float64Array(0), boundRank: new Float64Array(0), randomRankPerPage: 0, horizonShare: 0,
    });
    expect(gatheredOf(ranks, [], [0, 1, 2, 3, 4]).rankGathered).toEqual({ ofReachable: 0, ofAll: 0 });
  });

  test.each([1, 2, 3, 4, 5])('the sorted order meets the bound and gains 1: %i pages', (pages) => {
    const quality = qualityOf(ranks, sorted.slice(0, pages), pages);
    expect(quality.pagerankArea).toBeCloseTo(quality.bound, 14);
    expect(quality.normalisedGain).toBeCloseTo(1, 12);
    expect(quality.horizonPages).toBe(pages);
  });

  test('by hand, for the sorted and the reversed order', () => {
    // Sorted: .4 .65 .85 .95 1; reversed: .05 .15 .35 .6 1.
    const { pagerankArea, bound, random, normalisedGain } = qualityOf(ranks, [...sorted].reverse());
    expect(bound).toBeCloseTo(3.85 / 5, 14);
    expect(pagerankArea).toBeCloseTo(2.15 / 5, 14);
    expect(random).toBeCloseTo(6 / 10, 14);
    expect(normalisedGain).toBeCloseTo((0.43 - 0.6) / (0.77 - 0.6), 12);
  });

  test('by hand with a page limit: against the best pages of as many', () => {
    // Best two: .4 + .25 = .65; fetched .1, then .05.
    const { pagerankArea, bound, random } = qualityOf(ranks, [0, 4], 2);
    expect(pagerankArea).toBeCloseTo((0.1 + 0.15) / 0.65 / 2, 14);
    expect(bound).toBeCloseTo((0.4 + 0.65) / 0.65 / 2, 14);
    expect(random).toBeCloseTo((0.2 + 0.4) / 0.65 / 2, 14);
  });

  test('pages never fetched add nothing: cum stays where it was', () => {
    expect(qualityOf(ranks, [1, 2]).pagerankArea).toBeCloseTo((0.4 + 4 * 0.6) / 5, 14);
    expect(qualityOf(ranks, []).pagerankArea).toBe(0);
  });

  test('pages out of reach enter neither the bound nor random', () => {
    const whole = qualityOf(ranks, [3, 2], undefined, [0, 1, 4]);
    expect(whole).toMatchObject({ horizonPages: 2, normalisedGain: 1 });
    expect(whole.pagerankArea).toBeCloseTo((0.25 / 0.45 + 1) / 2, 14);
    expect(whole.random).toBeCloseTo(3 / 4, 14);
  });

  test.each([1, 2, 3, 4, 5, 6])('random is the mean over all 120 orders of five pages, limit %i', (maxPages) => {
    const areas = permutations([0, 1, 2, 3, 4]).map((order) => qualityOf(ranks, order.slice(0, maxPages), maxPages));
    expect(areas).toHaveLength(120);
    const mean = areas.reduce((sum, { pagerankArea }) => sum + pagerankArea, 0) / 120;
    expect(areas[0].random).toBeCloseTo(mean, 13);
    expect(Math.max(...areas.map(({ pagerankArea }) => pagerankArea))).toBeCloseTo(areas[0].bound, 13);
  });

  test('no order passes the bound', () => {
    const pages = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(fc.property(pages, fc.nat(12), (values, limit) => {
      const order = [...values.keys()].slice(0, limit + 1);
      const { pagerankArea, bound, normalisedGain } = qualityOf(values, order, limit + 1);
      expect(pagerankArea).toBeLessThanOrEqual(bound + 1e-12);
      expect(normalisedGain ?? 0).toBeLessThanOrEqual(1 + 1e-6);
    }), { seed: 1, numRuns: tries(300) });
  });

  test('where nothing is fetched, or every order is worth the same, there is no gain', () => {
    expect(qualityOf(ranks, []).normalisedGain).toBeNull();
    expect(qualityOf([1], [0]).normalisedGain).toBeNull();
    // Bound and random are one number, but for the order in which they are summed.
    for (let pages = 2; pages < 50; pages++) {
      for (let limit = 2; limit <= pages; limit++) {
        const { normalisedGain } = qualityOf(Array.from({ length: pages }, () => 1 / pages), [0], limit);
        expect(normalisedGain, `1 page of ${limit}, ${pages} in all`).toBeNull();
      }
    }
  });
});

describe('milestones', () => {
  test('by hand', () => {
    expect(qualityOf(ranks, sorted).secondsToPages).toEqual({ '50%': 3, '90%': 5, '100%': 5 });
    expect(gatheredOf(ranks, sorted)).toMatchObject({ secondsToRank: { 50: 2, 80: 3, 90: 4 } });
  });

  test('never, where the run ended before', () => {
    expect(qualityOf(ranks, [1, 3, 2]).secondsToPages).toEqual({ '50%': 3, '90%': null, '100%': null });
    expect(gatheredOf(ranks, [1, 3])).toMatchObject({ secondsToRank: { 50: 2, 80: null, 90: null } });
  });

  test('at ten equal pages the shares fall on pages, whatever rounding says', () => {
    const [equal, order] = [Array.from({ length: 10 }, () => 0.1), [...Array(10).keys()]];
    expect(qualityOf(equal, order).secondsToPages).toEqual({ '50%': 5, '90%': 9, '100%': 10 });
    expect(gatheredOf(equal, order)).toMatchObject({ secondsToRank: { 50: 5, 80: 8, 90: 9 } });
  });
});

describe('rank gathered', () => {
  test('is a share of what is within reach, and of all', () => {
    const { rankGathered } = gatheredOf([0.1, 0.4, 0.2, 0.25, 0.05], [1, 2], [3]);
    expect(rankGathered.ofAll).toBeCloseTo(0.6, 14);
    expect(rankGathered.ofReachable).toBeCloseTo(0.6 / 0.75, 14);
    expect(gatheredOf([0.5, 0.5], []).rankGathered).toEqual({ ofReachable: 0, ofAll: 0 });
  });
});
