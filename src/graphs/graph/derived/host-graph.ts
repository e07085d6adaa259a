import { assert, grown } from '../../../base/index.ts';
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
  const { count } = graph.hosts;
  const { starts: pageStarts, pagesByHost } = groupByHost(graph);
  const starts = new Uint32Array(count + 1);
  let targets = new Uint32Array(count);
  let weights = new Uint32Array(count);
  const links = { weights: new Uint32Array(count), targets: new Uint32Array(count) };
  for (let host = 0, pairs = 0; host < count; host++) {
    const linked = countLinks(graph, pagesByHost.subarray(pageStarts[host], pageStarts[host + 1]), links);
    targets = grown(targets, pairs + linked);
    weights = grown(weights, pairs + linked);
    for (let i = 0; i < linked; i++) {
      const target = links.targets[i];
      targets[pairs] = target;
      weights[pairs++] = links.weights[target];
      links.weights[target] = 0;
    }
    starts[host + 1] = pairs;
  }
  const pairs = starts[count];
  const pages = Uint32Array.from({ length: count }, (_, host) => pageStarts[host + 1] - pageStarts[host]);
  return { hosts: graph.hosts, starts, targets: targets.slice(0, pairs), weights: weights.slice(0, pairs), pages };
}

/**
 * Adds the links of `pages` to the weights of their target hosts, and lists these by first mention. A function of its
 * own: it is compiled while the first hosts are counted, and a run waits for this graph once.
 * @returns how many hosts are listed.
 */
function countLinks(
  { outOffsets, outTargets, hosts: { ofPage } }: WebGraph, pages: Uint32Array,
  { weights, targets }: { readonly weights: Uint32Array; readonly targets: Uint32Array },
): number {
  let listed = 0;
  for (const page of pages) {
    const end = outOffsets[page + 1];
    for (let i = outOffsets[page]; i < end; i++) {
      const host = ofPage[outTargets[i]];
      if (weights[host]++ === 0) targets[listed++] = host;
    }
  }
  return listed;
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
  const [out, into] = [new Float64Array(count), new Float64Array(count)];
  let [links, linksWithinHosts, selfLoops] = [0, 0, 0];
  for (let host = 0; host < count; host++) {
    for (let i = starts[host]; i < starts[host + 1]; i++) {
      out[host] += weights[i];
      into[targets[i]] += weights[i];
      links += weights[i];
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
    density: count < 2 ? 0 : linkedPairs / (count * (count - 1)),
    links,
    linksWithinHosts,
    topOut: greatest(out),
    topIn: greatest(into),
  };
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
 * How well a partition of hosts onto processors follows the links. O(pairs + processors), by the formula of the
 * interface; every run computes it, and graphology-metrics would want objects.
 * @param processorOfHost processor of each host id.
 */
export function partitionModularity(graph: HostGraph, processorOfHost: ArrayLike<number>): PartitionModularity {
  const { hosts, starts, targets, weights } = graph;
  assert(
    processorOfHost.length === hosts.count,
    () => `processors of ${processorOfHost.length} hosts, but ${hosts.count} hosts`,
  );
  let processors = 0;
  for (let host = 0; host < hosts.count; host++) processors = Math.max(processors, processorOfHost[host] + 1);
  const counted = new ProcessorLinks(processors);
  for (let host = 0; host < hosts.count; host++) {
    const from = processorOfHost[host];
    for (let i = starts[host]; i < starts[host + 1]; i++) counted.add(from, processorOfHost[targets[i]], weights[i]);
  }
  return counted.modularity();
}

/** Links by the processors of their two pages, counted in any order: the modularity of a partition needs no more. */
export class ProcessorLinks {
  readonly #within: Float64Array;
  readonly #out: Float64Array;
  readonly #into: Float64Array;

  constructor(processors: number) {
    this.#within = new Float64Array(processors);
    this.#out = new Float64Array(processors);
    this.#into = new Float64Array(processors);
  }

  add(from: number, to: number, links: number): void {
    this.#out[from] += links;
    this.#into[to] += links;
    if (from === to) this.#within[from] += links;
  }

  modularity(): PartitionModularity {
    const links = this.#out.reduce((sum, count) => sum + count, 0);
    const crossingLinks = links - this.#within.reduce((sum, count) => sum + count, 0);
    let modularity = 0;
    for (let processor = 0; links > 0 && processor < this.#out.length; processor++)
      modularity += this.#within[processor] / links - (this.#into[processor] * this.#out[processor]) / links ** 2;
    return { modularity, crossingLinks, links };
  }
}
