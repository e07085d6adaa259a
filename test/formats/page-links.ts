import type { WebGraph } from '../../src/graphs/graph/index.ts';

/** Links as pairs of what identifies a page, in the graph's order. */
export function linksOf(graph: WebGraph, nameOf: (page: number) => unknown = (page) => page): string[] {
  const links: string[] = [];
  for (let page = 0; page < graph.pages; page++) {
    for (let i = graph.outOffsets[page]; i < graph.outOffsets[page + 1]; i++)
      links.push(`${String(nameOf(page))} ${String(nameOf(graph.outTargets[i]))}`);
  }
  return links;
}

/** A page by its host and path. */
export function placeOf(graph: WebGraph): (page: number) => string {
  return (page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + (graph.paths?.at(page) ?? '');
}

/** A page by the id that its source gave it. */
export function sourceIdOf(graph: WebGraph): (page: number) => number {
  return (page) => graph.sourceIds?.[page] ?? page;
}
