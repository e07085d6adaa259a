import { communityModularity, hostBetweenness, hostCommunities } from '../../graphs/graph/graphology/index.ts';
import type { HostGraph } from '../../graphs/graph/index.ts';

/** Communities are computed up to this many hosts and pairs of linked hosts, as they need a graph of objects. */
const maxCommunitySize = 200_000;
/** Searches from all hosts may follow up to this many pairs: a second or two. */
const maxCentralitySteps = 1e8;

export interface Community {
  readonly hosts: number;
  readonly pages: number;
  /** Links out of its hosts, and how many of them stay within it. */
  readonly links: number;
  readonly linksWithin: number;
  /** Name of the host with the most pages. */
  readonly largestHost: string;
}

export interface Communities {
  readonly method: 'Louvain';
  readonly seed: number;
  readonly count: number;
  /** Directed and weighted, as in PartitionModularity. */
  readonly modularity: number;
  /** Those with the most pages; ties in the order of their first hosts. */
  readonly largest: readonly Community[];
}

export interface Centrality {
  readonly method: 'betweenness';
  /** Hosts on the most shortest paths, on at least one; ties by host id. */
  readonly top: readonly { readonly host: number; readonly name: string; readonly betweenness: number }[];
}

/** What was left out of the structure of hosts, because it would exceed `limit`. */
export type HostsLeftOut = { readonly what: 'communities' | 'centrality'; readonly limit: number };

export interface HostStructure {
  readonly communities: Communities | null;
  readonly centrality: Centrality | null;
  readonly leftOut: readonly HostsLeftOut[];
}

/** Communities and centrality of hosts, if they take only seconds; none for synthetic hosts. */
export function hostStructureOf(graph: HostGraph, seed: number, top: number): HostStructure {
  const { count, synthetic } = graph.hosts;
  const size = count + graph.targets.length;
  const leftOut: HostsLeftOut[] = [];
  if (synthetic) return { communities: null, centrality: null, leftOut };
  const takes = (what: HostsLeftOut['what'], cost: number, limit: number): boolean => {
    if (cost > limit) leftOut.push({ what, limit });
    return cost <= limit;
  };
  const communities = takes('communities', size, maxCommunitySize) ? communitiesOf(graph, seed, top) : null;
  const centrality = takes('centrality', count * size, maxCentralitySteps) ? centralityOf(graph, top) : null;
  return { communities, centrality, leftOut };
}

function communitiesOf(graph: HostGraph, seed: number, top: number): Communities {
  const { hosts, starts, targets, weights, pages } = graph;
  const ofHost = hostCommunities(graph, seed);
  const communities: { -readonly [Key in keyof Community]: Community[Key] }[] = [];
  const largestPages: number[] = [];
  for (let host = 0; host < hosts.count; host++) {
    const community = (communities[ofHost[host]] ??= { hosts: 0, pages: 0, links: 0, linksWithin: 0, largestHost: '' });
    community.hosts++;
    community.pages += pages[host];
    if (pages[host] > (largestPages[ofHost[host]] ?? -1)) {
      largestPages[ofHost[host]] = pages[host];
      community.largestHost = hosts.names.at(host);
    }
    for (let i = starts[host]; i < starts[host + 1]; i++) {
      community.links += weights[i];
      if (ofHost[targets[i]] === ofHost[host]) community.linksWithin += weights[i];
    }
  }
  const modularity = communityModularity(graph, ofHost);
  // Sorting is stable.
  const largest = communities.toSorted((a, b) => b.pages - a.pages).slice(0, top);
  return { method: 'Louvain', seed, count: communities.length, modularity, largest };
}

function centralityOf(graph: HostGraph, top: number): Centrality {
  const betweenness = hostBetweenness(graph);
  const hosts = [...betweenness.keys()]
    .filter((host) => betweenness[host] > 0)
    .sort((a, b) => betweenness[b] - betweenness[a] || a - b)
    .slice(0, top);
  return {
    method: 'betweenness',
    top: hosts.map((host) => ({ host, name: graph.hosts.names.at(host), betweenness: betweenness[host] })),
  };
}
