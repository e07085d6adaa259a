import type { IndexedPage } from '../memory-corpus.ts';
import { digestOf, runLines } from '../words/index.ts';
import { BatchWords, type BatchPostings } from './batch-words.ts';
import { encodeAnchors, encodeText, type EncodedText } from './rows.ts';

/** A page as an index takes it, compressed. */
export interface PreparedPage {
  /** Canonical. */
  readonly url: string;
  readonly anchors: Uint8Array;
  /** As of `digestOf`. */
  readonly digest: Uint8Array;
  /** As of `DocumentWords`. */
  readonly lengths: Uint32Array;
  readonly text: EncodedText;
}

/** Pages with their words. All of it can be passed between threads. */
export interface PreparedPages {
  /** Those that are undefined are left out, with their words. */
  readonly pages: readonly (PreparedPage | undefined)[];
  readonly postings: BatchPostings;
}

/**
 * Does what need not be done by the one writer: finds words, encodes their postings, and compresses texts and links.
 *
 * @param stopWords - those of the index. O(length of the texts).
 */
export function preparedPages(
  pages: readonly (IndexedPage | undefined)[], stopWords: ReadonlySet<string>,
): PreparedPages {
  const words = new BatchWords(stopWords);
  const prepared = pages.map((page, i) => {
    if (page === undefined) return undefined;
    const { url, text: { anchors, language, runs } } = page;
    const lines = runLines(runs);
    return {
      url, anchors: encodeAnchors(anchors), digest: digestOf(lines), lengths: words.add(i, runs),
      text: encodeText(language, lines),
    };
  });
  return { pages: prepared, postings: words.postings() };
}
