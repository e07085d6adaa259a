import {
  ANCHOR_FIELD, frequencyOf, type AnchorPostings, type Corpus, type Postings, type WordFrequency,
} from '../../index.ts';
import type { LinkTable } from '../links/link-table.ts';
import { AnchorBuilder } from './builders.ts';

/** What the removed links had of a word: occurrences per document, and page that has the link. */
type RemovedWord = Map<number, Map<number, number>>;

/**
 * An index as if some links had no words: what has to be found from them is not in it, nor in its statistics. The graph
 * of pages, and PageRank with it, stays as it is: only the words are removed.
 *
 * Cost   O(words of the removed links) to make; a word of theirs is looked up in O(its occurrences), once.
 */
export class WithoutLinks implements Corpus {
  readonly documents: number;
  readonly lengths: readonly Uint32Array[];
  readonly meanLengths: Float64Array;
  readonly pageranks: Float64Array;
  readonly #whole: Corpus;
  readonly #removed: ReadonlyMap<string, RemovedWord>;
  readonly #anchors = new Map<string, AnchorPostings>();
  readonly #frequencies = new Map<string, WordFrequency>();

  /** @param removed links of the table. */
  constructor(whole: Corpus, table: LinkTable, removed: Uint32Array) {
    this.#whole = whole;
    this.#removed = removedWords(table, removed);
    this.documents = whole.documents;
    this.pageranks = whole.pageranks;
    const anchorLengths = whole.lengths[ANCHOR_FIELD].slice();
    for (const link of removed) anchorLengths[table.documents[link]] -= table.texts[table.textOf[link]].words.length;
    this.lengths = whole.lengths.map((lengths, field) => (field === ANCHOR_FIELD ? anchorLengths : lengths));
    this.meanLengths = whole.meanLengths.slice();
    this.meanLengths[ANCHOR_FIELD] = meanOf(anchorLengths);
  }

  postings(word: string): Postings {
    return this.#whole.postings(word);
  }

  anchors(word: string): AnchorPostings {
    const removed = this.#removed.get(word);
    if (removed === undefined) return this.#whole.anchors(word);
    let anchors = this.#anchors.get(word);
    if (anchors === undefined) this.#anchors.set(word, anchors = reduced(this.#whole.anchors(word), removed));
    return anchors;
  }

  frequency(word: string): WordFrequency {
    if (!this.#removed.has(word)) return this.#whole.frequency(word);
    let frequency = this.#frequencies.get(word);
    if (frequency === undefined)
      this.#frequencies.set(word, frequency = frequencyOf(this.postings(word), this.anchors(word)));
    return frequency;
  }
}

function removedWords(table: LinkTable, removed: Uint32Array): Map<string, RemovedWord> {
  const words = new Map<string, RemovedWord>();
  for (const link of removed) {
    const [document, source] = [table.documents[link], table.sources[link]];
    for (const word of table.texts[table.textOf[link]].words) {
      let documents = words.get(word);
      if (documents === undefined) words.set(word, documents = new Map<number, Map<number, number>>());
      let sources = documents.get(document);
      if (sources === undefined) documents.set(document, sources = new Map<number, number>());
      sources.set(source, (sources.get(source) ?? 0) + 1);
    }
  }
  return words;
}

function reduced({ documents, starts, sources, counts }: AnchorPostings, removed: RemovedWord): AnchorPostings {
  const builder = new AnchorBuilder(documents.length, sources.length);
  for (let i = 0; i < documents.length; i++) {
    const gone = removed.get(documents[i]);
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      const count = counts[at] - (gone?.get(sources[at]) ?? 0);
      if (count > 0) builder.addSource(sources[at], count);
    }
    builder.endDocument(documents[i]);
  }
  return builder.postings();
}

function meanOf(lengths: Uint32Array): number {
  let sum = 0;
  for (const length of lengths) sum += length;
  return lengths.length === 0 ? 0 : sum / lengths.length;
}
