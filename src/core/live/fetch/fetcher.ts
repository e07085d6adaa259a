import { isIP } from 'node:net';
import type * as Undici from 'undici';
import { packageVersion } from '../../../base/index.ts';
import type { LiveSettings } from '../settings.ts';
import { AddressGuard, addressName } from './address-guard.ts';
import type { Answer, Fault, FaultReason, RequestTimes } from './answer.ts';
import { BodyMemory } from './body-memory.ts';
import { Download, type Connection, type Wants } from './download.ts';
import { Resolver, withoutDot, type Lookup } from './resolver.ts';
import { FaultError } from './fault-error.ts';

/** Origins whose idle connection may stay open: a crawl meets millions, and a process may open a thousand. */
const MAX_IDLE_ORIGINS = 256;
/** How long an idle connection stays open: undici's default if the host states nothing, and the maximum if it does. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;

export interface FetcherOptions {
  readonly lookup?: Lookup | undefined;
  /** PEM of the trusted authorities; replaces Node's list. */
  readonly authorities?: string | undefined;
  /** How much faster the crawl's clock is: time-outs are that much shorter on the machine's. */
  readonly speed?: number | undefined;
}

interface Origin extends Connection {
  readonly client: Undici.Client;
  underWay: number;
}

/**
 * One GET at a time per origin, over persistent connections: no redirects, no decoding, no retries. Whatever a host
 * does results in an Answer or a Fault.
 *
 * Addresses   every connection goes to an address that AddressGuard allows; TLS is always verified, against the name in
 *             the URL.
 * Answers     as received: without transfer coding, with content codings. A body with fewer bytes than its
 *             Content-Length is a Fault ('wrong length'); bytes beyond it are not part of the answer, and end the
 *             connection. If only the headers are wanted, a small body is read and discarded, so that the connection
 *             stays; its result is ignored.
 * Bounds      time: connectTimeoutMs, including DNS, headersTimeoutMs and bodyTimeoutMs, each up to a second late
 *             (undici's clock); downloadTimeoutMs, exact, for the wait for room and for the download separately.
 *             Memory: headers headerLimitBytes (a status line without end is discarded as it arrives, until the
 *             headers' time-out); bodies as in BodyMemory. Connections: one per origin, and 256 idle ones.
 * Cost        as undici's bare Pool.request.
 */
export class Fetcher {
  readonly #undici: typeof Undici;
  readonly #settings: LiveSettings;
  readonly #resolver: Resolver;
  readonly #connect: Undici.buildConnector.connector;
  readonly #memory: BodyMemory;
  readonly #headers: string[];
  readonly #headersText: string;
  /** Least recently used first. */
  readonly #origins = new Map<string, Origin>();
  readonly #heldBytes = new Map<Answer, number>();
  #isClosed = false;

  /** Loads the client too, which only crawls wait for. @throws InputError for an invalid network or mapping of names. */
  static async open(settings: LiveSettings, options: FetcherOptions = {}): Promise<Fetcher> {
    return new Fetcher(await import('undici'), settings, options);
  }

