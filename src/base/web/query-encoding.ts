import type * as Whatwg from '@exodus/bytes/whatwg.js';
import { onDemand } from '../index.ts';

/** ASCII characters that are percent-encoded in the queries of http and https, besides controls. */
const SPECIAL_QUERY_SET = ' "#\'<>';

/** Characters that all these encodings spell alike: most links have no others. */
const isPlain = /^[\x20-\x7e]*$/;

/**
 * A link of a document with its query percent-encoded by the document's encoding, as the WHATWG URL standard has it
 * for http and https: a page in windows-1251 asks for `?q=П` as `?q=%CF`, and a character that the encoding lacks is
 * asked for as its reference, `%26%23128512%3B`. Path and fragment stay as they are: they are UTF-8 in any document. So
 * are the queries of documents in UTF-8 and in UTF-16 (Encoding standard, "get an output encoding").
 *
 * @param encoding - the name of an encoding of the WHATWG's, in lower case.
 * Cost  O(length).
 */
export function withEncodedQuery(href: string, encoding: string): string {
  if (encoding === 'utf-8' || encoding.startsWith('utf-16')) return href;
  const at = href.indexOf('?');
  if (at < 0 || isPlain.test(href)) return href;
  const fragmentAt = href.indexOf('#');
  if (fragmentAt >= 0 && fragmentAt < at) return href;
  // The parser of URLs drops controls and blanks at the end, and tabs and line ends anywhere, before it encodes.
  let end = fragmentAt < 0 ? href.length : fragmentAt;
  if (fragmentAt < 0) while (end > at && href.charCodeAt(end - 1) <= 32) end--;
  const query = href.slice(at + 1, end).replace(/[\t\n\r]/g, '');
  onDemand('@exodus/bytes/encoding.js'); // The tables of the encodings with several octets per character.
  const { percentEncodeAfterEncoding } = onDemand('@exodus/bytes/whatwg.js') as typeof Whatwg;
  return `${href.slice(0, at + 1)}${percentEncodeAfterEncoding(encoding, query, SPECIAL_QUERY_SET)}${href.slice(end)}`;
}
