import { runsOf, type LinedText, type UnpackedText } from '../../base/web/index.ts';
import { digestOf } from '../words/index.ts';
import { BatchWords, type BatchPostings } from './batch-words.ts';
import { encodeAnchors, encodeText, sealed, type EncodedText } from './rows.ts';

/** A page whose text is new, or was stored by a crawl. */
export interface ReadPage {
  /** Canonical. */
  readonly url: string;
  readonly text: LinedText | UnpackedText;
}

/** A page as an index takes it, compressed. */
export interface PreparedPage {
  /** Canonical. */
  readonly url: string;
  readonly anchors: Uint8Array;
  /** As of `digestOf`. */
  readonly digest: Uint8Array;
  /** Words per field of `textFields`. */
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
 * Does the work that needs no writer: finds words, encodes their postings, and compresses texts and links, if
 * they are not compressed already.
 *
 * @param stopWords - as in the index. O(length of the texts).
 */
export function preparedPages(
  pages: readonly (ReadPage | undefined)[], stopWords: ReadonlySet<string>,
): PreparedPages {
  const words = new BatchWords(stopWords);
  const prepared = pages.map((page, i) => {
    if (page === undefined) return undefined;
    const { url, text } = page;
    const { language, lines } = text;
    const parts = 'parts' in text
      ? { anchors: sealed(text.parts.anchors), text: encodeText(language, lines, text.parts.text) }
      : { anchors: encodeAnchors(text.anchors), text: encodeText(language, lines) };
    const runs = 'runs' in text ? text.runs : runsOf(lines)!;
    return { url, digest: digestOf(lines), lengths: words.add(i, runs), ...parts };
  });
  return { pages: prepared, postings: words.postings() };
}
