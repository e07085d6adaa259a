import { constants } from 'node:buffer';
import { contentCodings, withoutCoding } from '../../web/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { PageFault, RawPage } from './page.ts';

/** Bodies below this may shrink by any ratio. */
const RATIO_FROM_BYTES = 1 << 20;
/** Servers put one coding on, by mistake two. */
const MAX_CODINGS = 5;

/**
 * The body with its content codings off. What the headers name must be there whole, as in browsers: plain text that is
 * said to be gzip, and data that stop before their end, are damaged. An empty body is empty in any coding.
 *
 * Memory  bounded by the limits at every coding, twice them while zlib joins its pieces: a bomb ends as soon as it
 *         passes them.
 */
export function decodedBody(
  { rawHeaders, body }: RawPage, limits: Pick<LiveSettings, 'decodedLimitBytes' | 'decodedRatioMost'>,
): Uint8Array | PageFault {
  const limitBytes = Math.min(
    limits.decodedLimitBytes, Math.max(RATIO_FROM_BYTES, Math.floor(limits.decodedRatioMost * body.length)),
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

/** Values of a header that may come several times; `name` in small letters. */
export function headers(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name);
}
