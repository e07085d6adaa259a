import { hash } from 'node:crypto';
import { decodeBytes, encodeBytes } from '../../../../core/live/store/rows.ts';
import { infoCodec } from '../protocol/codec.ts';
import type { URLInfo } from '../protocol/messages.ts';

/**
 * The rows of a stored frontier. All numbers of rows are little-endian; a row begins with the CRC-32 of the rest of it.
 * Keys begin with the number of their crawl, big-endian, so that a crawl is one range of each table.
 *
 *     url      1 kind (its position in urlKinds) | 4 queue | 8 date, seconds | 8 created, seconds
 *              | 8 the next hand-out: leases of earlier ones are over
 *              | URLInfo with URL and metadata; nothing of a URL that was deleted
 *     event    1 type (its position in eventTypes) | 4 URLs known before it | 1 whether links are known | 4 per URL
 *     lease    8 untilMs | 8 lengthMs | 4 per URL; its key ends with the number of the hand-out
 *
 * Other rows are JSON. Decoders return undefined if a row is not what was written.
 */

/** `linked`: links lead to it, and nobody has put it; it is ranked and never handed out. */
export const urlKinds = ['linked', 'discovered', 'known', 'deleted'] as const;
export const linked = 0;
export const discovered = 1;
export const known = 2;
export const deleted = 3;

export interface UrlRow {
  readonly kind: number;
  readonly queue: number;
  /** When it may be fetched, seconds; 0: never again. */
  readonly date: number;
  readonly created: number;
  /** The first hand-out whose lease of this URL is newer than the row. */
  readonly nextHandOut: number;
  readonly url: string;
  readonly metadata: URLInfo['metadata'];
}

const URL_HEAD = 29;

export function encodeUrl({ kind, queue, date, created, nextHandOut, url, metadata }: UrlRow): Buffer {
  const info = url === '' ? Buffer.alloc(0) : infoCodec.encode({ url, metadata });
  const row = Buffer.allocUnsafe(URL_HEAD + info.length);
  row.writeUInt8(kind, 0);
  row.writeUInt32LE(queue, 1);
  row.writeDoubleLE(date, 5);
  row.writeDoubleLE(created, 13);
  row.writeDoubleLE(nextHandOut, 21);
  row.set(info, URL_HEAD);
  return encodeBytes(row);
}

/** Without URL and metadata, which take the most time. */
export function decodeUrlHead(bytes: Buffer): Omit<UrlRow, 'url' | 'metadata'> | undefined {
  const row = decodeBytes(bytes);
  return row && headOf(row);
}

export function decodeUrl(bytes: Buffer): UrlRow | undefined {
  const row = decodeBytes(bytes);
  const head = row && headOf(row);
  if (head === undefined) return undefined;
  const { url, metadata } = infoCodec.decode(row!.subarray(URL_HEAD));
  return { ...head, url, metadata };
}

function headOf(row: Buffer): Omit<UrlRow, 'url' | 'metadata'> | undefined {
  if (row.length < URL_HEAD || row[0] >= urlKinds.length) return undefined;
  return {
    kind: row[0], queue: row.readUInt32LE(1), date: row.readDoubleLE(5), created: row.readDoubleLE(13),
    nextHandOut: row.readDoubleLE(21),
  };
}

/** The URLInfo of a row of a URL, encoded, with further fields of it, encoded too. */
export function encodedInfo(bytes: Buffer, further: Uint8Array): Buffer | undefined {
  const row = decodeBytes(bytes);
  return row === undefined || row.length < URL_HEAD ? undefined : Buffer.concat([row.subarray(URL_HEAD), further]);
}

/**
 * What changes the ranking, in its order: `began`, the first hand-out or visit; `visited`, a page was fetched, with its
 * links if they are known; `settled`, a call of GetURLs looked at what had changed; `dropped`, URLs were deleted.
 */
export const eventTypes = ['began', 'visited', 'settled', 'dropped'] as const;
export type EventType = (typeof eventTypes)[number];

export interface Event {
  readonly type: EventType;
  /** URLs known before it. */
  readonly known: number;
  /** Of `visited`, the page and then its links; of `dropped`, all. */
  readonly urls: readonly number[];
  readonly hasLinks: boolean;
}

const EVENT_HEAD = 6;

export function encodeEvent({ type, known: before, urls, hasLinks }: Event): Buffer {
  const row = Buffer.allocUnsafe(EVENT_HEAD + 4 * urls.length);
  row.writeUInt8(eventTypes.indexOf(type), 0);
  row.writeUInt32LE(before, 1);
  row.writeUInt8(hasLinks ? 1 : 0, 5);
  urls.forEach((local, i) => row.writeUInt32LE(local, EVENT_HEAD + 4 * i));
  return encodeBytes(row);
}

export function decodeEvent(bytes: Buffer): Event | undefined {
  const row = decodeBytes(bytes);
  if (row === undefined || row.length < EVENT_HEAD || row.length % 4 !== EVENT_HEAD % 4 || row[0] >= eventTypes.length)
    return undefined;
  const urls = localsOf(row, EVENT_HEAD);
  return { type: eventTypes[row[0]], known: row.readUInt32LE(1), urls, hasLinks: row[5] === 1 };
}

export interface HandOutRow {
  readonly untilMs: number;
  readonly lengthMs: number;
  readonly locals: readonly number[];
}

const HAND_OUT_HEAD = 16;

export function encodeHandOut({ untilMs, lengthMs, locals }: HandOutRow): Buffer {
  const row = Buffer.allocUnsafe(HAND_OUT_HEAD + 4 * locals.length);
  row.writeDoubleLE(untilMs, 0);
  row.writeDoubleLE(lengthMs, 8);
  locals.forEach((local, i) => row.writeUInt32LE(local, HAND_OUT_HEAD + 4 * i));
  return encodeBytes(row);
}

export function decodeHandOut(bytes: Buffer): HandOutRow | undefined {
  const row = decodeBytes(bytes);
  if (row === undefined || row.length < HAND_OUT_HEAD || row.length % 4 !== HAND_OUT_HEAD % 4) return undefined;
  return { untilMs: row.readDoubleLE(0), lengthMs: row.readDoubleLE(8), locals: localsOf(row, HAND_OUT_HEAD) };
}

/** Numbers of URLs, to the end of the row. */
function localsOf(row: Buffer, from: number): number[] {
  return Array.from({ length: (row.length - from) / 4 }, (_, i) => row.readUInt32LE(from + 4 * i));
}

export function encodeJson(value: unknown): Buffer {
  return encodeBytes(Buffer.from(JSON.stringify(value)));
}

export function decodeJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decodeBytes(bytes)?.toString() ?? '') as unknown;
  } catch {
    return undefined;
  }
}

/** Key of row `number` of a crawl. */
export function rowKey(crawl: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(crawl, 0);
  key.writeUInt32BE(number, 4);
  return key;
}

/** Key of a hand-out: doubles above 0, big-endian, are in the order of their bytes. */
export function handOutKey(crawl: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeUInt32BE(crawl, 0);
  key.writeDoubleBE(number, 4);
  return key;
}

/** Key of a URL in a queue of a crawl: hashed, because URLs are longer than lmdb's keys. */
export function urlKey(crawl: number, queue: string, url: string): Buffer {
  const key = Buffer.allocUnsafe(20);
  key.writeUInt32BE(crawl, 0);
  hash('sha256', `${queue.length}:${queue}${url}`, 'buffer').copy(key, 4, 0, 16);
  return key;
}

export function numberRow(number: number): Buffer {
  const row = Buffer.allocUnsafe(4);
  row.writeUInt32LE(number, 0);
  return row;
}
