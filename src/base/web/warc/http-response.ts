import { withoutCodings, type DecodedBody } from '../http/content-coding.ts';
import { isHtmlType, statedType, unstatedType } from '../http/media-type.ts';
import { header, headers, type RawHeaders } from '../http/raw-headers.ts';
import { rawHeaderLines } from './record-parser.ts';

const latin1 = new TextDecoder('latin1');

/** Longer headers are not read; servers refuse far shorter ones. */
const LONGEST_HEAD_BYTES = 1 << 18;

export interface HttpResponse {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
  /** The entity without chunk framing, still content-coded; as much of it as the archive's record contains. */
  readonly entity: Uint8Array;
  /** Offset of the entity in the message. */
  readonly entityAt: number;
  readonly isChunked: boolean;
}

/**
 * The HTTP response in a record's block; undefined if it is not one. Interim responses (1xx) before it, which some
 * crawlers record, are skipped. O(bytes).
 */
export function httpResponse(block: Uint8Array): HttpResponse | undefined {
  let start = 0;
  let status = statusAt(block, start);
  if (status === undefined) return undefined;
  let entityAt = headEnd(block, start);
  for (let next: number | undefined; status >= 100 && status < 200; status = next) {
    next = statusAt(block, entityAt);
    if (next === undefined) break;
    start = entityAt;
    entityAt = headEnd(block, start);
  }
  const rawHeaders = rawHeaderLines(block.subarray(start, Math.min(entityAt, start + LONGEST_HEAD_BYTES)));
  const body = block.subarray(entityAt);
  const isChunked = /\bchunked\b/i.test(header(rawHeaders, 'transfer-encoding') ?? '');
  const chunks = isChunked ? unchunked(body) : undefined;
  // Some crawlers remove the framing but not the header: what does not begin with a chunk is the entity itself.
  return {
    status, rawHeaders, entity: chunks ?? body, entityAt, isChunked: chunks !== undefined,
  };
}

/** The status of the response that begins at `start`; undefined if none does. */
function statusAt(message: Uint8Array, start: number): number | undefined {
  const firstLine = latin1.decode(message.subarray(start, start + 64));
  const status = /^HTTP\/[0-9.]{1,4} +([0-9]{3})(?![0-9])/.exec(firstLine)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Offset after the blank line that ends the headers of a message from `start`; without such a line, its length. */
function headEnd(message: Uint8Array, start: number): number {
  for (let at = message.indexOf(10, start); at >= 0; at = message.indexOf(10, at + 1)) {
    if (message[at + 1] === 10) return at + 2;
    if (message[at + 1] === 13 && message[at + 2] === 10) return at + 3;
  }
  return message.length;
}

/** The bytes of the chunks joined, up to where the framing breaks; undefined if no chunk is sound. */
function unchunked(body: Uint8Array): Uint8Array | undefined {
  const result = new Uint8Array(body.length);
  let length = 0;
  let sound = false;
  for (let at = 0; at < body.length; ) {
    const newline = body.indexOf(10, at);
    // Size lines are short; a long one is not a size line and not worth decoding.
    if (newline < 0 || newline - at > 256) break;
    const size = /^([0-9a-f]{1,8})[ \t]*(;.*)?\r?$/i.exec(latin1.decode(body.subarray(at, newline)))?.[1];
    if (size === undefined) break;
    const chunk = body.subarray(newline + 1, newline + 1 + parseInt(size, 16));
    const end = newline + 1 + chunk.length;
    if (!sound && end < body.length && body[end] !== 13 && body[end] !== 10) break;
    sound = true;
    if (chunk.length === 0) break;
    result.set(chunk, length);
    length += chunk.length;
    at = body[end] === 13 ? end + 2 : end + 1;
  }
  return sound ? result.subarray(0, length) : undefined;
}

/**
 * The entity without its content codings, as far as it goes.
 *
 * @returns undefined if a coding is damaged, or the result would be longer than `limitBytes`.
 */
export function decodedEntity({ entity, rawHeaders }: HttpResponse, limitBytes: number): DecodedBody | undefined {
  const decoded = withoutCodings(headers(rawHeaders, 'content-encoding').join(), entity, limitBytes);
  return typeof decoded === 'string' ? undefined : decoded;
}

/**
 * Whether a response is HTML by its Content-Type; if that says nothing, by its decoded body and its Refresh.
 * @param limitBytes - maximum size of the body when decoded.
 */
export function isHtml(response: HttpResponse, limitBytes: number): boolean {
  const type = statedType(header(response.rawHeaders, 'content-type'));
  if (type !== undefined) return isHtmlType(type);
  const decoded = decodedEntity(response, limitBytes);
  return decoded !== undefined && unstatedType(response.rawHeaders, decoded.bytes) !== undefined;
}
