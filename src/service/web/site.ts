/** One request as a site sees it. */
export interface SiteRequest {
  /** The name of one of the site's hosts. */
  readonly host: string;
  /** Host and port, as the client spells them. */
  readonly authority: string;
  /** Path and query as sent, from the slash. */
  readonly path: string;
  /** Microseconds since the server began. */
  readonly atUs: number;
  /** Nothing was asked before on its connection. */
  readonly opensConnection: boolean;
}

/** What a site answers, and how fast. */
export interface Reply {
  readonly status: number;
  /** Names and values by turns, without Content-Length. */
  readonly headers: readonly string[];
  /** Bytes of the body, which are told before it is sent. */
  readonly bytes: number;
  /** The body, in pieces that are at hand or come one by one; fewer bytes than told break the connection off. */
  readonly body: readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  /** From the request until the answer begins. */
  readonly beginsAfterUs: number;
  /** Infinity for no limit. */
  readonly bytesPerUs: number;
}

/** No answer: after a while the connection is reset. */
export interface NoReply {
  readonly resetAfterUs: number;
}

/** What is served: hosts by name, and what they answer. A request's trouble is a reply, never an exception. */
export interface Site {
  readonly name: string;
  /** Whether the site has the host; for others the server answers 404. */
  hasHost(host: string): boolean;
  reply(request: SiteRequest): Reply | NoReply | Promise<Reply | NoReply>;
}

export const htmlType = ['Content-Type', 'text/html; charset=utf-8'] as const;

/** A small page that says what is wrong, as long as asked for where that is longer. */
export function errorReply(status: number, reason: string, bytes = 0): Reply {
  const text = Buffer.from(`<!doctype html>\n<title>${status} ${reason}</title>\n`);
  const body = bytes > text.length ? [text, ...padding(bytes - text.length)] : [text];
  return {
    status, headers: htmlType, bytes: Math.max(bytes, text.length), body, beginsAfterUs: 0, bytesPerUs: Infinity,
  };
}

const OPEN = Buffer.from('<!--');
const FILLER = Buffer.alloc(1 << 16, `${'.'.repeat(99)}\n`);
const CLOSE = Buffer.concat([FILLER.subarray(0, FILLER.length - 4), Buffer.from('-->\n')]);
const BLANKS = Buffer.alloc(OPEN.length + 4, '\n');

/**
 * So many bytes that HTML takes for nothing: a comment, or blanks where none fits. Pieces of one buffer, however many:
 * O(bytes / 64 KiB).
 */
export function padding(bytes: number): Uint8Array[] {
  if (bytes < BLANKS.length) return bytes === 0 ? [] : [BLANKS.subarray(0, bytes)];
  const pieces: Uint8Array[] = [OPEN];
  let left = bytes - OPEN.length;
  for (; left > CLOSE.length; left -= Math.min(FILLER.length, left - 4))
    pieces.push(FILLER.subarray(0, Math.min(FILLER.length, left - 4)));
  pieces.push(CLOSE.subarray(CLOSE.length - left));
  return pieces;
}
