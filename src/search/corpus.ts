import { textFields, type PageText } from '../base/web/index.ts';

/** The fields of a document in which a word can stand; the position in this list is stored. */
export const indexFields = [...textFields, 'anchor'] as const;
export type IndexField = (typeof indexFields)[number];
/** Words of links to a document, which are not in its text. */
export const ANCHOR_FIELD = indexFields.indexOf('anchor');

/**
 * The part of an index that rankings see. Documents are 0, 1, 2, ... An index on disk, a corpus in memory and views of
 * them (`judge/views/`) implement it. Statistics describe the whole index, in views too.
 */
export interface Corpus {
  /** Documents of the whole index. */
  readonly documents: number;
  /** Words per document: `lengths[field][document]`, fields in the order of `indexFields`. */
  readonly lengths: readonly Uint32Array[];
  /** Mean of `lengths[field]` over all documents. */
  readonly meanLengths: Float64Array;
  /** PageRank per document, scaled so that its mean is 1 (Compass starts at 1.0); above 0. */
  readonly pageranks: Float64Array;
  /** Number of documents of the whole index that have the word in their text, and in their text or in links to them. */
  frequency(word: string): WordFrequency;
  /** Occurrences of a word in the text of documents. Cost   O(its occurrences), or less from a cache. */
  postings(word: string): Postings;
  /** Occurrences of a word in links to documents. Cost   as postings. */
  anchors(word: string): AnchorPostings;
}

/** An index: besides words, its pages and their links. Pages are 0, 1, 2, ... in the order in which they were added. */
export interface SearchIndex extends Corpus {
  readonly pages: number;
  /** The document of each page. */
  readonly documentOfPage: Uint32Array;
  /** The first page of each document. */
  readonly firstPage: Uint32Array;
  url(page: number): string;
  /** The page with a canonical URL; undefined if it is not in the index. */
  page(url: string): number | undefined;
  /** '' if the document has none. */
  title(document: number): string;
  /** Links of a page to other documents of the index, in the order of the page, repeated ones included. */
  links(page: number): readonly IndexedLink[];
}

/** A page to be indexed. */
export interface IndexedPage {
  /** Canonical. */
  readonly url: string;
  readonly text: PageText;
}

export interface IndexedLink {
  readonly document: number;
  /** As on the page, at most MAX_ANCHOR_CHARS. */
  readonly text: string;
}

export interface WordFrequency {
  /** Documents with the word in their text. */
  readonly text: number;
  /** Documents with the word in their text or in links to them. */
  readonly textOrAnchor: number;
}

/** Documents with a word, ascending, and where it stands in them. */
export interface Postings {
  readonly documents: Uint32Array;
  /** The occurrences in `documents[i]` are `places` from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  /** Position * 8 + field, ascending within a document. */
  readonly places: Uint32Array;
}

/** Documents that links with a word lead to, ascending, and the pages of these links. */
export interface AnchorPostings {
  readonly documents: Uint32Array;
  /** The links to `documents[i]` are `sources` and `counts` from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  /** The page (not document) whose links have the word, ascending within a document; each once. */
  readonly sources: Uint32Array;
  /** How often its links to the document have the word. */
  readonly counts: Uint32Array;
}

/** The frequency of a word with these postings. O(documents of both): the two ascend. */
export function frequencyOf({ documents: text }: Postings, { documents: anchors }: AnchorPostings): WordFrequency {
  let inBoth = 0;
  for (let i = 0, j = 0; i < text.length && j < anchors.length;) {
    const difference = text[i] - anchors[j];
    if (difference === 0) inBoth++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return { text: text.length, textOrAnchor: text.length + anchors.length - inBoth };
}
