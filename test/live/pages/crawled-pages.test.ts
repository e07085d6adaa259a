import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crawledPages, crawlLive, resumeCrawl, type LiveCrawlRequest } from '../../../src/machines/crawl/index.ts';
import { compressedRecords, receivedHeaders } from '../../../src/core/live/archive/warc-records.ts';
import {
  liveSchema, openLmdbStore, WarcWriter, type FetchedPage, type LiveInput,
} from '../../../src/core/live/index.ts';
import { httpResponse } from '../../../src/base/web/index.ts';
import { finished, start } from '../../cli/command.ts';
import { loopback, type Loopback } from '../../crawl/loopback.ts';
import { linking, WrittenSite, type Written } from '../../crawl/written-site.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';

// Goal: the pages of a stored crawl are those that onPage had, in every field, whatever else its archives have.

const pages = 40;
const { folder: root } = temporaryFolder();
const html = ['content-type', 'text/html'];
let web: Loopback;

const gzipped = (body: string): Buffer => gzipSync(body);
const written: Readonly<Record<string, ((times: number) => Written) | undefined>> = {
  '/gzip': () => ({
    headers: [...html, 'content-encoding', 'gzip', 'x-mine', 'yes', 'x-robots-tag', 'noindex'],
    body: gzipped('<html lang=EN-gb><title>Zipped</title><h1>One</h1><p>two <b>three</b><script>no</script>'),
  }),
  '/cut': () => ({
    headers: [...html, 'content-encoding', 'gzip'], body: gzipped('<title>Cut</title>').subarray(0, -6),
  }),
  '/damaged': () => ({ headers: [...html, 'content-encoding', 'gzip'], body: gzipped('').fill(255, 10) }),
  '/latin': () => ({
    headers: ['content-type', 'text/html; charset=windows-1252'], body: Buffer.from('<title>\xa9</title>', 'latin1'),
  }),
  '/plain': () => ({ headers: ['content-type', 'text/plain'], body: 'plain\ntext' }),
  '/unstated': () => ({ headers: ['x-mine', 'yes'], body: '<!doctype html><title>Unstated</title>' }),
  '/links': () => ({
    headers: html,
    body: '<base href=/deep/><a href=x>x</a><a href=x>x</a><a rel=nofollow href=y>y</a><a href=mailto:z>z</a>',
  }),
  // More than a piece of an archive, from a little of it.
  '/large': () => ({ headers: html, body: `<title>Large</title>${' large'.repeat(500_000)}` }),
  '/blank': () => ({ headers: html, body: `<title>Blank</title>${' '.repeat(5_000_000)}` }),
  '/moved': () => ({ status: 301, headers: ['location', '/page/0'], body: '<title>Moved</title>' }),
  '/later': (times) => times === 0 ? { status: 503, body: '<title>Later</title>' } : { body: '<title>Now</title>' },
  // It is a page, and what b.test says instead of a robots.txt.
  '/rules': () => ({ headers: ['content-type', 'text/plain'], body: 'User-agent: x\nDisallow: /' }),
};

beforeAll(async () => {
  web = await loopback(new WrittenSite((url, times) => {
    const host = url.slice(0, url.indexOf('/'));
    const path = url.slice(url.indexOf('/'));
    if (path === '/' && host === 'a.test') {
      const links = [...Object.keys(written), '/gone', '/robots.txt', 'http://b.test/deep/x', 'http://b.test/rules'];
      return linking(...links, ...Array.from({ length: pages }, (_, i) => `/page/${i}`));
    }
    if (path === '/robots.txt' && host === 'b.test') return { status: 301, headers: ['location', '/rules'] };
    if (path === '/robots.txt') return { headers: ['content-type', 'text/plain'], body: 'User-agent: x\nDisallow: /' };
    if (path.startsWith('/page/'))
      return { headers: html, body: `<title>Page</title><p>${Number(path.slice(6)) % 20}<a href=/>a</a>` };
    return path.startsWith('/deep/') ? linking('/page/1', '#same', './y') : written[path]?.(times);
  }));
});
afterAll(() => web.close());

const request = (live: Partial<LiveInput> = {}): LiveCrawlRequest => ({
  experiment: { processors: 2, robots: 3, politenessMs: 0, superstepMs: 200, retries: 1, backoffMs: 1 },
  live: { ...web.live, types: ['text/html', 'text/plain'], ...live },
  seeds: ['http://a.test/'],
});

/** Everything that a program can learn of a page. */
function fieldsOf(page: FetchedPage): unknown {
  const names = [
    'Content-Type', 'content-encoding', 'content-length', 'transfer-encoding', 'date', 'connection', 'X-Mine',
    'x-robots-tag', 'x-crawler-transfer-encoding', 'x-crawler-content-length', 'location',
  ];
  const { url, status, links, mediaType } = page;
  return {
    url, status, links, mediaType, headers: names.map((name) => page.header(name)),
    bytes: Buffer.from(page.bytes()).toString('latin1'), html: page.html(), content: page.content(),
  };
}

