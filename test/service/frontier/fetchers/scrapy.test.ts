import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FolderSite, WebServer } from '../../../../src/views/service/index.ts';
import { connectFrontier, FrontierServer } from '../../../../src/views/service/frontier/index.ts';
import { syntheticWeb } from '../../../crawl/loopback.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { all } from '../at.ts';
import { FetchedWeb } from './fetched-web.ts';

// Goal: Scrapy fetches by the order of the frontier: in the planned one where nothing is fetched ahead, no page twice,
// none lost when it is killed; callbacks, retries and redirections are as without a frontier. It needs a Python with
// scrapy, grpcio and grpcio-tools: SCRAPY_PYTHON=PATH [ORBWEAVER_PAGES=N] npx vitest run ...; python3 by default.

const python = process.env['SCRAPY_PYTHON'] ?? 'python3';
const isAtHand = spawnSync(python, ['-c', 'import scrapy, grpc, grpc_tools'], { stdio: 'ignore' }).status === 0;
const pages = Number(process.env['ORBWEAVER_PAGES'] ?? 150);
const { folder } = temporaryFolder();
const fetchers = fileURLToPath(new URL('../../../../src/views/service/frontier/fetchers', import.meta.url));
const protocol = fileURLToPath(new URL('../../../../src/views/service/frontier/protocol', import.meta.url));
const spiders = fileURLToPath(new URL('./spider.py', import.meta.url));
const stubs = join(folder, 'stubs');

interface Item {
  readonly url: string;
  readonly by: string;
  readonly depth?: number;
  readonly said?: string;
  readonly parent?: string;
  readonly referer?: string;
}

/** A spider at work; pages come from the proxy at the port. */
function spider(name: string, { address, port, ...settings }: {
  readonly address: string; readonly port: number; readonly [setting: string]: unknown;
}): ChildProcess {
  const all = {
    ADDONS: { 'orbweaver_scrapy.FrontierAddon': 100 }, FRONTIER_ADDRESS: address, FRONTIER_POLL_SECONDS: 0.05,
    ROBOTSTXT_OBEY: true, DOWNLOAD_DELAY: 0, RETRY_TIMES: 50, ...settings,
  };
  const child = spawn(python, [spiders, name, JSON.stringify(all)], {
    cwd: folder, stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env, PYTHONPATH: [fetchers, stubs].join(delimiter), PYTHONDONTWRITEBYTECODE: '1',
      http_proxy: `http://127.0.0.1:${port}`, no_proxy: '',
    },
  });
  onTestFinished(() => { child.kill('SIGKILL'); });
  return child;
}

/** Exit code and log of a spider that ends by itself. */
async function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly log: string }> {
  let log = '';
  child.stdout!.resume();
  child.stderr!.on('data', (data: Buffer) => { log += data.toString(); });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, log };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

const oneByOne = { CONCURRENT_REQUESTS: 1, SCRAPER_SLOT_MAX_ACTIVE_SIZE: 1 };
const skipped = isAtHand ? '' : ': skipped, SCRAPY_PYTHON (or python3) has no scrapy, grpcio and grpcio-tools';

