import { checkIsGraph } from './prepared-graph.ts';
import { asSharedUint32, sharedUint32 } from './memory/shared-arrays.ts';
import type { StringTable } from './memory/string-table.ts';
import type { WebGraph } from './web-graph.ts';

/** Seed pages a run starts from when the user names none, and which of the three rules gave them. */
export interface DefaultSeeds {
  readonly seeds: Uint32Array;
  readonly origin: 'stored' | 'host roots' | 'largest out-degree';
}

/**
 * The seed pages stored with the graph; otherwise each host's root page, `/` or, if it has none, `/index.html`, in
 * order of page ids; otherwise the page of largest out-degree (the lowest id on ties). Empty only for a graph without
 * pages. O(n).
 *
 * @param graph - any graph.
 * @returns their ids, and the rule that selected them. Stored ids are borrowed: they are the graph's own array.
 */
export function defaultSeeds(graph: WebGraph): DefaultSeeds {
  checkIsGraph(graph);
  if (graph.seeds && graph.seeds.length > 0) return { seeds: graph.seeds, origin: 'stored' };
  // Synthetic hosts have no root page, whatever the paths are.
  if (graph.paths && !graph.hosts.synthetic) {
    const roots = hostRoots(graph, graph.paths);
    if (roots.length > 0) return { seeds: roots, origin: 'host roots' };
  }
  const seeds = sharedUint32(graph.pages > 0 ? 1 : 0);
  if (graph.pages > 0) seeds[0] = pageOfLargestOutDegree(graph);
  return { seeds, origin: 'largest out-degree' };
}

function hostRoots(graph: WebGraph, paths: StringTable): Uint32Array {
  const { pages, hosts } = graph;
  const rootOf = new Float64Array(hosts.count).fill(-1);
  const hasSlash = new Uint8Array(hosts.count);
  for (let page = 0; page < pages; page++) {
    const host = hosts.ofPage[page];
    const length = paths.offsets[page + 1] - paths.offsets[page];
    // Lengths first: decoding millions of paths to compare them would cost far more than the scan.
    if (length === 1 && hasSlash[host] === 0 && paths.at(page) === '/') {
      hasSlash[host] = 1;
      rootOf[host] = page;
    } else if (length === '/index.html'.length && rootOf[host] < 0 && paths.at(page) === '/index.html') {
      rootOf[host] = page;
    }
  }
  const roots = rootOf.filter((page) => page >= 0).sort();
  return asSharedUint32(Uint32Array.from(roots));
}

function pageOfLargestOutDegree({ pages, outOffsets }: WebGraph): number {
  let best = 0;
  let bestDegree = -1;
  for (let page = 0; page < pages; page++) {
    const degree = outOffsets[page + 1] - outOffsets[page];
    if (degree > bestDegree) {
      best = page;
      bestDegree = degree;
    }
  }
  return best;
}
