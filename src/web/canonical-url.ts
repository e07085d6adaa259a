import { LONGEST_URL, pageUrl } from './page-url.ts';

/**
 * Whether a URL has anything that the policy below changes: most have not, and to take them apart costs as much as to
 * parse them.
 */
const mayBeRespelled = /[#@%^]|\?$|\.[/:]/;

/**
 * The one spelling of the page that `href` means at `base`: the WHATWG's URL standard as Node has it (tabs and line
 * ends dropped, dot segments resolved, names in small letters and punycode, addresses in every notation, default ports
 * dropped, what may not stand in a URL percent-encoded as UTF-8), and then
 *
 *  - fragment, user name and password are dropped;
 *  - an empty query is dropped with its question mark, which our own table of hosts and paths would drop as well;
 *  - the final dot of a host's name is dropped: it is the same host, which would else be asked twice at once. A name
 *    with an empty last label is invalid;
 *  - in path and query, percent-encoded letters, digits, `-`, `.`, `_` and `~` are decoded (RFC 3986, section 6.2.2.2),
 *    the digits of what stays encoded are capitals, and a percent sign that encodes nothing becomes `%25`. In a path
 *    `^` is encoded, which the standard asks for since 2024 and Node from version 22 on does.
 *
 * Nothing else: the order of queries, session ids, final and doubled slashes, `index.html`, `www.` and the scheme tell
 * pages apart, for only the host knows whether they mean the same. Queries of pages in other encodings are encoded as
 * UTF-8 too.
 *
 * A spelling is its own spelling: canonicalUrl(url.href, undefined, ...) has the same href.
 *
 * Crawls and the import of archives share it, so that a crawl's archives are imported as the graph of what was crawled.
 *
 * @param urlLengthMost characters that neither `href` nor any spelling of the URL may exceed.
 * Cost  O(length), which is bounded.
 */
export function canonicalUrl(
  href: string, base?: URL, urlLengthMost = LONGEST_URL,
): URL | 'invalid' | 'notHttp' | 'long' {
  const url = pageUrl(href, base, urlLengthMost);
  if (typeof url === 'string' || !mayBeRespelled.test(url.href)) return url;
  let host = url.host;
  if (url.hostname.endsWith('.')) {
    const name = url.hostname.slice(0, -1);
    if (name === '' || name.endsWith('.')) return 'invalid';
    host = name + host.slice(url.hostname.length);
  }
  const spelling = `${url.protocol}//${host}${spelled(url.pathname).replaceAll('^', '%5E')}${spelled(url.search)}`;
  if (spelling.length > urlLengthMost) return 'long';
  return spelling === url.href ? url : new URL(spelling);
}

/** Percent-encoding in its one spelling, of a path with or without its query. */
export function spelled(path: string): string {
  return path.includes('%') ? path.replace(/%([0-9a-f]{2})?/gi, spelledOctet) : path;
}

function spelledOctet(_: string, digits: string | undefined): string {
  if (digits === undefined) return '%25';
  const character = String.fromCharCode(parseInt(digits, 16));
  return /[a-z0-9._~-]/i.test(character) ? character : `%${digits.toUpperCase()}`;
}
