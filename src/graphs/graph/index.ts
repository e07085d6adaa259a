export { buildGraph, graphOfRows, type GraphParts } from './builder.ts';
export { checkGraph, graphFault, pagesFault, type GraphFault } from './check.ts';
export { graphChecksum, GraphHash } from './derived/checksum.ts';
export {
  hostGraph, hostGraphFacts, partitionModularity, ProcessorLinks, type HostDegree, type HostGraph,
  type HostGraphFacts, type PartitionModularity,
} from './derived/host-graph.ts';
export { breadthFirstOrder, hostOrder, reordered } from './derived/reorder.ts';
export { idsInWords, pagesById } from './derived/source-ids.ts';
export { subgraph } from './derived/subgraph.ts';
export { transpose, type InArcs } from './derived/transpose.ts';
export { copying, copyingDefaults, type CopyingOptions } from './generator/copying.ts';
export { kronecker, type KroneckerOptions } from './generator/kronecker.ts';
export { hostsFromNames, syntheticHosts } from './hosts.ts';
export { bitsSet, PartRows } from './memory/part-rows.ts';
export { restoredGraph } from './memory/restored.ts';
export { asSharedUint32, grownSharedUint32, sharedFloat64, sharedUint32, sharedUint8 } from './memory/shared-arrays.ts';
export { StringTable } from './memory/string-table.ts';
export { checkIsGraph, computedOnce, prepare, type PreparedGraph } from './prepared-graph.ts';
export { defaultSeeds, type DefaultSeeds } from './seeds.ts';
export { bowTie, bowTieParts, type BowTie, type BowTiePart } from './structure/bow-tie.ts';
export { strongComponents, weakComponents, type Components } from './structure/components.ts';
export {
  distanceOfShare, distancesOf, exactNeighbourhoods, type Distances, type Estimate,
} from './structure/distances.ts';
export {
  doublingRanges, histogramOf, inDegrees, outDegrees, placesOfLargest, type Histogram,
} from './structure/histogram.ts';
export {
  counterDeviation, hyperBall, hyperBallBytes, maxKernelBytes, minRegistersLog2, maxRegistersLog2,
  type HyperBallOptions,
} from './structure/hyperball.ts';
export { plausibility, type Plausibility } from './structure/plausibility.ts';
export { fitPowerLaw, leastTail, powerLawAbove, type PowerLawFit } from './structure/power-law.ts';
export { reach, type Reach } from './structure/reach.ts';
export { drawnPages, neighbourhoodsOf } from './structure/sampled-distances.ts';
export { sumSweep, type Diameter } from './structure/sum-sweep.ts';
export {
  bytesPerArc, isWhole, linksOf, urlOf, type GraphPages, type GraphPart, type GraphRows, type Hosts, type WebGraph,
} from './web-graph.ts';
