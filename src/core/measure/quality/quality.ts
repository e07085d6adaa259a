import { checkArrays } from '../../../base/index.ts';
import { computedOnce } from '../../../graphs/graph/index.ts';

export interface QualityInput {
  /** True PageRank of every page of the stored graph. */
  readonly ranks: Float64Array;
  /** Pages reachable from the seed pages: 1 or 0 for each page of the graph. */
  readonly reachable: Uint8Array;
  /** B, at least 1: pages over which the order is judged; at most, and by default, all within reach, perhaps none. */
  readonly horizonPages?: number | undefined;
  /** Pages in the order in which they were fetched, and when each started and finished, microseconds. */
  readonly order: Uint32Array;
  readonly times: Float64Array;
}

function checked(input: QualityInput): QualityInput {
  checkArrays('input', input, ['ranks', 'reachable', 'order', 'times']);
  return input;
}

/**
 * How good the order of a crawl was: cumulative PageRank, as in Baeza-Yates et al., "Crawling a country" (WWW 2005).
 *
 * cum(k) = PageRank of the first k pages fetched / PageRank of the B highest-ranked reachable pages. area = mean of
 * cum(k), k = 1 ... B, pages never fetched adding nothing. The bound is the same for the sorted order; no crawl can
 * pass it. `random` is its expectation over uniform orders of the reachable pages: E cum(k) is linear in k. Areas of
 * one B can be compared. A node of a crawl may have no page within reach: then all of these are 0. O(n log n) for the
 * sort, unless the caller has it.
 *
 * @param input - the order, and the ranks that it is judged by.
 * @param sorted - ranks of the reachable pages, descending: bestRanks. Sorted anew if left out.
 * @returns figures, and the curves from which they are computed.
 */
export function measureQuality(
  input: QualityInput, sorted = fallingRanks(checked(input).ranks, input.reachable),
): Quality & { curves: RunCurves } {
  const { ranks, horizonPages = Infinity, times } = input;
  const horizon = Math.min(horizonPages, sorted.length);
  const order = input.order.subarray(0, horizon);
  const top = sorted.subarray(0, horizon);
  const topRank = sum(top);

  const boundRank = accumulated(top.slice(), topRank);
  const cumulativeRank = accumulated(gathered(order, ranks), topRank);
  const reached = cumulativeRank.at(-1) ?? 0;
  const pagerankArea = shareOf(sum(cumulativeRank) + (horizon - order.length) * reached, horizon);
  const bound = shareOf(sum(boundRank), horizon);
  const randomRankPerPage = shareOf(shareOf(sum(sorted), sorted.length), topRank);
  const random = (randomRankPerPage * (horizon + 1)) / 2;

  const secondsAt = (fetched: number): number | null =>
    (fetched > 0 && fetched <= order.length ? times[2 * fetched - 1] / 1e6 : null);
  return {
    pagerankArea,
    bound,
    random,
    // With one page, or equal ranks, all orders are alike: the difference is rounding.
    normalisedGain: order.length === 0 || bound - random < 1e-12 ? null : (pagerankArea - random) / (bound - random),
    horizonPages: horizon,
    secondsToPages: milestones((share) => secondsAt(Math.ceil(share * horizon))),
    curves: { cumulativeRank, boundRank, randomRankPerPage, horizonShare: shareOf(topRank, sum(sorted)) },
  };
}

/** Ranks of the pages within reach, falling. A PreparedGraph holds the last: the runs of a study mostly share them. */
export const bestRanks = computedOnce(
  'best ranks', (_, ranks: Float64Array, reachable: Uint8Array) => fallingRanks(ranks, reachable),
);

/** The same, computed anew. O(n log n). */
export function fallingRanks(ranks: Float64Array, reachable: Uint8Array): Float64Array {
  return ranksOf(reachable, ranks).sort().reverse();
}

function milestones(at: (share: number) => number | null): Milestones {
  return { '50%': at(0.5), '90%': at(0.9), '100%': at(1) };
}

// Loops, not callbacks: curves have an element a page.

/** Ranks of the pages marked. */
function ranksOf(isMarked: Uint8Array, ranks: Float64Array): Float64Array<ArrayBuffer> {
  const marked = new Float64Array(ranks.length);
  let count = 0;
  for (let page = 0; page < ranks.length; page++) if (isMarked[page] === 1) marked[count++] = ranks[page];
  return marked.subarray(0, count);
}

/** Ranks of the pages in their order. */
function gathered(order: Uint32Array, ranks: Float64Array): Float64Array {
  const hits = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) hits[i] = ranks[order[i]];
  return hits;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/** A part of nothing is 0. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Each value with all before it, as a share of `whole`; in their own place. */
function accumulated(values: Float64Array, whole: number): Float64Array {
  let total = 0;
  for (let i = 0; i < values.length; i++) values[i] = (total += values[i]) / whole;
  return values;
}

export type Milestones = Record<'50%' | '90%' | '100%', number | null>;
export interface Quality {
  /** Mean of cum(k), k = 1 ... B; of the sorted order; of a uniform order; (area - random) / (bound - random). */
  readonly pagerankArea: number;
  readonly bound: number;
  readonly random: number;
  readonly normalisedGain: number | null;
  /** B: the pages over which the order is judged. */
  readonly horizonPages: number;
  /** Virtual seconds until a share of the B pages was fetched; null where never. */
  readonly secondsToPages: Milestones;
}
/** Curves against which a run is judged; with `events.times` they also run against virtual seconds. */

export interface RunCurves {
  /** cum(k) at index k-1, for every page fetched. */
  readonly cumulativeRank: Float64Array;
  /** The same for the sorted order, for k = 1 ... B: no order gathers faster. */
  readonly boundRank: Float64Array;
  /** Expected cum(k) of a uniform order is k times this. */
  readonly randomRankPerPage: number;
  /** Share of the PageRank within reach that the B best pages have: cum(k) times this is the share of k pages. */
  readonly horizonShare: number;
}
