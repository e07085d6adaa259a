import { DirectedGraph } from 'graphology';
import { directedDensity, modularity } from 'graphology-metrics/graph/index.js';
import { assert, grown } from '../../base/index.ts';
import { computedOnce, type PreparedGraph } from '../prepared-graph.ts';
import type { Hosts, WebGraph } from '../web-graph.ts';

/**
 * The graph of hosts in compressed sparse rows: host h links to targets[starts[h] ... starts[h+1]), and weights count
 * the links from pages of the one to pages of the other. Links within a host form a self-loop, so the weights sum to
 * the links of the graph.
 */
export interface HostGraph {
  readonly hosts: Hosts;
  /** hosts.count + 1 offsets into targets and weights. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Uint32Array;
  /** Pages of each host. */
  readonly pages: Uint32Array;
}

/**
 * Links between hosts, computed once per PreparedGraph.
 * Cost   O(n + m) time; 8 bytes per pair of linked hosts and 16 per host; during construction up to twice that and 4
 *        bytes per page.
 * Order  of a host's targets: by first mention, so that equal graphs give equal host graphs.
 */
export const hostGraph = computedOnce('host graph', hostGraphOf);

function hostGraphOf({ graph }: PreparedGraph): HostGraph {
  const { outOffsets, outTargets, hosts } = graph;
  const { ofPage, count } = hosts;
  const { starts: pageStarts, pagesByHost } = groupByHost(graph);
  const starts = new Uint32Array(count + 1);
  let targets = new Uint32Array(count);
  let weights = new Uint32Array(count);
  let pairs = 0;
  /** 1 + the last pair with each host as its target; pairs up to `start` are of earlier hosts. */
  const lastPair = new Uint32Array(count);
  for (let host = 0; host < count; host++) {
    const start = pairs;
    for (let k = pageStarts[host]; k < pageStarts[host + 1]; k++) {
      const page = pagesByHost[k];
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const other = ofPage[outTargets[i]];
        if (lastPair[other] <= start) {
          targets = grown(targets, pairs + 1);
          weights = grown(weights, pairs + 1);
          targets[pairs] = other;
          lastPair[other] = ++pairs;
        }
        weights[lastPair[other] - 1]++;
      }
    }
    starts[host + 1] = pairs;
  }
  const pages = Uint32Array.from({ length: count }, (_, host) => pageStarts[host + 1] - pageStarts[host]);
  return { hosts, starts, targets: targets.slice(0, pairs), weights: weights.slice(0, pairs), pages };
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

export interface HostDegree {
  readonly host: number;
  readonly name: string;
  /** Links, including those within the host. */
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

/** Figures of a host graph, with the `top` hosts by links. O(hosts log hosts + pairs). */
export function hostGraphFacts(graph: HostGraph, top = 10): HostGraphFacts {
  const { hosts, starts, targets, weights } = graph;
  const { count } = hosts;
  const { out, into, links } = degrees(graph);
  let linksWithinHosts = 0;
  let selfLoops = 0;
  for (let host = 0; host < count; host++) {
    for (let i = starts[host]; i < starts[host + 1]; i++) {
      if (targets[i] !== host) continue;
      linksWithinHosts += weights[i];
      selfLoops++;
    }
  }
  const linkedPairs = targets.length - selfLoops;
  const greatest = (linksOf: Float64Array): HostDegree[] =>
    [...linksOf.keys()]
      .sort((a, b) => linksOf[b] - linksOf[a] || a - b)
      .slice(0, top)
      .map((host) => ({ host, name: hosts.names.at(host), links: linksOf[host] }));
  return {
    hosts: count,
    linkedPairs,
    density: count < 2 ? 0 : directedDensity(count, linkedPairs),
    links,
    linksWithinHosts,
    topOut: greatest(out),
    topIn: greatest(into),
  };
}

/** Links out of and into each host, both including those within it, and all links. */
function degrees({ hosts, starts, targets, weights }: HostGraph): {
  out: Float64Array;
  into: Float64Array;
  links: number;
} {
  const out = new Float64Array(hosts.count);
  const into = new Float64Array(hosts.count);
  let links = 0;
  for (let host = 0; host < hosts.count; host++) {
    for (let i = starts[host]; i < starts[host + 1]; i++) {
      out[host] += weights[i];
      into[targets[i]] += weights[i];
      links += weights[i];
    }
  }
  return { out, into, links };
}

export interface PartitionModularity {
  /**
   * Directed, weighted modularity of the partition (Leicht and Newman, "Community structure in directed networks",
   * 2008): the share of links that stay on a processor, less the expected share if links were placed at random with the
   * same degrees. Links within a host count as staying. 0 for a graph without links.
   */
  readonly modularity: number;
  /** Links whose two hosts are on different processors. */
  readonly crossingLinks: number;
  /** All links. */
  readonly links: number;
}

/**
 * How well a partition of hosts onto processors follows the links. O(pairs).
 *
 * A partition's modularity is that of the graph in which each part is one node, its inner links a self-loop: so
 * graphology-metrics receives a graph of the processors, which are few, not of the hosts, which may be millions.
 * @param processorOfHost processor of each host id.
 */
export function partitionModularity(graph: HostGraph, processorOfHost: ArrayLike<number>): PartitionModularity {
  const { hosts, starts, targets, weights } = graph;
  assert(
    processorOfHost.length === hosts.count,
    () => `processors of ${processorOfHost.length} hosts, but ${hosts.count} hosts`,
  );
  const between = new LinksBetween();
  let crossingLinks = 0;
  let links = 0;
  for (let host = 0; host < hosts.count; host++) {
    const from = processorOfHost[host];
    for (let i = starts[host]; i < starts[host + 1]; i++) {
      const to = processorOfHost[targets[i]];
      between.add(from, to, weights[i]);
      links += weights[i];
      if (from !== to) crossingLinks += weights[i];
    }
  }
  if (links === 0) return { modularity: 0, crossingLinks, links };
  return {
    modularity: modularity(between.graph(), { getNodeCommunity: 'processor', getEdgeWeight: 'links' }), crossingLinks,
    links,
  };
}

/** Links from processor to processor, counted. */
class LinksBetween {
  readonly #links = new Map<number, Map<number, number>>();

  add(from: number, to: number, links: number): void {
    let row = this.#links.get(from);
    if (!row) this.#links.set(from, (row = new Map<number, number>()));
    row.set(to, (row.get(to) ?? 0) + links);
  }

  graph(): DirectedGraph {
    const result = new DirectedGraph();
    const node = (processor: number): void => void result.mergeNode(processor, { processor });
    for (const [from, row] of this.#links) {
      node(from);
      for (const [to, links] of row) {
        node(to);
        result.addDirectedEdge(from, to, { links });
      }
    }
    return result;
  }
}
