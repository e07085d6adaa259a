import type { WebGraph } from '../graph/index.ts';
import { pageRank } from '../rank/index.ts';

/** The PageRank that measures, tuning and policy `pagerank` use: damping 0.85, uniform teleport, on the whole stored graph. */
export function trueRanks(graph: WebGraph): Float64Array {
  return pageRank(graph, { damping: 0.85, tolerance: 1e-12 }).ranks;
}
