import { DirectedGraph } from 'graphology';
import louvainModule from 'graphology-communities-louvain';
import { betweenness } from 'graphology-metrics/centrality/index.js';
import { modularity } from 'graphology-metrics/graph/index.js';
import { DrawStream } from '../../../base/index.ts';
import type { HostGraph } from '../index.ts';

/** A CommonJS module that exports the function itself, although its types name a default export. */
const louvain = louvainModule as unknown as typeof louvainModule.default;

export interface HostAttributes {
  [attribute: string]: unknown;
  name: string;
  /** Pages of the host. */
  pages: number;
}

export interface HostLinkAttributes {
  [attribute: string]: unknown;
  /** Links from pages of the one host to pages of the other. */
  weight: number;
}

/**
 * The host graph as a graphology graph, for the algorithms of its ecosystem: nodes are host ids in ascending order,
 * edges are ordered by source. A few hundred bytes per node and edge: for up to about a million pairs.
 */
export function hostGraphology({
  hosts, starts, targets, weights, pages,
}: HostGraph): DirectedGraph<HostAttributes, HostLinkAttributes> {
  const result = new DirectedGraph<HostAttributes, HostLinkAttributes>();
  for (let host = 0; host < hosts.count; host++)
    result.addNode(host, { name: hosts.names.at(host), pages: pages[host] });
  for (let host = 0; host < hosts.count; host++) {
    for (let i = starts[host]; i < starts[host + 1]; i++)
      result.addDirectedEdge(host, targets[i], { weight: weights[i] });
  }
  return result;
}

/**
 * Communities of hosts, by the Louvain method (Blondel et al., "Fast unfolding of communities in large networks", 2008;
 * for directed links Dugué and Perez, 2015): hosts are moved to the communities of their neighbours while this
 * increases the weighted, directed modularity. Weights are numbers of links. The result is a local optimum: another
 * seed may give another one.
 *
 * Cost     a few passes over hosts and pairs; memory as hostGraphology.
 * @param seed of the order in which hosts are visited; the same graph and seed give the same communities.
 * @returns the community of each host, numbered from 0 in the order of their first hosts.
 */
export function hostCommunities(graph: HostGraph, seed: number): Uint32Array {
  const draws = new DrawStream(seed, 'host communities');
  let draw = 0;
  const communities = louvain(hostGraphology(graph), { getEdgeWeight: 'weight', rng: () => draws.uniform(draw++) });
  const numbers = new Map<number, number>();
  return Uint32Array.from({ length: graph.hosts.count }, (_, host) => {
    const number = numbers.get(communities[host]) ?? numbers.size;
    numbers.set(communities[host], number);
    return number;
  });
}

/**
 * Directed, weighted modularity of communities, as in PartitionModularity; 0 for a graph without links. Memory as
 * hostGraphology.
 * @param ofHost the community of each host.
 */
export function communityModularity(graph: HostGraph, ofHost: ArrayLike<number>): number {
  if (graph.targets.length === 0) return 0;
  return modularity(hostGraphology(graph), {
    getNodeCommunity: (host) => ofHost[Number(host)], getEdgeWeight: 'weight',
  });
}

/**
 * Betweenness of each host (Freeman 1977, by Brandes 2001): for each ordered pair of other hosts with a path between
 * them, the share of shortest paths through this host, summed over the pairs and divided by the number of all such
 * pairs. The length of a path is its number of pairs of linked hosts, however many links they have. 0 for fewer than
 * three hosts.
 *
 * Cost     O(hosts (hosts + pairs)); memory as hostGraphology.
 */
export function hostBetweenness(graph: HostGraph): Float64Array {
  const { count } = graph.hosts;
  if (count < 3) return new Float64Array(count);
  const shares = betweenness(hostGraphology(graph), { getEdgeWeight: null });
  return Float64Array.from({ length: count }, (_, host) => shares[host]);
}
