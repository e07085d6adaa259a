import { crc32 } from 'node:zlib';
import {
  anchorLines, anchorsOf, compressed, decompressed, runsOf, type Anchor, type TextRun,
} from '../../base/web/index.ts';

/**
 * Texts of pages and documents, compressed, after the CRC-32 of the compressed bytes. Decoders return undefined for
 * what was not written.
 *
 *     anchors   the `anchorLines`
 *     text      a line for the language, and the `runLines`
 */
const CRC_BYTES = 4;
/** A page's text has at most 2^20 UTF-16 units, and its anchors are no more than it has links. */
const MAX_BYTES = 1 << 28;

/** @param bytes - compressed. */
export function sealed(bytes: Uint8Array): Uint8Array {
  // A copy: threads would pass on the whole memory behind a view.
  const row = new Uint8Array(CRC_BYTES + bytes.length);
  new DataView(row.buffer).setUint32(0, crc32(bytes), true);
  row.set(bytes, CRC_BYTES);
  return row;
}

function unsealed(row: Buffer): string | undefined {
  // A damaged row can have values of any type.
  if (!Buffer.isBuffer(row)) return undefined;
  const bytes = row.subarray(CRC_BYTES);
  return row.length < CRC_BYTES || row.readUInt32LE(0) !== crc32(bytes) ? undefined : decompressed(bytes, MAX_BYTES);
}

export function encodeAnchors(anchors: readonly Anchor[]): Uint8Array {
  return sealed(compressed(anchorLines(anchors)));
}

export function decodeAnchors(row: Buffer): Anchor[] | undefined {
  const lines = unsealed(row);
  return lines === undefined ? undefined : anchorsOf(lines);
}

/** UTF-16 units of a text that can be read without the rest: enough to show what a document is about. */
export const BEGINNING_CHARS = 1 << 16;

/** The text of a document, as stored. */
export interface DocumentText {
  readonly language: string;
  readonly runs: readonly TextRun[];
}

/** The beginning of a text, and the rest of it; null if there is no more. */
export type EncodedText = readonly [beginning: Uint8Array, rest: Uint8Array | null];

/**
 * @param lines - as of `runLines`.
 * @param whole - language and lines compressed, if that is already done.
 */
export function encodeText(language: string, lines: string, whole?: Uint8Array): EncodedText {
  const text = `${language.replaceAll('\n', ' ')}\n${lines}`;
  if (text.length <= BEGINNING_CHARS) return [sealed(whole ?? compressed(text)), null];
  const isWithinCharacter = /[\udc00-\udfff]/.test(text[BEGINNING_CHARS] ?? '');
  const end = isWithinCharacter ? BEGINNING_CHARS - 1 : BEGINNING_CHARS;
  return [sealed(compressed(text.slice(0, end))), sealed(compressed(text.slice(end)))];
}

/** A text from its rows, or its beginning from the first of them. */
export function decodeText(...rows: readonly Buffer[]): DocumentText | undefined {
  const parts = rows.map(unsealed);
  if (parts.includes(undefined)) return undefined;
  const text = parts.join('');
  const end = text.indexOf('\n');
  const lines = text.slice(end + 1);
  const runs = runsOf(lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`);
  return runs && { language: text.slice(0, end), runs };
}
