import type { DrawStream } from '../../../base/index.ts';
import type { WebGraph } from '../web-graph.ts';

type Rows = Pick<WebGraph, 'pages' | 'outOffsets' | 'outTargets'>;

/** Searches at a time: one bit each. */
const SEARCHES = 32;

/**
 * Different pages, drawn with equal probability: `count` of them, or all.
 *
 * Source  Floyd's algorithm: Bentley & Floyd, "A sample of brilliance", Communications of the ACM 30(9), 1987.
 */
export function drawnPages(pages: number, count: number, stream: DrawStream): Uint32Array {
  const sample = new Set<number>();
  for (let last = Math.max(0, pages - count); last < pages; last++) {
    const page = Math.floor(stream.uniform(last) * (last + 1));
    sample.add(sample.has(page) ? last : page);
  }
  return Uint32Array.from(sample).sort();
}

/**
 * Per source, the pages within t links of it, for t = 0, 1, ... until no more are reached; `distancesOf` takes them,
 * times the pages of the graph, as estimates of its neighbourhood function.
 *
 * Source  32 breadth-first searches share a pass over the graph: Then et al., "The more the merrier: efficient
 *         multi-source graph traversal", Proceedings of the VLDB Endowment 8(4), 2014.
 * Cost    per 32 sources, a visit of each arc per distance at which its page is found; 12n bytes.
 */
export function neighbourhoodsOf(graph: Rows, sources: Uint32Array): Float64Array[] {
  const functions: Float64Array[] = [];
  for (let first = 0; first < sources.length; first += SEARCHES)
    functions.push(...searchTogether(graph, sources.subarray(first, first + SEARCHES)));
  return functions;
}

function searchTogether({ pages, outOffsets, outTargets }: Rows, sources: Uint32Array): Float64Array[] {
  const earlier = new Uint32Array(pages); // The searches that found each page.
  const now = new Uint32Array(pages); // The searches that found each page at the last distance.
  const next = new Uint32Array(pages);
  for (const [search, page] of sources.entries()) earlier[page] = now[page] |= 1 << search;
  const reached = new Float64Array(sources.length).fill(1);
  const functions: number[][] = Array.from(sources, () => [1]);
  for (let isGrowing = true; isGrowing;) {
    for (let page = 0; page < pages; page++) {
      const searches = now[page];
      if (searches === 0) continue;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) next[outTargets[i]] |= searches;
    }
    isGrowing = false;
    for (let page = 0; page < pages; page++) {
      let fresh = next[page] & ~earlier[page];
      next[page] = 0;
      now[page] = fresh;
      earlier[page] |= fresh;
      for (; fresh !== 0; fresh &= fresh - 1) reached[31 - Math.clz32(fresh & -fresh)]++;
    }
    for (const [search, function_] of functions.entries()) {
      if (reached[search] === function_.at(-1)) continue;
      function_.push(reached[search]);
      isGrowing = true;
    }
  }
  return functions.map((function_) => Float64Array.from(function_));
}
