import { remembering } from '../../../base/index.ts';
import { ANCHOR_FIELD, frequencyOf, type AnchorPostings, type Corpus, type WordFrequency } from '../../index.ts';
import { meanOf } from '../figures/bootstrap.ts';
import type { LinkTable } from '../links/link-table.ts';
import { CorpusView, someAnchors } from './corpus-view.ts';

/** Occurrences of a word in the removed links: by document, and by the page that has the link. */
type RemovedWord = Map<number, Map<number, number>>;

/**
 * An index as if some links had no words, in its statistics too. The graph of pages and PageRank stay as they are: only
 * the words are removed.
 *
 * Cost   O(words of the removed links) to make; such a word is looked up in O(its occurrences), once.
 */
export class WithoutLinks extends CorpusView {
  readonly #removed: ReadonlyMap<string, RemovedWord>;
  readonly #anchors: (word: string) => AnchorPostings;
  readonly #frequency: (word: string) => WordFrequency;

  /** @param removed links of the table. */
  constructor(whole: Corpus, table: LinkTable, removed: Uint32Array) {
    const anchorLengths = whole.lengths[ANCHOR_FIELD].slice();
    for (const link of removed) anchorLengths[table.documents[link]] -= table.texts[table.textOf[link]].words.length;
    super(whole, {
      lengths: whole.lengths.with(ANCHOR_FIELD, anchorLengths),
      meanLengths: whole.meanLengths.with(ANCHOR_FIELD, meanOf(anchorLengths)),
    });
    const words = this.#removed = removedWords(table, removed);
    this.#anchors = remembering(Infinity, (word) => someAnchors(whole.anchors(word), (document, source, count) =>
      count - (words.get(word)?.get(document)?.get(source) ?? 0)));
    this.#frequency = remembering(Infinity, (word) => frequencyOf(this.postings(word), this.anchors(word)));
  }

  override anchors(word: string): AnchorPostings {
    return this.#removed.has(word) ? this.#anchors(word) : this.whole.anchors(word);
  }

  override frequency(word: string): WordFrequency {
    return this.#removed.has(word) ? this.#frequency(word) : this.whole.frequency(word);
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
