import { createHash } from 'node:crypto';
import { decodeBytes, encodeBytes } from '../../../live/store/rows.ts';
import { URLInfo } from '../generated/urlfrontier.ts';

/**
 * The rows of a stored frontier. All numbers of rows are little-endian; a row begins with the CRC-32 of the rest of it.
 * Keys begin with the number of their crawl, big-endian, so that a crawl is one range of each table.
 *
 *     url      1 kind (its position in urlKinds) | 4 queue | 8 date, seconds | 8 created, seconds
 *              | URLInfo with URL and metadata; nothing of a URL that only links or that was deleted
 *     event    1 type (its position in eventTypes) | 4 URLs known before it | 1 whether links are known | 4 per URL
 *     lease    8 untilMs | 8 lengthMs
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
  readonly url: string;
  readonly metadata: URLInfo['metadata'];
}

const URL_HEAD = 21;

export function encodeUrl({ kind, queue, date, created, url, metadata }: UrlRow): Buffer {
  const info = url === '' ? Buffer.alloc(0) : URLInfo.encode({ url, metadata, key: '', crawlID: '' }).finish();
  const row = Buffer.allocUnsafe(URL_HEAD + info.length);
  row.writeUInt8(kind, 0);
  row.writeUInt32LE(queue, 1);
  row.writeDoubleLE(date, 5);
  row.writeDoubleLE(created, 13);
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
  const { url, metadata } = URLInfo.decode(row!.subarray(URL_HEAD));
  return { ...head, url, metadata };
}

function headOf(row: Buffer): Omit<UrlRow, 'url' | 'metadata'> | undefined {
  if (row.length < URL_HEAD || row[0] >= urlKinds.length) return undefined;
  return {
    kind: row[0], queue: row.readUInt32LE(1), date: row.readDoubleLE(5), created: row.readDoubleLE(13),
  };
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
  const urls = Array.from({ length: (row.length - EVENT_HEAD) / 4 }, (_, i) => row.readUInt32LE(EVENT_HEAD + 4 * i));
  return { type: eventTypes[row[0]], known: row.readUInt32LE(1), urls, hasLinks: row[5] === 1 };
}

export interface Lease {
  readonly untilMs: number;
  readonly lengthMs: number;
}

export function encodeLease({ untilMs, lengthMs }: Lease): Buffer {
  const row = Buffer.allocUnsafe(16);
  row.writeDoubleLE(untilMs, 0);
  row.writeDoubleLE(lengthMs, 8);
  return encodeBytes(row);
}

export function decodeLease(bytes: Buffer): Lease | undefined {
  const row = decodeBytes(bytes);
  return row?.length === 16 ? { untilMs: row.readDoubleLE(0), lengthMs: row.readDoubleLE(8) } : undefined;
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

/** Key of a URL in a queue of a crawl: hashed, because URLs are longer than lmdb's keys. */
export function urlKey(crawl: number, queue: string, url: string): Buffer {
  const key = Buffer.allocUnsafe(20);
  key.writeUInt32BE(crawl, 0);
  createHash('sha256').update(`${queue.length}:${queue}${url}`).digest().copy(key, 4, 0, 16);
  return key;
}

export function numberRow(number: number): Buffer {
  const row = Buffer.allocUnsafe(4);
  row.writeUInt32LE(number, 0);
  return row;
}
