import { assert, log } from '../../base/index.ts';
import type { AnchorPostings, Corpus, Postings } from '../corpus.ts';
import { MAX_QUERY_WORDS, type ScoredDocuments } from './ranking.ts';

/** A distinct word of a query, and where it is in the corpus. */
export interface QueryWord {
  readonly word: string;
  /** How often the query has it. */
  readonly times: number;
  readonly postings: Postings;
  readonly anchors: AnchorPostings;
  /** The place of the current document in `postings.documents`, or -1. */
  textRow: number;
  /** The place of the current document in `anchors.documents`, or -1. */
  anchorRow: number;
}

/** The distinct words of a query in order of first mention. */
export function queryWords(corpus: Corpus, words: readonly string[]): QueryWord[] {
  assert(words.length <= MAX_QUERY_WORDS, () => `${words.length} words of a query`);
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].map(([word, count]) => ({
    word, times: count, postings: corpus.postings(word), anchors: corpus.anchors(word), textRow: -1, anchorRow: -1,
  }));
}

/**
 * Scores all documents that have one of the words, one after the other.
 *
 * @param score - is called with the rows of the words set for the document.
 * Cost   O(documents with a word, times words), besides the scores.
 */
export function scored(words: readonly QueryWord[], score: (document: number) => number): ScoredDocuments {
  const lists = words.flatMap(({ postings, anchors }) => [postings.documents, anchors.documents]);
  const documents = union(lists);
  const scores = new Float64Array(documents.length);
  const matched = new Uint8Array(documents.length);
  const next = new Uint32Array(lists.length);
  const rowIn = (list: number, document: number): number => lists[list][next[list]] === document ? next[list]++ : -1;
  for (const [i, document] of documents.entries()) {
    for (const [w, word] of words.entries()) {
      word.textRow = rowIn(2 * w, document);
      word.anchorRow = rowIn(2 * w + 1, document);
      if (word.textRow >= 0 || word.anchorRow >= 0) matched[i]++;
    }
    scores[i] = score(document);
  }
  return { documents, scores, matched };
}

/** Sets the rows of the words for one document. */
export function lookUp(words: readonly QueryWord[], document: number): void {
  for (const word of words) {
    word.textRow = rowOf(word.postings.documents, document);
    word.anchorRow = rowOf(word.anchors.documents, document);
  }
}

/** The place of a document in an ascending list; -1 if it is not there. O(log n). */
export function rowOf(documents: Uint32Array, document: number): number {
  let [low, high] = [0, documents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle] < document) low = middle + 1;
    else high = middle;
  }
  return documents[low] === document ? low : -1;
}

/** The union of ascending lists, ascending. O(n log lists). */
function union(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 0) return new Uint32Array();
  if (lists.length === 1) return lists[0];
  const half = lists.length >>> 1;
  const [a, b] = [union(lists.slice(0, half)), union(lists.slice(half))];
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const merged = new Uint32Array(a.length + b.length);
  let [i, j, count] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const least = Math.min(a[i], b[j]);
    if (a[i] === least) i++;
    if (b[j] === least) j++;
    merged[count++] = least;
  }
  const rest = i < a.length ? a.subarray(i) : b.subarray(j);
  merged.set(rest, count);
  return merged.subarray(0, count + rest.length);
}

/**
 * Inverse document frequency as in Lucene: ln(1 + (N - n + 0.5) / (n + 0.5)), which is above 0 for every word.
 *
 * @param documents - N, of the whole index.
 * @param frequency - n, the documents with the word.
 */
export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}
