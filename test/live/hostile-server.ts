import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expiredCertificate, goodCertificate, selfSignedCertificate, serverKey } from './certificates.ts';

/**
 * A server that does to a crawler what the web does, and worse: one path per fault, over bare sockets, so that it can
 * say what no HTTP library would. It counts what it was asked and what it sent: whether a crawler is bounded and polite
 * is judged here.
 *
 * The host named in the request chooses its robots.txt (`robotsOf`); over TLS, the name asked for chooses the
 * certificate.
 */

export interface Asked {
  readonly host: string;
  readonly path: string;
  /** The whole head, as received. */
  readonly head: string;
  /** Number of the connection, from 0 in the order of their opening. */
  readonly connection: number;
  readonly atMs: number;
}

export interface Talk {
  readonly socket: Socket;
  readonly host: string;
  readonly path: string;
  readonly server: HostileServer;
}

export type Route = (talk: Talk) => void;

const CHUNK = Buffer.alloc(1 << 16, 0x61);
const HTML = 'content-type: text/html; charset=utf-8\r\n';

/** A page that is well, keeps its connection, and links to `hrefs`. */
export function page(hrefs: readonly string[] = [], headers = HTML): Buffer {
  const body = Buffer.from(
    `<!doctype html><title>page</title>${hrefs.map((href) => `<a href="${href}">link</a>`).join('\n')}`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n`), body]);
}

export function answer(status: number, headers: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} X\r\n${headers}content-length: ${bytes.length}\r\n\r\n`),
    bytes,
  ]);
}

const says = (bytes: Buffer | string): Route => ({ socket }) => { socket.write(bytes); };
const saysAndEnds = (bytes: Buffer | string): Route => ({ socket }) => { socket.end(bytes); };
/** Says something, and when it has arrived, most likely, cuts the connection. */
const saysAndCuts = (bytes: string): Route => ({ socket }) => {
  socket.write(bytes, () => setTimeout(() => { socket.resetAndDestroy(); }, 20));
};

/** Writes `bytes` over and over, as fast as the other side reads, at most `times` times. */
function pour(socket: Socket, bytes: Buffer, times = Infinity): void {
  let left = times;
  const on = () => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(bytes)) return;
  };
  socket.on('drain', on);
  on();
}

/** Writes `text`, then `piece` again and again, one every `everyMs`. */
function trickle({ socket, server }: Talk, text: string, piece: string): void {
  socket.write(text);
  const timer = setInterval(() => { socket.write(piece); }, server.everyMs);
  socket.on('close', () => { clearInterval(timer); });
}

/** 64 MiB of nothing in 64 KiB. */
let bomb: Buffer | undefined;

const missing = says(answer(404, HTML, 'nothing here'));