  private constructor(
    undici: typeof Undici, unscaled: LiveSettings, { lookup, authorities, speed = 1 }: FetcherOptions,
  ) {
    const settings = speed === 1 ? unscaled : faster(unscaled, speed);
    const guard = new AddressGuard(settings.allowNetworks);
    this.#undici = undici;
    this.#settings = settings;
    this.#resolver = new Resolver(settings, guard, lookup, speed);
    this.#connect = connector(undici, settings, guard, this.#resolver, authorities);
    this.#memory = new BodyMemory(settings.maxOpenBodiesBytes);
    const headers = [
      ['user-agent', userAgent(settings)],
      ['accept', `${settings.types.join(',')},*/*;q=0.1`],
      ['accept-encoding', 'gzip, deflate, br'],
    ];
    this.#headers = headers.flat();
    this.#headersText = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  /** Bytes of bodies that were received and not released. */
  get heldBytes(): number {
    return this.#memory.heldBytes;
  }

  /**
   * Requests a canonical URL, and fills in `times`. The bytes of an answer's body count as in flight until it is passed
   * to `release`.
   *
   * Errors   WorldError if this machine can open no more connections; whatever `wants` throws.
   */
  fetch(url: string, wants: Wants, times: RequestTimes = {}): Promise<Answer | Fault> {
    const { downloadTimeoutMs } = this.#settings;
    const room = this.#memory.room(downloadTimeoutMs);
    if (room === undefined) return this.#download(url, wants, times);
    return room.then((hasRoom) => hasRoom
      ? this.#download(url, wants, times)
      : fault('download time-out', `no room for its body within ${downloadTimeoutMs} ms`));
  }

  /** The answer's body is no longer in use; to be called for every answer, at least once. */
  release(answer: Answer): void {
    this.#memory.give(this.#heldBytes.get(answer) ?? 0);
    this.#heldBytes.delete(answer);
  }

  /**
   * The address to which a fetch of this URL would connect now: its open connection's, otherwise the first allowed
   * address of its name. Each address has one spelling.
   */
  async addressOf(url: string): Promise<string | Fault> {
    const { origin, hostname, port } = new URL(url);
    const open = this.#origins.get(origin);
    if (open?.socket?.destroyed === false && open.address !== '') return addressName(open.address);
    try {
      return addressName((await this.#resolver.addresses(this.#resolver.target(hostname, port).name))[0]);
    } catch (error) {
      if (error instanceof FaultError) return await fault(error.reason, error.message);
      throw error;
    }
  }

  /**
   * Closes all connections; downloads in flight end as reset, whatever they have received: that says nothing about the
   * page.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#memory.close();
    await Promise.all(Array.from(this.#origins.values(), ({ client }) => client.destroy()));
    this.#origins.clear();
  }

  #download(url: string, wants: Wants, times: RequestTimes): Promise<Answer | Fault> {
    const { protocol, origin: originName, host, pathname, search } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:')
      return fault('address not allowed', `${protocol} is neither http nor https`);
    if (this.#isClosed) return Promise.resolve(ended);
    const path = pathname + search;
    const { bodyLimitBytes, downloadTimeoutMs } = this.#settings;
    const requestHead = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${this.#headersText}\r\n`;
    const origin = this.#origins.get(originName) ?? this.#open(originName, protocol);
    origin.underWay++;
    return new Promise<Answer | Fault>((resolve, reject) => {
      const over = () => {
        clearTimeout(timer);
        this.#rest(originName, origin);
      };
      const download = new Download(
        { url, requestHead, bodyLimitBytes, wants, times },
        origin,
        this.#memory,
        (end, heldBytes) => {
          over();
          if (this.#isClosed) {
            this.#memory.give(heldBytes);
            resolve(ended);
            return;
          }
          if (heldBytes > 0) this.#heldBytes.set(end as Answer, heldBytes);
          resolve(end);
        },
        (error) => {
          over();
          reject(error);
        },
      );
      const timer = setTimeout(() => {
        download.abort(new FaultError('download time-out', `not done within ${downloadTimeoutMs} ms`));
      }, downloadTimeoutMs);
      origin.client.dispatch({ method: 'GET', path, headers: this.#headers }, download);
    });
  }

  #open(name: string, protocol: string): Origin {
    const { headerLimitBytes, headersTimeoutMs, bodyTimeoutMs } = this.#settings;
    const client = new this.#undici.Client(name, {
      connect: (options, callback) => {
        this.#connect(options, (...[error, socket]) => {
          if (error === null) {
            origin.socket = socket;
            origin.address = socket.remoteAddress ?? '';
            callback(null, socket);
          } else {
            // With this code, undici never removes the request from those in flight, and starts no other (7.30).
            const isMisnamed = (error as NodeJS.ErrnoException).code === 'ERR_TLS_CERT_ALTNAME_INVALID';
            callback(isMisnamed ? new FaultError('TLS not valid', error.message) : error, null);
          }
        });
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: headerLimitBytes,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    });
    const origin: Origin = { client, secure: protocol === 'https:', socket: undefined, address: '', underWay: 0 };
    this.#origins.set(name, origin);
    return origin;
  }

  /** Makes an origin the most recently used, and closes the least recently used idle one if there are too many. */
  #rest(name: string, origin: Origin): void {
    origin.underWay--;
    if (this.#isClosed) return;
    this.#origins.delete(name);
    this.#origins.set(name, origin);
    if (this.#origins.size <= MAX_IDLE_ORIGINS) return;
    for (const [oldestName, oldest] of this.#origins) {
      if (oldest.underWay > 0) continue;
      this.#origins.delete(oldestName);
      void oldest.client.destroy();
      return;
    }
  }
}

/** The program and its version, by which archives name their producer. */
export const software = (): string => `orbweaver/${packageVersion()}`;

export function userAgent({ agent, contact }: LiveSettings): string {
  return `${agent}/${packageVersion()} (+${contact})`;
}

function faster(settings: LiveSettings, speed: number): LiveSettings {
  const scaled = (ms: number): number => Math.max(1, Math.round(ms / speed));
  const { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs, downloadTimeoutMs } = settings;
  return {
    ...settings, connectTimeoutMs: scaled(connectTimeoutMs), headersTimeoutMs: scaled(headersTimeoutMs),
    bodyTimeoutMs: scaled(bodyTimeoutMs), downloadTimeoutMs: scaled(downloadTimeoutMs),
  };
}

/** The result of a download in flight when the fetcher is closed. */
const ended: Fault = { reason: 'connection reset', detail: 'the crawl has ended', bytes: 0 };

function fault(reason: FaultReason, detail: string): Promise<Fault> {
  return Promise.resolve({ reason, detail, bytes: 0 });
}

function connector(
  undici: typeof Undici, { connectTimeoutMs }: LiveSettings, guard: AddressGuard, resolver: Resolver,
  authorities: string | undefined,
): Undici.buildConnector.connector {
  const connect = undici.buildConnector({
    timeout: connectTimeoutMs,
    lookup: resolver.forSocket,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
  return (options, callback) => {
    const { name, port } = resolver.target(options.hostname, options.port);
    // A socket does not call `lookup` for an address.
    if (isIP(name) !== 0 && !guard.allows(name)) {
      callback(new FaultError('address not allowed', name), null);
      return;
    }
    const hostname = withoutDot(options.hostname);
    connect({ ...options, hostname: name, port, ...(isIP(hostname) === 0 ? { servername: hostname } : {}) }, callback);
  };
}
