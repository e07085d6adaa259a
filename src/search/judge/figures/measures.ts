import type { JudgedQuery } from '../queries/draw-queries.ts';

/** Places of a result page that are looked at. */
const SEEN = 10;

export const measures = ['reciprocalRank', 'successAt1', 'successAt10', 'ndcgAt10'] as const;
export type Measure = (typeof measures)[number];

export const measureNames: Readonly<Record<Measure, string>> = {
  reciprocalRank: 'MRR@10', successAt1: 'success@1', successAt10: 'success@10', ndcgAt10: 'NDCG@10',
};

/**
 * How well a query was answered, 0 ... 1.
 *
 * reciprocalRank   1 / rank of the first target, 0 beyond 10: its mean is MRR@10.
 * successAt1, 10   whether a target is among the first 1 or 10.
 * ndcgAt10         sum of gain / log2(1 + rank) over the targets among the first 10, relative to the best order of the
 *                  full crawl (Järvelin & Kekäläinen, "Cumulated gain-based evaluation of IR techniques",
 *                  2002).
 * @param ranks of the query's targets; 0 for one that was not found.
 */
export function valueOf(measure: Measure, query: JudgedQuery, ranks: Uint32Array): number {
  if (measure === 'ndcgAt10') return cumulatedGain(query.gains, ranks) / bestGain(query);
  let first = Infinity;
  for (const rank of ranks) if (rank > 0) first = Math.min(first, rank);
  if (measure === 'reciprocalRank') return first <= SEEN ? 1 / first : 0;
  return Number(first <= (measure === 'successAt1' ? 1 : SEEN));
}

function cumulatedGain(gains: readonly number[], ranks: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < ranks.length; i++)
    if (ranks[i] > 0 && ranks[i] <= SEEN) sum += gains[i] / Math.log2(1 + ranks[i]);
  return sum;
}

function bestGain({ gains }: JudgedQuery): number {
  return cumulatedGain([...gains].sort((a, b) => b - a), Uint32Array.from(gains, (_, i) => i + 1));
}
