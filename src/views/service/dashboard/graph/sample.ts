import type { RunPages } from '../timeline/run-pages.ts';
import type { CrawlGraph, GraphLink, GraphNode } from './api.ts';
import type { CrawledPages } from './crawled.ts';
import type { Nodes } from './nodes.ts';
import { isAboutPage } from '../../../../core/world/index.ts';

/** More cannot be told apart in a picture. */
export const MAX_NODES = 500;
export const MAX_LINKS = 2000;
export const MAX_SUPERSTEPS = 100;

type Sample = Pick<CrawlGraph, 'supersteps' | 'nodes' | 'links' | 'counts'>;

/**
 * The nodes and links that are drawn of a run, and how each grew.
 *
 * Cost  O(pages of the graph + links of the pages fetched); 4 bytes per pair of nodes drawn.
 */
export function sampleOf(crawled: CrawledPages, pages: RunPages, nodes: Nodes): Sample {
  const count = nodes.graph.graph.hosts.count;
  const totals = totalsOf(crawled, pages.reachable, nodes);
  const { fetched, reachable, known, linksIn } = totals;
  const ids = Array.from({ length: count }, (_, node) => node).filter((node) => known[node] > 0)
    .sort((a, b) => fetched[b] - fetched[a] || reachable[b] - reachable[a] || linksIn[b] - linksIn[a] || a - b);
  const hosts = ids.slice(0, MAX_NODES);
  const supersteps = evenly(crawled.supersteps.length, MAX_SUPERSTEPS);
  const placeOf = new Int32Array(count).fill(-1);
  hosts.forEach((node, at) => (placeOf[node] = at));
  const { growth, links, linked } = grownOf(crawled, nodes, { placeOf, shown: supersteps, drawn: hosts.length });
  return {
    supersteps: supersteps.map((at) => crawled.supersteps[at]), links,
    counts: { known: ids.length, reachable: reachable.filter((pages) => pages > 0).length, links: linked },
    nodes: hosts.map((id, at): GraphNode => ({
      id, name: nodes.graph.graph.hosts.names.at(id), processor: pages.processorOfHost[nodes.hostOf[id]],
      pages: reachable[id], known: known[id], failures: totals.failures[id], fetched: growth[at],
      since: Math.max(0, supersteps.findIndex((superstep) => superstep >= totals.since[id])),
      linksIn: totals.linksIn[id], linksOut: totals.linksOut[id],
    })),
  };
}

type Totals = Record<'fetched' | 'failures' | 'reachable' | 'known' | 'since' | 'linksIn' | 'linksOut', Uint32Array>;

/** Counts of each node. */
function totalsOf(crawled: CrawledPages, reachable: Uint8Array, { graph: { graph } }: Nodes): Totals {
  const { pages, outOffsets, outTargets, hosts: { count, ofPage } } = graph;
  const zeros = (): Uint32Array => new Uint32Array(count);
  const totals: Totals = {
    fetched: zeros(), failures: zeros(), reachable: zeros(), known: zeros(), since: zeros().fill(0xffff_ffff),
    linksIn: zeros(), linksOut: zeros(),
  };
  for (let page = 0; page < pages; page++) {
    const node = ofPage[page];
    totals.reachable[node] += reachable[page];
    const since = crawled.knownSince(page);
    if (since === undefined) continue;
    totals.known[node]++;
    totals.since[node] = Math.min(totals.since[node], since);
  }
  for (const page of crawled.order) {
    const node = ofPage[page];
    totals.fetched[node]++;
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) {
      const other = ofPage[outTargets[arc]];
      if (other === node) continue;
      totals.linksOut[node]++;
      totals.linksIn[other]++;
    }
  }
  for (const { page, kind } of crawled.failures) if (isAboutPage(kind)) totals.failures[ofPage[page]]++;
  return totals;
}

interface Drawn {
  /** The place of each node in the picture, or -1. */
  readonly placeOf: Int32Array;
  /** Positions of the supersteps that are shown. */
  readonly shown: readonly number[];
  readonly drawn: number;
}

/** Pages fetched of each node drawn, by superstep shown, and the links between these nodes. */
function grownOf(
  { order, fetchedIn }: CrawledPages, { graph: { graph } }: Nodes, { placeOf, shown, drawn }: Drawn,
): { growth: number[][]; links: GraphLink[]; linked: number } {
  const { outOffsets, outTargets, hosts: { ofPage } } = graph;
  const growth = Array.from({ length: drawn }, () => new Array<number>(shown.length).fill(0));
  const weights = new Uint32Array(drawn * drawn);
  const links: { from: number; to: number; since: number }[] = [];
  let step = 0;
  order.forEach((page, i) => {
    while (shown[step] < fetchedIn[i]) step++;
    const from = placeOf[ofPage[page]];
    if (from < 0) return;
    growth[from][step]++;
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) {
      const to = placeOf[ofPage[outTargets[arc]]];
      if (to >= 0 && to !== from && weights[from * drawn + to]++ === 0) links.push({ from, to, since: step });
    }
  });
  for (const counts of growth) for (let at = 1; at < counts.length; at++) counts[at] += counts[at - 1];
  const weighed = links.map((link) => ({ ...link, weight: weights[link.from * drawn + link.to] }));
  // Sorting is stable: of equal ones those found first.
  return { growth, linked: links.length, links: weighed.sort((a, b) => b.weight - a.weight).slice(0, MAX_LINKS) };
}

/** At most `most` of the positions 0 to count - 1, evenly, the first and the last included. */
export function evenly(count: number, most: number): number[] {
  const places = Math.min(count, most);
  return Array.from({ length: places }, (_, i) =>
    (places === 1 ? count - 1 : Math.round(i * (count - 1) / (places - 1))));
}
