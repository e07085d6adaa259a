import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crawlText } from '../../src/cli/text/crawl/crawl-text.ts';
import { crawlLive, type LiveResult } from '../../src/machines/crawl/index.ts';
import { reportHtml } from '../../src/views/report/index.ts';
import { WebServer } from '../../src/views/service/index.ts';
import { answer, changingDns, HostileServer, page } from '../live/hostile-server.ts';
import { isFullSweep, sampled } from '../sweep.ts';
import { linking, WrittenSite } from './written-site.ts';

// Goal: whatever hosts do, a crawl names it, stays within its bounds, reports it in harmless text, writes below its
// folder alone, and fetches all that is well. Method: one crawl that meets every fault at once, each on a host of its
// own, beside a host that is well. The web is at 127.0.0.2, so that 127.0.0.1 can be denied, where somebody listens for
// whoever comes.

const goodPages = isFullSweep ? 100 : 30;
const maxHostPages = isFullSweep ? 150 : 60;
const maxLinks = 1000;

/** What becomes of the page http://NAME.test/NAME in the end: its kind, and how its reason begins. */
const faults: Readonly<Record<string, readonly [string, string]>> = {
  'endless-body': ['rejected', 'body too long'],
  'endless-chunks': ['rejected', 'body too long'],
  'long-promise': ['rejected', 'body too long'],
  'stopped-body': ['timeout', 'body time-out'],
  'slow-body': ['timeout', 'download time-out'],
  'slow-head': ['timeout', 'headers time-out'],
  silent: ['timeout', 'headers time-out'],
  'header-bomb': ['rejected', 'headers too long'],
  'header-long': ['rejected', 'headers too long'],
  'gzip-bomb': ['rejected', 'decoded body too long'],
  'too-short': ['rejected', 'wrong length'],
  'too-short-close': ['rejected', 'wrong length'],
  'cut-chunks': ['rejected', 'wrong length'],
  'too-long': ['fetched', '-'],
  'two-lengths': ['rejected', 'malformed answer'],
  'length-and-chunked': ['rejected', 'malformed answer'],
  'negative-length': ['rejected', 'malformed answer'],
  'bad-chunk': ['rejected', 'malformed answer'],
  'huge-chunk': ['rejected', 'malformed answer'],
  garbage: ['rejected', 'malformed answer'],
  'http-0.9': ['rejected', 'malformed answer'],
  'status-bad': ['rejected', 'malformed answer'],
  splitting: ['rejected', 'malformed answer'],
  'header-nul': ['rejected', 'malformed answer'],
  'header-bare-cr': ['rejected', 'malformed answer'],
  informational: ['rejected', 'malformed answer'],
  upgrade: ['rejected', 'malformed answer'],
  'reset-before-head': ['refused', 'connection reset'],
  'close-before-head': ['refused', 'connection reset'],
  'reset-in-head': ['refused', 'connection reset'],
  'close-in-head': ['refused', 'connection reset'],
  'redirect-loopback': ['fetched', '-'],
  'redirect-metadata': ['fetched', '-'],
  'redirect-near': ['fetched', '-'],
  'redirect-file': ['fetched', 'redirect not followed: notHttp'],
  image: ['rejected', 'type not taken'],
  missing: ['notFound', 'status 404'],
  calendar: ['fetched', '-'],
  'many-links': ['fetched', '-'],
  'control-links': ['fetched', '-'],
  'charset-lies': ['fetched', '-'],
  'odd-type': ['fetched', '-'],
  'markup-type': ['fetched', '-'],
  'escape-type': ['rejected', 'malformed answer'],
  climbing: ['fetched', '-'],
};

/**
 * A body that is cut off: either, because what the system reports depends on whether what came before was read already.
 */
const cutOff = ['reset-in-body', 'reset-in-chunks', 'reset-in-unframed'];
const cutOffEnds = /^(refused: connection reset|rejected: wrong length)/;

