import { buildGraph, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { partsOf } from '../../graph/random-graphs.ts';

/** A graph like the web's: neighbours share most of their links, runs among them. */
export function weblike(pages: number, seed: number): WebGraph {
  const draws = new DrawStream(seed, 'weblike');
  const arcs: [number, number][] = [];
  for (let page = 0; page < pages; page++) {
    const site = page - (page % 8);
    for (let i = 0; i < 12; i++) {
      if (draws.uniform(page, 2 * i) < 0.6) arcs.push([page, (site + i) % pages]);
      if (draws.uniform(page, 2 * i + 1) < 0.2) arcs.push([page, draws.uint32(page, 100 + i) % pages]);
    }
  }
  return buildGraph(partsOf(pages, arcs));
}
