import {
  ANCHOR_FIELD, type AnchorPostings, type Corpus, type Postings, type WordFrequency,
} from '../../index.ts';
import { AnchorBuilder, PostingsBuilder } from './builders.ts';

/** What a crawl has of an index after some pages. */
export interface Fetched {
  /** 1 for each page that was fetched. */
  readonly pages: Uint8Array;
  /** 1 for each document of which a page was fetched. */
  readonly documents: Uint8Array;
  /** Words of links from fetched pages, per document. */
  readonly anchorLengths: Uint32Array;
  /** PageRank as the crawl knows it; that of the full crawl if it is omitted. */
  readonly pageranks?: Float64Array | undefined;
}

/**
 * The part of an index that was fetched: its documents, and the links to them from fetched pages. Statistics of words
 * stay those of the full crawl, so that two orders differ in what they fetched alone.
 * Cost   a word is looked up in O(its occurrences in the whole).
 */
export class FetchedPart implements Corpus {
  readonly documents: number;
  readonly lengths: readonly Uint32Array[];
  readonly meanLengths: Float64Array;
  readonly pageranks: Float64Array;
  readonly #whole: Corpus;
  readonly #fetched: Fetched;

  constructor(whole: Corpus, fetched: Fetched) {
    this.#whole = whole;
    this.#fetched = fetched;
    this.documents = whole.documents;
    this.lengths = whole.lengths.map((lengths, field) => (field === ANCHOR_FIELD ? fetched.anchorLengths : lengths));
    this.meanLengths = whole.meanLengths;
    this.pageranks = fetched.pageranks ?? whole.pageranks;
  }

  postings(word: string): Postings {
    const { documents, starts, places } = this.#whole.postings(word);
    const isFetched = this.#fetched.documents;
    const builder = new PostingsBuilder(documents.length, places.length);
    for (let i = 0; i < documents.length; i++) {
      if (isFetched[documents[i]] === 0) continue;
      for (let at = starts[i]; at < starts[i + 1]; at++) builder.addPlace(places[at]);
      builder.endDocument(documents[i]);
    }
    return builder.postings();
  }

  anchors(word: string): AnchorPostings {
    const { documents, starts, sources, counts } = this.#whole.anchors(word);
    const { pages, documents: isFetched } = this.#fetched;
    const builder = new AnchorBuilder(documents.length, sources.length);
    for (let i = 0; i < documents.length; i++) {
      if (isFetched[documents[i]] === 0) continue;
      for (let at = starts[i]; at < starts[i + 1]; at++)
        if (pages[sources[at]] === 1) builder.addSource(sources[at], counts[at]);
      builder.endDocument(documents[i]);
    }
    return builder.postings();
  }

  frequency(word: string): WordFrequency {
    return this.#whole.frequency(word);
  }
}