// Made before any clock runs.
const gzipped = (text: string | Buffer): Buffer =>
  answer(200, 'content-type: text/html\r\ncontent-encoding: gzip\r\n', gzipSync(text));
const manyLinks = gzipped(Array.from({ length: 100_000 }, (_, i) => `<a href="/good/${i}">link</a>`).join(''));
const bomb = gzipped(Buffer.alloc(64 << 20));

/** Markup, as far as names of hosts can hold it. */
const markupHost = '"onload=alert(1)&lt;script&gt;\'.test';
/** A page that is larger than all others, so that its host is named wherever hosts are. */
const filler = `<!--${'x'.repeat(80_000)}-->`;

const changingNames = (): Readonly<Record<string, (() => Promise<readonly string[]>) | undefined>> => ({
  'rebound.test': rebinding(['127.0.0.2'], ['127.0.0.1']),
  'rebound-first.test': rebinding(['127.0.0.1'], ['127.0.0.1']),
  'rebound-both.test': rebinding(['127.0.0.1', '127.0.0.2']),
  'metadata.test': rebinding(['169.254.169.254']),
  'unknown.test': () => failing('ENOTFOUND'),
  'unsteady.test': () => failing('EAI_AGAIN'),
  'dns-silent.test': () => new Promise(() => undefined),
});

function rebinding(...answers: readonly string[][]): () => Promise<readonly string[]> {
  const { lookup } = changingDns(...answers);
  return () => lookup('');
}

function failing(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(`getaddrinfo ${code} \u001b[31m\u202e`), { code }));
}

interface LogLine {
  readonly status: string;
  readonly kind: string;
  readonly url: string;
  readonly type: string;
  readonly reason: string;
}

interface HostileCrawl {
  readonly root: string;
  readonly folder: string;
  readonly result: LiveResult;
  readonly log: string;
  /** Of each URL, in the log's order. */
  readonly lines: ReadonlyMap<string, readonly LogLine[]>;
  readonly server: HostileServer;
  readonly grownBytes: number;
  readonly intruders: number;
  close(): Promise<void>;
}

