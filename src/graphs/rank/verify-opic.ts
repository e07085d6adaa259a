import { assert } from '../../base/index.ts';
import { checkIsGraph, type WebGraph } from '../graph/index.ts';

/**
 * Checks OPIC ranks against the chain whose stationary vector they estimate, sharing no code with their computation.
 * The chain of the 2003 paper, seen on real pages only (steps through the virtual page taken in one): a page with d
 * links goes to each with probability 1 / (d + 1), and otherwise to a page drawn uniformly. Its stationary vector is
 * the vector of the chain with the virtual page, divided by its sum over the real pages.
 *
 * Two rows of the chain share at least 1 / (D + 1) of their mass, D being the greatest out-degree, so a step shrinks L1
 * distances by D / (D + 1) at least (Dobrushin): a residual r bounds the distance by (D + 1) r.
 */

/**
 * |x P - x|_1 of `ranks`: how far they are from being stationary. After k passes OPIC has at most 2 / k, on any graph
 * (head of opic.ts), so a greater residual proves a bug. O(n + m) time.
 *
 * @param graph - the graph.
 * @param ranks - one rank per page.
 * @returns the L1 distance between the ranks and the step after them.
 * @throws AssertionError when there is not one rank per page, when a rank is negative or not finite, and when the ranks
 * do not sum to 1 within 1e-9.
 */
export function opicResidual(graph: WebGraph, ranks: Float64Array): number {
  checkIsGraph(graph);
  checkProbabilities(graph, ranks);
  const next = new Float64Array(graph.pages);
  opicStep(graph, ranks, next);
  return l1Distance(ranks, next);
}

function checkProbabilities(graph: WebGraph, ranks: Float64Array): void {
  assert(ranks.length === graph.pages, () => `${ranks.length} ranks for ${graph.pages} pages`);
  let total = 0;
  for (let page = 0; page < ranks.length; page++) {
    const rank = ranks[page];
    assert(rank >= 0 && rank < Infinity, () => `the rank of page ${page} is ${rank}: not a probability`);
    total += rank;
  }
  assert(Math.abs(total - 1) <= 1e-9, () => `the ranks sum to ${total}, not to 1`);
}

/** next = prev P, pushed along the out-arcs in ascending page order. Shapes: n each; prev and next must not overlap. */
export function opicStep(graph: WebGraph, prev: Float64Array, next: Float64Array): void {
  const { pages, outOffsets, outTargets } = graph;
  next.fill(0);
  let jumps = 0;
  for (let page = 0; page < pages; page++) {
    const end = outOffsets[page + 1];
    const share = prev[page] / (end - outOffsets[page] + 1);
    for (let arc = outOffsets[page]; arc < end; arc++) next[outTargets[arc]] += share;
    jumps += share;
  }
  for (let page = 0; page < pages; page++) next[page] += jumps / pages;
}

export function l1Distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let page = 0; page < a.length; page++) sum += Math.abs(a[page] - b[page]);
  return sum;
}
