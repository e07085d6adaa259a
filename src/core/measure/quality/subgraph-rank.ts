import { subgraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { pageRank } from '../../../graphs/rank/index.ts';
import { kendallTauB } from './agreement.ts';

/**
 * How well a crawl that stopped here would rank its pages: Kendall's tau-b of the PageRank of the pages fetched and the
 * links between them, against the true ranks of the same pages (Boldi, Santini & Vigna, "Do your worst to make the
 * best", 2004). Gathering PageRank fast and computing it well are different things.
 *
 * Damping 0.85; ties as in `agreement.ts`.
 * @returns null for fewer than two pages, and where all tie.
 * Cost a PageRank of the subgraph to `tolerance`, and O(n log n).
 */
export function subgraphRankTauB(
  graph: WebGraph, order: Uint32Array, ranks: Float64Array, tolerance = 1e-9,
): number | null {
  if (order.length < 2) return null;
  const pages = order.slice().sort();
  const ranksInside = pageRank(subgraph(graph, pages), { damping: 0.85, tolerance }).ranks;
  return kendallTauB(ranksInside, Float64Array.from(pages, (page) => ranks[page]));
}
