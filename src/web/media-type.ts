export interface MediaType {
  /** Type and subtype, small letters: `text/html`. */
  readonly essence: string;
  readonly charset: string | undefined;
}

/** What a Content-Type states, by WHATWG MIME Sniffing, section 4.4; undefined where it is none. */
export function mediaType(contentType: string): MediaType | undefined {
  const essence = /^[\t\n\r ]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[\t\n\r ]*(?:;|$)/.exec(contentType);
  if (essence === null) return undefined;
  const parameter = /[\t\n\r ]*([^;=]*)(?:="((?:[^"\\]|\\[^])*)[^;]*|=([^;]*))?(?:;|$)/y;
  parameter.lastIndex = essence[0].length;
  let charset: string | undefined;
  while (charset === undefined && parameter.lastIndex < contentType.length) {
    const found = parameter.exec(contentType) as (string | undefined)[] | null;
    if (found === null) break;
    const [, name, quoted, plain] = found;
    // Single quotes are part of a value there; of a charset they never are.
    const value = quoted?.replace(/\\([^])/g, '$1') ?? plain?.trim().replace(/^'(.*)'$/, '$1');
    if (name?.toLowerCase() === 'charset' && value !== '') charset = value;
  }
  return { essence: essence[1].toLowerCase(), charset };
}

export function isHtmlType(essence: string): boolean {
  return essence === 'text/html' || essence === 'application/xhtml+xml';
}

/** Types that servers state where they know none (WHATWG MIME Sniffing, section 7). */
const saysNothing = new Set(['unknown/unknown', 'application/unknown', '*/*']);

/** What a Content-Type states; undefined where it is missing, none, or says nothing. */
export function statedType(contentType: string | undefined): string | undefined {
  const essence = mediaType(contentType ?? '')?.essence;
  return essence === undefined || saysNothing.has(essence) ? undefined : essence;
}

const latin1 = new TextDecoder('latin1');

/**
 * Whether bytes begin as HTML does: the signatures of WHATWG MIME Sniffing, section 7.1, a UTF-8 byte order mark before
 * them allowed.
 */
export function beginsAsHtml(bytes: Uint8Array): boolean {
  const start = latin1.decode(bytes.subarray(0, 512));
  return /^(?:ï»¿)?[\t\n\f\r ]*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >])/i.test(
    start,
  );
}
