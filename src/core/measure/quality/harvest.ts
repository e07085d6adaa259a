import { measureQuality, type QualityInput } from './quality.ts';

/** What a crawl by given scores gathered of them, as focused crawlers count their harvest. */
export interface Harvest {
  /** Mean score of all pages within reach: what an order that knows nothing gathers a page. */
  readonly reachableMean: number;
  /** Mean score of the first pages fetched, by share of the horizon; null where fewer were fetched. */
  readonly meanAfter: Record<'10%' | '25%' | '50%' | '100%', number | null>;
  /** The curve of scores gathered: its area, bound, expectation at random, and gain, as `quality.ts` for PageRank. */
  readonly area: number;
  readonly bound: number;
  readonly random: number;
  readonly normalisedGain: number | null;
}

/** @param scores >= 0, one a page of the graph. @returns null where all pages within reach have score 0. O(n log n). */
export function measureHarvest(input: Omit<QualityInput, 'ranks'>, scores: Float64Array): Harvest | null {
  const { order, reachable } = input;
  let [pages, sum] = [0, 0];
  for (let page = 0; page < reachable.length; page++) {
    pages += reachable[page];
    sum += reachable[page] * scores[page];
  }
  if (sum === 0) return null;
  const {
    pagerankArea: area, bound, random, normalisedGain, horizonPages,
  } = measureQuality({ ...input, ranks: scores });
  const meanAfter = (share: number): number | null => {
    const first = Math.ceil(share * horizonPages);
    return first > order.length
      ? null
      : order.subarray(0, first).reduce((total, page) => total + scores[page], 0) / first;
  };
  return {
    reachableMean: sum / pages,
    meanAfter: { '10%': meanAfter(0.1), '25%': meanAfter(0.25), '50%': meanAfter(0.5), '100%': meanAfter(1) },
    area, bound, random, normalisedGain,
  };
}
