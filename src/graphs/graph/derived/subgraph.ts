import { assert } from '../../../base/index.ts';
import { sharedUint32 } from '../memory/shared-arrays.ts';
import type { WebGraph } from '../web-graph.ts';

/**
 * The graph of some pages and the links between them. Its page i is `pages[i]` of `graph`; hosts keep their numbers,
 * and some may have no pages; paths, sizes and seed pages are left out.
 *
 * @param pages ids in ascending order, without duplicates.
 * Cost O(n + links of the pages) time; 4 bytes per page of `graph` besides the result.
 */
export function subgraph(graph: WebGraph, pages: Uint32Array): WebGraph {
  const { outOffsets, outTargets } = graph;
  /** 1 + the new id of each page; 0 for those left out. */
  const idOf = new Uint32Array(graph.pages);
  let maxArcs = 0;
  for (let i = 0; i < pages.length; i++) {
    assert(i === 0 || pages[i] > pages[i - 1], 'the pages of a subgraph ascend');
    idOf[pages[i]] = i + 1;
    maxArcs += outOffsets[pages[i] + 1] - outOffsets[pages[i]];
  }
  const offsets = sharedUint32(pages.length + 1);
  const targets = sharedUint32(maxArcs);
  let arcs = 0;
  for (let i = 0; i < pages.length; i++) {
    for (let arc = outOffsets[pages[i]]; arc < outOffsets[pages[i] + 1]; arc++) {
      const id = idOf[outTargets[arc]];
      if (id > 0) targets[arcs++] = id - 1;
    }
    offsets[i + 1] = arcs;
  }
  const ofPage = sharedUint32(pages.length);
  for (let i = 0; i < pages.length; i++) ofPage[i] = graph.hosts.ofPage[pages[i]];
  return {
    name: graph.name, pages: pages.length, arcs, outOffsets: offsets, outTargets: targets.subarray(0, arcs),
    hosts: { ...graph.hosts, ofPage },
  };
}
