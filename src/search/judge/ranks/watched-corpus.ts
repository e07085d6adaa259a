import {
  ANCHOR_FIELD, type AnchorPostings, type Corpus, type Postings, type WordFrequency,
} from '../../index.ts';

/** A corpus that remembers whether something was asked of it that depends on which pages were fetched. */
export class WatchedCorpus implements Corpus {
  readonly documents: number;
  readonly meanLengths: Float64Array;
  readonly lengths: readonly Uint32Array[];
  #dependsOnOrder = false;
  readonly #whole: Corpus;
  readonly #hasOwnRanks: boolean;

  /** @param hasOwnRanks whether PageRank is that of the pages fetched. */
  constructor(whole: Corpus, hasOwnRanks: boolean) {
    this.#whole = whole;
    this.#hasOwnRanks = hasOwnRanks;
    this.documents = whole.documents;
    this.meanLengths = whole.meanLengths;
    const lengths = [...whole.lengths];
    Object.defineProperty(lengths, ANCHOR_FIELD, {
      get: () => {
        this.#dependsOnOrder = true;
        return whole.lengths[ANCHOR_FIELD];
      },
    });
    this.lengths = lengths;
  }

  /** Whether the words of links to a document, their number, or a PageRank of its own were asked for. */
  get dependsOnOrder(): boolean {
    return this.#dependsOnOrder;
  }

  get pageranks(): Float64Array {
    this.#dependsOnOrder ||= this.#hasOwnRanks;
    return this.#whole.pageranks;
  }

  postings(word: string): Postings {
    return this.#whole.postings(word);
  }

  anchors(word: string): AnchorPostings {
    const anchors = this.#whole.anchors(word);
    // No part has words of links where the whole has none.
    if (anchors.documents.length > 0) this.#dependsOnOrder = true;
    return anchors;
  }

  frequency(word: string): WordFrequency {
    return this.#whole.frequency(word);
  }
}
