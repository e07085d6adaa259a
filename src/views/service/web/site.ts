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
  /** Whether it is the first request of its connection. */
  readonly opensConnection: boolean;
}

/** A site's response, and its speed. */
export interface Reply {
  readonly status: number;
  /** Names and values alternating, without Content-Length. */
  readonly headers: readonly string[];
  /** Bytes of the body, sent as Content-Length. */
  readonly bytes: number;
  /**
   * The body, in pieces that are available or arrive one by one; if it is shorter than stated, the exchange is aborted.
   */
  readonly body: readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  /** From the request until the response begins. */
  readonly beginsAfterUs: number;
  /** Infinity for no limit. */
  readonly bytesPerUs: number;
}

/** No response: after a while the connection is reset. */
export interface NoReply {
  readonly resetAfterUs: number;
}

/** What is served: hosts by name, and their responses. A failing request gets a reply, never an exception. */
export interface Site {
  readonly name: string;
  /** Whether the site has the host; for others the server answers 404. */
  hasHost(host: string): boolean;
  reply(request: SiteRequest): Reply | NoReply | Promise<Reply | NoReply>;
}

export const htmlType = ['Content-Type', 'text/html; charset=utf-8'] as const;

/** A small page that names the error, padded to `bytes` if that is longer. */
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

/** So many bytes that HTML ignores: a comment, or blanks if none fits. Slices of one buffer: O(bytes / 64 KiB). */
export function padding(bytes: number): Uint8Array[] {
  if (bytes < BLANKS.length) return bytes === 0 ? [] : [BLANKS.subarray(0, bytes)];
  const pieces: Uint8Array[] = [OPEN];
  let rest = bytes - OPEN.length;
  for (; rest > CLOSE.length; rest -= Math.min(FILLER.length, rest - 4))
    pieces.push(FILLER.subarray(0, Math.min(FILLER.length, rest - 4)));
  pieces.push(CLOSE.subarray(CLOSE.length - rest));
  return pieces;
}
