import { LONGEST_URL, pageUrl } from './page-url.ts';

/**
 * Whether a URL has anything that the rules below change: most do not, and taking them apart costs as much as parsing.
 */
const mayBeRespelled = /[#@%^]|\?$|\.[/:]/;

/**
 * The canonical spelling of the page that `href` refers to at `base`: the WHATWG URL standard as implemented by Node
 * (tabs and line breaks dropped, dot segments resolved, host names in lower case and punycode, IP addresses in every
 * notation, default ports dropped, forbidden characters percent-encoded as UTF-8), and then
 *
 *  - fragment, user name and password are dropped;
 *  - an empty query is dropped with its question mark, as our table of hosts and paths would do anyway;
 *  - the final dot of a host's name is dropped: it is the same host, which would otherwise be contacted twice at once.
 *    A name with an empty last label is invalid;
 *  - in path and query, percent-encoded letters, digits, `-`, `.`, `_` and `~` are decoded (RFC 3986, section 6.2.2.2),
 *    the digits of what stays encoded are in upper case, and a percent sign that encodes nothing becomes `%25`. In a
 *    path `^` is encoded, as the standard requires since 2024 and Node does from version 22 on.
 *
 * Nothing else: the order of queries, session ids, trailing and doubled slashes, `index.html`, `www.` and the scheme
 * distinguish pages, because only the host knows whether they mean the same. Of links in documents of other encodings,
 * `htmlLinks` has encoded the queries before.
 *
 * It is idempotent: canonicalUrl(url.href, undefined, ...) has the same href.
 *
 * Crawls and the import of archives share it, so that importing a crawl's archives gives the graph that was crawled.
 *
 * @param maxUrlLength characters that neither `href` nor any spelling of the URL may exceed.
 * Cost  O(length), which is bounded.
 */
export function canonicalUrl(
  href: string, base?: URL, maxUrlLength = LONGEST_URL,
): URL | 'invalid' | 'notHttp' | 'long' {
  const url = pageUrl(href, base, maxUrlLength);
  if (typeof url === 'string' || !mayBeRespelled.test(url.href)) return url;
  let host = url.host;
  if (url.hostname.endsWith('.')) {
    const name = url.hostname.slice(0, -1);
    if (name === '' || name.endsWith('.')) return 'invalid';
    host = name + host.slice(url.hostname.length);
  }
  const spelling = `${url.protocol}//${host}${spelled(url.pathname).replaceAll('^', '%5E')}${spelled(url.search)}`;
  if (spelling.length > maxUrlLength) return 'long';
  return spelling === url.href ? url : new URL(spelling);
}

/** Normalises the percent-encoding of a path with or without its query. */
export function spelled(path: string): string {
  return path.includes('%') ? path.replace(/%([0-9a-f]{2})?/gi, spelledOctet) : path;
}

function spelledOctet(_: string, digits: string | undefined): string {
  if (digits === undefined) return '%25';
  const character = String.fromCharCode(parseInt(digits, 16));
  return /[a-z0-9._~-]/i.test(character) ? character : `%${digits.toUpperCase()}`;
}
