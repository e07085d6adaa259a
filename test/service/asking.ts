import { request, type Agent } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebServer, type LoggedRequest, type Site, type WebServerOptions } from '../../src/views/service/index.ts';

export interface Served {
  readonly server: WebServer;
  readonly log: LoggedRequest[];
}

/** A site on loopback, until the test ends, with all that it logs. */
export async function serving(site: Site, options: WebServerOptions = {}): Promise<Served> {
  const log: LoggedRequest[] = [];
  const server = await WebServer.listen(site, { ...options, onRequest: (one) => log.push(one) });
  onTestFinished(() => server.close());
  return { server, log };
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Until the headers came, and until the body's end. */
  readonly headersAfterMs: number;
  readonly afterMs: number;
}

/** What the server answers to one request of node's own client; rejects where it answers nothing. */
export function get(
  server: WebServer, url: string, { method = 'GET', agent }: { method?: string; agent?: Agent } = {},
): Promise<Got> {
  const [, host, path] = /^http:\/\/([^/]+)(.*)$/.exec(url)!;
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: server.address, port: server.port, path, method, headers: { host }, agent: agent ?? false },
      (response) => {
        const headersAfterMs = performance.now() - startedAtMs;
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces), headersAfterMs,
            afterMs: performance.now() - startedAtMs,
          }),
        );
      },
    );
    asked.on('error', reject).end();
  });
}

/** All that comes back on a connection of its own, until the server closes it or `quietMs` pass without a byte. */
export function exchange(server: WebServer, bytes: string | Buffer, quietMs = 100): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(server.port, server.address, () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(quietMs, done);
    socket.on('data', (piece) => (text += piece.toString('latin1')));
    socket.on('error', done).on('close', done);
  });
}

/** Asks on a connection of its own, and goes with the first bytes of the answer. */
export async function abandon(server: WebServer, bytes: string): Promise<void> {
  const socket = connect(server.port, server.address, () => socket.write(bytes));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
}
