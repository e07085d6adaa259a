import { textFields } from '../../base/web/index.ts';
import type { Corpus } from '../corpus.ts';
import { inverseDocumentFrequency, lookUp, queryWords, scored, type QueryWord } from './query-words.ts';
import type { Explanation, Ranking, ScoredDocuments } from './ranking.ts';

export interface Bm25Options {
  /** How soon more occurrences stop adding to the score; 1.2 by default. */
  readonly k1?: number | undefined;
  /** How much the length of a document counts, in [0, 1]; 0.75 by default. */
  readonly b?: number | undefined;
}

/**
 * BM25 (Robertson & Zaragoza 2009) over the whole text as one field, in the form of Lucene from version 8: without the
 * factor k1 + 1, which changes no order. Lucene rounds lengths to a byte; this does not. Links to documents count
 * nothing: a document that has the words in these alone scores 0.
 */
export function bm25({ k1 = 1.2, b = 0.75 }: Bm25Options = {}): Ranking {
  const parts = (corpus: Corpus): ((word: QueryWord, document: number) => { idf: number; tf: number }) => {
    const meanLength = lengthOf((field) => corpus.meanLengths[field]);
    return ({ word, postings, textRow }, document) => {
      const idf = inverseDocumentFrequency(corpus.documents, corpus.frequency(word).text);
      if (textRow < 0) return { idf, tf: 0 };
      const length = lengthOf((field) => corpus.lengths[field][document]);
      const count = postings.starts[textRow + 1] - postings.starts[textRow];
      return { idf, tf: count / (1 - b + b * length / meanLength) };
    };
  };
  const weight = (times: number, idf: number, tf: number): number => times * idf * tf / (k1 + tf);
  return {
    name: 'bm25',
    rank(corpus: Corpus, words: readonly string[]): ScoredDocuments {
      const [queried, partsOf] = [queryWords(corpus, words), parts(corpus)];
      return scored(queried, (document) => {
        let score = 0;
        for (const word of queried) {
          if (word.textRow < 0) continue;
          const { idf, tf } = partsOf(word, document);
          score += weight(word.times, idf, tf);
        }
        return score;
      });
    },
    explain(corpus: Corpus, words: readonly string[], document: number): Explanation {
      const [queried, partsOf] = [queryWords(corpus, words), parts(corpus)];
      lookUp(queried, document);
      const all = queried.map((word) => ({ ...word, ...partsOf(word, document) }));
      return {
        score: all.reduce((sum, { times, idf, tf }) => sum + weight(times, idf, tf), 0),
        formula: `sum over words of idf * tf / (${k1} + tf)`,
        parts: all.flatMap(({ word, times, idf, tf }) => [
          { name: `idf of ${word}`, value: times * idf }, { name: `tf of ${word}`, value: tf },
        ]),
      };
    },
  };
}

function lengthOf(ofField: (field: number) => number): number {
  let sum = 0;
  for (let field = 0; field < textFields.length; field++) sum += ofField(field);
  return sum;
}
