import { STATUS_CODES } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import { InputError, isOwnError, quoted, WorldError } from '../../base/index.ts';
import { isWebAddress } from './public-datasets.ts';

/** Statuses that report a transient failure (RFC 9110, section 15; RFC 6585). */
const PASSING_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Transient network failures, by the system's name. A host name that does not exist and an invalid certificate are not
 * transient.
 */
const PASSING_FAULTS: readonly string[] = [
  'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH',
  'ENETDOWN',
];

/** How the system and undici name a connection that ends before the answer does. */
const CUTS: readonly string[] = ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];
/** undici's names for a stall: no connection, no answer, no more of its body. */
const STALLS: readonly string[] = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Maximum bytes waiting in memory to be written. */
const MAX_QUEUED_BYTES = 1 << 22;

/** A transient failure of server or network: worth another attempt. */
export class PassingFault extends Error {
  override readonly name = 'PassingFault';
  /** How long the server asks not to be contacted, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface HttpLimits {
  /** Maximum redirects followed. */
  readonly redirects: number;
  /** Maximum time without progress, from the connection on, milliseconds. */
  readonly stallMs: number;
}

/** How an answer ended: whole, or by a fault. */
interface End {
  readonly fault?: unknown;
}

/**
 * One GET on its own connection, and its answer. The body gathers from the moment that its head has come: what
 * came before a fault is given before the fault is thrown, where a stream's own iterator would drop it. A reader that
 * is slower than the network holds it up.
 */
export class HttpAnswer implements Dispatcher.DispatchHandler {
  status = 0;
  /** Values of a header that is repeated are joined by commas. */
  headers: Readonly<Record<string, string | undefined>> = {};
  readonly #client: Client;
  readonly #stallMs: number;
  #controller: Dispatcher.DispatchController | undefined;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #end: End | undefined;
  #wake: () => void = () => undefined;
  /** Detaches from the signal. */
  #letGo: () => void = () => undefined;

  private constructor(client: Client, stallMs: number) {
    this.#client = client;
    this.#stallMs = stallMs;
  }

  /** Asks, and waits for the head of the answer. No content coding is asked for. */
  static async to(
    url: URL, headers: Readonly<Record<string, string>>, stallMs: number, signal: AbortSignal | undefined,
  ): Promise<HttpAnswer> {
    // Loaded here, because otherwise every command would wait for it.
    const undici = await import('undici');
    signal?.throwIfAborted();
    const timeouts = { connect: { timeout: stallMs }, headersTimeout: stallMs, bodyTimeout: stallMs };
    const answer = new HttpAnswer(new undici.Client(url.origin, { ...timeouts, allowH2: false }), stallMs);
    const abort = (): void => answer.destroy(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    answer.#letGo = () => signal?.removeEventListener('abort', abort);
    answer.#client.dispatch({
      method: 'GET', path: url.pathname + url.search, reset: true,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'orbweaver', ...headers },
    }, answer);
    while (answer.status === 0) {
      if (answer.#end) throw answer.#end.fault;
      await answer.#more();
    }
    return answer;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    _controller: unknown, status: number, headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    this.status = status;
    this.#wake();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#ends({});
  }

  onResponseError(_controller: unknown, error: Error): void {
    const isStall = STALLS.includes(codeOf(error));
    this.#ends({ fault: isStall ? new PassingFault(`nothing came for ${this.#stallMs / 1000} s`) : error });
  }

  async *body(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      for (let chunk = this.#queue.shift(); chunk; chunk = this.#queue.shift()) {
        this.#queuedBytes -= chunk.length;
        yield chunk;
      }
      if (this.#end) {
        if ('fault' in this.#end) throw this.#end.fault;
        return;
      }
      if (this.#controller?.paused === true) this.#controller.resume();
      await this.#more();
    }
  }

  /** Ends the connection; the unread rest is lost. */
  destroy(fault?: unknown): void {
    this.#ends({ fault });
  }

  #ends(how: End): void {
    this.#end ??= how;
    this.#letGo();
    void this.#client.destroy();
    this.#wake();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * The answer to a GET, after redirects, with its body still to be read; status 200, 206 or 416.
 * No content coding is asked for: what comes are the file's own bytes.
 * Errors   PassingFault; InputError for another status, for too many redirects, and as redirected.
 */
export async function httpGet(
  address: string, headers: Readonly<Record<string, string>>, limits: HttpLimits, signal?: AbortSignal,
): Promise<HttpAnswer> {
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    const answer = await HttpAnswer.to(url, headers, limits.stallMs, signal);
    const { status } = answer;
    if (status === 200 || status === 206 || status === 416) return answer;
    const { location, 'retry-after': retryAfter } = answer.headers;
    // The rest of it is not read: it may be long.
    answer.destroy();
    if (PASSING_STATUSES.includes(status))
      throw new PassingFault(`the server answers ${status}`, secondsToMs(retryAfter));
    if (!REDIRECTS.includes(status) || location === undefined) {
      throw new InputError(`${address}: the server answers ${status} ${STATUS_CODES[status] ?? ''}`.trim());
    }
    if (redirects === limits.redirects) {
      throw new InputError(`${address}: redirects more than ${limits.redirects} times, at last to ${quoted(location)}`);
    }
    url = redirected(address, url, location);
  }
}

/** The transient failure behind an error; undefined if it is not transient. */
export function passingFault(error: unknown): PassingFault | undefined {
  if (error instanceof PassingFault) return error;
  const code = codeOf(error);
  // undici 7.30 has no code for chunks that end early.
  const isCutInChunks = error instanceof Error && /^HTTPParserError: .*Invalid EOF state/.test(String(error));
  if (isCutInChunks || CUTS.includes(code)) return new PassingFault('the connection was cut');
  return PASSING_FAULTS.includes(code) ? new PassingFault(`no connection (${code})`) : undefined;
}

/**
 * The WorldError for a network or disk error on `address`, such as a host that does not exist; any other error
 * unchanged.
 */
export function networkError(address: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error) || isOwnError(error)) return error;
  return new WorldError(`${address}: ${error.message}`);
}

/**
 * The target of a redirect. Errors InputError naming `address` if it is not a web address, or leads from https to http.
 */
export function redirected(address: string, from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to) to.hash = '';
  if (!to || !isWebAddress(to.href)) {
    throw new InputError(`${address}: redirects to ${quoted(location)}, which is not an http or https address`);
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new InputError(
      `${address}: redirects from https to ${quoted(to.href)}, where anybody could change what comes`,
    );
  }
  return to;
}

/** Of `Retry-After` the seconds alone; a date would need a clock. */
function secondsToMs(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^[0-9]{1,9}$/.test(retryAfter) ? 1000 * Number(retryAfter) : undefined;
}
