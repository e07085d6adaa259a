import { assert, InputError } from '../std/index.ts';
import type { WebGraph } from '../graph/web-graph.ts';

/**
 * On-line page importance, the static algorithm of Abiteboul, Preda & Cobena, "Adaptive On-Line Page Importance
 * Computation" (WWW 2003, sections 3 and 4): every page holds cash, a visit records the page's cash in its history and
 * gives it all away along its links; a page's importance is the share of all cash that has passed through it.
 *
 * The paper's virtual page makes every graph strongly connected: each page links to it besides its d links, so a visit
 * gives 1 / (d + 1) of the cash to each; the virtual page gives 1 / n to every page. Pages without links give all to it.
 * Cash starts even over the n + 1 pages. A pass visits the pages in ascending id, then the virtual page.
 *
 * Estimate   (H + C) / (G + 1), H history, C cash, G = sum of H, the cash moved so far. It sums to 1 over the n + 1
 *            pages, and is divided by its sum over the n real ones: ranks sum to 1.
 * Limit      the stationary vector of THAT chain. It teleports with probability 1 / (d + 1), so it is NOT PageRank at
 *            any damping.
 * Accuracy   cash only moves along links, so H + C = C' + H P with C' = the cash at the start, P the chain: after k passes
 *            the ranks x satisfy |x P - x|_1 <= 2 / k (P here the chain seen on real pages only), whatever the graph.
 *            The distance from the limit is of that order too, about 1 / k on graphs tried; nothing bounds it without
 *            knowing the chain, hence `l1ErrorBound` is null. It falls no faster than 1 / k: OPIC is cheap while
 *            crawling, not for digits. See verify-opic.ts.
 * Known divergence: the paper sets a page's cash to 0 after giving it away, which would destroy what a self-loop gives;
 * here it is taken first.
 */

export interface OpicOptions {
  /**
   * Stop when a pass changes the estimate by at most this (L1 distance); in [1e-12, 1], 1e-4 by default. The change
   * falls as 1 / passes^2, the error as 1 / passes: the error is about sqrt(tolerance), not tolerance.
   */
  readonly tolerance?: number | undefined;
  /** Passes after which to give up; at least 1, 10,000 by default, which suffices for a tolerance of about 1e-8. */
  readonly maxPasses?: number | undefined;
}

export interface OpicRank {
  /** Estimated importance of each page; they sum to 1. */
  readonly ranks: Float64Array;
  /** Passes over all pages. */
  readonly iterations: number;
  /** OPIC certifies nothing. */
  readonly l1ErrorBound: null;
}

/**
 * OPIC ranks of `graph`; see the head of this file. O(n + m) a pass, 32 n bytes.
 *
 * @throws InputError for a graph without pages, for options out of range, and when `maxPasses` do not reach the tolerance.
 */
export function opicRank(graph: WebGraph, options: OpicOptions = {}): OpicRank {
  const { tolerance = 1e-4, maxPasses = 10_000 } = options;
  if (!(tolerance >= 1e-12 && tolerance <= 1)) {
    throw new InputError(`tolerance is ${tolerance}: for OPIC it must lie between 1e-12 and 1`);
  }
  if (!(Number.isSafeInteger(maxPasses) && maxPasses >= 1)) {
    throw new InputError(`maxPasses is ${maxPasses}: it must be an integer of at least 1`);
  }
  const pages = graph.pages;
  if (pages === 0) throw new InputError(`${graph.name} has no pages, so there is nothing to rank`);

  // The virtual page is the last.
  const cash = new Float64Array(pages + 1).fill(1 / (pages + 1));
  const history = new Float64Array(pages + 1);
  let ranks = new Float64Array(pages).fill(1 / pages);
  let previous = new Float64Array(pages);
  let change = Infinity;
  for (let passes = 1; passes <= maxPasses; passes++) {
    opicPass(graph.outOffsets, graph.outTargets, cash, history);
    const inCirculation = compensatedSum(cash);
    assert(Math.abs(inCirculation - 1) <= 1e-12, () => `pass ${passes} left ${inCirculation} of cash 1`);
    [ranks, previous] = [previous, ranks];
    opicEstimate(cash, history, ranks);
    change = 0;
    for (let page = 0; page < pages; page++) change += Math.abs(ranks[page] - previous[page]);
    if (change <= tolerance) return { ranks, iterations: passes, l1ErrorBound: null };
  }
  throw new InputError(
    `tolerance is ${tolerance}, but after ${maxPasses} passes over ${graph.name} the estimate still changes by ` +
      `${change} a pass: allow a greater tolerance or more passes`,
  );
}

/**
 * One pass: visits every page in ascending id, then the virtual page.
 *
 * Shapes   n pages, m arcs. outOffsets: n+1. outTargets: m. cash, history: n+1, the virtual page last.
 * Units    shares of all cash: cash sums to 1 before and, up to rounding, after.
 * Cost     O(n + m) time, no allocation. Writes `cash` at random: bound by memory latency.
 * Order    fixed, so equal input gives bit-equal output. Cash given to a later page is passed on in the same pass.
 */
export function opicPass(
  outOffsets: Uint32Array, outTargets: Uint32Array, cash: Float64Array, history: Float64Array,
): void {
  const pages = cash.length - 1;
  let toVirtual = cash[pages];
  for (let page = 0; page < pages; page++) {
    const amount = cash[page];
    cash[page] = 0;
    history[page] += amount;
    const begin = outOffsets[page];
    const end = outOffsets[page + 1];
    const share = amount / (end - begin + 1);
    for (let arc = begin; arc < end; arc++) cash[outTargets[arc]] += share;
    toVirtual += share;
  }
  history[pages] += toVirtual;
  const share = toVirtual / pages;
  for (let page = 0; page < pages; page++) cash[page] += share;
  cash[pages] = 0;
}

/** Writes (H + C) of the real pages, divided by its sum, into `ranks` (n); G + 1 cancels out. */
function opicEstimate(cash: Float64Array, history: Float64Array, ranks: Float64Array): void {
  for (let page = 0; page < ranks.length; page++) ranks[page] = history[page] + cash[page];
  const total = compensatedSum(ranks);
  for (let page = 0; page < ranks.length; page++) ranks[page] /= total;
}

/** Kahan's sum (CACM 8(1), 1965), so that millions of pages do not blur the check of conservation. */
function compensatedSum(numbers: Float64Array): number {
  let sum = 0;
  let lost = 0;
  for (const number of numbers) {
    const term = number - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  return sum;
}
