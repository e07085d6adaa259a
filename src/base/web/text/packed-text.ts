import type { Anchor, LinedText, PageText } from '../page-text.ts';
import { compressed, decompressed } from './compressed.ts';
import type { CollectedText } from './text-collector.ts';
import { anchorLines, anchorsOf, isAnchorLines, runsOf } from './text-lines.ts';

/** UTF-16 units of the URLs of a page's anchors together: a page may repeat a long one as often as it likes. */
const MAX_ANCHOR_URLS_CHARS = 1 << 22;
/** Limit of either decompressed part of packText: all text and URLs in three bytes per unit, and their lines. */
const MAX_PART_BYTES = 1 << 26;
const HEAD_BYTES = 4;

/**
 * The text of a page whose links are resolved.
 * @param urlOf - canonical URL of a link by its index; undefined if it is left out.
 */
export function resolvedText(
  { lines, language, anchors, isCut }: CollectedText, urlOf: (link: number) => string | undefined,
): LinedText {
  const resolved: Anchor[] = [];
  let chars = 0;
  for (const [i, words] of anchors.entries()) {
    const url = urlOf(i);
    if (url === undefined) continue;
    chars += url.length;
    if (chars > MAX_ANCHOR_URLS_CHARS) return { lines, language, anchors: resolved, isCut: true };
    resolved.push({ url, text: words });
  }
  return { lines, language, anchors: resolved, isCut };
}

/** A packed text, taken apart; an index stores the same parts. */
export interface TextParts {
  /** Compressed: a line for the language, and the `runLines`. */
  readonly text: Uint8Array;
  /** Compressed: the `anchorLines`. */
  readonly anchors: Uint8Array;
}

/** A text whose links are left packed, since few readers need them. */
export interface UnpackedText extends Omit<PageText & LinedText, 'anchors'> {
  readonly parts: TextParts;
}

/**
 * The text of a page in few bytes, for storing and for transfer between threads: twice the size of its first part, plus
 * one if it was cut (4 bytes, the lowest first), and both parts.
 *
 * Cost  a third of what parsing the page with its text costs.
 */
export function packText({ lines, language, anchors, isCut }: LinedText): Uint8Array<ArrayBuffer> {
  const [text, links] = [compressed(`${language}\n${lines}`), compressed(anchorLines(anchors))];
  // A copy: a view of a larger buffer would be sent to other threads whole.
  const packed = new Uint8Array(HEAD_BYTES + text.length + links.length);
  new DataView(packed.buffer).setUint32(0, 2 * text.length + (isCut ? 1 : 0), true);
  packed.set(text, HEAD_BYTES);
  packed.set(links, HEAD_BYTES + text.length);
  return packed;
}

/** The text that packText was called with; undefined if these are not bytes that it returned. */
export function unpackText(packed: Uint8Array): PageText | undefined {
  const unpacked = unpackRuns(packed);
  if (unpacked === undefined) return undefined;
  const { runs, language, isCut } = unpacked;
  return { runs, language, anchors: anchorsOf(linesOf(unpacked.parts.anchors)!)!, isCut };
}

/** The same without the anchors, which are checked alone. */
export function unpackRuns(packed: Uint8Array): UnpackedText | undefined {
  if (packed.length < HEAD_BYTES) return undefined;
  const head = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const end = HEAD_BYTES + (head >>> 1);
  if (end > packed.length) return undefined;
  const parts = { text: packed.subarray(HEAD_BYTES, end), anchors: packed.subarray(end) };
  const [text, anchors] = [linesOf(parts.text), linesOf(parts.anchors)];
  if (text === undefined || anchors === undefined || !isAnchorLines(anchors)) return undefined;
  const start = text.indexOf('\n') + 1;
  const lines = text.slice(start);
  const runs = start === 0 ? undefined : runsOf(lines);
  return runs && { language: text.slice(0, start - 1), runs, lines, isCut: head % 2 === 1, parts };
}

function linesOf(part: Uint8Array): string | undefined {
  return decompressed(part, MAX_PART_BYTES);
}
