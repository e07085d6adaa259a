import { partitionHosts } from '../../core/engine/index.ts';
import { defaultSeeds, hostGraph, partitionModularity, reach, type PreparedGraph } from '../../graphs/graph/index.ts';
import { largestHost } from '../../core/measure/index.ts';
import type { Experiment } from '../../core/settings/index.ts';

export type PartitionFacts = ReturnType<typeof partitionFactsOf>;

/** The effects of a partition of the hosts: which links cross it, and how it distributes the pages within reach. */
export function partitionFactsOf(prepared: PreparedGraph, experiment: Experiment) {
  const { graph } = prepared;
  const { processors, partition } = experiment;
  const { reachable } = reach(prepared, defaultSeeds(graph).seeds);
  const owners = partitionHosts(prepared, experiment, reachable);
  const pages = new Array<number>(processors).fill(0);
  reachable.forEach((isReachable, page) => (pages[owners[graph.hosts.ofPage[page]]] += isReachable));
  const { host, share, efficiencyBound } = largestHost(reachable, graph.hosts, processors);
  return {
    processors, partition, ...partitionModularity(hostGraph(prepared), owners), reachablePagesPerProcessor: pages,
    largestHost: host === undefined ? '' : graph.hosts.names.at(host), largestHostShare: share, efficiencyBound,
  };
}
