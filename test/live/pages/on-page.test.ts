import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crawlLive, resumeCrawl, type LiveCrawlRequest } from '../../../src/machines/crawl/index.ts';
import type { FetchedPage } from '../../../src/core/live/index.ts';
import { WebServer } from '../../../src/views/service/index.ts';
import { linking, WrittenSite } from '../../crawl/written-site.ts';

// Goal: a program that crawls for the pages has each of them, as it was sent, at least once, however the crawl ends;
// and the crawl is no faster than the program.

const pages = 40;
const root = mkdtempSync(join(tmpdir(), 'orbweaver-on-page-'));
let server: WebServer;

const html = ['content-type', 'text/html'];
beforeAll(async () => {
  server = await WebServer.listen(new WrittenSite((url) => {
    const path = url.slice(url.indexOf('/'));
    if (path === '/') {
      const links = ['/gzip', '/latin', '/plain', '/untitled', '/moved', '/gone'];
      return linking(...links, ...Array.from({ length: pages }, (_, i) => `/page/${i}`));
    }
    if (path.startsWith('/page/')) return { headers: html, body: `<title>Page ${path.slice(6)}</title>` };
    if (path === '/moved') return { status: 301, headers: ['location', '/page/0'] };
    if (path === '/gzip') {
      const body = gzipSync('<html lang=EN-gb><title>Zipped</title><h1>One</h1><p>two <b>three</b><script>no</script>');
      return { headers: [...html, 'content-encoding', 'gzip', 'x-mine', 'yes', 'x-robots-tag', 'noindex'], body };
    }
    if (path === '/latin') {
      const body = Buffer.from('<title>\xa9</title>', 'latin1');
      return { headers: ['content-type', 'text/html; charset=windows-1252'], body };
    }
    if (path === '/plain') return { headers: ['content-type', 'text/plain'], body: 'plain\ntext' };
    if (path !== '/untitled') return undefined;
    return { headers: html, body: '<meta name=robots content=noindex><h2>Heading</h2><a href=/page/1>one</a>' };
  }));
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

const request = (): LiveCrawlRequest => ({
  experiment: { processors: 2, robots: 3, politenessMs: 0, superstepMs: 500, retries: 0, hostPatienceMs: 0 },
  live: {
    contact: 'test@localhost', allowNetworks: ['127.0.0.0/8'], resolve: [{ host: '*', address: '127.0.0.1' }],
    types: ['text/html', 'text/plain'],
  },
  seeds: [`http://a.test:${server.port}/`],
});

const pathOf = ({ url }: FetchedPage): string => new URL(url).pathname;

describe('onPage', () => {
  test('has each page once, as it was sent, but no redirects and no errors', async () => {
    const seen = new Map<string, { readonly content: unknown; readonly html: string; readonly links: number }>();
    let headerOfZipped: string | undefined;
    let kept: FetchedPage | undefined;
    const { run } = await crawlLive(join(root, 'all'), request(), {
      onPage: (page) => {
        expect(seen.has(pathOf(page))).toBe(false);
        expect(page.status).toBe(200);
        seen.set(pathOf(page), { content: page.content(), html: page.html(), links: page.links.length });
        if (pathOf(page) === '/gzip') headerOfZipped = page.header('X-Mine');
        kept = page;
      },
    });
    expect(seen.size).toBe(pages + 5);
    // The redirect counts as fetched.
    expect(run.summary.pagesFetched).toBe(pages + 6);
    expect(seen.get('/')?.links).toBe(pages + 6);
    expect(seen.get('/page/7')?.content).toEqual({ title: 'Page 7', language: '', text: '', isNoindex: false });
    expect(seen.get('/gzip')?.content)
      .toEqual({ title: 'Zipped', language: 'en-gb', text: 'One\ntwo three', isNoindex: true });
    expect(seen.get('/gzip')?.html).toContain('<script>no</script>');
    expect(headerOfZipped).toBe('yes');
    expect(seen.get('/latin')?.content).toMatchObject({ title: '\xa9' });
    expect(seen.get('/plain')?.content).toMatchObject({ title: '', text: expect.stringContaining('plain') as string });
    expect(seen.get('/untitled')?.content).toMatchObject({ title: 'Heading', isNoindex: true });
    expect(() => kept!.html()).toThrow(/during the call of onPage/);
  });

  test('a slow program slows the crawl: no more pages wait than there are robots', async () => {
    let [open, most] = [0, 0];
    await crawlLive(join(root, 'slow'), request(), {
      onPage: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => { setTimeout(resolve, 20); });
        open--;
      },
    });
    expect(open).toBe(0);
    // One host: one processor has it, and asks for one page at a time, beside those that are read.
    expect(most).toBeLessThanOrEqual(3);
  });

  test('an error of the program ends the crawl; resumed, no page is missing', async () => {
    const folder = join(root, 'error');
    const seen: string[] = [];
    const failing = crawlLive(folder, request(), {
      onPage: (page) => {
        if (seen.length === 10) throw new Error('the disk of the program is full');
        seen.push(pathOf(page));
      },
    });
    await expect(failing).rejects.toThrow('the disk of the program is full');
    const { run } = await resumeCrawl(folder, {}, { onPage: (page) => { seen.push(pathOf(page)); } });
    expect(run.summary.pagesFetched).toBe(pages + 6);
    expect(new Set(seen).size).toBe(pages + 5);
  });

  test('an ended crawl waits for the program as long as graceMs; resumed, no page is missing', async () => {
    const folder = join(root, 'ended');
    const seen: string[] = [];
    const end = new AbortController();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => { release = resolve; });
    const { run: cut } = await crawlLive(folder, request(), {
      signal: end.signal, graceMs: 20,
      onPage: async (page) => {
        if (seen.length < 5) seen.push(pathOf(page));
        else {
          end.abort();
          await released;
        }
      },
    });
    expect(cut.summary.pagesFetched).toBeLessThan(pages);
    // The program ends after the crawl: its page is noted nowhere, and nothing fails for it.
    release();
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    const { run } = await resumeCrawl(folder, {}, { onPage: (page) => { seen.push(pathOf(page)); } });
    expect(run.summary.pagesFetched).toBe(pages + 6);
    expect(new Set(seen).size).toBe(pages + 5);
  });
});
