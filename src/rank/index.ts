export { pageRank, type PageRank, type PageRankOptions } from './pagerank.ts';
export { pageRankResidual } from './verify-pagerank.ts';
export { opicRank, type OpicOptions, type OpicRank } from './opic.ts';
export { opicDistance, opicResidual } from './verify-opic.ts';
