import { isAscii, isUtf8 } from 'node:buffer';
import type * as Encodings from '@exodus/bytes/encoding.js';
import { onDemand } from '../index.ts';
import { statedCharset } from './http/media-type.ts';

/** A document's text, and the name of its encoding in the WHATWG's standard, in lower case. */
export interface HtmlText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Text of an HTML document. Its encoding is that of a byte order mark, otherwise the one named by HTTP, otherwise the
 * one named in the first KiB, otherwise UTF-8 if it is valid UTF-8, otherwise windows-1252 (WHATWG HTML, section
 * 13.2.3.2). An unknown encoding is ignored.
 *
 * Not decoded by Node's TextDecoder: it reads windows-1252 as latin1 (20.20), Big5, EUC-KR and Shift_JIS by tables of
 * its own, and lacks ISO-8859-16.
 */
export function htmlText(bytes: Uint8Array, contentType: string | undefined): HtmlText {
  const decoder = decoderOf(markOf(bytes)) ?? decoderOf(statedCharset(contentType)) ??
    namedWithin(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')) ??
    newDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  // Most pages: one byte per character throughout, no decoder needed.
  const isPlain = isAscii(bytes) && !/^(utf-16|iso-2022)/.test(decoder.encoding);
  const text = isPlain
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1') : decoder.decode(bytes);
  return { text, encoding: decoder.encoding };
}

/**
 * The encoding of a document of which only the headers and `meta` elements are known, by their attributes; UTF-8 if
 * they name none.
 */
export function statedEncoding(
  contentType: string | undefined, metas: readonly ReadonlyMap<string, string | undefined>[],
): string {
  const decoderOfHeader = decoderOf(statedCharset(contentType));
  const decoder = metas.reduce((first, meta) => first ?? namedDecoder(charsetOfMeta(meta)), decoderOfHeader);
  return decoder?.encoding ?? 'utf-8';
}

type Decoder = InstanceType<typeof Encodings.TextDecoder>;

/** Throws a RangeError if there is no such encoding. */
function newDecoder(label: string): Decoder {
  return new (onDemand('@exodus/bytes/encoding.js') as typeof Encodings).TextDecoder(label);
}

function decoderOf(label: string | undefined): Decoder | undefined {
  try {
    return label === undefined ? undefined : newDecoder(label);
  } catch {
    return undefined;
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/**
 * The encoding that the start of a document names in a `meta` or an XML declaration (WHATWG HTML, "prescan a byte
 * stream").
 */
function namedWithin(start: string): Decoder | undefined {
  if (start.startsWith('<\0?\0x\0')) return newDecoder('utf-16le');
  if (start.startsWith('\0<\0?\0x')) return newDecoder('utf-16be');
  for (let at = start.indexOf('<'); at >= 0; at = start.indexOf('<', at)) {
    if (start.startsWith('<!--', at)) at = after(start, '-->', at + 2);
    else if (/^<\/?[a-z]/i.test(start.slice(at, at + 3))) {
      const isMeta = /^<meta[\t\n\f\r /]/i.test(start.slice(at, at + 6));
      const nameEnd = at + start.slice(at).search(/[\t\n\f\r >]|$/);
      const { attributes, end } = attributesFrom(start, isMeta ? at + 5 : nameEnd);
      const decoder = isMeta ? namedDecoder(charsetOfMeta(attributes)) : undefined;
      if (decoder !== undefined) return decoder;
      at = end;
    } else if (/^<[!/?]/.test(start.slice(at, at + 2))) at = after(start, '>', at);
    else at++;
  }
  const declared = /^<\?xml(?=[^>]*>)[^>]*?encoding[\0- ]*=[\0- ]*(?:"([^"\0- >]*)"|'([^'\0- >]*)')/.exec(start);
  return namedDecoder(declared?.[1] ?? declared?.[2]);
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

/** The attributes from `from` on, the first of each name, and where they end. */
function attributesFrom(start: string, from: number): { attributes: Map<string, string>; end: number } {
  const attribute =
    /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\t\n\f\r >]*)))?/y;
  const attributes = new Map<string, string>();
  attribute.lastIndex = from;
  let end = from;
  for (let match = attribute.exec(start); match !== null; match = attribute.exec(start)) {
    const [, key, double, single, bare] = match as (string | undefined)[];
    if (!attributes.has(key!.toLowerCase())) attributes.set(key!.toLowerCase(), double ?? single ?? bare ?? '');
    end = attribute.lastIndex;
  }
  return { attributes, end };
}

function charsetOfMeta(attributes: ReadonlyMap<string, string | undefined>): string | undefined {
  const charset = attributes.get('charset');
  if (charset !== undefined || attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return charset;
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i.exec(
    attributes.get('content') ?? '',
  );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/**
 * Text that could be read byte by byte is not UTF-16, whatever it claims; `x-user-defined` is read as windows-1252.
 */
function namedDecoder(label: string | undefined): Decoder | undefined {
  const decoder = decoderOf(/^\s*x-user-defined\s*$/i.test(label ?? '') ? 'windows-1252' : label);
  return decoder?.encoding.startsWith('utf-16') === true ? newDecoder('utf-8') : decoder;
}
