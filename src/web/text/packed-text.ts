import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { textFields, type Anchor, type PageText, type TextField, type TextRun } from '../page-text.ts';
import type { CollectedText } from './text-collector.ts';

/** UTF-16 units of the URLs of a page's anchors together: a page may repeat a long one as often as it likes. */
const MAX_ANCHOR_URLS_CHARS = 1 << 22;
/** Of anything that packText makes, unpacked: all text and URLs in three bytes per unit, and their separators. */
const MAX_UNPACKED_BYTES = 1 << 26;
/** Texts up to this size are not compressed: starting zlib takes ten times as long as copying them. */
const MAX_STORED_BYTES = 1024;
const STORED_HEAD_BYTES = 5;

/**
 * The text of a page whose links are resolved.
 * @param urlOf - canonical URL of a link by its index; undefined if it is left out.
 */
export function resolvedText(
  { runs, language, anchors, isCut }: CollectedText, urlOf: (link: number) => string | undefined,
): PageText {
  const resolved: Anchor[] = [];
  let chars = 0;
  for (const [i, words] of anchors.entries()) {
    const url = urlOf(i);
    if (url === undefined) continue;
    chars += url.length;
    if (chars > MAX_ANCHOR_URLS_CHARS) return { runs, language, anchors: resolved, isCut: true };
    resolved.push({ url, text: words });
  }
  return { runs, language, anchors: resolved, isCut };
}

/**
 * The text of a page in few bytes, for storing and for transfer between threads: compressed lines, which are possible
 * because neither texts, in which white space is collapsed, nor URLs contain line feeds and tabs.
 *
 *     language, a tab, and `cut` or nothing
 *     per run: the position of its field in textFields, and the text
 *     an empty line
 *     per anchor: URL, a tab, and the text
 *
 * Cost  a seventh to a third of what parsing the page with its text costs.
 */
export function packText({ runs, language, anchors, isCut }: PageText): Uint8Array<ArrayBuffer> {
  const lines = [
    `${language}\t${isCut ? 'cut' : ''}`,
    ...runs.map(({ field, text }) => `${textFields.indexOf(field)}${text}`),
    '',
    ...anchors.map(({ url, text }) => `${url}\t${text}`),
  ];
  const bytes = Buffer.from(lines.join('\n'));
  // Copied: a view of zlib's larger buffer would be sent to other threads whole.
  return bytes.length <= MAX_STORED_BYTES ? storedBlock(bytes) : new Uint8Array(deflateRawSync(bytes, { level: 1 }));
}

/** A deflated stream of one block that is not compressed (RFC 1951, section 3.2.4). */
function storedBlock(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(STORED_HEAD_BYTES + bytes.length);
  const { length } = bytes;
  block.set([1, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]);
  block.set(bytes, STORED_HEAD_BYTES);
  return block;
}

/** What packText was called with; undefined if these are not bytes that it returned. */
export function unpackText(packed: Uint8Array): PageText | undefined {
  let lines: string[];
  try {
    lines = inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString().split('\n');
  } catch {
    return undefined;
  }
  const end = lines.indexOf('', 1);
  const [language, cut] = lines[0].split('\t');
  if (end < 0 || (cut !== '' && cut !== 'cut')) return undefined;
  const runs: TextRun[] = [];
  for (const line of lines.slice(1, end)) {
    const field = textFields[Number(line[0])] as TextField | undefined;
    if (field === undefined) return undefined;
    runs.push({ field, text: line.slice(1) });
  }
  const anchors: Anchor[] = [];
  for (const line of lines.slice(end + 1)) {
    const tab = line.indexOf('\t');
    if (tab < 0) return undefined;
    anchors.push({ url: line.slice(0, tab), text: line.slice(tab + 1) });
  }
  return { runs, language, anchors, isCut: cut === 'cut' };
}
