export { pageRank, type PageRank, type PageRankOptions } from './pagerank.ts';
