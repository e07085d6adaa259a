import { isAscii, isUtf8 } from 'node:buffer';

/**
 * Headers as they were received: names, as spelled by the host, and values by turns, one character per octet (latin1).
 * Crawls and imports read them by the same rules, so that the archives of a crawl give its graph.
 */
export type RawHeaders = readonly string[];

/** Value of the first header of that name; `name` in lower case. */
export function header(rawHeaders: RawHeaders, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i].toLowerCase() === name) return rawHeaders[i + 1];
  return undefined;
}

/** Values of a header that may occur several times; `name` in lower case. */
export function headers(rawHeaders: RawHeaders, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name);
}

/**
 * The URL, or its reference, that a Location or a Refresh names. Its octets are asked for as they are, as by curl and
 * Chrome: raw UTF-8 is read as such, and other octets beyond ASCII are percent-encoded one by one. A parser of URLs
 * would otherwise encode each octet as a character.
 *
 * @param octets - one character per octet.
 * Cost  O(length).
 */
export function urlInHeader(octets: string): string {
  const bytes = Buffer.from(octets, 'latin1');
  if (isAscii(bytes)) return octets;
  if (isUtf8(bytes)) return bytes.toString();
  return octets.replace(/[^\0-\x7f]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}
