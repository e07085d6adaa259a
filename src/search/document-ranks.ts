import { buildGraph } from '../graphs/graph/index.ts';
import { pageRank } from '../graphs/rank/index.ts';

/**
 * PageRank of the graph of documents, of which each has the links of all its pages; its mean is 1.
 *
 * @param documents - their number.
 * @param sources - document that each link comes from.
 * @param targets - document that each link leads to.
 */
export function documentRanks(documents: number, sources: Uint32Array, targets: Uint32Array): Float64Array {
  if (documents === 0) return new Float64Array();
  const { ranks } = pageRank(buildGraph({ name: 'documents', pages: documents, sources, targets }));
  return ranks.map((rank) => rank * documents);
}

/** Mean length of each field; 0 without documents. */
export function meansOf(lengths: readonly Uint32Array[]): Float64Array {
  const mean = (ofField: Uint32Array): number =>
    ofField.reduce((sum, length) => sum + length, 0) / (ofField.length || 1);
  return Float64Array.from(lengths, mean);
}
