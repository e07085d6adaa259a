import type { FileHandle } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ColumnMetaData, CompressionCodec, PageHeader, SchemaElement } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetHeader } from 'hyparquet/src/column.js';
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from 'hyparquet/src/delta.js';
import { byteStreamSplit, readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { Fail } from '../text-lines.ts';
import { PAGE_LIMIT_BYTES, runsAreSound, zstdIsSound } from './parquet-guard.ts';

/** A page header has some dozen bytes, or some hundred with statistics of long texts. */
const LONGEST_HEADER_BYTES = 1 << 16;

/** The values of one column: page ids, numbers with a point, or texts. */
export type Values = Uint32Array | Float64Array | string[];

interface Chunk {
  readonly meta: ColumnMetaData;
  readonly element: SchemaElement;
  readonly rows: number;
}

/**
 * Reads one column of one row group, page by page. Each page is checked before it is decoded (parquet-guard.ts).
 * Returns  as many values as the chunk has rows.
 * Cost     O(values + bytes); memory: the values, and one page.
 */
export async function readChunk(
  file: FileHandle, fileBytes: number, { meta, element, rows }: Chunk, fail: Fail,
): Promise<Values> {
  const dictionaryAt = Number(meta.dictionary_page_offset ?? 0n);
  const dataAt = Number(meta.data_page_offset);
  const start = dictionaryAt > 0 && dictionaryAt < dataAt ? dictionaryAt : dataAt;
  const end = start + Number(meta.total_compressed_size);
  if (start < 4 || end <= start || end > fileBytes) fail(`is at bytes ${start} to ${end} of a file of ${fileBytes}`);
  const values = roomFor(meta, rows);
  let dictionary: Values | undefined;
  let rowsRead = 0;
  for (let at = start; rowsRead < rows && at < end; ) {
    const { header, headerBytes } = headerIn(await bytesAt(file, at, Math.min(LONGEST_HEADER_BYTES, end - at)));
    at += headerBytes;
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
    if (packed < 0 || packed > end - at || unpacked < 0 || unpacked > PAGE_LIMIT_BYTES) {
      fail(`has a page of ${packed} bytes, ${unpacked} unpacked`);
    }
    const bytes = await bytesAt(file, at, packed);
    at += packed;
    if (header.type === 'DICTIONARY_PAGE') {
      const count = header.dictionary_page_header?.num_values ?? -1;
      if (count < 0 || count > unpacked) fail(`has a dictionary of ${count} values in ${unpacked} bytes`);
      dictionary = valuesOf(
        decoded(unpackedPage(bytes, unpacked, meta.codec, fail), 'PLAIN', count, meta, fail), element, rowsRead, fail,
      );
    } else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      const { body, encoding, count } = bodyOf(header, bytes, { meta, element, rows: rows - rowsRead }, fail);
      const page = encoding.endsWith('_DICTIONARY')
        ? looked(indices(body, count, fail), dictionary ?? fail('has no dictionary'), fail)
        : valuesOf(decoded(body, encoding, count, meta, fail), element, rowsRead, fail);
      if (page.length !== count) fail(`has a page of ${page.length} values instead of ${count}`);
      if (!Array.isArray(values)) values.set(page as Uint32Array | Float64Array, rowsRead);
      else for (const text of page as string[]) values.push(text);
      rowsRead += count;
    }
  }
  if (rowsRead < rows) fail(`ends after ${rowsRead} of ${rows} values`);
  return values;
}

function roomFor({ type }: ColumnMetaData, rows: number): Values {
  if (type === 'BYTE_ARRAY') return [];
  return type === 'DOUBLE' || type === 'FLOAT' ? new Float64Array(rows) : new Uint32Array(rows);
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  // Separate memory, because the decoder uses the buffer under its input.
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.slice(0, filled);
}

function headerIn(bytes: Uint8Array): { header: PageHeader; headerBytes: number } {
  const reader = { view: new DataView(bytes.buffer), offset: 0 };
  const header = parquetHeader(reader);
  return { header, headerBytes: reader.offset };
}

/** The content of a page after its levels, unpacked; checks that no value is missing. */
function bodyOf(
  header: PageHeader, bytes: Uint8Array, { meta, element, rows }: Chunk, fail: Fail,
): { body: Uint8Array; encoding: string; count: number } {
  const v1 = header.data_page_header;
  const v2 = header.data_page_header_v2;
  const { num_values: count, encoding } = v1 ?? v2 ?? fail('has a page without a header');
  if (count < 0 || count > rows) fail(`has a page of ${count} values, but only ${rows} are left`);
  const size = header.uncompressed_page_size;
  const hasLevels = element.repetition_type !== 'REQUIRED';
  if (v2) {
    const levels = v2.definition_levels_byte_length;
    if (levels < 0 || levels > bytes.length || v2.repetition_levels_byte_length !== 0)
      fail('has levels that do not fit it');
    if (v2.num_nulls !== 0) fail('has rows without a value');
    const packed = bytes.slice(levels);
    return {
      body: v2.is_compressed === false ? packed : unpackedPage(packed, size - levels, meta.codec, fail), encoding,
      count,
    };
  }
  const page = unpackedPage(bytes, size, meta.codec, fail);
  if (!hasLevels || count === 0) return { body: page, encoding, count };
  const levelBytes = page.length < 4 ? -1 : new DataView(page.buffer, page.byteOffset).getUint32(0, true);
  if (levelBytes < 0 || 4 + levelBytes > page.length || !runsAreSound(page.subarray(4, 4 + levelBytes), 0, 1, count)) {
    fail('has levels that do not fit it');
  }
  const levels = new Uint8Array(count);
  readRleBitPackedHybrid(readerOf(page.slice(4, 4 + levelBytes)), 1, levels, levelBytes);
  if (levels.includes(0)) fail('has rows without a value');
  return { body: page.slice(4 + levelBytes), encoding, count };
}

