export { fittingRegistersLog2 } from './distances.ts';
export { factsOf, type Distribution, type Facts, type FactsStep, type LeftOut } from './graph-facts.ts';
export type { Centrality, Communities, Community } from './host-structure.ts';
export { partitionFactsOf, type PartitionFacts } from './partition-facts.ts';
