import { constants } from 'node:buffer';
import { headers, withoutCodings, type CodingFault, type DecodedBody } from '../../../base/web/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { PageFault, RawPage } from './page.ts';

/** Bodies below this size may have any compression ratio. */
const RATIO_FROM_BYTES = 1 << 20;

const faults = {
  damaged: 'content coding damaged', 'too long': 'decoded body too long', 'too many': 'too many content codings',
} as const satisfies Record<CodingFault, PageFault>;

/**
 * The body without its content codings, by the rules of `withoutCodings`.
 *
 * Memory  bounded by the limits at every coding, twice that while zlib joins its pieces: a bomb is stopped as soon as
 *         it exceeds them.
 */
export function decodedBody(
  { rawHeaders, body }: Omit<RawPage, 'url'>, limits: Pick<LiveSettings, 'decodedLimitBytes' | 'maxDecodedRatio'>,
): DecodedBody | PageFault {
  const limitBytes = Math.min(
    limits.decodedLimitBytes, Math.max(RATIO_FROM_BYTES, Math.floor(limits.maxDecodedRatio * body.length)),
    constants.MAX_STRING_LENGTH,
  );
  const decoded = withoutCodings(headers(rawHeaders, 'content-encoding').join(), body, limitBytes);
  return typeof decoded === 'string' ? faults[decoded] : decoded;
}