type Fields = Map<string, unknown>;

async function readAgain(folder: string): Promise<Fields> {
  const fields: Fields = new Map();
  for await (const page of crawledPages(folder)) {
    expect(fields.has(page.url)).toBe(false);
    fields.set(page.url, fieldsOf(page));
  }
  return fields;
}

const noting = (fields: Fields) => (page: FetchedPage): void => void fields.set(page.url, fieldsOf(page));
const byUrl = (fields: Fields): unknown => [...fields].sort(([a], [b]) => (a < b ? -1 : 1));

describe('the pages of a stored crawl', () => {
  test.each([
    ['one file', {}], ['several files', { warcFileBytes: 1 << 16 }], ['bodies seen before', { contentSeen: true }],
    ['links within a scope', { scope: [{ host: 'a.test' }], maxLinks: 30, dropQuery: ['all'] }],
  ] as const)('are those that onPage had: %s', async (name, live) => {
    const folder = join(root, name);
    const heard: Fields = new Map();
    await crawlLive(folder, request(live as Partial<LiveInput>), { onPage: noting(heard) });
    const read = await readAgain(folder);
    expect(byUrl(read)).toEqual(byUrl(heard));
    expect(read.has('http://a.test/moved')).toBe(false);
    expect(read.has('http://a.test/damaged')).toBe(false);
    if (name === 'links within a scope') return;
    expect(read.size).toBeGreaterThan(pages + Object.keys(written).length);
    expect(read.get('http://a.test/later')).toMatchObject({ content: { title: 'Now' } });
    expect(read.get('http://a.test/cut')).toMatchObject({ content: { title: 'Cut' } });
    expect(read.get('http://b.test/rules')).toMatchObject({ mediaType: 'text/plain' });
    // The pages of a.test and one of b.test have 20 bodies; whichever comes first with one is followed.
    const followed = [...read.keys()].filter((url) =>
      /[ab].test.page/.test(url) && (read.get(url) as FetchedPage).links.length > 0).length;
    expect(followed).toBe(name === 'bodies seen before' ? 20 : pages + 1);
    if (name === 'several files') expect(readdirSync(join(folder, 'warc')).length).toBeGreaterThan(1);
  });

  test('come in the order in which they were fetched', async () => {
    const folder = join(root, 'order');
    const heard: Fields = new Map();
    const { experiment, ...rest } = request();
    const one = { ...experiment, processors: 1, robots: 1 };
    await crawlLive(folder, { ...rest, experiment: one }, { onPage: noting(heard) });
    expect([...(await readAgain(folder)).keys()]).toEqual([...heard.keys()]);
  });

  test('are once there, whenever a crawl was killed or ended', async () => {
    const folder = join(root, 'killed');
    const child = start([
      'crawl', 'http://a.test/', '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve',
      `*=127.0.0.1:${web.port}`, '--politeness-ms', '20', '--superstep-ms', '50', '--type', 'text/html', '--type',
      'text/plain', '--reader-threads', '0', '--out', folder,
    ], '/');
    const end = finished(child);
    const size = (): number => {
      try {
        return readFileSync(join(folder, 'crawl.log'), 'utf8').split('\n').length;
      } catch {
        return 0;
      }
    };
    while (size() < 15 && child.exitCode === null) await sleep(2);
    child.kill('SIGKILL');
    expect((await end).code).toBeNull();
    // As a process leaves it that is killed while it writes.
    const file = join(folder, 'warc', 'crawl-00000.warc.gz');
    writeFileSync(file, gzipped('WARC/1.1 torn').subarray(0, 20), { flag: 'a' });
    const stored = await readAgain(folder);
    expect(stored.size).toBeGreaterThan(3);
    expect(stored.size).toBeLessThan(30);

    const stop = new AbortController();
    let left = 10;
    await resumeCrawl(folder, {}, {
      signal: stop.signal, onPage: () => { if (--left === 0) stop.abort(); },
    });
    const more = await readAgain(folder);
    expect(more.size).toBeGreaterThan(stored.size);
    await resumeCrawl(folder);
    const all = await readAgain(folder);
    expect(all.size).toBeGreaterThan(pages + Object.keys(written).length);
    for (const earlier of [stored, more]) {
      const keys = [...earlier.keys()];
      expect([...all.keys()].slice(0, keys.length)).toEqual(keys);
      for (const [url, fields] of earlier) expect(all.get(url)).toEqual(fields);
    }
  });

  test('come while the crawl goes on: those stored so far', async () => {
    const folder = join(root, 'going on');
    const read: string[] = [];
    await crawlLive(folder, request(), {
      onPage: async ({ url }) => {
        if (!url.endsWith('/page/30')) return;
        for await (const page of crawledPages(folder)) read.push(page.url);
      },
    });
    expect(read[0]).toBe('http://a.test/');
    expect(read.length).toBeLessThan(pages + 10);
    expect(read).not.toContain('http://a.test/page/30');
  });
});