describe.skipIf(!isAtHand)(`Scrapy${skipped}`, { timeout: 3_600_000 }, () => {
  beforeAll(() => {
    mkdirSync(stubs, { recursive: true });
    const args = ['-m', 'grpc_tools.protoc', `-I${protocol}`, `--python_out=${stubs}`, `--grpc_python_out=${stubs}`];
    const { status, stderr } = spawnSync(python, [...args, 'urlfrontier.proto'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('page by page it goes in the planned order', async () => {
    const web = await FetchedWeb.open(folder);
    onTestFinished(() => web.close());
    const child = spider('links', { address: web.address, port: web.port, ...oneByOne });
    await web.fetched(pages, child);
    await killed(child);
    const { divergence, words } = await web.compare(pages);
    process.stdout.write(`Scrapy, one page at a time: ${words}\n`);
    expect(divergence).toBe(null);
    expect(web.requests - web.realised(Infinity).length).toBe(0);
    expect(web.linked).toBeGreaterThanOrEqual(pages - 1);
  });

  test('many pages at a time, none twice', async () => {
    const web = await FetchedWeb.open(folder);
    onTestFinished(() => web.close());
    const child = spider('links', { address: web.address, port: web.port });
    await web.fetched(pages, child);
    await killed(child);
    const { words } = await web.compare(pages);
    process.stdout.write(`Scrapy, 16 requests at a time: ${words}\n`);
    expect(web.requests - web.realised(Infinity).length).toBe(0);
  });

  test('it ends when nothing is left: every page once, whatever failed in between', async () => {
    const web = await FetchedWeb.open(folder, {
      graph: syntheticWeb(120, 3), network: { serverErrorShare: 0.2, refusedShare: 0.1 }, isSeeded: false,
    });
    onTestFinished(() => web.close());
    const out = join(folder, 'items.jsonl');
    const { code, log } = await ended(spider('seeded', {
      address: web.address, port: web.port, START_URLS: web.seeds, FEEDS: { [out]: { format: 'jsonlines' } },
    }));
    expect([code, /'finish_reason': '(\w+)'/.exec(log)?.[1]]).toEqual([0, 'finished']);
    const items = readFileSync(out, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Item);
    const of = (by: string): Item[] => items.filter((item) => item.by === by);
    expect(of('parse').map(({ url }) => url).sort()).toEqual([...web.seeds].sort());
    // Those that a frontier cannot store are fetched too.
    expect(of('again')).toHaveLength(2 * web.seeds.length);
    const fetched = [...of('parse'), ...of('page')];
    expect(fetched.map(({ url }) => url).sort()).toEqual(web.reachable.sort());
    const depths = new Map(fetched.map(({ url, depth }) => [url, depth]));
    for (const { parent, depth, said, referer } of of('page')) {
      expect(depth).toBe(1 + depths.get(parent!)!);
      expect(said).toBe(depth === 1 ? 'hello' : 'again');
      expect(referer).toBe(parent);
    }
    const { size, inProcess, counts } = await web.calls.getStats({});
    expect([size, inProcess, counts['completed']]).toEqual([0n, 0, BigInt(fetched.length)]);
  });

  test('a callback that fails ends the lease of its page, and its links are known', async () => {
    const web = await FetchedWeb.open(folder, { graph: syntheticWeb(40, 5) });
    onTestFinished(() => web.close());
    expect(await ended(spider('raising', { address: web.address, port: web.port }))).toMatchObject({ code: 0 });
    expect([...web.answered.keys()].sort()).toEqual(web.reachable.sort());
    expect(web.linked).toBe(web.reachable.length);
    expect(await web.calls.getStats({})).toMatchObject({ size: 0n, inProcess: 0 });
  });

  test('killed, another one fetches what is left', async () => {
    let nowMs = Date.now();
    const web = await FetchedWeb.open(folder, { graph: syntheticWeb(400, 7), now: () => nowMs });
    onTestFinished(() => web.close());
    const settings = {
      address: web.address, port: web.port, FRONTIER_LEASE_SECONDS: 600,
      CONCURRENT_REQUESTS: 8, SCRAPER_SLOT_MAX_ACTIVE_SIZE: 1,
    };
    for (const count of [20, 60, 100]) {
      const child = spider('links', settings);
      await web.fetched(count, child);
      await killed(child);
      nowMs += 601_000;
    }
    expect(await ended(spider('links', settings))).toMatchObject({ code: 0 });
    const { answered } = web;
    expect([...answered.keys()].sort()).toEqual(web.reachable.sort());
    const repeats = [...answered.values()].reduce((sum, times) => sum + times - 1, 0);
    // Those under way at a kill, and those whose results had not been put yet.
    expect(repeats).toBeLessThanOrEqual(3 * 2 * settings.CONCURRENT_REQUESTS);
  });

  test('a redirection is a page with one link', async () => {
    const site = join(folder, 'site');
    mkdirSync(join(site, 'inner'), { recursive: true });
    writeFileSync(join(site, 'index.html'), '<a href="/inner">in</a> <a href="/none.html#here">none</a>');
    writeFileSync(join(site, 'inner/index.html'), '<a href="/">out</a>');
    const web = await WebServer.listen(await FolderSite.open([{ folder: site, host: 'a.example' }]));
    const frontier = await FrontierServer.listen({ store: join(folder, 'redirected') });
    const address = `127.0.0.1:${frontier.port}`;
    const { calls, close } = connectFrontier({ address });
    onTestFinished(async () => {
      close();
      await frontier.close();
      await web.close();
    });
    await calls.setDelay({ delayRequestable: 0 });
    const run = await ended(spider('links', { address, port: web.port, START_URLS: ['http://a.example/'] }));
    expect(run.code).toBe(0);
    const dates = (await all(calls.listURLs({}))).map(({ item }) => (item?.$case === 'known'
      ? [item.known.info!.url, item.known.refetchableFromDate] : []));
    expect(dates.sort()).toEqual(['', 'inner', 'inner/', 'none.html'].map((path) => [`http://a.example/${path}`, 0n]));
    // The index, and the page redirected to; the redirection; not the missing page.
    expect(frontier.metrics()).toMatch(/^orbweaver_frontier_linked_total 3$/m);
  });

  test('a frontier that is not there, or that wants a token, is refused, with the reason', async () => {
    const frontier = await FrontierServer.listen({ store: join(folder, 'token'), token: 'a-long-enough-token' });
    onTestFinished(() => frontier.close());
    const address = `127.0.0.1:${frontier.port}`;
    const says = async (settings: Record<string, unknown>): Promise<string> =>
      (await ended(spider('links', { address, port: 1, ...settings }))).log;
    expect(await says({})).toMatch(/ValueError: FRONTIER_ADDRESS 127\.0\.0\.1:\d+: UNAUTHENTICATED: this/);
    expect(await says({ FRONTIER_TOKEN: 'a-long-enough-token' })).toContain("'finish_reason': 'finished'");
    expect(await says({ FRONTIER_ADDRESS: '' })).toContain('ValueError: FRONTIER_ADDRESS: must be HOST:PORT');
    // Port 1 is nobody's.
    expect(await says({ FRONTIER_ADDRESS: '127.0.0.1:1' })).toMatch(/ValueError: FRONTIER_ADDRESS \S+: UNAVAILABLE/);
  });
});
