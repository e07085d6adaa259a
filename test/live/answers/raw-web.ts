import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawlLive, type LiveResult } from '../../../src/machines/crawl/index.ts';
import type { LiveInput } from '../../../src/core/live/index.ts';
import type { LiveCrawlInput } from '../../../src/core/settings/index.ts';

/** A request, as its server saw it. */
export interface Asked {
  readonly host: string;
  readonly path: string;
  readonly atMs: number;
}

/** All octets of an answer; each connection has one. */
export type Answers = (asked: Asked, times: number) => Buffer;

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** An answer from its lines, one character per octet; `connection: close` and the length are added. */
export function answer(status: number, lines: readonly string[] = [], body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} X`, ...lines, `Content-Length: ${bytes.length}`, 'Connection: close', '', ''];
  return Buffer.concat([latin1(head.join('\r\n')), bytes]);
}

export const html = 'Content-Type: text/html';
export const missing = answer(404);

/** An answer of HTML with these links. */
export function linking(hrefs: readonly string[], lines: readonly string[] = [html]): Buffer {
  return answer(200, lines, hrefs.map((href) => `<a href="${href}">x</a>`).join('\n'));
}

/** The octets of text, one per character. */
export function octets(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** A web on loopback whose answers are octets that a test writes down, and crawls of it. */
export class RawWeb {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'orbweaver-raw-'));
  #crawls = 0;
  #answers: Answers = () => missing;

  private constructor() {
    this.#server = createServer((socket) => { this.#talk(socket); });
  }

  static async open(): Promise<RawWeb> {
    const web = new RawWeb();
    await new Promise<void>((resolve) => web.#server.listen(0, '127.0.0.1', resolve));
    return web;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Answers like this from now on; nothing has been asked. */
  serve(answers: Answers): void {
    this.#answers = answers;
    this.asked.length = 0;
  }

  /** Where a crawl that `crawl` does not begin may be stored. */
  newFolder(): string {
    return join(this.#folder, String(this.#crawls++));
  }

  /** A crawl by one robot until nothing is left, or until it is ended. */
  async crawl(
    seeds: readonly string[], { experiment, live, signal }: {
      experiment?: LiveCrawlInput; live?: Partial<LiveInput>; signal?: AbortSignal;
    } = {},
  ): Promise<{ readonly folder: string; readonly result: LiveResult }> {
    const folder = this.newFolder();
    const result = await crawlLive(folder, {
      experiment: {
        policy: 'breadth-first', processors: 1, robots: 1, politenessMs: 0, superstepMs: 0, retries: 1, backoffMs: 1,
        ...experiment,
      },
      live: {
        contact: 'test@localhost', allowNetworks: ['127.0.0.0/8'], readerThreads: 0,
        resolve: [{ host: '*', address: '127.0.0.1', port: this.port }], ...live,
      },
      seeds,
    }, { signal });
    return { folder, result };
  }

  /** What was asked for besides robots.txt: host and path. */
  get pagesAsked(): string[] {
    return this.asked.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => host + path);
  }

  #talk(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => { this.#open.delete(socket); });
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      const path = text.split(' ')[1];
      const host = /\r\nhost: ([^\r:]*)/i.exec(text)?.[1] ?? '';
      const times = this.asked.filter((asked) => asked.host === host && asked.path === path).length;
      const asked = { host, path, atMs: performance.now() };
      this.asked.push(asked);
      socket.end(this.#answers(asked, times));
    });
  }
}

/** Kind and reason in a crawl's log, by URL without its scheme: of the last try, or of the last with this outcome. */
export function loggedEnds(folder: string, outcome?: string): Readonly<Record<string, string>> {
  const lines = readFileSync(join(folder, 'crawl.log'), 'latin1').trimEnd().split('\n').map((line) => line.split(/ +/));
  const wanted = outcome === undefined ? lines : lines.filter(([, , , kind]) => kind === outcome);
  return Object.fromEntries(wanted.map(([, , , kind, , url, , , reason]) => [
    url.replace(/^https?:\/\//, ''), reason === '-' ? kind : `${kind}: ${decodeURIComponent(reason)}`,
  ]));
}

export function archivesOf(folder: string): string[] {
  return readdirSync(join(folder, 'warc')).sort().map((file) => join(folder, 'warc', file));
}
