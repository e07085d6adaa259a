import {
  request as httpRequest, STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { InputError, WorldError, quoted } from '../base/index.ts';
import { isWebAddress } from './public-datasets.ts';

/** Statuses of a server that may answer otherwise in a while (RFC 9110, section 15; RFC 6585). */
const PASSING_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Faults of the network that may pass, by the system's name. A name that does not exist and a certificate that is not
 * valid do not.
 */
const PASSING_FAULTS: readonly string[] = [
  'ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH',
  'ENETDOWN',
];

/** What may wait in memory to be written. */
const MOST_QUEUED_BYTES = 1 << 22;

/** A fault of server or network that may pass: worth another attempt. */
export class PassingFault extends Error {
  override readonly name = 'PassingFault';
  /** How long the server asks to be left alone, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface HttpLimits {
  /** Redirects followed. */
  readonly redirects: number;
  /** Longest time in which nothing comes, from the connection on, milliseconds. */
  readonly stallMs: number;
}

/**
 * An answer, whose body gathers from the moment that its head has come: what came before a fault is given before the
 * fault is thrown, where a stream's own iterator would drop it. A reader that is slower than the network holds it up.
 */
export class HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #message: IncomingMessage;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #end: { readonly fault?: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.status = message.statusCode ?? 0;
    this.headers = message.headers;
    message.on('data', (chunk: Uint8Array) => {
      this.#queue.push(chunk);
      this.#queuedBytes += chunk.length;
      if (this.#queuedBytes > MOST_QUEUED_BYTES) message.pause();
      this.#wake();
    });
    message.on('end', () => this.#ends(message.complete ? {} : { fault: new PassingFault('the connection was cut') }));
    message.on('error', (fault) => this.#ends({ fault }));
    message.on('close', () => this.#ends({ fault: new PassingFault('the connection was cut') }));
  }

  #ends(how: { readonly fault?: unknown }): void {
    this.#end ??= how;
    this.#wake();
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
      this.#message.resume();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Ends the connection, with what is not read yet. */
  destroy(fault?: Error): void {
    this.#message.destroy(fault);
  }
}

/**
 * The answer to a GET, after redirects, with its body still to be read; status 200, 206 or 416.
 * No content coding is asked for: what comes are the file's own bytes.
 * Errors   PassingFault; InputError for another status, for too many redirects, and as redirected.
 */
export async function httpGet(
  address: string, headers: OutgoingHttpHeaders, limits: HttpLimits, signal?: AbortSignal,
): Promise<HttpAnswer> {
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    const answer = await once(url, headers, limits.stallMs, signal);
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

/** The fault that may pass behind an error; undefined where it will not. */
export function passingFault(error: unknown): PassingFault | undefined {
  if (error instanceof PassingFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET') return new PassingFault('the connection was cut');
  return PASSING_FAULTS.includes(code) ? new PassingFault(`no connection (${code})`) : undefined;
}

/**
 * The WorldError for what network or disk say of `address`, such as a host that does not exist; any other error as it
 * is.
 */
export function networkError(address: string, error: unknown): unknown {
  return error instanceof Error && 'code' in error ? new WorldError(`${address}: ${error.message}`) : error;
}

function once(
  url: URL, headers: OutgoingHttpHeaders, stallMs: number, signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      headers: { 'accept-encoding': 'identity', 'user-agent': 'orbweaver', ...headers },
      timeout: stallMs,
      ...(signal && { signal }),
    });
    let answer: HttpAnswer | undefined;
    request.on('timeout', () => (answer ?? request).destroy(new PassingFault(`nothing came for ${stallMs / 1000} s`)));
    request.on('error', reject);
    request.on('response', (message) => {
      answer = new HttpAnswer(message);
      resolve(answer);
    });
    request.end();
  });
}

/**
 * Where a redirect leads. Errors   InputError, told of `address`, where that is no address of the web, or from https to
 * http.
 */
export function redirected(address: string, from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to) to.hash = '';
  if (!to || !isWebAddress(to.href)) {
    throw new InputError(`${address}: redirects to ${quoted(location)}, which is no address of http or https`);
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
