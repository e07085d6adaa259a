import { machine, type BenchCase, type BenchReport } from '../../../src/questions/bench/index.ts';
import { bm25, openIndex, rankings, searchIndex, wordsOf, type IndexReader } from '../../../src/search/index.ts';
import { Judge, type JudgedQuery } from '../../../src/search/judge/index.ts';
import { tantivyRanks } from './peer-bm25.ts';

export interface SearchBenchOptions {
  /** Known-item queries, texts of links, at most. */
  readonly maxQueries: number;
  /** Python with tantivy. */
  readonly python: string;
}

/**
 * What a search takes, snippets included, for known-item queries one after the other; and how well plain BM25 finds
 * the items, beside tantivy's, from the same words of the same documents.
 */
export async function benchSearch(path: string, { maxQueries, python }: SearchBenchOptions): Promise<BenchReport> {
  const index = await openIndex(path);
  try {
    const judge = new Judge(index, { seed: 1, maxQueries });
    const { tune, judge: judging } = judge.drawn.sets.uniform;
    const queries = [...tune, ...judging];
    const cases = [
      ...(['bm25f', 'compass'] as const).flatMap((name) => latencies(index, name, queries)),
      ...beside(index, judge, queries, python),
    ];
    return { machine: machine(), cases };
  } finally {
    index.close();
  }
}

function latencies(index: IndexReader, name: 'bm25f' | 'compass', queries: readonly JudgedQuery[]): BenchCase[] {
  const ms = queries.map(({ words }) => {
    const beganMs = performance.now();
    searchIndex(index, words.join(' '), { ranking: rankings[name], maxHits: 10 });
    return performance.now() - beganMs;
  }).sort((a, b) => a - b);
  return [50, 99].map((percent) => {
    const value = ms[Math.min(ms.length - 1, Math.floor(ms.length * percent / 100))];
    return {
      name: `${name}, ${queries.length} queries: ${percent === 50 ? 'median' : '99th percentile'}`,
      median: value, min: ms[0], max: ms[ms.length - 1], unit: 'ms',
    };
  });
}

function beside(index: IndexReader, judge: Judge, queries: readonly JudgedQuery[], python: string): BenchCase[] {
  const documents = Array.from({ length: index.documents }, (_, document) =>
    index.text(document).runs.map(({ text }) => wordsOf(text).join(' ')).join(' '));
  const peer = tantivyRanks(documents, queries.map(({ words }) => words), { python });
  const ranking = bm25();
  const ours = (['tune', 'judge'] as const).flatMap((half) => [
    ...judge.wholeIndex(ranking, 'uniform', half)['reciprocalRank'],
  ]);
  const row = (name: string, values: readonly number[]): BenchCase => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { name, median: mean, min: Math.min(...values), max: Math.max(...values), unit: 'MRR@10' };
  };
  if (peer === undefined) return [row('plain BM25 (tantivy is not here)', ours)];
  return [row('plain BM25', ours), row(peer.version, queries.map(({ targets }, i) => {
    const at = peer.results[i].indexOf(targets[0]);
    return at < 0 ? 0 : 1 / (at + 1);
  }))];
}
