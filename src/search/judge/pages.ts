import type { Corpus } from '../index.ts';

/** What is judged: an index of the full crawl, and what known items are drawn from. */
export interface JudgedPages {
  readonly corpus: Corpus;
  /** Canonical URL of each page. */
  readonly urls: readonly string[];
  /** The document of each page. */
  readonly documentOf: Uint32Array;
  /** Title of each document; '' where it has none. */
  readonly titles: readonly string[];
  /** Links between pages of the index, repeated ones and those without words included; the same at each call. */
  links(): Iterable<IndexedLink>;
  /** The words of a text, folded as in the index, stop words and repeated words included. */
  words(text: string): readonly string[];
  isStopWord(word: string): boolean;
}

export interface IndexedLink {
  /** The page that has the link. */
  readonly page: number;
  /** The document that it leads to. */
  readonly document: number;
  readonly text: string;
}

/** Stands in an order of pages for one that the index does not have. */
export const NOT_INDEXED = 0xffffffff;
