import { copiedText } from '../../base/index.ts';
import type { BatchPostings } from './batch-words.ts';
import { PostingsCode, Reading } from './postings-code.ts';

/** The document and segment of a text. */
export interface TextDocument {
  readonly document: number;
  readonly segment: number;
}

/** A map's entry, its word and its first bytes. */
const NEW_WORD_BYTES = 200;

/** Postings in memory, which are not stored yet. */
export class PendingPostings {
  /** By word and segment. */
  readonly #ofWord = new Map<string, PostingsCode[]>();
  #bytes = 0;

  /** Memory that they take, more or less. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Distinct words. */
  get words(): number {
    return this.#ofWord.size;
  }

  /**
   * Adds the texts of a batch that are new documents.
   *
   * @param documents - of each text of the batch, ascending; undefined for those that are left out.
   */
  add(batch: BatchPostings, documents: readonly (TextDocument | undefined)[]): void {
    const words = batch.ends.length === 0 ? [] : batch.words.split('\n');
    const [first] = documents;
    const isWhole = documents.every((to, i) =>
      to !== undefined && to.segment === first!.segment && to.document === first!.document + i);
    if (isWhole && first !== undefined) this.#addAll(words, batch, first);
    else this.#addSome(words, batch, documents);
  }

  /** Adds all texts: they are documents in a row, in the same segment. */
  #addAll(
    words: readonly string[], { ends, texts, places, lasts, code }: BatchPostings, { document, segment }: TextDocument,
  ): void {
    const reading = new Reading(code, 0);
    for (const [i, word] of words.entries()) {
      if (texts[i] === 0) continue;
      this.#bytes += 2 * (ends[i] - reading.at);
      const to = this.#postingsOf(word)[segment] ??= this.#newPostings();
      to.addAll(texts[i], places[i], document + lasts[i], reading, ends[i], document);
    }
  }

  #addSome(
    words: readonly string[], { ends, code }: BatchPostings, documents: readonly (TextDocument | undefined)[],
  ): void {
    const reading = new Reading(code, 0);
    for (const [i, word] of words.entries()) {
      let ofWord: PostingsCode[] | undefined;
      for (let text = 0; reading.at < ends[i];) {
        text += reading.number();
        const start = reading.at;
        const places = reading.number();
        reading.skip(places);
        const to = documents[text];
        if (to === undefined) continue;
        ofWord ??= this.#postingsOf(word);
        this.#bytes += 2 * (reading.at - start);
        (ofWord[to.segment] ??= this.#newPostings()).add(to.document, places, code, start, reading.at);
      }
    }
  }

  /** Removes the postings of a word. @returns them by segment. */
  taken(word: string): readonly PostingsCode[] {
    const ofWord = this.#ofWord.get(word) ?? [];
    this.#ofWord.delete(word);
    return ofWord;
  }

  /** The postings of all words by segment, in the order in which tables are written from one end to the other. */
  *inOrder(): Generator<readonly [word: string, ofSegments: readonly PostingsCode[]]> {
    for (const word of [...this.#ofWord.keys()].sort()) yield [word, this.#ofWord.get(word)!];
  }

  #postingsOf(word: string): PostingsCode[] {
    let ofWord = this.#ofWord.get(word);
    if (ofWord === undefined) this.#ofWord.set(copiedText(word), ofWord = []);
    return ofWord;
  }

  #newPostings(): PostingsCode {
    this.#bytes += NEW_WORD_BYTES;
    return new PostingsCode();
  }
}
