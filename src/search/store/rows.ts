import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Anchor, TextRun } from '../../web/index.ts';
import { runsOf } from '../words/index.ts';

/**
 * Texts of pages and documents, deflated, after the CRC-32 of the deflated bytes. Decoders return undefined for what
 * was not written.
 *
 *     anchors   the URL and the text of each anchor, a line each
 *     text      the language, and a line per run
 */
const CRC_BYTES = 4;
/** A page's text has at most 2^20 UTF-16 units, and its anchors are no more than it has links. */
const MAX_BYTES = 1 << 28;
/** Most of what can be gained, at a third of the time of the default. */
const level = 1;

function packed(text: string): Uint8Array {
  const bytes = deflateRawSync(text, { level });
  // In memory of its own: threads would pass on all that it is a part of.
  const row = Buffer.allocUnsafeSlow(CRC_BYTES + bytes.length);
  row.writeUInt32LE(crc32(bytes), 0);
  row.set(bytes, CRC_BYTES);
  return new Uint8Array(row.buffer);
}

function unpacked(row: Buffer): string | undefined {
  // In a damaged row it can be of any type.
  if (!Buffer.isBuffer(row)) return undefined;
  const bytes = row.subarray(CRC_BYTES);
  if (row.length < CRC_BYTES || row.readUInt32LE(0) !== crc32(bytes)) return undefined;
  return inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }).toString();
}

export function encodeAnchors(anchors: readonly Anchor[]): Uint8Array {
  const lines: string[] = [];
  for (const { url, text } of anchors) lines.push(url, text.replaceAll('\n', ' '));
  return packed(lines.join('\n'));
}

export function decodeAnchors(row: Buffer): Anchor[] | undefined {
  const text = unpacked(row);
  if (text === undefined) return undefined;
  const lines = text === '' ? [] : text.split('\n');
  return Array.from({ length: lines.length / 2 }, (_, i) => ({ url: lines[2 * i], text: lines[2 * i + 1] }));
}

/** UTF-16 units of a text that can be read without the rest: enough to show what a document is about. */
export const BEGINNING_CHARS = 1 << 16;

/** What is stored of a document to be shown. */
export interface DocumentText {
  readonly language: string;
  readonly runs: readonly TextRun[];
}

/** The beginning of a text, and the rest of it; null if there is no more. */
export type EncodedText = readonly [beginning: Uint8Array, rest: Uint8Array | null];

/** @param lines - as of `runLines`. */
export function encodeText(language: string, lines: string): EncodedText {
  const text = `${language.replaceAll('\n', ' ')}\n${lines}`;
  const isWithinCharacter = /[\udc00-\udfff]/.test(text[BEGINNING_CHARS] ?? '');
  const end = isWithinCharacter ? BEGINNING_CHARS - 1 : BEGINNING_CHARS;
  return [packed(text.slice(0, end)), end < text.length ? packed(text.slice(end)) : null];
}

/** A text from its rows, or what the first of them has of it. */
export function decodeText(...rows: readonly Buffer[]): DocumentText | undefined {
  const parts = rows.map(unpacked);
  if (parts.includes(undefined)) return undefined;
  const text = parts.join('');
  const end = text.indexOf('\n');
  const lines = text.slice(end + 1);
  return { language: text.slice(0, end), runs: runsOf(lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`) };
}
