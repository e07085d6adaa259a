import { header } from './answer.ts';

/** The three forms of dates that HTTP has had (RFC 9110, section 5.6.7); the last one has no zone. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * How long a host asks not to be contacted, in whole microseconds: its Retry-After (RFC 9110, section 10.2.3), seconds
 * or a date, at most `maxUs`. 0 if there is none, or it is past or malformed. A date is relative to the answer's own
 * Date, so that a wrong local clock changes nothing; to `nowMs` if there is no Date.
 *
 * @param nowMs milliseconds since 1970.
 */
export function retryAfterUs(rawHeaders: readonly string[], nowMs: number, maxUs: number): number {
  const text = (header(rawHeaders, 'retry-after') ?? '').trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1e6, maxUs);
  const fromMs = httpDateMs((header(rawHeaders, 'date') ?? '').trim());
  const waitMs = httpDateMs(text) - (Number.isNaN(fromMs) ? nowMs : fromMs);
  return waitMs > 0 ? Math.min(Math.round(waitMs * 1000), maxUs) : 0;
}

/** NaN if it is not a date. */
function httpDateMs(text: string): number {
  if (HTTP_DATE.test(text)) return Date.parse(text);
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
