import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ClientError } from 'nice-grpc';
import { afterAll, expect, onTestFailed, test } from 'vitest';
import { DrawStream } from '../../../../src/base/index.ts';
import {
  connectFrontier, type FrontierConnection, type URLFrontierClient,
} from '../../../../src/views/service/frontier/index.ts';
import { start } from '../../../cli/command.ts';
import { isFullSweep, replayCommand } from '../../../sweep.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { all, discovered, each, known } from '../at.ts';

// Goal: a server that is killed at any moment, while clients put and get, loses nothing that it acknowledged, and hands
// out nothing twice within a lease.

/** `ORBWEAVER_KILLS=400` for a long hunt. */
const kills = Number(process.env['ORBWEAVER_KILLS'] ?? (isFullSweep ? 50 : 3));
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);
const hosts = 20;
const maxUrlsPerQueue = 2;
const { folder } = temporaryFolder();
const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** What clients know for certain, over all servers. */
class Clients {
  readonly acknowledged = new Set<string>();
  /** URLs received, under leases that outlast the test. */
  readonly leased = new Set<string>();
  /** Items of known URLs that were sent, and those that were acknowledged. */
  readonly reported = new Set<string>();
  readonly done = new Set<string>();
  /** URLs of each key that were received and not reported. */
  readonly #open = new Map<string, number>();
  #found = 0;
  #left = 0;
  #kill: () => void = () => undefined;

  /** Puts and gets until the server is gone: it is killed after so many answers. */
  async work(calls: URLFrontierClient, answers: number, kill: () => void): Promise<void> {
    this.#left = answers;
    this.#kill = kill;
    const gone = (error: unknown): void => {
      if (!(error instanceof ClientError)) throw error;
    };
    await Promise.all([
      this.#discover(calls).catch(gone), this.#fetch(calls).catch(gone), this.#fetch(calls).catch(gone),
    ]);
    // They may all have ended for another reason than the kill.
    expect(this.#left).toBeLessThanOrEqual(0);
  }

  #answered(): void {
    if (--this.#left === 0) this.#kill();
  }

  async #discover(calls: URLFrontierClient): Promise<void> {
    for (;;) {
      const urls = Array.from({ length: 50 }, () => {
        this.#found++;
        return `http://h${this.#found % hosts}.example/${this.#found}`;
      });
      for await (const { ID, status } of calls.putURLs(each(urls.map((url) => discovered({ url }))))) {
        expect(status).toBe(0);
        this.acknowledged.add(ID);
        this.#answered();
      }
    }
  }

  /** Gets URLs and reports two thirds of them, with links. */
  async #fetch(calls: URLFrontierClient): Promise<void> {
    for (;;) {
      const infos = await this.#get(calls);
      const items = infos.filter((_, i) => i % 3 > 0).map(({ url, key }) => {
        this.reported.add(url);
        this.#open.set(key, this.#open.get(key)! - 1);
        const links = { values: [`http://${key}/1`, `http://h1.example/${this.#found}`] };
        return known({ url, key, metadata: { 'orbweaver.links': links } }, 0);
      });
      for await (const { ID, status } of calls.putURLs(each(items))) {
        expect(status).toBe(0);
        this.done.add(ID);
        this.#answered();
      }
    }
  }

  async #get(calls: URLFrontierClient): Promise<{ url: string; key: string }[]> {
    const infos: { url: string; key: string }[] = [];
    for await (const { url, key } of calls.getURLs({ maxUrlsPerQueue, maxQueues: 10, delayRequestable: 86_400 })) {
      expect(this.leased.has(url), `${url} was handed out before`).toBe(false);
      expect(key).not.toBe('h0.example');
      this.leased.add(url);
      this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
      expect(this.#open.get(key), key).toBeLessThanOrEqual(maxUrlsPerQueue);
      infos.push({ url, key });
      this.#answered();
    }
    return infos;
  }
}

async function serve(): Promise<{ child: ChildProcess; connection: FrontierConnection }> {
  const child = start(['serve', 'frontier', '--store', 'store', '--port', '0', '--json'], folder);
  started.add(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  return { child, connection: connectFrontier({ address: `127.0.0.1:${port}` }) };
}

test(`${kills} kills lose nothing and hand out nothing twice`, async () => {
  onTestFailed(() => {
    const replay = replayCommand(seed, 'test/service/frontier/ends/killed.test.ts');
    process.stderr.write(`ORBWEAVER_KILLS=${kills} ${replay}\n`);
  });
  const draw = new DrawStream(seed, 'kills of a frontier');
  const clients = new Clients();
  for (let kill = 0; kill < kills; kill++) {
    const { child, connection } = await serve();
    const { calls } = connection;
    if (kill === 0) {
      await calls.setDelay({ delayRequestable: 0 });
      await all(calls.putURLs(each([discovered({ url: 'http://h0.example/0' })])));
      await calls.blockQueueUntil({ key: 'h0.example', time: 4_000_000_000n });
      await all(calls.putURLs(each([discovered({ url: 'http://limited.example/0' })])));
      await calls.setCrawlLimit({ key: 'limited.example', limit: 0 });
      await calls.setDelay({ key: 'limited.example', delayRequestable: 77 });
    }
    const ended = once(child, 'close');
    await clients.work(calls, 30 + (draw.uint32(kill) % 600), () => child.kill('SIGKILL'));
    await ended;
    connection.close();
  }
  const { child, connection: { calls, close } } = await serve();
  const listed = new Map((await all(calls.listURLs({ size: 1_000_000 }))).map(({ item }) => {
    const info = item?.$case === 'known' ? item.known : undefined;
    return [info?.info?.url ?? '', Number(info?.refetchableFromDate)];
  }));
  for (const url of clients.acknowledged) expect(listed.has(url), `${url} was acknowledged`).toBe(true);
  for (const url of clients.done) expect(listed.get(url), `${url} was done`).toBe(0);
  const { inProcess, size } = await calls.getStats({});
  expect(inProcess).toBeGreaterThanOrEqual([...clients.leased].filter((url) => !clients.reported.has(url)).length);
  expect(Number(size)).toBe([...listed.values()].filter((date) => date > 0).length);
  close();
  const ended = once(child, 'close') as Promise<[number]>;
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
}, 60_000 + 20_000 * kills);
