import { header, urlInHeader, type RawHeaders } from './raw-headers.ts';

const refresh =
  /^[\t\n\f\r ]*[\d.]+(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|([^]*))/i;

/**
 * Where a refresh leads (WHATWG HTML, "shared declarative refresh steps"); '' if to the page itself, or if it is not a
 * refresh.
 */
export function refreshTarget(content: string): string {
  const match = refresh.exec(content) as (string | undefined)[] | null;
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
}

/** The target of an answer's Refresh, relative to its URL; undefined if there is none, or it leads nowhere else. */
export function refreshIn(rawHeaders: RawHeaders): string | undefined {
  const target = refreshTarget(urlInHeader(header(rawHeaders, 'refresh') ?? ''));
  return target === '' ? undefined : target;
}
