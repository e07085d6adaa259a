import { DirectedGraph } from 'graphology';
import { directedDensity, modularity } from 'graphology-metrics/graph/index.js';
import { weightedInDegree, weightedOutDegree } from 'graphology-metrics/node/index.js';
import { assert } from '../std/index.ts';
import type { WebGraph } from './web-graph.ts';

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

export type HostGraph = DirectedGraph<HostAttributes, HostLinkAttributes>;

/**
 * The graph of hosts: a node a host (its key is the host id, as text), an edge from host to host where a page of the
 * one links to a page of the other, with the number of such links as `weight`. Links within a host are a self-loop, so
 * that the weights sum to graph.arcs.
 *
 * Cost   O(n + m) time; some hundred bytes a node and an edge: hosts and their pairs must be few enough to be objects.
 * Order  nodes by host id, edges by source host and then by first mention, so that equal graphs give equal host graphs.
 */
export function hostGraph(graph: WebGraph): HostGraph {
  const { outOffsets, outTargets, hosts } = graph;
  const { starts, pagesByHost } = groupByHost(graph);
  const result: HostGraph = new DirectedGraph<HostAttributes, HostLinkAttributes>();
  for (let host = 0; host < hosts.count; host++) {
    result.addNode(host, { name: hosts.names.at(host), pages: starts[host + 1] - starts[host] });
  }
  const weight = new Float64Array(hosts.count);
  for (let host = 0; host < hosts.count; host++) {
    const linked: number[] = [];
    for (let k = starts[host]; k < starts[host + 1]; k++) {
      const page = pagesByHost[k];
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const other = hosts.ofPage[outTargets[i]];
        if (weight[other]++ === 0) linked.push(other);
      }
    }
    for (const other of linked) {
      result.addDirectedEdge(host, other, { weight: weight[other] });
      weight[other] = 0;
    }
  }
  return result;
}

/** Counting sort of the pages by host: host h has pagesByHost[starts[h] ... starts[h+1]). */
function groupByHost({ pages, hosts }: WebGraph): { starts: Uint32Array; pagesByHost: Uint32Array } {
  const starts = new Uint32Array(hosts.count + 1);
  const pagesByHost = new Uint32Array(pages);
  for (let page = 0; page < pages; page++) starts[hosts.ofPage[page] + 1]++;
  for (let host = 0; host < hosts.count; host++) starts[host + 1] += starts[host];
  for (let page = 0; page < pages; page++) pagesByHost[starts[hosts.ofPage[page]]++] = page;
  starts.copyWithin(1, 0, hosts.count);
  starts[0] = 0;
  return { starts, pagesByHost };
}

export interface HostDegree {
  readonly host: number;
  readonly name: string;
  /** Links, the host's own among them. */
  readonly links: number;
}

export interface HostGraphFacts {
  readonly hosts: number;
  /** Ordered pairs of different hosts with a link. */
  readonly linkedPairs: number;
  /** linkedPairs over all ordered pairs of different hosts; 0 for a single host. */
  readonly density: number;
  /** All links, and those within a host. */
  readonly links: number;
  readonly linksWithinHosts: number;
  /** Hosts with the most links out and in; ties in ascending host id. */
  readonly topOut: readonly HostDegree[];
  readonly topIn: readonly HostDegree[];
}

/** Figures of a host graph, with the `top` hosts by links. O(hosts log hosts + edges). */
export function hostGraphFacts(hosts: HostGraph, top = 10): HostGraphFacts {
  let links = 0;
  let linksWithinHosts = 0;
  let selfLoops = 0;
  hosts.forEachDirectedEdge((_, { weight }, source, target) => {
    links += weight;
    if (source !== target) return;
    linksWithinHosts += weight;
    selfLoops++;
  });
  const linkedPairs = hosts.size - selfLoops;
  const degrees = (linksOf: (node: string) => number): HostDegree[] =>
    hosts
      .mapNodes((node, { name }) => ({ host: Number(node), name, links: linksOf(node) }))
      .sort((a, b) => b.links - a.links || a.host - b.host)
      .slice(0, top);
  return {
    hosts: hosts.order,
    linkedPairs,
    // Of counts and not of the graph, whose size has the self-loops in it.
    density: directedDensity(hosts.order, linkedPairs),
    links,
    linksWithinHosts,
    topOut: degrees((node) => weightedOutDegree(hosts, node, 'weight')),
    topIn: degrees((node) => weightedInDegree(hosts, node, 'weight')),
  };
}

export interface PartitionModularity {
  /**
   * Directed, weighted modularity of the partition (Leicht and Newman, "Community structure in directed networks", 2008):
   * the share of links that stay on a processor, less what that share would be if links fell at random between the same
   * degrees. Links within a host count as staying. 0 for a graph without links.
   */
  readonly modularity: number;
  /** Links whose two hosts are on different processors. */
  readonly crossingLinks: number;
  /** All links. */
  readonly links: number;
}

/**
 * How well a partition of hosts onto processors follows the links.
 * @param processorOfHost processor of each host id.
 */
export function partitionModularity(hosts: HostGraph, processorOfHost: ArrayLike<number>): PartitionModularity {
  assert(processorOfHost.length === hosts.order, () => `processors of ${processorOfHost.length} hosts, but ${hosts.order} hosts`);
  let links = 0;
  let crossingLinks = 0;
  hosts.forEachDirectedEdge((_, { weight }, source, target) => {
    links += weight;
    if (processorOfHost[Number(source)] !== processorOfHost[Number(target)]) crossingLinks += weight;
  });
  if (links === 0) return { modularity: 0, crossingLinks, links };
  // graphology takes self-loops as Leicht and Newman do: part of A_ii and of both degrees.
  const value = modularity(hosts, {
    getNodeCommunity: (node: string) => processorOfHost[Number(node)],
    getEdgeWeight: 'weight',
  });
  return { modularity: value, crossingLinks, links };
}