async function hostileCrawl(readerThreads: number): Promise<HostileCrawl> {
  const dns = changingNames();
  let intruders = 0;
  const canary = createServer((socket) => { intruders++; socket.destroy(); });
  const hostile: HostileServer = await HostileServer.open('127.0.0.2', {
    'redirect-near': ({ socket }) => {
      socket.write(answer(302, `location: http://127.0.0.1:${hostile.port}/good\r\n`));
    },
    'odd-type': ({ socket }) => {
      socket.write(page([], 'content-type: text/html; charset=\x9b31m\xe2\x80\xae\r\n'));
    },
    'markup-type': ({ socket }) => {
      socket.write(page([], 'content-type: text/html; charset="<script>alert(1)</script>"\r\n'));
    },
    'escape-type': ({ socket }) => {
      socket.write(page([], 'content-type: text/html; charset=\x1b[31m\r\n'));
    },
    // Compressed: as they are they would be too long.
    'many-links': ({ socket }) => {
      socket.write(manyLinks);
    },
    'gzip-bomb': ({ socket }) => {
      socket.write(bomb);
    },
    climbing: ({ socket }) => {
      socket.write(
        page([
          '/../../climbed',
          '/good/..%2f..%2f..%2f..%2fclimbed',
          '/good/....//....//climbed',
          '/good/%2e%2e/%2e%2e/climbed',
          '/good/C:%5cclimbed',
          '/good/%00climbed',
          `/good/${'a'.repeat(1900)}`,
          '/good/<script>alert(1)</script>',
        ]),
      );
    },
  });
  hostile.everyMs = 100;
  // At the port where rebinding would lead.
  await new Promise<void>((resolve) => canary.listen(hostile.port, '127.0.0.1', resolve));
  const at = (name: string): string => `http://${name}:${hostile.port}`;
  const links = [
    ...[...Object.keys(faults), ...cutOff].map((name) => `${at(`${name}.test`)}/${name}`),
    `${at('endless.test')}/redirect/0`,
    ...Object.keys(dns).map((name) => `${at(name)}/good`),
    ...['good.test', 'expired.test', 'self-signed.test', 'wrong-name.test'].map(
      (name) => `https://${name}:${hostile.securePort}/good`,
    ),
    `https://plain.test:${hostile.port}/good`,
    ...['/good', '/denied'].map((path) => `${at('robots-huge.test')}${path}`),
    ...['robots-silent.test', 'robots-error.test', 'robots-reset.test'].flatMap((name) =>
      ['/good', '/good/1', '/good/2'].map((path) => at(name) + path),
    ),
    ...['http://127.0.0.1', 'http://2130706433', 'http://0x7f.1', 'http://[::1]', 'http://[::ffff:127.0.0.1]'].map(
      (host) => `${host}:${hostile.port}/good`,
    ),
    'file:///etc/passwd',
    'ftp://good.test/',
    'javascript:alert(1)',
    'http://',
    'http://<script>.test/',
    'http://\u001b.test/',
    'http://good.test:99999/',
  ];
  const site = await WebServer.listen(new WrittenSite((url) => {
    const at = url.indexOf('/');
    if (url.slice(0, at) === markupHost) return { body: filler };
    if (url.slice(at) === '/')
      return linking(
        ...Array.from({ length: goodPages }, (_, i) => `/page/${i}`),
        ...links,
        `http://${markupHost}:${site.port}/x`,
      );
    return url.slice(at).startsWith('/page/') ? linking('/') : undefined;
  }), { address: '127.0.0.2' });

  const root = mkdtempSync(join(tmpdir(), 'orbweaver-hostile-'));
  const folder = join(root, 'crawl');
  const beforeBytes = process.memoryUsage().rss;
  let grownBytes = 0;
  const watch = setInterval(() => { grownBytes = Math.max(grownBytes, process.memoryUsage().rss - beforeBytes); }, 10);
  const result = await crawlLive(
    folder,
    {
      experiment: {
        policy: 'breadth-first', processors: 2, robots: 60, politenessMs: 0, superstepMs: 500, retries: 1,
        backoffMs: 10, maxBackoffMs: 20, hostPatienceMs: 0,
      },
      live: {
        // All servers and crawls share this process, beside other tests: the waits are long enough for a machine that
        // is busy.
        contact: 'test@localhost', allowNetworks: ['127.0.0.2/32'], readerThreads, maxHostPages, maxLinks,
        maxSegmentRepeats: 100, connectTimeoutMs: 6000, headersTimeoutMs: 6000, bodyTimeoutMs: 6000,
        downloadTimeoutMs: 12_000, bodyLimitBytes: 300_000, decodedLimitBytes: 4 << 20, headerLimitBytes: 8192,
      },
      seeds: [`http://well.test:${site.port}/`],
    },
    { lookup: (name) => dns[name]?.() ?? Promise.resolve(['127.0.0.2']) },
  );
  clearInterval(watch);

  const log = readFileSync(join(folder, 'crawl.log'), 'latin1');
  const lines = new Map<string, LogLine[]>();
  for (const line of log.trimEnd().split('\n')) {
    const [, status, , kind, , url, type, , reason] = line.split(/ +/);
    lines.set(url, [...lines.get(url) ?? [], { status, kind, url, type, reason: decodeURIComponent(reason) }]);
  }
  return {
    root, folder, result, log, lines, server: hostile, grownBytes, intruders,
    async close() {
      await Promise.all([site.close(), hostile.close(), closed(canary)]);
      rmSync(root, { recursive: true });
    },
  };
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => { server.close(() => { resolve(); }); });

const isLinux = process.platform === 'linux';
/** A thread is the usual; that pages are read alike without one, hostile ones too, is shown in test/live/pages/. */
const threads = sampled([{ readerThreads: 1 }, { readerThreads: 0 }], 2);
/** All at once, for they wait most of the time. */
const crawls = new Map<number, Promise<HostileCrawl>>();
beforeAll(() => {
  if (isLinux) for (const { readerThreads } of threads) crawls.set(readerThreads, hostileCrawl(readerThreads));
});

