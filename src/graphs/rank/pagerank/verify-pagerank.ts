import { assert } from '../../../base/index.ts';
import { checkIsGraph, type WebGraph } from '../../graph/index.ts';

/**
 * Certified L1 distance of `ranks` from the PageRank of `graph`: |G(ranks) - ranks|_1 / (1 - damping), where
 *
 * ```text
 * G(x)[v] = damping * (sum over arcs u -> v of x[u] / outDegree[u]  +  rank of dangling pages * p[v])
 *           + (1 - damping) * p[v],
 * ```
 *
 * p being `preference` divided by its sum, or 1 / n without one.
 *
 * G shrinks L1 distances by `damping` (Boldi, Santini & Vigna, "PageRank: Functional Dependencies", ACM TOIS 27(4),
 * 2009), so the true ranks are no farther away than that. Rank is PUSHED along the out-arcs as stored: no transpose,
 * and no code shared with the computation of ranks, so that a bug there cannot hide itself here.
 *
 * Units    probabilities; the answer lies between 0 and 2 / (1 - damping).
 * Exact    to 2^-50 / (1 - damping): sums are compensated (Kahan, CACM 8(1), 1965).
 * Cost     O(n + m) time, 24 n bytes.
 *
 * @param graph - the graph.
 * @param ranks - one rank per page.
 * @param damping - as when the ranks were computed.
 * @param preference - one weight per page; uniform by default.
 * @returns the bound.
 * @throws AssertionError when there is not one rank per page, when a rank is negative or not finite, when the ranks do
 * not sum to 1 within 1e-12, and for a damping outside [0, 1).
 */
export function pageRankResidual(
  graph: WebGraph, ranks: Float64Array, damping: number, preference?: Float64Array,
): number {
  checkIsGraph(graph);
  const { pages, outOffsets, outTargets } = graph;
  assert(damping >= 0 && damping < 1, () => `damping is ${damping}: it must be at least 0 and less than 1`);
  assert(ranks.length === pages, () => `${ranks.length} ranks for ${pages} pages`);

  assert((preference?.length ?? pages) === pages, () => `${preference?.length} preferences for ${pages} pages`);

  const total = new CompensatedSum();
  const dangling = new CompensatedSum();
  // The rank received by each page, and what rounding has lost of it so far.
  const arrived = new Float64Array(pages);
  const lost = new Float64Array(pages);
  for (let page = 0; page < pages; page++) {
    const rank = ranks[page];
    assert(rank >= 0 && rank < Infinity, () => `the rank of page ${page} is ${rank}: not a probability`);
    total.add(rank);
    const begin = outOffsets[page];
    const end = outOffsets[page + 1];
    if (begin === end) dangling.add(rank);
    const share = rank / (end - begin);
    for (let arc = begin; arc < end; arc++) {
      const target = outTargets[arc];
      const term = share - lost[target];
      const sum = arrived[target] + term;
      lost[target] = sum - arrived[target] - term;
      arrived[target] = sum;
    }
  }
  assert(Math.abs(total.value - 1) <= 1e-12, () => `the ranks sum to ${total.value}, not to 1`);

  const preferred = new CompensatedSum();
  for (let page = 0; page < pages; page++) preferred.add(preference?.[page] ?? 1);
  const notByLinks = damping * dangling.value + (1 - damping);
  const distance = new CompensatedSum();
  for (let page = 0; page < pages; page++) {
    distance.add(
      Math.abs(damping * arrived[page] + notByLinks * ((preference?.[page] ?? 1) / preferred.value) - ranks[page]),
    );
  }
  return distance.value / (1 - damping);
}

class CompensatedSum {
  value = 0;
  #lost = 0;

  add(number: number): void {
    const term = number - this.#lost;
    const sum = this.value + term;
    this.#lost = sum - this.value - term;
    this.value = sum;
  }
}
