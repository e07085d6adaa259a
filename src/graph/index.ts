export { bytesPerArc, type GraphRows, type Hosts, type WebGraph } from './web-graph.ts';
export { StringTable } from './string-table.ts';
export { restoredGraph } from './restored.ts';
export { asSharedUint32, sharedFloat64, sharedUint32, sharedUint8 } from './shared-arrays.ts';
export { buildGraph, graphOfRows, type GraphParts } from './builder.ts';
export { checkGraph, graphFault, type GraphFault } from './check.ts';
export { transpose, type InArcs } from './transpose.ts';
export { hostsFromNames, syntheticHosts } from './hosts.ts';
export { breadthFirstOrder, hostOrder, reordered } from './reorder.ts';
export { subgraph } from './subgraph.ts';
export { reach, type Reach } from './reach.ts';
export { defaultSeeds, type DefaultSeeds } from './seeds.ts';
export {
  hostGraph, hostGraphFacts, hostGraphology, partitionModularity,
  type HostAttributes, type HostDegree, type HostGraph, type HostGraphFacts, type HostLinkAttributes, type PartitionModularity,
} from './host-graph.ts';
export { fromGraphology, toGraphology, type PageAttributes, type PageGraph, type WebGraphAttributes } from './graphology.ts';
