import type { IndexedPage } from '../memory-corpus.ts';
import { documentWords, type DocumentWords } from '../words/index.ts';
import { encodeAnchors, encodeText, type EncodedText } from './rows.ts';

/** A page as an index takes it: compressed, with its words. All of it can be passed between threads. */
export interface PreparedPage {
  /** Canonical. */
  readonly url: string;
  readonly anchors: Uint8Array;
  readonly words: DocumentWords;
  readonly text: EncodedText;
}

/**
 * Does what need not be done by the one writer: finds words, and compresses text and links.
 *
 * @param stopWords - those of the index. O(length of the text).
 */
export function preparedPage({ url, text }: IndexedPage, stopWords: ReadonlySet<string>): PreparedPage {
  return { url, anchors: encodeAnchors(text.anchors), words: documentWords(text, stopWords), text: encodeText(text) };
}
