import type { Corpus } from '../corpus.ts';

/** An order of documents for a query. Implementations are pure: the same corpus and words, the same scores. */
export interface Ranking {
  readonly name: string;
  /**
   * Scores every document that has at least one of the words, in its text or in links to it.
   *
   * @param words as in indexes (folded), in the order of the query, stop words and repeated words included; at most
   * MAX_QUERY_WORDS.
   * Cost   O(occurrences of the words).
   */
  rank(corpus: Corpus, words: readonly string[]): ScoredDocuments;
  /** Why a document has its score: the parts, of which the score is made as `formula` says. */
  explain(corpus: Corpus, words: readonly string[], document: number): Explanation;
}

/** Words of a query. */
export const MAX_QUERY_WORDS = 32;

export interface ScoredDocuments {
  /** Ascending. */
  readonly documents: Uint32Array;
  /** Greater is better; equal scores rank the smaller document first. Comparable within one query only. */
  readonly scores: Float64Array;
  /** How many distinct words of the query each has. */
  readonly matched: Uint8Array;
}

export interface Explanation {
  readonly score: number;
  readonly formula: string;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}
