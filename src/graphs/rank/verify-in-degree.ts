import { assert } from '../../base/index.ts';
import type { WebGraph } from '../graph/index.ts';

/**
 * Checks shares of links against the graph, sharing no code with their computation: the targets of all links are
 * sorted, and the length of each page's run must equal its share exactly. O(m log m) time, 4 bytes per arc.
 *
 * @throws AssertionError naming the first page whose share is wrong.
 */
export function checkInDegree({ pages, arcs, outTargets }: WebGraph, ranks: Float64Array): void {
  assert(ranks.length === pages, () => `${ranks.length} ranks for ${pages} pages`);
  const sorted = outTargets.slice().sort();
  let start = 0;
  for (let page = 0; page < pages; page++) {
    let end = start;
    while (end < arcs && sorted[end] === page) end++;
    assert(
      ranks[page] === (end - start) / arcs,
      () => `page ${page} has ${end - start} of ${arcs} links, and its rank is ${ranks[page]}`,
    );
    start = end;
  }
  assert(start === arcs, () => `${arcs - start} links lead to no page`);
}
