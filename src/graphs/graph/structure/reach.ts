import { wrongArgument } from '../../../base/index.ts';
import { computedOnce, type PreparedGraph } from '../prepared-graph.ts';
import type { WebGraph } from '../web-graph.ts';

export interface Reach {
  /** 1 for each page reachable from the seed pages (these included), otherwise 0; one element per page. */
  readonly reachable: Uint8Array;
  /** Pages reachable. */
  readonly count: number;
  /** Hosts with a reachable page. */
  readonly hosts: number;
}

/**
 * Pages reachable from the seed pages along links. Breadth first, O(n + m) time, 5n bytes. Seed pages must be below
 * graph.pages. A PreparedGraph stores the last result, because a run, its text and its measures need the same one.
 *
 * @param graph - any graph.
 * @param seeds - ids of the pages to start from.
 * @returns which pages are reachable; borrowed from a PreparedGraph, and not to be changed.
 */
export function reach(graph: WebGraph | PreparedGraph, seeds: Iterable<number>): Reach {
  if (typeof (seeds as Iterable<number> | undefined)?.[Symbol.iterator] !== 'function')
    throw wrongArgument('seeds', 'page ids, such as defaultSeeds(graph).seeds', seeds);
  return reachOf(graph, [...seeds]);
}

const reachOf = computedOnce(
  'reach', search, ([a], [b]) => a.length === b.length && a.every((seed, i) => seed === b[i]),
);

function search({ graph }: PreparedGraph, seeds: readonly number[]): Reach {
  const { pages, outOffsets, outTargets, hosts } = graph;
  const reachable = new Uint8Array(pages);
  const queue = new Uint32Array(pages);
  let count = 0;
  for (const seed of seeds) {
    if (reachable[seed] === 1) continue;
    reachable[seed] = 1;
    queue[count++] = seed;
  }
  for (let head = 0; head < count; head++) {
    const page = queue[head];
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
      const target = outTargets[i];
      if (reachable[target] === 1) continue;
      reachable[target] = 1;
      queue[count++] = target;
    }
  }
  const hostReached = new Uint8Array(hosts.count);
  let hostsReached = 0;
  for (let i = 0; i < count; i++) {
    const host = hosts.ofPage[queue[i]];
    if (hostReached[host] === 0) hostsReached++;
    hostReached[host] = 1;
  }
  return { reachable, count, hosts: hostsReached };
}
