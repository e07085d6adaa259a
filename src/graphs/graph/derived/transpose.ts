import { sharedUint32 } from '../memory/shared-arrays.ts';
import type { WebGraph } from '../web-graph.ts';

/** Arcs by target: page v is linked from inSources[inOffsets[v] ... inOffsets[v+1]), ascending. */
export interface InArcs {
  readonly inOffsets: Uint32Array;
  readonly inSources: Uint32Array;
}

/** The transpose of a graph, in shared memory. O(n + m): a stable counting sort by target, so sources ascend. */
export function transpose(graph: Pick<WebGraph, 'pages' | 'outOffsets' | 'outTargets'>): InArcs {
  const { pages, outOffsets, outTargets } = graph;
  const arcs = outTargets.length;
  const inOffsets = sharedUint32(pages + 1);
  const inSources = sharedUint32(arcs);
  for (let i = 0; i < arcs; i++) inOffsets[outTargets[i] + 1]++;
  for (let page = 0; page < pages; page++) inOffsets[page + 1] += inOffsets[page];
  for (let page = 0; page < pages; page++) {
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) inSources[inOffsets[outTargets[i]]++] = page;
  }
  // Each offset is now at its page's end, which is the next page's start.
  inOffsets.copyWithin(1, 0, pages);
  inOffsets[0] = 0;
  return { inOffsets, inSources };
}
