import type { WebGraph } from './web-graph.ts';

export interface Reach {
  /** 1 for each page reachable from the seed pages (these included), else 0; one element a page. */
  readonly reachable: Uint8Array;
  /** Pages reachable. */
  readonly count: number;
  /** Hosts with a reachable page. */
  readonly hosts: number;
}

const last = new WeakMap<WebGraph, { readonly seeds: readonly number[]; readonly reach: Reach }>();

/**
 * Pages reachable from the seed pages along links. Breadth first, O(n + m) time, 5n bytes. Seed pages must be below
 * graph.pages. The last answer for a graph is kept, for a run, its text and its measures ask the same; not to be
 * changed.
 */
export function reach(graph: WebGraph, seeds: Iterable<number>): Reach {
  const from = [...seeds];
  const known = last.get(graph);
  if (known?.seeds.length === from.length && from.every((seed, i) => seed === known.seeds[i])) return known.reach;
  const found = search(graph, from);
  last.set(graph, { seeds: from, reach: found });
  return found;
}

function search(graph: WebGraph, seeds: readonly number[]): Reach {
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
