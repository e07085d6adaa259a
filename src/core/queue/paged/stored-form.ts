import { crc32 } from 'node:zlib';
import { assert } from '../../../base/index.ts';

/**
 * The file of a paged queue. All numbers little-endian.
 *
 *   0     8  magic: 0x89 "OWQ" CR LF 0x1a LF
 *   8     4  version, 1
 *   12    4  kind: 1 CBT, 2 QuickHeap
 *   16    4  state: 1 in use (or its process ended without closing it), 2 closed
 *   20    4  keys per CBT block, 0 for a QuickHeap
 *   24    8  bytes per page (float64, as the next three)
 *   32    8  pages p
 *   40    8  entries held
 *   48    8  bytes of the tables
 *   56    4  CRC-32 of the tables
 *   60       zero bytes
 *   4092  4  CRC-32 of the 4092 bytes before
 *   4096  p pages
 *   then     tables: each its length in bytes (float64) and its bytes, padded with zero bytes to a multiple of 8
 *
 * The first two tables are the CRC-32 of every page and the pages that are free; the others are the queue's own.
 * The file ends where the tables do.
 */
export const HEADER_BYTES = 4096;
export const MAGIC = Uint8Array.of(0x89, 0x4f, 0x57, 0x51, 0x0d, 0x0a, 0x1a, 0x0a);
export const VERSION = 1;

export const pagedQueueKinds = ['cbt', 'quickheap'] as const;
export type PagedQueueKind = (typeof pagedQueueKinds)[number];

export interface PagedHeader {
  readonly kind: PagedQueueKind;
  readonly closed: boolean;
  readonly block: number;
  readonly pageBytes: number;
  readonly pages: number;
  readonly size: number;
  readonly tableBytes: number;
  readonly tableCrc: number;
}

export type Table = Float64Array | Uint32Array;

export function encodeHeader(header: PagedHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  const { kind, closed, block, pageBytes, pages, size, tableBytes, tableCrc } = header;
  [VERSION, pagedQueueKinds.indexOf(kind) + 1, closed ? 2 : 1, block].forEach((value, i) =>
    view.setUint32(8 + 4 * i, value, true),
  );
  [pageBytes, pages, size, tableBytes].forEach((value, i) => view.setFloat64(24 + 8 * i, value, true));
  view.setUint32(56, tableCrc, true);
  view.setUint32(HEADER_BYTES - 4, crc32(bytes.subarray(0, HEADER_BYTES - 4)), true);
  return bytes;
}

/** The header in `bytes`, HEADER_BYTES of them, or the error in it. */
export function decodeHeader(bytes: Uint8Array): PagedHeader | string {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) return 'is not a stored queue (its first 8 bytes are others)';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version, kind, state, block] = [8, 12, 16, 20].map((at) => view.getUint32(at, true));
  if (view.getUint32(HEADER_BYTES - 4, true) !== crc32(bytes.subarray(0, HEADER_BYTES - 4))) {
    return 'header: its checksum does not match: the file was altered';
  }
  if (version !== VERSION) return `header: has version ${version}; this program reads version ${VERSION}`;
  if (kind < 1 || kind > pagedQueueKinds.length) return `header: has unknown kind ${kind}`;
  if (state !== 1 && state !== 2) return `header: has unknown state ${state}`;
  const [pageBytes, pages, size, tableBytes] = [24, 32, 40, 48].map((at) => view.getFloat64(at, true));
  return {
    kind: pagedQueueKinds[kind - 1], closed: state === 2, block, pageBytes, pages, size, tableBytes,
    tableCrc: view.getUint32(56, true),
  };
}

/** The tables in the form in which they are stored. */
export function encodeTables(tables: readonly Table[]): Uint8Array {
  const padded = (length: number): number => 8 + Math.ceil(length / 8) * 8;
  const bytes = new Uint8Array(tables.reduce((sum, table) => sum + padded(table.byteLength), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const table of tables) {
    view.setFloat64(at, table.byteLength, true);
    bytes.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), at + 8);
    at += padded(table.byteLength);
  }
  return bytes;
}

/** Takes tables one after another out of their bytes, whose checksum has been verified. */
export class TableReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  uint32(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#next().buffer);
  }

  float64(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#next().buffer);
  }

  #next(): Uint8Array<ArrayBuffer> {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    assert(this.#at + 8 <= this.#bytes.length, 'stored queue: a table is missing');
    const length = view.getFloat64(this.#at, true);
    assert(this.#at + 8 + length <= this.#bytes.length, 'stored queue: a table is longer than the file');
    const table = new Uint8Array(length);
    table.set(this.#bytes.subarray(this.#at + 8, this.#at + 8 + length));
    this.#at += 8 + Math.ceil(length / 8) * 8;
    return table;
  }
}
