import { computedOnce, graphChecksum, hostGraph, hostGraphFacts } from '../../../graphs/graph/index.ts';
import type { DatasetFacts } from '../../measure/index.ts';

/** What a run record says about its dataset. Computed once per PreparedGraph. */
export const datasetFacts = computedOnce('dataset facts', (prepared): DatasetFacts => {
  const { graph } = prepared;
  const { density, linkedPairs, links, linksWithinHosts, topOut, topIn } = hostGraphFacts(hostGraph(prepared), 5);
  return {
    name: graph.name,
    pages: graph.pages,
    arcs: graph.arcs,
    hosts: graph.hosts.count,
    hostsAreSynthetic: graph.hosts.synthetic,
    sha256: graphChecksum(prepared),
    hostGraph: { density, linkedPairs, links, linksWithinHosts, topOut, topIn },
  };
});