test('of a node, its own', async () => {
  const folder = join(root, 'node');
  const live = liveSchema.parse(request().live);
  const cluster = { node: 1, nodes: 2, id: 'x' };
  const store = await openLmdbStore(join(folder, 'store'), { experiment: {}, live, seeds: [], cluster });
  const warc = await WarcWriter.open(join(folder, 'warc'), { ...live, node: 1 }, {});
  const url = 'http://a.test/';
  const place = await warc.write({
    url, status: 200, statusText: '', rawHeaders: html, body: Buffer.from('<title>One</title><a href=/x>'),
    address: '::1', requestHead: '',
  }, 0);
  await store.note({
    firstPage: 0, pages: [{ url, depth: 0, redirects: 0 }],
    visit: {
      page: 0, kind: 'fetched', bytes: 29, waitUs: 0, finishedAtUs: 1, links: new Uint32Array(0), digest: '',
      warc: place,
    },
  });
  await Promise.all([store.close(), warc.close()]);
  const read = await readAgain(folder);
  expect([...read.values()]).toMatchObject([{ url, links: ['http://a.test/x'], content: { title: 'One' } }]);
});

test('headers of an answer are those that were received', () => {
  const rawHeaders = ['Date', 'now', 'Content-Length', '7', 'Transfer-Encoding', 'chunked', 'x', '\xff'];
  for (const sent of [rawHeaders, rawHeaders.slice(4), ['content-length', '2'], ['X-Crawler-Other', '1'], []]) {
    const records = compressedRecords({
      url: 'http://a.test/', status: 204, statusText: '', rawHeaders: sent, body: Buffer.from('ab'), address: '::1',
      requestHead: '',
    }, 0);
    const response = gunzipSync(records);
    const received = receivedHeaders(httpResponse(response.subarray(response.indexOf('HTTP/1.1 204')))!.rawHeaders);
    expect(received.map((text) => text.toLowerCase())).toEqual(sent.map((text) => text.toLowerCase()));
  }
});

describe('is refused in one sentence that names the place:', () => {
  let folder: string;
  let size: number;
  const archive = (path: string): string => join(path, 'warc', 'crawl-00000.warc.gz');
  beforeAll(async () => {
    folder = join(root, 'sound');
    await crawlLive(folder, request());
    size = readFileSync(archive(folder)).length;
  });
  const copied = (name: string): string => {
    const path = join(root, name);
    cpSync(folder, path, { recursive: true });
    return path;
  };

  test('what is no crawl, or of nodes that were merged', async () => {
    expect(await inputErrorOf(readAgain(join(root, 'nowhere')))).toMatch(/nowhere: contains no stored crawl; name the/);
    const merged = join(root, 'merged');
    cpSync(folder, merged, { recursive: true, filter: (path) => !path.endsWith('store') && !path.endsWith('warc') });
    expect(await inputErrorOf(readAgain(merged))).toMatch(/merged: contains no stored crawl; .*folders of the nodes/);
  });

  test('a crawl without archives', async () => {
    const path = join(root, 'no archives');
    await crawlLive(path, request({ warc: false }));
    expect(await inputErrorOf(readAgain(path))).toMatch(/no archives: the crawl has no archives of its pages \(/);
  });

  test('an archive that is missing, cut, damaged or of another crawl', async () => {
    const missing = copied('missing');
    rmSync(join(missing, 'warc'), { recursive: true });
    expect(await inputErrorOf(readAgain(missing)))
      .toMatch(new RegExp(`missing/warc/crawl-00000.warc.gz: is missing; the crawl wrote ${size} bytes to it$`));
    const cut = copied('cut');
    truncateSync(archive(cut), size - 1);
    expect(await inputErrorOf(readAgain(cut)))
      .toMatch(new RegExp(`00000.warc.gz: was truncated: it has ${size - 1} bytes; the crawl wrote ${size}$`));
    const damaged = copied('damaged');
    const bytes = readFileSync(archive(damaged));
    bytes[size / 2 | 0] ^= 1;
    writeFileSync(archive(damaged), bytes);
    const seen: string[] = [];
    const reading = (async () => { for await (const { url } of crawledPages(damaged)) seen.push(url); })();
    expect(await inputErrorOf(reading)).toMatch(/damaged\/warc\/crawl-00000.warc.gz: byte \d+: .*damaged/);
    expect(seen.length).toBeGreaterThan(0);
    const other = join(root, 'other');
    await crawlLive(other, { ...request(), seeds: ['http://b.test/', 'http://a.test/large', 'http://a.test/'] });
    const foreign = copied('foreign');
    copyFileSync(archive(other), archive(foreign));
    writeFileSync(archive(foreign), Buffer.alloc(size), { flag: 'a' });
    expect(await inputErrorOf(readAgain(foreign))).toMatch(/00000.warc.gz: no page ends at byte \d+/);
  });
});
