import { exp, grown, log } from '../../base/index.ts';
import { textFields } from '../../base/web/index.ts';
import type { Corpus } from '../corpus.ts';
import { ascendingScores, weightOf, type RunWeight } from './long-runs.ts';
import { lookUp, queryWords, scored, type QueryWord } from './query-words.ts';
import { MAX_QUERY_WORDS, type Explanation, type Ranking, type ScoredDocuments } from './ranking.ts';

/** Weight of a word in each field in Compass. A description is not part of the text. */
const tagWeights = [0.30, 0.10, 0.08, 0.066, 0.04, 0.033, 0.01, 0];
const DESCRIPTION = textFields.indexOf('description');
const [HIT, PAGERANK, TF] = [0.45, 0.20, 0.35];
/** Runs of this length and more outweigh everything below them: README.md has the proof. */
const LONG = 3;

/** A word of the query that documents can have, and its place in the query. */
interface Step {
  readonly word: number;
  readonly place: number;
}

/**
 * Compass's order, as its report prints it: 0.45 hit weight + 0.20 ln PageRank + 0.35 weighted TF. A run of l words in
 * the query's sequence adds e^(l^l) to the hit weight, which no double can hold from l = 5 on; the order is exact all
 * the same. README.md lists the gaps of the report, and how they are filled here.
 */
export const compass: Ranking = {
  name: 'compass',

  rank(corpus: Corpus, words: readonly string[]): ScoredDocuments {
    const queried = queryWords(corpus, words);
    const weigher = new Weigher(corpus, words, queried);
    const long: { weight: RunWeight; document: number }[] = [];
    const result = scored(queried, (document) => {
      const rest = weigher.weigh(document);
      if (weigher.longest < LONG) return rest;
      long.push({ document, weight: { runs: weigher.runs.slice(0, weigher.longest + 1), rest } });
      return 0;
    });
    const scores = ascendingScores(long.map(({ weight }) => weight));
    let next = 0;
    for (const [i, document] of result.documents.entries())
      if (long[next]?.document === document) result.scores[i] = scores[next++];
    return result;
  },

  explain(corpus: Corpus, words: readonly string[], document: number): Explanation {
    const queried = queryWords(corpus, words);
    const weigher = new Weigher(corpus, words, queried);
    lookUp(queried, document);
    const rest = weigher.weigh(document);
    const runs = weigher.runs.slice(0, weigher.longest + 1);
    const [score, form] = weightOf({ runs, rest });
    return {
      score,
      formula: form(`${HIT} * sum of runs * e^(l^l) + ${PAGERANK} * ln PageRank + ${TF} * weighted TF`),
      parts: [
        ...Array.from(runs, (value, l) => ({ name: `runs of ${l}`, value })).filter(({ value }) => value > 0),
        { name: 'ln PageRank', value: log(corpus.pageranks[document]) },
        { name: 'weighted TF', value: weigher.weightedTf(document) },
      ],
    };
  },
};

/** Weighs one document after the other for one query. */
class Weigher {
  /** `runs[l]`: runs of l words in the document weighed last. */
  readonly runs = new Uint32Array(MAX_QUERY_WORDS + 1);
  /** Length of its longest run; 0 if it has no run. */
  longest = 0;
  readonly #corpus: Corpus;
  readonly #words: readonly QueryWord[];
  readonly #steps: readonly Step[];
  /** Occurrences of all words in a document: position * MAX_QUERY_WORDS + word, ascending. */
  #entries = new Float64Array(64);
  #used = new Uint8Array(64);

  constructor(corpus: Corpus, query: readonly string[], words: readonly QueryWord[]) {
    this.#corpus = corpus;
    this.#words = words;
    const numberOf = new Map(words.map(({ word }, i) => [word, i]));
    // A word that no document has, such as a stop word that was left out, takes its place in the query and matches all.
    this.#steps = query.map((word, place) => ({ word: numberOf.get(word)!, place }))
      .filter(({ word }) => corpus.frequency(words[word].word).text > 0);
  }

  /** Counts the runs of the document; returns its weight without runs of LONG words and more. */
  weigh(document: number): number {
    this.runs.fill(0);
    this.longest = 0;
    this.#countRuns(this.#collect());
    let hit = 0;
    for (let l = 1; l < LONG; l++) hit += this.runs[l] * exp(l ** l);
    return HIT * hit + PAGERANK * log(this.#corpus.pageranks[document]) + TF * this.weightedTf(document);
  }

  /** The weights of all occurrences of the query's words by tag, times the words of the document. */
  weightedTf(document: number): number {
    const counts = new Uint32Array(textFields.length);
    for (const { textRow, postings } of this.#words) {
      if (textRow < 0) continue;
      for (let at = postings.starts[textRow]; at < postings.starts[textRow + 1]; at++)
        counts[postings.places[at] % textFields.length]++;
    }
    let [sum, words] = [0, 0];
    for (let field = 0; field < DESCRIPTION; field++) {
      sum += tagWeights[field] * counts[field];
      words += this.#corpus.lengths[field][document];
    }
    return sum * words;
  }

  #collect(): number {
    let count = 0;
    for (const [word, { textRow, postings }] of this.#words.entries()) {
      if (textRow < 0) continue;
      const end = postings.starts[textRow + 1];
      this.#entries = grown(this.#entries, count + end - postings.starts[textRow]);
      for (let at = postings.starts[textRow]; at < end; at++) {
        const place = postings.places[at];
        if (place % textFields.length === DESCRIPTION) continue;
        this.#entries[count++] = Math.floor(place / textFields.length) * MAX_QUERY_WORDS + word;
      }
    }
    this.#entries.subarray(0, count).sort();
    this.#used = grown(this.#used, count).fill(0, 0, count);
    return count;
  }

  /** From the first word of the query on, each occurrence begins a run that goes as far as it can. */
  #countRuns(count: number): void {
    for (const [step, { word }] of this.#steps.entries()) {
      for (let entry = 0; entry < count; entry++) {
        if (this.#used[entry] === 1 || this.#entries[entry] % MAX_QUERY_WORDS !== word) continue;
        const length = this.#take(step, entry, count);
        this.runs[length]++;
        this.longest = Math.max(this.longest, length);
      }
    }
  }

  /** Uses up the run that begins with an occurrence of a word of the query; returns its length. */
  #take(step: number, entry: number, count: number): number {
    this.#used[entry] = 1;
    const begin = Math.floor(this.#entries[entry] / MAX_QUERY_WORDS) - this.#steps[step].place;
    let [length, at] = [1, entry];
    for (let next = step + 1; next < this.#steps.length; next++) {
      const expected = (begin + this.#steps[next].place) * MAX_QUERY_WORDS + this.#steps[next].word;
      while (at < count && this.#entries[at] < expected) at++;
      if (at === count || this.#entries[at] !== expected || this.#used[at] === 1) break;
      this.#used[at] = 1;
      length++;
    }
    return length;
  }
}
