import { graphChecksum, hostGraph, hostGraphFacts, type HostGraph, type WebGraph } from '../graph/index.ts';
import type { DatasetFacts } from '../measure/index.ts';

const hostGraphs = new WeakMap<WebGraph, HostGraph>();

/**
 * The host graph, built once a stored graph: many runs ask for it, and building reads every link. Not to be changed.
 */
export function hostGraphOf(graph: WebGraph): HostGraph {
  let hosts = hostGraphs.get(graph);
  if (hosts === undefined) {
    hosts = hostGraph(graph);
    hostGraphs.set(graph, hosts);
  }
  return hosts;
}

const facts = new WeakMap<WebGraph, DatasetFacts>();

/** What a run record says of its dataset. */
export function datasetFacts(graph: WebGraph): DatasetFacts {
  let known = facts.get(graph);
  if (known === undefined) {
    const { density, linkedPairs, links, linksWithinHosts, topOut, topIn } = hostGraphFacts(hostGraphOf(graph), 5);
    known = {
      name: graph.name,
      pages: graph.pages,
      arcs: graph.arcs,
      hosts: graph.hosts.count,
      hostsAreSynthetic: graph.hosts.synthetic,
      sha256: graphChecksum(graph),
      hostGraph: { density, linkedPairs, links, linksWithinHosts, topOut, topIn },
    };
    facts.set(graph, known);
  }
  return known;
}
