import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authority, isLoopbackName, listen } from '../listen.ts';
import { expositionType } from './exposition.ts';

/** Other machines have no business with a crawl: whoever wants its metrics elsewhere puts a proxy in front. */
const ADDRESS = '127.0.0.1';
const PATH = '/metrics';

/**
 * Metrics over HTTP, on loopback alone. A page in a browser of this machine reaches loopback by another name that it
 * has bound to loopback: the Host header shows that name. A forwarded port may have another number.
 */
export class MetricsServer {
  readonly url: string;
  readonly #server: Server;

  /**
   * @param port - 0: one that the system chooses.
   * @param text - called for each request.
   * @throws InputError if the port is not free.
   */
  static async listen(port: number, text: () => string): Promise<MetricsServer> {
    const server = createServer((request, response) => {
      const status = statusOf(request);
      const body = status === 200 ? text() : status === 403 ? `the host must be ${ADDRESS}\n` : `see ${PATH}\n`;
      response
        .writeHead(status, {
          'Content-Type': status === 200 ? expositionType : 'text/plain', 'Content-Length': Buffer.byteLength(body),
          ...(status === 405 && { Allow: 'GET, HEAD' }),
        })
        .end(body);
    });
    await listen(server, ADDRESS, port);
    return new MetricsServer(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://${authority(ADDRESS, (server.address() as AddressInfo).port)}${PATH}`;
  }

  /** Open connections, which wait for further requests, are cut. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

function statusOf({ method, url, headers: { host } }: IncomingMessage): number {
  if (!isLoopbackName(host)) return 403;
  if (method !== 'GET' && method !== 'HEAD') return 405;
  return url?.split('?')[0] === PATH ? 200 : 404;
}
