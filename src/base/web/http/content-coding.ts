import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** A body without its content codings. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** Whether a coding ended early: these are the bytes up to there. */
  readonly isCut: boolean;
}

/** Why a body cannot be decoded. */
export type CodingFault = 'damaged' | 'too long' | 'too many';

/** Servers apply one coding, by mistake two. */
const MAX_CODINGS = 5;

/**
 * A body without the content codings that its headers name:
 *
 *  - gzip, deflate (zlib's format or raw) and br are taken off, in quotes too. One that ends early gives what it has.
 *  - A coding that nobody knows (`none`, `utf-8`, `zstd`) is none: servers that write such a thing send plain bodies,
 *    and browsers read these.
 *  - A coding that the body does not have is none: gzip without its magic number; deflate or br that cannot be decoded
 *    from bytes that begin like markup. Servers say so by mistake, and many crawlers archive decoded bodies.
 *  - An empty body is empty in any coding.
 *
 * @param header - all Content-Encoding values, joined by commas.
 * @param limitBytes - maximum size, at every coding.
 * Memory  twice the result.
 */
export function withoutCodings(header: string, body: Uint8Array, limitBytes: number): DecodedBody | CodingFault {
  const codings = header.toLowerCase().split(',').map((coding) => coding.trim().replace(/^"(.*)"$/, '$1'))
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) return 'too many';
  let [bytes, isCut] = [body, false];
  for (const coding of codings.reverse()) {
    const decode = bytes.length === 0 ? undefined : decoderOf(coding, bytes);
    if (decode === undefined) continue;
    const decoded = decodedBy(decode, bytes, limitBytes);
    if (typeof decoded === 'string') return decoded;
    bytes = decoded.bytes;
    isCut ||= decoded.isCut;
  }
  return bytes.length > limitBytes ? 'too long' : { bytes, isCut };
}

/** Errors   from node:zlib: for corrupt data, and ERR_BUFFER_TOO_LARGE if the result exceeds `limitBytes`. */
type Decoder = (bytes: Uint8Array, limitBytes: number, takesCut: boolean) => Uint8Array;

const zlib = (decode: typeof gunzipSync): Decoder => (bytes, maxOutputLength, takesCut) => decode(
  bytes, { maxOutputLength, ...(takesCut && { finishFlush: constants.Z_SYNC_FLUSH }) },
);
const gzip = zlib(gunzipSync);
const inflate = zlib(inflateSync);
const inflateRaw = zlib(inflateRawSync);
const brotli: Decoder = (bytes, maxOutputLength, takesCut) => brotliDecompressSync(
  bytes, { maxOutputLength, ...(takesCut && { finishFlush: constants.BROTLI_OPERATION_FLUSH }) },
);

/** Undefined if the coding is unknown, or the bytes do not have it. */
function decoderOf(coding: string, bytes: Uint8Array): Decoder | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return bytes[0] === 0x1f && bytes[1] === 0x8b ? gzip : undefined;
  if (coding === 'br') return brotli;
  if (coding !== 'deflate') return undefined;
  // RFC 9110 means the zlib format; some servers send raw deflate.
  const hasZlibHead = (bytes[0] & 15) === 8 && (bytes[0] * 256 + bytes[1]) % 31 === 0;
  return hasZlibHead ? inflate : inflateRaw;
}

function decodedBy(decode: Decoder, bytes: Uint8Array, limitBytes: number): DecodedBody | CodingFault {
  try {
    return { bytes: decode(bytes, limitBytes, false), isCut: false };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'too long';
    if (beginsLikeMarkup(bytes)) return { bytes, isCut: false };
    // The data ended before the coding did.
    return code === 'Z_BUF_ERROR' ? { bytes: decode(bytes, limitBytes, true), isCut: true } : 'damaged';
  }
}

function beginsLikeMarkup(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 256).find((byte) => byte > 32) === 60;
}
