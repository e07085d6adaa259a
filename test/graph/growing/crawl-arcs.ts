import { defaultSeeds, type WebGraph } from '../../../src/graphs/graph/index.ts';
import type { Arc, ArcSequence } from '../../conformance/growing.ts';

/**
 * The arcs of a graph's first pages in the order in which a crawl in breadth adds them: an arc enters when both of its
 * pages have been crawled. Pages are numbered in the order of the crawl.
 */
export function crawlArcs(graph: WebGraph, maxPages: number): ArcSequence {
  const { outOffsets, outTargets } = graph;
  const numbers = new Map<number, number>();
  const discover = (page: number): void => {
    if (numbers.size < maxPages && !numbers.has(page)) numbers.set(page, numbers.size);
  };
  defaultSeeds(graph).seeds.forEach(discover);
  // A map can be added to while it is gone through.
  for (const page of numbers.keys()) outTargets.subarray(outOffsets[page], outOffsets[page + 1]).forEach(discover);
  const pending = Array.from({ length: numbers.size }, (): number[] => []);
  const arcs: Arc[] = [];
  for (const [page, source] of numbers) {
    for (const earlier of pending[source]) arcs.push([earlier, source]);
    for (const link of outTargets.subarray(outOffsets[page], outOffsets[page + 1])) {
      const target = numbers.get(link);
      if (target === undefined) continue;
      if (target <= source) arcs.push([source, target]);
      else pending[target].push(source);
    }
  }
  return { pages: numbers.size, arcs };
}
