/** The three forms of a date that HTTP has had (RFC 9110, section 5.6.7), of which the last says no zone. */
const HTTP_DATE = /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * How long a host asks to be left alone, in whole microseconds: what its Retry-After says (RFC 9110, section 10.2.3), seconds or a date, at
 * most `mostUs`. 0 where it says nothing, a time that is past, or what is neither.
 *
 * @param nowMs milliseconds since 1970.
 */
export function retryAfterUs(value: string | undefined, nowMs: number, mostUs: number): number {
  const text = (value ?? '').trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1e6, mostUs);
  let atMs = NaN;
  if (HTTP_DATE.test(text)) atMs = Date.parse(text);
  else if (ASCTIME_DATE.test(text)) atMs = Date.parse(`${text} GMT`);
  return atMs > nowMs ? Math.min(Math.round((atMs - nowMs) * 1000), mostUs) : 0;
}
