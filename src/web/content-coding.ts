import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/**
 * The codings that a Content-Encoding names, in lower case, in the order in which they were applied; `identity` is
 * dropped.
 */
export function contentCodings(header: string): string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Bytes with one content coding removed.
 *
 * @param endsEarly how to handle truncated data.
 * @returns undefined if the coding is unknown.
 * Errors   those of node:zlib: for corrupt data, and ERR_BUFFER_TOO_LARGE as soon as the result exceeds `limitBytes`.
 * Memory   twice the result.
 */
export function withoutCoding(
  coding: string, bytes: Uint8Array, limitBytes: number, endsEarly: 'refused' | 'taken',
): Uint8Array | undefined {
  const options = {
    maxOutputLength: limitBytes, ...(endsEarly === 'taken' ? { finishFlush: constants.Z_SYNC_FLUSH } : {}),
  };
  if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync(bytes, options);
  if (coding === 'deflate') {
    // RFC 9110 means the zlib format; some servers send raw deflate.
    const hasZlibHead = (bytes[0] & 15) === 8 && (bytes[0] * 256 + bytes[1]) % 31 === 0;
    return hasZlibHead ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
  }
  if (coding !== 'br') return undefined;
  return brotliDecompressSync(bytes, {
    ...options, ...(endsEarly === 'taken' ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {}),
  });
}
