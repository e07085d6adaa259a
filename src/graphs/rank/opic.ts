import { assert, checkFields, InputError } from '../../base/index.ts';
import { checkIsGraph, type WebGraph } from '../graph/index.ts';

/**
 * On-line page importance, the static algorithm of Abiteboul, Preda & Cobena, "Adaptive On-Line Page Importance
 * Computation" (WWW 2003, sections 3 and 4): every page holds cash, a visit records the page's cash in its history and
 * gives it all away along its links; a page's importance is the share of all cash that has passed through it.
 *
 * The paper's virtual page makes every graph strongly connected: each page links to it besides its d links, so a visit
 * gives 1 / (d + 1) of the cash to each; the virtual page gives 1 / n to every page. Pages without links give all to
 * it. Cash starts even over the n + 1 pages. A pass visits the pages in ascending id, then the virtual page.
 *
 * Estimate   (H + C) / (G + 1), H history, C cash, G = sum of H, divided by its sum over the n real pages: ranks sum to
 *            1.
 * Limit      the stationary vector of THAT chain. It teleports with probability 1 / (d + 1), so it is NOT PageRank at
 *            any damping.
 * Accuracy   cash is C = C0 + H P - H, with C0 the cash at the start and P the chain, so (H + C) (1 - P) = C0 - C P:
 *            after k passes |x P - x|_1 <= 2 / k, whatever the graph (P here the chain seen on real pages only),
 *            because each pass adds at least 1 to the pages' H. The distance from the limit also falls as 1 / k, with a
 *            constant of the chain: about 1 where it mixes well, 120 on docs-web, where the chain seldom teleports.
 *            Nothing cheap bounds it, hence `l1ErrorBound` is null.
 * Known divergence: the paper sets a page's cash to 0 after giving it away, which would destroy what a self-loop gives;
 * here it is reset first.
 */

export interface OpicOptions {
  /**
   * Stop when a pass changes the estimate by at most this (L1 distance); in [1e-12, 1], 1e-4 by default. It is not an
   * error bound: the error falls as 1 / passes and the change as 1 / passes^2, so the error is about passes x tolerance
   * (0.11 on docs-web at 1e-4).
   */
  readonly tolerance?: number | undefined;
  /** Passes after which to give up; at least 1, 10,000 by default, 30 s on docs-web. */
  readonly maxPasses?: number | undefined;
}

export interface OpicRank {
  /** Estimated importance of each page; they sum to 1. */
  readonly ranks: Float64Array;
  /** Passes over all pages. */
  readonly iterations: number;
  /** Always null: OPIC has no certified error. */
  readonly l1ErrorBound: null;
}

/**
 * OPIC ranks of `graph` (Abiteboul, Preda & Cobena 2003). O(n + m) per pass, 40 n bytes.
 *
 * @param graph - any graph.
 * @param options - when to stop.
 * @returns ranks, owned by the caller. OPIC certifies no bound of their error.
 * @throws InputError for a graph without pages, for options out of range, and when `maxPasses` do not reach the
 * tolerance.
 */
export function opicRank(graph: WebGraph, options: OpicOptions = {}): OpicRank {
  checkIsGraph(graph);
  checkFields('options', options, { tolerance: true, maxPasses: true });
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
  const excess = new Float64Array(pages);
  let ranks = new Float64Array(pages).fill(1 / pages);
  let previous = new Float64Array(pages);
  let change = Infinity;
  for (let passes = 1; passes <= maxPasses; passes++) {
    opicPass(graph.outOffsets, graph.outTargets, cash, excess, history);
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
 * Shapes   n pages, m arcs. outOffsets: n+1. outTargets: m. cash, history: n+1, the virtual page last. excess: n.
 * Units    shares of all cash: cash sums to 1 before and after. excess: the excess that rounding added to each page's
 *          cash, subtracted with the next share (Kahan, CACM 8(1), 1965). Without it, thousands of equal shares that
 *          templates give one page all round in the same direction: 1e-12 of the cash was lost after 48 passes over a
 *          crawl of 325,557 pages.
 * Cost     O(n + m) time, no allocation. Writes `cash` and `lost` at random: bound by memory latency.
 * Order    fixed, so equal input gives bit-equal output. Cash given to a later page is passed on in the same pass.
 */
export function opicPass(
  outOffsets: Uint32Array, outTargets: Uint32Array, cash: Float64Array, excess: Float64Array, history: Float64Array,
): void {
  const pages = cash.length - 1;
  let toVirtual = cash[pages];
  let toVirtualLost = 0;
  for (let page = 0; page < pages; page++) {
    const amount = cash[page];
    cash[page] = 0;
    excess[page] = 0;
    history[page] += amount;
    const begin = outOffsets[page];
    const end = outOffsets[page + 1];
    const share = amount / (end - begin + 1);
    for (let arc = begin; arc < end; arc++) {
      const target = outTargets[arc];
      const term = share - excess[target];
      const sum = cash[target] + term;
      excess[target] = sum - cash[target] - term;
      cash[target] = sum;
    }
    const term = share - toVirtualLost;
    const sum = toVirtual + term;
    toVirtualLost = sum - toVirtual - term;
    toVirtual = sum;
  }
  history[pages] += toVirtual;
  const share = toVirtual / pages;
  for (let page = 0; page < pages; page++) {
    const term = share - excess[page];
    const sum = cash[page] + term;
    excess[page] = sum - cash[page] - term;
    cash[page] = sum;
  }
  cash[pages] = 0;
}

/** Writes (H + C) of the real pages, divided by its sum, into `ranks` (n); G + 1 cancels out. */
function opicEstimate(cash: Float64Array, history: Float64Array, ranks: Float64Array): void {
  for (let page = 0; page < ranks.length; page++) ranks[page] = history[page] + cash[page];
  const total = compensatedSum(ranks);
  for (let page = 0; page < ranks.length; page++) ranks[page] /= total;
}

/** Kahan's sum (CACM 8(1), 1965), so that the check of conservation stays exact over millions of pages. */
function compensatedSum(numbers: Float64Array): number {
  let sum = 0;
  let excess = 0;
  for (const number of numbers) {
    const term = number - excess;
    const next = sum + term;
    excess = next - sum - term;
    sum = next;
  }
  return sum;
}
