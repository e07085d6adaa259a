import { MIMEType } from 'whatwg-mimetype';
import { header, type RawHeaders } from './raw-headers.ts';
import { refreshIn } from './refresh.ts';

/**
 * The charset that a Content-Type states; servers also put it in single quotes, which the standard treats as part of
 * the value.
 */
export function statedCharset(contentType: string | undefined): string | undefined {
  return MIMEType.parse(contentType ?? '')?.parameters.get('charset')?.replace(/^'(.*)'$/, '$1');
}

export function isHtmlType(essence: string): boolean {
  return essence === 'text/html' || essence === 'application/xhtml+xml';
}

/** Types that servers state if they know none (WHATWG MIME Sniffing, section 7). */
const saysNothing = new Set(['unknown/unknown', 'application/unknown', '*/*']);

/** The type that a Content-Type states; undefined if it is missing, invalid, or says nothing. */
export function statedType(contentType: string | undefined): string | undefined {
  const essence = MIMEType.parse(contentType ?? '')?.essence;
  return essence === undefined || saysNothing.has(essence) ? undefined : essence;
}

/**
 * The type of a body of which none is stated: HTML if it begins as HTML, unless the host forbids to look, or if a
 * Refresh leads to another page: browsers obey that whatever they show. Undefined for everything else.
 */
export function unstatedType(rawHeaders: RawHeaders, body: Uint8Array): 'text/html' | undefined {
  const isForbidden = header(rawHeaders, 'x-content-type-options')?.trim().toLowerCase() === 'nosniff';
  return (!isForbidden && beginsAsHtml(body)) || refreshIn(rawHeaders) !== undefined ? 'text/html' : undefined;
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
