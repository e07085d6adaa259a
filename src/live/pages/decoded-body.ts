import { constants } from 'node:buffer';
import { contentCodings, withoutCoding } from '../../web/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { PageFault, RawPage } from './page.ts';

/** Bodies below this size may have any compression ratio. */
const RATIO_FROM_BYTES = 1 << 20;
/** Servers apply one coding, by mistake two. */
const MAX_CODINGS = 5;

/**
 * The body without its content codings. The codings that the headers name must be complete, as in browsers: plain text
 * that is declared as gzip, and data that stop early, are damaged. An empty body is empty in any coding.
 *
 * Memory  bounded by the limits at every coding, twice that while zlib joins its pieces: a bomb is stopped as soon as
 *         it exceeds them.
 */
export function decodedBody(
  { rawHeaders, body }: RawPage, limits: Pick<LiveSettings, 'decodedLimitBytes' | 'maxDecodedRatio'>,
): Uint8Array | PageFault {
  const limitBytes = Math.min(
    limits.decodedLimitBytes, Math.max(RATIO_FROM_BYTES, Math.floor(limits.maxDecodedRatio * body.length)),
    constants.MAX_STRING_LENGTH,
  );
  const codings = contentCodings(headers(rawHeaders, 'content-encoding').join());
  if (codings.length > MAX_CODINGS) return 'content coding unknown';
  let bytes = body;
  for (const coding of codings.reverse()) {
    if (bytes.length === 0) break;
    try {
      const decoded = withoutCoding(coding, bytes, limitBytes, 'refused');
      if (decoded === undefined) return 'content coding unknown';
      bytes = decoded;
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
        ? 'decoded body too long'
        : 'content coding damaged';
    }
  }
  return bytes.length > limitBytes ? 'decoded body too long' : bytes;
}

/** Values of a header that may occur several times; `name` in lower case. */
export function headers(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name);
}
