export { inDegreeRank, type InDegreeRank } from './in-degree.ts';
export { opicRank, type OpicOptions, type OpicRank } from './opic.ts';
export { PageRankThreads, threadedPageRank } from './pagerank/pagerank-threads.ts';
export { pageRank, PageRankSolver, type PageRankOptions, type PageRankSteps } from './pagerank/pagerank.ts';
export type { PageRank, SolveOptions } from './pagerank/solve-options.ts';
export { pageRankResidual } from './pagerank/verify-pagerank.ts';
export {
  partitionedPageRank, type PartitionedPageRank, type PartitionedPageRankOptions,
} from './partitioned-pagerank.ts';
export { checkInDegree } from './verify-in-degree.ts';
export { opicResidual } from './verify-opic.ts';
export { partitionedPageRankDistance } from './verify-partitioned-pagerank.ts';