function readerOf(bytes: Uint8Array) {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

function unpackedPage(bytes: Uint8Array, size: number, codec: CompressionCodec, fail: Fail): Uint8Array {
  if (size < 0) fail('has levels that do not fit it');
  const page = size === 0 ? new Uint8Array(0) : unpack(bytes, size, codec, fail);
  // The decoder uses the buffer under a page: the page must begin there.
  if (page.length !== size) fail(`has a page of ${page.length} bytes unpacked, not ${size} as it states`);
  return page.byteOffset === 0 ? page : page.slice();
}

function unpack(bytes: Uint8Array, size: number, codec: CompressionCodec, fail: Fail): Uint8Array {
  switch (codec) {
    case 'UNCOMPRESSED':
      return bytes;
    case 'GZIP':
      return new Uint8Array(gunzipSync(bytes, { maxOutputLength: size }));
    case 'BROTLI':
      return new Uint8Array(brotliDecompressSync(bytes, { maxOutputLength: size }));
    case 'ZSTD':
      if (!zstdIsSound(bytes)) fail('has a page whose zstd data are damaged or decompress to too much');
      return compressors.ZSTD?.(bytes, size).slice() ?? bytes;
    case 'SNAPPY':
    case 'LZ4_RAW':
      return compressors[codec]?.(bytes, size).slice() ?? bytes;
    case 'LZ4': // Deprecated: its framing is not distinguished from LZ4_RAW's.
    case 'LZO':
      return fail(`is compressed with ${codec}, which is not supported`);
  }
}

type Decoded = Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array[];

function decoded(bytes: Uint8Array, encoding: string, count: number, { type }: ColumnMetaData, fail: Fail): Decoded {
  const reader = readerOf(bytes);
  if (count === 0) return new Int32Array(0);
  const isBytes = type === 'BYTE_ARRAY';
  const isIntegers = type === 'INT32' || type === 'INT64';
  if (encoding === 'PLAIN') return readPlain(reader, type, count, undefined) as Decoded;
  if (encoding === 'BYTE_STREAM_SPLIT' && !isBytes) return byteStreamSplit(reader, count, type, undefined) as Decoded;
  if (encoding === 'DELTA_BINARY_PACKED' && isIntegers) {
    const numbers = type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count);
    deltaBinaryUnpack(reader, count, numbers);
    return numbers;
  }
  const texts: Uint8Array[] = new Array<Uint8Array>(isBytes ? count : 0);
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY' && isBytes) deltaLengthByteArray(reader, count, texts);
  else if (encoding === 'DELTA_BYTE_ARRAY' && isBytes) {
    // Each text may repeat the one before it, so a page can grow quadratically.
    const lengths = [new Int32Array(count), new Int32Array(count)];
    const ahead = readerOf(bytes);
    for (const part of lengths) deltaBinaryUnpack(ahead, count, part);
    const sum = lengths.reduce((total, part) => part.reduce((a, b) => (b < 0 ? Infinity : a + b), total), 0);
    if (sum > PAGE_LIMIT_BYTES) fail('has a page whose texts are too long');
    deltaByteArray(reader, count, texts);
  } else fail(`is encoded as ${encoding}, which is not supported`);
  return texts;
}

function indices(bytes: Uint8Array, count: number, fail: Fail): Uint32Array {
  const result = new Uint32Array(count);
  if (count === 0 || bytes[0] === 0) return result;
  if (bytes.length === 0 || !runsAreSound(bytes, 1, bytes[0], count))
    fail('has a page whose runs do not match its number of values');
  const reader = readerOf(bytes);
  reader.offset = 1;
  readRleBitPackedHybrid(reader, bytes[0], result, bytes.length - 1);
  return result;
}

function looked(at: Uint32Array, dictionary: Values, fail: Fail): Values {
  for (const index of at)
    if (index >= dictionary.length) fail(`refers to entry ${index} of a dictionary of ${dictionary.length}`);
  if (dictionary instanceof Uint32Array) return at.map((index) => dictionary[index]);
  if (dictionary instanceof Float64Array) return Float64Array.from(at, (index) => dictionary[index]);
  return Array.from(at, (index) => dictionary[index]);
}

const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param row of the first value in its row group, for messages. */
function valuesOf(raw: Decoded, element: SchemaElement, row: number, fail: Fail): Values {
  if (Array.isArray(raw)) {
    return raw.map((bytes, i) => {
      try {
        return text.decode(bytes);
      } catch {
        return fail(`has a text that is not UTF-8 in row ${row + i} of its group`);
      }
    });
  }
  if (raw instanceof Float32Array || raw instanceof Float64Array) return Float64Array.from(raw);
  if (raw instanceof BigInt64Array) {
    const ids = new Uint32Array(raw.length);
    for (let i = 0; i < ids.length; i++) {
      if (raw[i] < 0n || raw[i] > 0xffffffffn)
        fail(`has ${raw[i]} in row ${row + i} of its group; page ids are from 0 to 4294967295`);
      ids[i] = Number(raw[i]);
    }
    return ids;
  }
  if (!isUnsigned(element)) {
    const negative = raw.findIndex((value) => value < 0);
    if (negative >= 0)
      fail(`has ${raw[negative]} in row ${row + negative} of its group; page ids are from 0 to 4294967295`);
  }
  return Uint32Array.from(raw, (value) => value >>> 0);
}

function isUnsigned({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'UINT_32' || (logical?.type === 'INTEGER' && !logical.isSigned);
}
