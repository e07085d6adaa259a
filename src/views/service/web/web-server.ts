import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { authority, listen } from '../listen.ts';
import { Exchange } from './exchange.ts';
import type { LoggedRequest } from './request-log.ts';
import { errorReply, type NoReply, type Reply, type Site, type SiteRequest } from './site.ts';

export interface WebServerOptions {
  /** An address of this machine. By default 127.0.0.1. */
  readonly address?: string | undefined;
  /** 0, the default: the system chooses a free port. */
  readonly port?: number | undefined;
  /** Idle connections are closed after this time; 0: after each response. By default 60. */
  readonly keepAliveSeconds?: number | undefined;
  /** Called with each finished request, in the order of their ends. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
}

/** Requests of one connection that may wait for their responses; more abort it. */
const MAX_PIPELINED = 100;
const MAX_CONNECTIONS = 10_000;
const HEADER_LIMIT_BYTES = 1 << 16;
/** Maximum time for a request to arrive completely. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Timers accept no longer waits. */
const LONGEST_KEEP_ALIVE_SECONDS = 2_000_000;

/** What a server stores about a connection. */
interface Connection {
  readonly number: number;
  requests: number;
  readonly open: Set<Exchange>;
}

/**
 * A site on the wire: HTTP/1.1 with virtual hosts by the Host header, or by the URL if a request has an absolute one,
 * as to a proxy. Only GET and HEAD. Times are real, with timers of a millisecond.
 *
 * Memory  limited by the connections, at most 10,000 of 100 requests each, with 64 KiB of headers; bodies are made when
 *         they are sent.
 */
export class WebServer {
  /** The port on which it listens. */
  readonly port: number;
  readonly address: string;
  readonly #site: Site;
  readonly #server: Server;
  readonly #options: WebServerOptions;
  readonly #connections = new Map<Duplex, Connection>();
  readonly #beganAtMs = performance.now();
  #connectionCount = 0;
  #closed: Promise<void> | undefined;

  /** @throws InputError if the system does not provide this address or port. */
  static async listen(site: Site, options: WebServerOptions = {}): Promise<WebServer> {
    const { address = '127.0.0.1', port = 0 } = options;
    const server = createServer({
      maxHeaderSize: HEADER_LIMIT_BYTES, requestTimeout: REQUEST_TIMEOUT_MS, noDelay: true,
    });
    await listen(server, address, port);
    return new WebServer(site, server, options);
  }

  private constructor(site: Site, server: Server, options: WebServerOptions) {
    this.#site = site;
    this.#server = server;
    this.#options = options;
    const { address, port } = server.address() as AddressInfo;
    this.address = address;
    this.port = port;
    const { keepAliveSeconds = 60 } = options;
    server.keepAliveTimeout = 1000 * Math.min(keepAliveSeconds, LONGEST_KEEP_ALIVE_SECONDS);
    server.maxConnections = MAX_CONNECTIONS;
    server.on('connection', (socket: Socket) => this.#connect(socket));
    server.on('request', (request, response) => this.#request(request, response));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuse(error, socket));
  }

  /** `address:port` as spelled in URLs. */
  get authority(): string {
    return authority(this.address, this.port);
  }

  /** Aborts what is in progress, and resolves when all of it has ended and been reported. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    const disconnected = [...this.#connections].map(([socket, { open }]) => {
      for (const exchange of open) exchange.wasAborted = true;
      socket.destroy();
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all([closed, ...disconnected]);
  }

  #nowUs(): number {
    return Math.round(1000 * (performance.now() - this.#beganAtMs));
  }

  #connect(socket: Socket): void {
    const connection: Connection = { number: this.#connectionCount++, requests: 0, open: new Set() };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      for (const exchange of connection.open) exchange.end(exchange.wasAborted ? 'destroyed' : 'closed by client');
    });
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    // Requests that the parser finds in bytes received before the connection was aborted.
    if (connection === undefined || request.socket.destroyed) return;
    const { host, authority, path } = target(request, this.port, this.#site);
    const method = request.method ?? '';
    const startedAtUs = this.#nowUs();
    const exchange = new Exchange(request.socket, response, method === 'HEAD', () => this.#nowUs(), (how) => {
      connection.open.delete(exchange);
      this.#options.onRequest?.({ connection: connection.number, method, host, path, startedAtUs, ...how });
    });
    connection.open.add(exchange);
    if (connection.open.size > MAX_PIPELINED) {
      for (const open of connection.open) open.wasAborted = true;
      request.socket.resetAndDestroy();
      return;
    }
    if (this.#options.keepAliveSeconds === 0) response.shouldKeepAlive = false;
    const reply = this.#reply(method, {
      host, authority, path, atUs: startedAtUs, opensConnection: connection.requests++ === 0,
    });
    if (!(reply instanceof Promise)) exchange.begin(reply);
    else {
      // A site that fails must not affect the responses to other requests.
      reply.then((late) => exchange.begin(late), () => exchange.begin(errorReply(500, 'Internal Server Error')));
    }
  }

  #reply(method: string, request: SiteRequest): Reply | NoReply | Promise<Reply | NoReply> {
    if (method !== 'GET' && method !== 'HEAD') {
      const error = errorReply(405, 'Method Not Allowed');
      return { ...error, headers: [...error.headers, 'Allow', 'GET, HEAD'] };
    }
    return this.#site.hasHost(request.host) ? this.#site.reply(request) : errorReply(404, 'No such host');
  }

  /** Refuses what cannot be read as a request. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const connection = this.#connections.get(socket);
    const status =
      { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ??
      (error.code?.startsWith('HPE_') === true ? 400 : 0);
    if (connection === undefined || status === 0 || !socket.writable) {
      socket.destroy();
      return;
    }
    const atUs = this.#nowUs();
    // Within another response a second status line would be read as part of it.
    const isAnswered = connection.open.size === 0;
    for (const exchange of connection.open) exchange.wasAborted = true;
    if (isAnswered)
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
        socket.destroy(),
      );
    else socket.destroy();
    this.#options.onRequest?.({
      connection: connection.number, method: '', host: '', path: '', status: isAnswered ? status : 0, startedAtUs: atUs,
      endedAtUs: atUs, bytes: 0, end: isAnswered ? 'sent' : 'destroyed',
    });
  }
}

/** The host and path of a request. The server's own port is ignored, unless the site has a host of that name. */
function target(request: IncomingMessage, port: number, site: Site): Pick<SiteRequest, 'host' | 'authority' | 'path'> {
  const url = request.url ?? '';
  const whole = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url);
  const authority = (whole?.[1] ?? request.headers.host ?? '').toLowerCase();
  const rest = whole?.[2] ?? url;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const ownPort = site.hasHost(authority)
    ? undefined
    : [`:${port}`, ':80'].find((suffix) => authority.endsWith(suffix));
  return { host: ownPort === undefined ? authority : authority.slice(0, -ownPort.length), authority, path };
}
