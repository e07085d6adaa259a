import { ANCHOR_FIELD, type AnchorPostings, type Corpus, type Postings } from '../../index.ts';
import { CorpusView, someAnchors, somePostings } from './corpus-view.ts';

/** The part of an index that a crawl has after some pages. */
export interface Fetched {
  /** 1 for each page that was fetched. */
  readonly pages: Uint8Array;
  /** 1 for each document of which a page was fetched. */
  readonly documents: Uint8Array;
  /** Words of links from fetched pages, per document. */
  readonly anchorLengths: Uint32Array;
  /** PageRank as the crawl knows it; by default, as the full crawl has it. */
  readonly pageranks?: Float64Array | undefined;
}

/**
 * The part of an index that was fetched: its documents, and the links to them from fetched pages. Statistics of words
 * stay those of the full crawl, so two orders differ only in their pages.
 * Cost   a word is looked up in O(its occurrences in the whole).
 */
export class FetchedPart extends CorpusView {
  readonly #fetched: Fetched;

  constructor(whole: Corpus, fetched: Fetched) {
    const lengths = whole.lengths.with(ANCHOR_FIELD, fetched.anchorLengths);
    super(whole, { lengths, ...(fetched.pageranks && { pageranks: fetched.pageranks }) });
    this.#fetched = fetched;
  }

  override postings(word: string): Postings {
    const isFetched = this.#fetched.documents;
    return somePostings(this.whole.postings(word), (document) => isFetched[document] === 1);
  }

  override anchors(word: string): AnchorPostings {
    const { pages, documents } = this.#fetched;
    return someAnchors(this.whole.anchors(word), (document, source, count) =>
      documents[document] === 1 && pages[source] === 1 ? count : 0);
  }
}
