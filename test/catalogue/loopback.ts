import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { DownloadMachine } from '../../src/graphs/catalogue/index.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Loopback {
  /** Address of a path on the server. */
  readonly at: (path: string) => string;
  /** What was asked for: method and path, and the range where there was one. */
  readonly asked: string[];
}

/** A real HTTP server on loopback, until the test ends. */
export async function serve(handler: Handler): Promise<Loopback> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { range } = request.headers;
    asked.push(`${request.method} ${request.url}${range === undefined ? '' : ` ${range}`}`);
    handler(request, response);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { at: (path) => `http://127.0.0.1:${port}${path}`, asked };
}

export interface Served {
  readonly bytes: Uint8Array;
  readonly etag?: string;
  readonly lastModified?: string;
}

/**
 * Answers as a good server does: ranges where they are asked for of the same file, 416 beyond its end. Sends no more
 * than `maxBytes` bytes.
 */
export function sendFile(
  request: IncomingMessage, response: ServerResponse, { bytes, etag, lastModified }: Served, maxBytes = Infinity,
): void {
  if (etag !== undefined) response.setHeader('etag', etag);
  if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
  const start = Number(/^bytes=([0-9]+)-$/.exec(request.headers.range ?? '')?.[1] ?? NaN);
  const ifRange = request.headers['if-range'];
  const goesOn = !Number.isNaN(start) && (ifRange === undefined || ifRange === etag || ifRange === lastModified);
  if (goesOn && start >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const body = goesOn ? bytes.subarray(start) : bytes;
  if (goesOn)
    response.writeHead(206, {
      'content-length': body.length,
      'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
    });
  else response.writeHead(200, { 'content-length': body.length });
  if (body.length <= maxBytes) response.end(body);
  // Cut: what was written arrives before the connection ends.
  else response.write(body.subarray(0, maxBytes), () => response.socket?.end());
}

/** A machine whose waits take no time, and are reported; its disk has room. */
export function patientMachine(freeBytes?: number): DownloadMachine & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    freeBytes: () => Promise.resolve(freeBytes),
  };
}
