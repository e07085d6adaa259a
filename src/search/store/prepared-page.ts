import type { Anchor } from '../../web/index.ts';
import type { IndexedPage } from '../memory-corpus.ts';
import { documentWords, type DocumentWords } from '../words/index.ts';
import { encodeText, type EncodedText } from './rows.ts';

/** A page as an index takes it, ready to be stored. All of it can be passed between threads. */
export interface PreparedPage {
  /** Canonical. */
  readonly url: string;
  readonly anchors: readonly Anchor[];
  readonly words: DocumentWords;
  readonly text: EncodedText;
}

/**
 * Does what need not be done by the one writer: finds words, and compresses the text.
 *
 * @param stopWords - those of the index. O(length of the text).
 */
export function preparedPage({ url, text }: IndexedPage, stopWords: ReadonlySet<string>): PreparedPage {
  return { url, anchors: text.anchors, words: documentWords(text, stopWords), text: encodeText(text) };
}
