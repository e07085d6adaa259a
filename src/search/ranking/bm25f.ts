import { textFields } from '../../base/web/index.ts';
import { ANCHOR_FIELD, indexFields, type Corpus, type IndexField } from '../corpus.ts';
import { inverseDocumentFrequency, lookUp, queryWords, scored, type QueryWord } from './query-words.ts';
import type { Explanation, Ranking, ScoredDocuments } from './ranking.ts';

export interface Bm25fOptions {
  /** How soon more occurrences stop adding to the score. */
  readonly k1: number;
  /** Weight of an occurrence in each field. */
  readonly weights: Readonly<Record<IndexField, number>>;
  /** How much the length of each field counts, in [0, 1]. */
  readonly b: Readonly<Record<IndexField, number>>;
  /** PageRank adds weight * p^exponent / (halfway^exponent + p^exponent), where p is 1 on the average. */
  readonly prior: { readonly weight: number; readonly halfway: number; readonly exponent: number };
}

/** The prior follows Craswell et al. (2005) for PageRank. */
export const bm25fDefaults: Bm25fOptions = {
  k1: 1.2,
  weights: { title: 5, h1: 3, h2: 2, h3: 1.5, h4: 1.2, h5: 1.1, other: 1, description: 1.5, anchor: 5 },
  b: { title: 0.4, h1: 0.4, h2: 0.5, h3: 0.5, h4: 0.5, h5: 0.5, other: 0.75, description: 0.4, anchor: 0.4 },
  prior: { weight: 1.8, halfway: 1, exponent: 0.6 },
};

/**
 * BM25F (Zaragoza et al., TREC 2004): occurrences are weighted by field and set against the length of that field before
 * they are summed and saturated, links to the document as one of the fields. PageRank is added as a prior, saturated
 * too (Craswell, Robertson, Zaragoza & Taylor, SIGIR 2005).
 */
export function bm25f(options: Bm25fOptions = bm25fDefaults): Ranking {
  const { k1, prior } = options;
  const weights = indexFields.map((field) => options.weights[field]);
  const b = indexFields.map((field) => options.b[field]);
  const counts = new Float64Array(indexFields.length);

  const idfOf = (corpus: Corpus, { word }: QueryWord): number =>
    inverseDocumentFrequency(corpus.documents, corpus.frequency(word).textOrAnchor);
  const tfOf = (corpus: Corpus, word: QueryWord, document: number): number => {
    counts.fill(0);
    countFields(word, counts);
    let tf = 0;
    for (let field = 0; field < counts.length; field++) {
      if (counts[field] === 0) continue;
      const length = corpus.lengths[field][document] / corpus.meanLengths[field];
      tf += weights[field] * counts[field] / (1 - b[field] + b[field] * length);
    }
    return tf;
  };
  const priorOf = (corpus: Corpus, document: number): number => {
    const rank = corpus.pageranks[document] ** prior.exponent;
    return prior.weight * rank / (prior.halfway ** prior.exponent + rank);
  };

  return {
    name: 'bm25f',
    rank(corpus: Corpus, words: readonly string[]): ScoredDocuments {
      const queried = queryWords(corpus, words);
      const idf = queried.map((word) => word.times * idfOf(corpus, word));
      return scored(queried, (document) => {
        let score = priorOf(corpus, document);
        for (const [i, word] of queried.entries()) {
          const tf = tfOf(corpus, word, document);
          score += idf[i] * tf / (k1 + tf);
        }
        return score;
      });
    },
    explain(corpus: Corpus, words: readonly string[], document: number): Explanation {
      const queried = queryWords(corpus, words);
      lookUp(queried, document);
      const all = queried.map((word) => (
        { word: word.word, idf: word.times * idfOf(corpus, word), tf: tfOf(corpus, word, document) }
      ));
      return {
        score: all.reduce((sum, { idf, tf }) => sum + idf * tf / (k1 + tf), priorOf(corpus, document)),
        formula: `prior + sum over words of idf * tf / (${k1} + tf)`,
        parts: [
          { name: 'prior', value: priorOf(corpus, document) },
          ...all.flatMap(({ word, idf, tf }) => [
            { name: `idf of ${word}`, value: idf }, { name: `tf of ${word}`, value: tf },
          ]),
        ],
      };
    },
  };
}

/** Adds the occurrences of a word in the current document, per field. */
function countFields({ postings, textRow, anchors, anchorRow }: QueryWord, counts: Float64Array): void {
  if (textRow >= 0) {
    for (let at = postings.starts[textRow]; at < postings.starts[textRow + 1]; at++)
      counts[postings.places[at] % textFields.length]++;
  }
  if (anchorRow >= 0) {
    for (let at = anchors.starts[anchorRow]; at < anchors.starts[anchorRow + 1]; at++)
      counts[ANCHOR_FIELD] += anchors.counts[at];
  }
}
