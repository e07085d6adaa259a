import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Texts up to this size are stored as they are: starting the compressor takes 30 times as long as copying them. */
const MAX_STORED_BYTES = 1024;
/** Bytes of an uncompressed meta-block's header, and of the empty block that ends the stream. */
const [STORED_HEAD_BYTES, STORED_END] = [3, 3];
/** Its fastest takes half as long as the fastest level of deflate, for 7 % more bytes. Most texts fill no chunk. */
const fastest = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 18 }, chunkSize: 4096,
};

/** A text in few bytes, in Brotli's format (RFC 7932); none for an empty one. */
export function compressed(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.length <= MAX_STORED_BYTES ? stored(bytes) : brotliCompressSync(bytes, fastest);
}

/** A stream of a single uncompressed meta-block (RFC 7932, section 9.2), for a window of 16 bits. */
function stored(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length === 0) return bytes;
  const stream = new Uint8Array(STORED_HEAD_BYTES + length + 1);
  // MLEN - 1 follows the window's bit, ISLAST and MNIBBLES; ISUNCOMPRESSED follows it.
  const head = (length - 1) << 4 | 1 << 20;
  stream.set([head & 0xff, head >> 8 & 0xff, head >> 16]);
  stream.set(bytes, STORED_HEAD_BYTES);
  stream[STORED_HEAD_BYTES + length] = STORED_END;
  return stream;
}

/** The text of such a stream; undefined if it is damaged, or the text has more than `maxBytes`. */
export function decompressed(bytes: Uint8Array, maxBytes: number): string | undefined {
  if (bytes.length === 0) return '';
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: maxBytes }).toString();
  } catch {
    return undefined;
  }
}
