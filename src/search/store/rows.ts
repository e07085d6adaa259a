import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Anchor, PageText, TextRun } from '../../web/index.ts';
import { runLines, runsOf } from '../words/index.ts';

/**
 * Texts of pages and documents, deflated, after the CRC-32 of the deflated bytes. Decoders return undefined for what
 * was not written.
 *
 *     anchors   JSON: the URL and text of each anchor, one after the other
 *     text      the language, and a line per run
 */
const CRC_BYTES = 4;
/** A page's text has at most 2^20 UTF-16 units, and its anchors are no more than it has links. */
const MAX_BYTES = 1 << 28;
/** Most of what can be gained, at a third of the time of the default. */
const level = 1;

function packed(text: string): Buffer {
  const bytes = deflateRawSync(text, { level });
  const row = Buffer.allocUnsafe(CRC_BYTES + bytes.length);
  row.writeUInt32LE(crc32(bytes), 0);
  row.set(bytes, CRC_BYTES);
  return row;
}

function unpacked(row: Buffer): string | undefined {
  // In a damaged row it can be of any type.
  if (!Buffer.isBuffer(row)) return undefined;
  const bytes = row.subarray(CRC_BYTES);
  if (row.length < CRC_BYTES || row.readUInt32LE(0) !== crc32(bytes)) return undefined;
  return inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }).toString();
}

export function encodeAnchors(anchors: readonly Anchor[]): Buffer {
  return packed(JSON.stringify(anchors.flatMap(({ url, text }) => [url, text])));
}

export function decodeAnchors(row: Buffer): Anchor[] | undefined {
  const text = unpacked(row);
  if (text === undefined) return undefined;
  const parts = JSON.parse(text) as string[];
  return Array.from({ length: parts.length / 2 }, (_, i) => ({ url: parts[2 * i], text: parts[2 * i + 1] }));
}

/** What is stored of a document to be shown. */
export interface DocumentText {
  readonly language: string;
  readonly runs: readonly TextRun[];
}

export function encodeText({ language, runs }: Pick<PageText, 'language' | 'runs'>): Buffer {
  return packed(`${language.replaceAll('\n', ' ')}\n${runLines(runs)}`);
}

export function decodeText(row: Buffer): DocumentText | undefined {
  const text = unpacked(row);
  if (text === undefined) return undefined;
  const end = text.indexOf('\n');
  return { language: text.slice(0, end), runs: runsOf(text.slice(end + 1)) };
}
