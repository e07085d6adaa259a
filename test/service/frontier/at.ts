import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DrawStream } from '../../../src/base/index.ts';
import {
  connectFrontier, FrontierServer, type AckMessage, type DeepPartial, type FrontierConnection,
  type FrontierServerOptions, type GetParams, type Stats, type URLFrontierClient, type URLInfo, type URLItem,
} from '../../../src/views/service/frontier/index.ts';

/** A server, and its clock: that of a test for ours, the machine's for any other. */
export interface At {
  readonly calls: URLFrontierClient;
  nowMs(): number;
  /** Lets so much time pass. */
  advance(ms: number): Promise<void>;
  /** Ends the server and starts it again; undefined where that is not ours to do. */
  readonly restart?: ((options?: Partial<FrontierServerOptions>) => Promise<void>) | undefined;
  readonly folder?: string | undefined;
  close(): Promise<void>;
}

/** 2026-11-24, a Tuesday: a whole second. */
const startMs = 1_795_500_000_000;

/** Ours, with a clock of its own, in a folder of its own. */
export async function ours(options: Partial<FrontierServerOptions> = {}): Promise<At> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-frontier-'));
  const store = join(folder, 'store');
  let nowMs = startMs;
  let [server, connection] = await open(options);
  async function open(more: Partial<FrontierServerOptions>): Promise<[FrontierServer, FrontierConnection]> {
    const opened = await FrontierServer.listen({ store, now: () => nowMs, ...options, ...more });
    return [opened, connectFrontier({ address: `127.0.0.1:${opened.port}`, token: more.token ?? options.token })];
  }
  const close = async (): Promise<void> => {
    connection.close();
    await server.close();
  };
  return {
    get calls() { return connection.calls; },
    folder: store,
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
      return Promise.resolve();
    },
    async restart(more = {}) {
      await close();
      [server, connection] = await open(more);
    },
    async close() {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Any server, by its address. */
export function theirs(address: string): Promise<At> {
  const { calls, close } = connectFrontier({ address });
  return Promise.resolve({
    calls, nowMs: () => Date.now(), advance: (ms) => sleep(ms),
    close() {
      close();
      return Promise.resolve();
    },
  });
}

export type Info = DeepPartial<URLInfo>;

export function discovered(info: Info): DeepPartial<URLItem> {
  return { item: { $case: 'discovered', discovered: { info } } };
}

/** Date in seconds; 0: never again. */
export function known(info: Info, date: number): DeepPartial<URLItem> {
  return { item: { $case: 'known', known: { info, refetchableFromDate: BigInt(date) } } };
}

/** A crawl of its own on a server: what is drawn in it is drawn from its name. */
export class OneCrawl {
  readonly id: string;
  readonly at: At;
  readonly draw: DrawStream;
  #draws = 0;

  constructor(at: At, id: string, seed: number) {
    this.at = at;
    this.id = id;
    this.draw = new DrawStream(seed, id);
  }

  get calls(): URLFrontierClient {
    return this.at.calls;
  }

  get seconds(): number {
    return Math.floor(this.at.nowMs() / 1000);
  }

  /** An integer from `min` to `max`. */
  from(min: number, max: number): number {
    return min + (this.draw.uint32(this.#draws++) % (max - min + 1));
  }

  info(url: string, key = '', metadata: Readonly<Record<string, readonly string[]>> = {}): Info {
    const lists = Object.entries(metadata).map(([name, values]) => [name, { values: [...values] }]);
    return { url, key, crawlID: this.id, metadata: Object.fromEntries(lists) as Info['metadata'] & object };
  }

  /** Statuses: 0 OK, 1 SKIPPED, 2 FAIL. */
  async put(...items: readonly DeepPartial<URLItem>[]): Promise<number[]> {
    return (await this.acks(items)).map(({ status }) => status);
  }

  async acks(items: readonly DeepPartial<URLItem>[]): Promise<AckMessage[]> {
    return all(this.calls.putURLs(each(items)));
  }

  /** Puts discovered URLs of one host, `http://KEY/1` and so on; returns them. */
  async discover(key: string, count: number, from = 1): Promise<string[]> {
    const urls = Array.from({ length: count }, (_, i) => `http://${key}/${from + i}`);
    await this.put(...urls.map((url) => discovered(this.info(url))));
    return urls;
  }

  /** URLs handed out, by default one per queue, under a lease of 30 s. */
  async get(params: DeepPartial<GetParams> = {}): Promise<string[]> {
    return (await this.infos(params)).map(({ url }) => url);
  }

  async infos(params: DeepPartial<GetParams> = {}): Promise<URLInfo[]> {
    const item = { $case: 'crawlID' as const, crawlID: this.id };
    return all(this.calls.getURLs({ maxUrlsPerQueue: 1, delayRequestable: 30, item, ...params }));
  }

  async list(params: object = {}): Promise<URLItem[]> {
    return all(this.calls.listURLs({ crawlID: this.id, ...params }));
  }

  async stats(key = ''): Promise<{ size: number; inProcess: number; queues: number; done: number }> {
    const { size, inProcess, numberOfQueues, counts }: Stats = await this.calls.getStats({ crawlID: this.id, key });
    return {
      size: Number(size), inProcess, queues: Number(numberOfQueues), done: Number(counts['completed'] ?? 0n),
    };
  }
}

export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export function each<T>(items: Iterable<T>): AsyncIterable<T> {
  return Readable.from(items) as AsyncIterable<T>;
}
