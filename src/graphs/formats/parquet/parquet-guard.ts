/**
 * Checks of a page's contents before the decoder reads it: a run of a billion values takes five bytes to write, and a
 * decoder that believes it fills the memory. Sizes by the format: Apache Parquet, "Encodings" (RLE and bit-packing
 * hybrid) and RFC 8878.
 */

/** Maximum size of an unpacked page, bytes. Writers make pages of some MiB at most. */
export const PAGE_LIMIT_BYTES = 1 << 28;

/** Maximum size of a decompressed zstd block, bytes. */
const ZSTD_BLOCK_BYTES = 1 << 17;

/**
 * Whether runs of values of `width` bits, from position `at`, have exactly `count` values. The last packed run may be
 * filled up: to a group of eight, or further if its bytes are there, as DuckDB's runs of 256 are. O(runs).
 */
export function runsAreSound(bytes: Uint8Array, at: number, width: number, count: number): boolean {
  if (width > 32) return false;
  let values = 0;
  while (values < count && at < bytes.length) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 28 || at >= bytes.length) return false;
      const byte = bytes[at++];
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    const run = Math.floor(header / 2);
    if (run === 0) return false;
    if (header % 2 === 1) {
      values += 8 * run;
      at += run * width;
      if (values >= count + 8 && (width === 0 || at > bytes.length)) return false;
    } else {
      values += run;
      at += (width + 7) >>> 3;
      if (values > count) return false;
    }
  }
  return values >= count;
}

/** Whether zstd frames decompress to at most PAGE_LIMIT_BYTES, by the sizes of their blocks. O(blocks). */
export function zstdIsSound(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let unpacked = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < 9) return false;
    // Writers of Parquet do not produce skippable frames.
    if (view.getUint32(at, true) !== 0xfd2fb528) return false;
    const descriptor = bytes[at + 4];
    const isSingle = (descriptor & 0x20) !== 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >>> 6];
    at += 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3] + sizeBytes;
    for (let last = false; !last; ) {
      if (at + 3 > bytes.length) return false;
      const header = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
      last = (header & 1) === 1;
      const kind = (header >>> 1) & 3;
      const size = header >>> 3;
      if (kind === 3 || size > ZSTD_BLOCK_BYTES) return false;
      unpacked += kind === 2 ? ZSTD_BLOCK_BYTES : size;
      at += 3 + (kind === 1 ? 1 : size);
    }
    if ((descriptor & 4) !== 0) at += 4;
    if (unpacked > PAGE_LIMIT_BYTES) return false;
  }
  return true;
}