describe.skipIf(!isLinux).each(threads)('a hostile web, $readerThreads threads', ({ readerThreads }) => {
  let crawl: HostileCrawl;
  beforeAll(async () => { crawl = await crawls.get(readerThreads)!; });
  afterAll(() => crawl.close());

  const at = (name: string): string => `http://${name}:${crawl.server.port}`;
  const secure = (name: string): string => `https://${name}:${crawl.server.securePort}`;
  const ends = (url: string): string[] => (crawl.lines.get(url) ?? []).map(({ kind, reason }) => `${kind}: ${reason}`);
  const last = (url: string): string => ends(url).at(-1) ?? `${url} is not in crawl.log`;
  const countOf = (host: string): number =>
    crawl.server.asked.filter((request) => request.host === host && request.path !== '/robots.txt').length;

  test('all that is well is fetched, and the crawl ends', () => {
    const well = [...crawl.lines]
      .filter(([url]) => url.startsWith('http://well.test:'))
      .map(([, tries]) => tries.at(-1)?.kind);
    expect(well).toEqual(Array.from({ length: goodPages + 1 }, () => 'fetched'));
    expect(crawl.result.run.summary.ended).toBe('frontier dry');
  });

  test('each fault has its name', () => {
    const found = Object.keys(faults).map((name) => [name, last(`${at(`${name}.test`)}/${name}`)]);
    const wrong = found.filter(([name, end]) => !end.startsWith(faults[name].join(': ')));
    expect(wrong).toEqual([]);
    for (const name of cutOff) {
      const end = last(`${at(`${name}.test`)}/${name}`);
      // A body that says nothing of its length ends with its connection: undici takes a reset for that end, where it
      // comes to it after the body.
      if (name !== 'reset-in-unframed' || end !== 'fetched: -') expect(end, name).toMatch(cutOffEnds);
    }
  });

  test('each has its outcome in the record', () => {
    const { graph, events } = crawl.result;
    const kinds = new Map<string, string>();
    for (const { page, kind } of events.failures)
      kinds.set(`http://${graph.hosts.names.at(graph.hosts.ofPage[page])}${graph.paths?.at(page) ?? ''}`, kind);
    for (const [name, [kind]] of Object.entries(faults)) {
      const url = `${at(`${name}.test`)}/${name}`;
      if (kind === 'fetched') expect(last(url), name).toMatch(/^fetched/);
      else expect(kinds.get(url), name).toBe(kind);
    }
  });

  test('redirects end, and those to other addresses reach nobody', () => {
    expect(last(`${at('endless.test')}/redirect/10`)).toBe('fetched: more than 10 redirects in a row');
    expect(crawl.lines.has(`${at('endless.test')}/redirect/11`)).toBe(false);
    for (const url of [
      'http://127.0.0.1/secret',
      'http://169.254.169.254/latest/meta-data/',
      `${at('127.0.0.1')}/good`,
    ]) {
      expect(last(url)).toBe(`rejected: address not allowed: ${new URL(url).hostname}`);
    }
    for (const host of ['[::1]', '[::ffff:7f00:1]'])
      expect(last(`${at(host)}/good`)).toMatch(/^rejected: address not allowed/);
    expect(crawl.intruders).toBe(0);
  });

  test('names that change, lead elsewhere, or nowhere', () => {
    expect(ends(`${at('rebound.test')}/good`).slice(-2)).toEqual([
      'robotsFetched: robots.txt: status 404', 'fetched: -',
    ]);
    expect(last(`${at('rebound-both.test')}/good`)).toBe('fetched: -');
    expect(last(`${at('rebound-first.test')}/good`)).toBe('rejected: address not allowed: 127.0.0.1');
    expect(last(`${at('metadata.test')}/good`)).toBe('rejected: address not allowed: 169.254.169.254');
    expect(last(`${at('unknown.test')}/good`)).toMatch(/^rejected: no such name/);
    expect(last(`${at('unsteady.test')}/good`)).toMatch(/^refused: robots.txt: name lookup failed/);
    expect(last(`${at('dns-silent.test')}/good`)).toMatch(/^timeout: robots.txt: connect time-out/);
  });

  test('TLS that is not valid', () => {
    for (const name of ['good.test', 'expired.test', 'self-signed.test', 'wrong-name.test']) {
      expect(last(`${secure(name)}/good`), name).toMatch(/^rejected: TLS not valid/);
    }
    expect(last(`https://plain.test:${crawl.server.port}/good`)).toMatch(/^rejected: TLS not valid/);
  });

  test('a robots.txt of 50 MB is read as far as it counts; of one that cannot be had, all is denied', () => {
    expect(last(`${at('robots-huge.test')}/good`)).toBe('fetched: -');
    expect(last(`${at('robots-huge.test')}/denied`)).toBe('robotsDenied: denied by robots.txt');
    const names = {
      'robots-silent.test': /^timeout: robots.txt: headers time-out/,
      'robots-error.test': /^serverError: robots.txt: status 500/,
      'robots-reset.test': /^refused: robots.txt: connection reset/,
    };
    for (const [name, message] of Object.entries(names)) {
      const found = ['/good', '/good/1', '/good/2'].map((path) => last(at(name) + path))
        .sort((a, b) => Number(a.startsWith('robotsDenied')) - Number(b.startsWith('robotsDenied')));
      // Two pages give up on it, the third learns that nobody knows.
      expect(found.slice(0, 2), name).toEqual([expect.stringMatching(message), expect.stringMatching(message)]);
      expect(found[2], name).toBe('robotsDenied: robots.txt could not be had');
      expect(countOf(name), name).toBe(0);
    }
  });

  test('what never ends, or is too much, is bounded: by the count of the host', () => {
    for (const name of ['calendar.test', 'many-links.test']) {
      expect(countOf(name), name).toBeLessThanOrEqual(maxHostPages);
      expect(countOf(name), name).toBeGreaterThan(maxHostPages / 2);
    }
    expect(countOf('many-links.test')).toBe(maxHostPages);
    // Beside what the crawler takes of a body, some MiB of each connection's buffers are filled in advance.
    expect(crawl.server.sentBytes).toBeLessThan(200 << 20);
    expect(crawl.grownBytes).toBeLessThan(512 << 20);
    expect(crawl.result.graph.pages).toBeLessThan(1000);
  });

  test('the log, the report and the terminal get harmless characters alone', () => {
    const { folder, log, result } = crawl;
    expect(log).toMatch(/^[\x20-\x7e\n]+$/);
    for (const line of log.trimEnd().split('\n')) expect(line.split(/ +/), line).toHaveLength(16);
    // What is to be escaped did come.
    for (const met of ['%1B[31mred', '%C2%9B31m', markupHost, '%3Cscript%3E']) expect(log).toContain(met);
    const text = crawlText(folder, result);
    expect(text).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+$/);
    const html = reportHtml([{ label: 'hostile', result }], { title: 'hostile' });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(html).not.toContain('"onload');
    for (const file of ['run.json', 'supersteps.csv', 'failures.csv', 'pages.csv']) {
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }
  });

  test('nothing is written but below the folder, under our own names', () => {
    expect(readdirSync(crawl.root)).toEqual(['crawl']);
    const files = readdirSync(crawl.folder, { recursive: true }).map(String).sort();
    const ours =
      /^(store|warc)$|^(crawl\.log|graph\.owg|run\.json|supersteps\.csv|order\.u32|times\.f64|failures\.csv|pages\.csv)$|^store\/[\w.-]+$|^warc\/[\w.-]+\.warc\.gz$/;
    expect(files.filter((file) => !ours.test(file))).toEqual([]);
  });
});