/** What each path does; a path's further segments are the route's. */
const routes: Readonly<Record<string, Route | undefined>> = {
  good: says(page(['/good/1', '/good/2'])),
  encoded: says(answer(200, `${HTML}content-encoding: gzip\r\n`, gzipSync('<a href="/good">link</a>'))),
  chunked: says(
    `HTTP/1.1 200 OK\r\n${HTML}transfer-encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nx-trailer: 1\r\n\r\n`,
  ),
  unframed: saysAndEnds(`HTTP/1.0 200 OK\r\n${HTML}\r\nhello world`),
  missing,
  'missing-long': says(answer(404, HTML, Buffer.alloc(1 << 20))),
  unavailable: says(answer(503, 'retry-after: 120\r\n')),
  image: says(answer(200, 'content-type: image/png\r\n', Buffer.alloc(100))),
  'image-long': says(answer(200, 'content-type: image/png\r\n', Buffer.alloc(1 << 20))),

  'endless-body': ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\n${HTML}\r\n`);
    pour(socket, CHUNK);
  },
  'endless-chunks': ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\n${HTML}transfer-encoding: chunked\r\n\r\n`);
    pour(socket, Buffer.from('1\r\na\r\n'.repeat(10_000)));
  },
  'long-promise': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: 99999999999\r\n\r\na`),
  'slow-body': (talk) => {
    trickle(talk, `HTTP/1.1 200 OK\r\n${HTML}content-length: 100000\r\n\r\n`, 'a');
  },
  'stopped-body': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: 1000\r\n\r\nhello`),
  'slow-head': (talk) => {
    trickle(talk, 'HTTP/1.1 200 OK\r\nx: ', 'a');
  },
  silent: () => undefined,
  'header-bomb': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, Buffer.from('x-header: value\r\n'.repeat(1000)));
  },
  'header-long': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ');
    pour(socket, CHUNK);
  },
  'status-line-long': ({ socket }) => {
    socket.write('HTTP/1.1 200 ');
    pour(socket, CHUNK, 1 << 10);
  },
  'gzip-bomb': ({ socket }) => {
    bomb ??= gzipSync(Buffer.alloc(64 << 20));
    socket.write(answer(200, `${HTML}content-encoding: gzip\r\n`, bomb));
  },

  'too-short': saysAndEnds(`HTTP/1.1 200 OK\r\n${HTML}content-length: 1000\r\n\r\nhello`),
  'too-short-close': saysAndEnds(`HTTP/1.1 200 OK\r\n${HTML}connection: close\r\ncontent-length: 1000\r\n\r\nhello`),
  'too-long': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: 5\r\n\r\nhello world, and more`),
  'two-lengths': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: 5\r\ncontent-length: 11\r\n\r\nhello world`),
  'equal-lengths': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`),
  'length-list': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: 5, 5\r\n\r\nhello`),
  'folded-header': says(`HTTP/1.1 200 OK\r\nx: a\r\n b\r\n${HTML}content-length: 5\r\n\r\nhello`),
  'length-and-chunked': says(
    `HTTP/1.1 200 OK\r\n${HTML}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  ),
  'negative-length': says(`HTTP/1.1 200 OK\r\n${HTML}content-length: -5\r\n\r\nhello`),
  'bad-chunk': says(`HTTP/1.1 200 OK\r\n${HTML}transfer-encoding: chunked\r\n\r\nxyz\r\nhello\r\n`),
  'huge-chunk': says(`HTTP/1.1 200 OK\r\n${HTML}transfer-encoding: chunked\r\n\r\nfffffffffffffffffff\r\nhello`),
  'cut-chunks': saysAndEnds(`HTTP/1.1 200 OK\r\n${HTML}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
  'no-content-with-body': says('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'),
  'no-content-with-more': says('HTTP/1.1 204 No Content\r\n\r\nhello'),
  'not-modified-with-length': says('HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'),

  garbage: says(Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 'latin1')),
  'http-0.9': saysAndEnds('<html>hello</html>'),
  'status-bad': says('HTTP/1.1 20 OK\r\n\r\n'),
  splitting: says(`HTTP/1.1 200 OK\r\nx: a\r\n\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbad`),
  'header-nul': says('HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n'),
  'header-bare-cr': says('HTTP/1.1 200 OK\r\nx: a\rset-cookie: b\r\ncontent-length: 0\r\n\r\n'),
  informational: ({ socket }) => {
    pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'));
  },
  'early-hints': says(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), page()])),
  upgrade: says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello'),

  'reset-before-head': ({ socket }) => {
    socket.resetAndDestroy();
  },
  'close-before-head': ({ socket }) => {
    socket.end();
  },
  'reset-in-head': saysAndCuts('HTTP/1.1 200 OK\r\nx-hea'),
  'close-in-head': saysAndEnds('HTTP/1.1 200 OK\r\nx-hea'),
  'reset-in-body': saysAndCuts(`HTTP/1.1 200 OK\r\n${HTML}content-length: 1000\r\n\r\nhello`),
  'reset-in-closing-body': saysAndCuts(
    `HTTP/1.1 200 OK\r\n${HTML}connection: close\r\ncontent-length: 1000\r\n\r\nhello`,
  ),
  'reset-in-chunks': saysAndCuts(`HTTP/1.1 200 OK\r\n${HTML}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
  'reset-in-unframed': saysAndCuts(`HTTP/1.1 200 OK\r\n${HTML}\r\nhello`),

  /** A redirect to the next, for ever. */
  redirect: ({ socket, path }) => {
    socket.write(answer(302, `location: /redirect/${numberIn(path) + 1}\r\n`, 'moved'));
  },
  'redirect-loopback': says(answer(302, 'location: http://127.0.0.1/secret\r\n')),
  'redirect-metadata': says(answer(302, 'location: http://169.254.169.254/latest/meta-data/\r\n')),
  'redirect-file': says(answer(302, 'location: file:///etc/passwd\r\n')),
  'redirect-stopped': says('HTTP/1.1 302 Found\r\nlocation: /good\r\ncontent-length: 100\r\n\r\n'),
  /** A page for every day there will ever be. */
  calendar: ({ socket, path }) => {
    socket.write(page([`/calendar/${numberIn(path) + 1}`]));
  },
  'many-links': ({ socket }) => {
    socket.write(page(Array.from({ length: 100_000 }, (_, i) => `/good/${i}`)));
  },
  'control-links': says(
    page([
      '/good/\x1b[31mred', '/good/\x07bell', '/good/%1b%5b31m', '/good/a\tb\nc', '\x00/good/nul', '/good/\u202ebidi',
    ]),
  ),
  /** Says UTF-8 and is UTF-16, says it in a meta element too, and holds bytes that are neither. */
  'charset-lies': says(
    answer(
      200,
      HTML,
      Buffer.concat([
        Buffer.from('<meta charset="utf-16"><a href="/good/'), Buffer.from([0xff, 0xfe, 0xe9, 0x80]),
        Buffer.from('<a href="/good/\u00e9">', 'utf16le'),
      ]),
    ),
  ),
};

/** Names of the paths, for tests that visit them all. */
export const hostileRoutes: readonly string[] = Object.keys(routes);

/** robots.txt of the hosts of these names; of all others there is none (404). */
const robotsOf: Readonly<Record<string, Route | undefined>> = {
  /** 50 MB, of which the first lines deny /denied. */
  'robots-huge.test': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 52428800\r\n\r\n');
    const line = Buffer.from('user-agent: *\ndisallow: /denied\n'.padEnd(64, '#'));
    pour(socket, Buffer.concat(Array<Buffer>(1024).fill(line)), 800);
  },
  'robots-silent.test': () => undefined,
  'robots-error.test': says(answer(500, '')),
  'robots-reset.test': ({ socket }) => { socket.resetAndDestroy(); },
};

export class HostileServer {
  readonly asked: Asked[] = [];
  /** Names asked for over TLS. */
  readonly servernames: string[] = [];
  /** Bytes that the sockets took, of all connections. */
  sentBytes = 0;
  /** Between two pieces of what trickles, milliseconds. */
  everyMs = 1000;
  connections = 0;
  readonly #open = new Set<Socket>();
  readonly #plain: Server;
  readonly #secure: Server;
  readonly #routes: Readonly<Record<string, Route | undefined>>;

  private constructor(more: Readonly<Record<string, Route>>) {
    this.#routes = { ...routes, ...more };
    this.#plain = createTcpServer((socket) => { this.#talk(socket); });
    const contexts = new Map([
      ['good.test', goodCertificate], ['expired.test', expiredCertificate], ['self-signed.test', selfSignedCertificate],
    ].map(([name, cert]) => [name, createSecureContext({ cert, key: serverKey })]));
    this.#secure = createTlsServer({
      cert: goodCertificate, key: serverKey,
      SNICallback: (name, done) => {
        this.servernames.push(name);
        done(null, contexts.get(name));
      },
    }, (socket) => { this.#talk(socket); });
    // A handshake that the crawler ends is what is hoped for.
    this.#secure.on('tlsClientError', () => undefined);
  }

  /**
   * Listens on loopback, at ports that the system chooses. At 127.0.0.2 (on Linux), 127.0.0.1 can stay denied.
   * @param more routes of a test's own.
   */
  static async open(
    address: '127.0.0.1' | '127.0.0.2' = '127.0.0.1', more: Readonly<Record<string, Route>> = {},
  ): Promise<HostileServer> {
    const server = new HostileServer(more);
    for (const part of [server.#plain, server.#secure])
      await new Promise<void>((resolve) => part.listen(0, address, resolve));
    return server;
  }

  get port(): number {
    return (this.#plain.address() as AddressInfo).port;
  }

  get securePort(): number {
    return (this.#secure.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    for (const part of [this.#plain, this.#secure]) await new Promise((resolve) => part.close(resolve));
  }

  #talk(socket: Socket): void {
    const connection = this.connections++;
    this.#open.add(socket);
    let countedBytes = 0;
    const count = () => {
      this.sentBytes += socket.bytesWritten - countedBytes;
      countedBytes = socket.bytesWritten;
    };
    // Resets are this server's trade.
    socket.on('error', () => undefined);
    socket.on('close', () => { count(); this.#open.delete(socket); });
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      // As web servers do with TLS at a port without.
      if (!text.startsWith('GET '.slice(0, text.length))) socket.end(answer(400, 'connection: close\r\n'));
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end + 4);
        text = text.slice(end + 4);
        const path = /^GET (\S+) /.exec(head)?.[1] ?? '';
        const host = (/\r\nhost: ([^\r:]*)/i.exec(head)?.[1] ?? '').toLowerCase();
        this.asked.push({ host, path, head, connection, atMs: performance.now() });
        const route = path === '/robots.txt' ? robotsOf[host] : this.#routes[path.split(/[/?]/)[1]];
        (route ?? missing)({ socket, host, path, server: this });
        count();
      }
    });
  }
}

function numberIn(path: string): number {
  return Number(/[0-9]+/.exec(path)?.[0] ?? 0);
}

interface ChangingDns {
  readonly lookup: (name: string) => Promise<readonly string[]>;
  readonly asked: string[];
}

/**
 * DNS that gives the next of `answers` each time that it is asked, and the last one from then on; counts in `asked`.
 */
export function changingDns(...answers: readonly (readonly string[])[]): ChangingDns {
  const asked: string[] = [];
  return {
    asked,
    lookup: (name) => {
      asked.push(name);
      return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1]);
    },
  };
}
