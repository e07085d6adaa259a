import { InputError } from '../../base/index.ts';
import type { WebGraph } from '../graph/index.ts';

export interface InDegreeRank {
  /** Share of all links that lead to each page; they sum to 1. */
  readonly ranks: Float64Array;
  /** Pages that tie with another. */
  readonly tiedPages: number;
}

/**
 * In-degree as a score: each page's share of all links, self-loops included. It is the simplest measure of importance,
 * and most pages tie with many others. O(n + m) time, 8 bytes per page and 4 per link of the most linked page.
 *
 * @throws InputError for a graph without links, which has no shares.
 */
export function inDegreeRank({ name, pages, arcs, outTargets }: WebGraph): InDegreeRank {
  if (arcs === 0) throw new InputError(`${name} has no links, so in-degree ranks nothing`);
  const ranks = new Float64Array(pages);
  for (const target of outTargets) ranks[target]++;
  const pagesOfDegree = new Uint32Array(ranks.reduce((most, degree) => Math.max(most, degree), 0) + 1);
  for (const degree of ranks) pagesOfDegree[degree]++;
  const tiedPages = pagesOfDegree.reduce((sum, count) => (count > 1 ? sum + count : sum), 0);
  for (let page = 0; page < pages; page++) ranks[page] /= arcs;
  return { ranks, tiedPages };
}
