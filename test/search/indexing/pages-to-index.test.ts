import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { crawlLive } from '../../../src/machines/crawl/index.ts';
import { readSite } from '../../../src/graphs/formats/index.ts';
import { openLmdbStore, type LiveInput } from '../../../src/core/live/index.ts';
import { PagesToIndex, type PagesOptions } from '../../../src/search/indexing/index.ts';
import type { DocumentText } from '../../../src/search/index.ts';
import {
  decodeAnchors, decodeText, preparedPages, type PreparedPage, type PreparedPages,
} from '../../../src/search/store/index.ts';
import { canonicalUrl, runLines, type Anchor } from '../../../src/base/web/index.ts';
import { loopback } from '../../crawl/loopback.ts';
import { WrittenSite, type Written } from '../../crawl/written-site.ts';
import { gzipped, record, response } from '../../formats/warc/warc-archive.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: whatever pages come from, they are those that a crawl, or an import, would name, in a fixed order.

const { folder, file } = temporaryFolder();

async function pagesOf(paths: readonly string[], options: Partial<PagesOptions> = {}): Promise<PreparedPage[]> {
  const opened = await PagesToIndex.open(paths, { threads: 0, ...options });
  expect(opened.share).toBe(0);
  const pages: PreparedPage[] = [];
  for await (const batch of opened.read()) pages.push(...pagesIn(batch));
  expect(opened.share).toBe(1);
  return pages;
}

/** The pages of a batch, whose words are those of their texts. */
function pagesIn({ pages, postings }: PreparedPages): PreparedPage[] {
  if (!pages.includes(undefined)) {
    const texts = pages.map((page) => {
      const { language, runs } = textOf(page!);
      return { url: '', text: { language, lines: runLines(runs), anchors: [], isCut: false } };
    });
    expect(postings).toEqual(preparedPages(texts, new Set()).postings);
  }
  return pages.filter((page) => page !== undefined);
}

const urlsOf = (pages: readonly PreparedPage[]): string[] => pages.map(({ url }) => url);
const wordsOf = (pages: readonly PreparedPage[]): string[] =>
  pages.map((page) => textOf(page).runs.map((run) => run.text).join(' '));
const anchorsOf = ({ anchors }: PreparedPage): Anchor[] => decodeAnchors(Buffer.from(anchors))!;
const textOf = ({ text }: PreparedPage): DocumentText =>
  decodeText(...text.filter((part) => part !== null).map((part) => Buffer.from(part)))!;

function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  return join(folder, name);
}

describe('a crawl', () => {
  const web: Readonly<Record<string, Written>> = {
    'a.test/': {
      body: '<html lang=en><title>Root</title><a href="/1#x">One</a><a href=//b.test/>B</a><a href=/hop>Hop</a>' +
        '<a href=/no>No</a><a href=/gone>Gone</a><a href=/nofollow>nf</a>',
    },
    'a.test/1': { body: gzipSync('<h1>One &amp; only</h1><a href=/>up</a>'), headers: [
      'Content-Type', 'text/html; charset=utf-8', 'Content-Encoding', 'gzip',
    ] },
    'b.test/': { body: '<base href="http://a.test/"><a href=1>Again</a>' },
    'a.test/hop': { status: 301, headers: ['Location', '/1'] },
    'a.test/no': { body: '<meta name=robots content=noindex>secret' },
    'a.test/nofollow': { headers: ['Content-Type', 'text/html', 'X-Robots-Tag', 'nofollow'], body: '<a href=/1>x' },
  };
  const crawled = async (live: Partial<LiveInput>): Promise<string> => {
    const served = await loopback(new WrittenSite((url) => web[url]));
    const path = join(folder, `crawl-${JSON.stringify(live).replace(/\W+/g, '-')}`);
    try {
      await crawlLive(path, {
        experiment: { politenessMs: 0, processors: 1, robots: 1, policy: 'breadth-first' },
        live: { ...served.live, ...live }, seeds: ['http://a.test/'],
      });
    } finally {
      await served.close();
    }
    return path;
  };

  test('has the same pages by its texts and by its archives', async () => {
    const path = await crawled({ text: true });
    const pages = await pagesOf([path]);
    expect(urlsOf(pages)).toEqual(['http://a.test/', 'http://a.test/1', 'http://b.test/', 'http://a.test/nofollow']);
    expect(wordsOf(pages)).toEqual(['Root OneBHopNoGonenf', 'One & only up', 'Again', 'x']);
    expect(anchorsOf(pages[2])).toEqual([{ url: 'http://a.test/1', text: 'Again' }]);
    expect(anchorsOf(pages[3])).toEqual([]);
    expect(await pagesOf([join(path, 'warc')])).toEqual(pages);
    expect(await pagesOf([path, join(path, 'warc')])).toEqual(pages);
    expect(await pagesOf([path], { threads: 2 })).toEqual(pages);
    expect(await pagesOf([path], { isKnown: (url) => url.includes('a.test') })).toEqual(pages.slice(2, 3));
  });

  test('without texts has the pages of its archives; with neither it is refused', async () => {
    expect(urlsOf(await pagesOf([await crawled({ text: false })]))).toHaveLength(4);
    expect(await inputErrorOf(pagesOf([await crawled({ text: false, warc: false })]))).toMatch(
      /: the crawl has neither texts \(crawl --text\) nor WARC archives: there is nothing to index$/,
    );
  });

  test('that another machine goes on with is refused', async () => {
    const path = join(folder, 'running');
    await (await openLmdbStore(join(path, 'store'), {})).close();
    writeFileSync(join(path, 'store', '.lock'), '1 elsewhere.example\n');
    expect(await inputErrorOf(pagesOf([path]))).toContain('is being written by process 1 of elsewhere.example');
  });
});

describe('archives', () => {
  const records = [
    record('warcinfo', {}, 'software: x\r\n'),
    record('request', { 'WARC-Target-URI': 'http://a.test/' }, 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'),
    response('http://a.test/', '<title>A</title><a href="b#c">to b</a>'),
    response('http://a.test/robots.txt', 'User-agent: *', { 'Content-Type': 'text/plain' }),
    response('http://a.test/gone', '<p>gone', {}, 404),
    response('http://a.test/picture', 'x', { 'Content-Type': 'image/png' }),
    response('<http://a.test/b>', '<p>b'),
    record('revisit', { 'WARC-Target-URI': 'http://a.test/r' }, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nr'),
    response('http://a.test:80/', '<title>later</title>'),
    response('http://a.test/coded', 'x'.repeat(40), { 'Content-Encoding': 'br' }),
    response('http://a.test/noindex', '<p>no', { 'X-Robots-Tag': 'noindex' }),
    response('http://a.test/end', '<p>end'),
  ];

  test('have the pages that were fetched, the first of each URL', async () => {
    const path = file('a.warc.gz', gzipped(records));
    const faults: string[] = [];
    const opened = await PagesToIndex.open([path], { threads: 0, onFault: (fault) => { faults.push(fault); } });
    const pages: PreparedPage[] = [];
    for await (const batch of opened.read()) pages.push(...pagesIn(batch));
    expect(faults).toEqual([]);
    expect(urlsOf(pages)).toEqual(['http://a.test/', 'http://a.test/b', 'http://a.test/end']);
    expect(anchorsOf(pages[0])).toEqual([{ url: 'http://a.test/b', text: 'to b' }]);
    expect(opened.left).toEqual({ noindex: 1, damaged: 1 });
    expect(await pagesOf([file('a.warc', Buffer.concat(records))])).toEqual(pages);
    expect(await pagesOf([path], { threads: 2 })).toEqual(pages);
  });

  test('have links that lead where each would by itself, whatever pages of a folder share', async () => {
    const urls = [
      'http://a.test/f/x', 'http://a.test/f/y?q', 'http://a.test/f/', 'http://a.test/g', 'https://a.test/f/x',
    ];
    const links = [
      '', ' ', '?', '?r', ' ?r', '\t?r', 'b', ' b ', './b', '../b', '..', '.', '/', '/b', '//c.test/d', '//c.test:8/d',
      'http://c.test/', 'HTTP://C.test/e', 'http:b', 'http:?r', 'https:b', 'http:/b', 'https:', 'http:///c.test',
      'mailto:x', 'b:c', './b:c', '/b:c', '\\b', 'é', '%7Eb', 'b?x#y', 'b\nc', '?#', 'javascript:x', 'http://', '//',
    ];
    const body = links.map((link) => `<a href="${link}">x</a>`).join('');
    const pages = await pagesOf([file('links.warc', Buffer.concat(urls.map((url) => response(url, body))))]);
    expect(urlsOf(pages)).toEqual(urls);
    for (const page of pages) {
      const alone = links.map((link) => canonicalUrl(link, new URL(page.url))).filter((url) => url instanceof URL);
      expect(anchorsOf(page).map(({ url }) => url)).toEqual(alone.map(({ href }) => href));
    }
  });

  test('that are cut short or damaged have the rest', async () => {
    const members = records.map((bytes) => gzipSync(bytes));
    members[2][20] ^= 255;
    const whole = Buffer.concat(members);
    const faults: string[] = [];
    const path = file('damaged.warc.gz', whole.subarray(0, whole.length - 3));
    expect(urlsOf(await pagesOf([path], { onFault: (fault) => { faults.push(fault); } })))
      .toEqual(['http://a.test/b', 'http://a.test/']);
    expect(faults.length).toBeGreaterThanOrEqual(2);
    expect(faults[0]).toMatch(/damaged\.warc\.gz: byte \d+: /);
  });

  test('a page counts where it can first be read', async () => {
    const damaged = response('http://a.test/', 'x'.repeat(40), { 'Content-Encoding': 'br' });
    const copies = ['one', 'two'].map((word) => response('http://a.test/', `<p>${word}`));
    const far = Array.from({ length: 100 }, (_, i) => response(`http://a.test/${i}`, '<p>far'));
    for (const all of [[damaged, ...copies], [damaged, ...far, ...copies]]) {
      const pages = await pagesOf([file('copies.warc', Buffer.concat(all))]);
      expect(pages).toHaveLength(all.length - 2);
      expect(wordsOf(pages.filter(({ url }) => url === 'http://a.test/'))).toEqual(['one']);
    }
  });

  test('all values of X-Robots-Tag count', async () => {
    const [head, body] = ['HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n', '\r\n<a href=/x>x'];
    const page = (name: string, ...tags: string[]): Buffer => record('response', {
      'WARC-Target-URI': `http://a.test/${name}`,
    }, `${head}${tags.map((tag) => `X-Robots-Tag: ${tag}\r\n`).join('')}${body}`);
    const pages = await pagesOf([file('tags.warc', Buffer.concat([
      page('noindex', 'max-snippet:20', 'noindex'), page('other', 'otherbot: noindex', 'max-snippet:20'),
      page('nofollow', 'otherbot: noindex', 'nofollow'),
    ]))]);
    expect(urlsOf(pages)).toEqual(['http://a.test/other', 'http://a.test/nofollow']);
    expect(pages.map((one) => anchorsOf(one).length)).toEqual([1, 0]);
  });

  /** Two archives of many pages in all. */
  const writtenMany = (): string => {
    const path = folderOf('many', {});
    const many = Array.from({ length: 500 }, (_, i) => response(`http://a.test/${i}`, `<p>${'word '.repeat(i)}${i}`));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, '2.warc.gz'), gzipped(many.slice(250)));
    writeFileSync(join(path, '1.warc'), Buffer.concat(many.slice(0, 250)));
    return path;
  };

  test.runIf(isFullSweep)('in order, many of them, on threads', async () => {
    const path = writtenMany();
    const pages = await pagesOf([path], { threads: 2 });
    expect(urlsOf(pages)).toEqual(Array.from({ length: 500 }, (_, i) => `http://a.test/${i}`));
  });

  test('need not be read to the end', async () => {
    let count = 0;
    for await (const { pages } of (await PagesToIndex.open([writtenMany()], { threads: 2 })).read()) {
      count += pages.length;
      break;
    }
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(500);
  });
});

describe('a folder of HTML files', () => {
  const files = {
    'index.html': '<title>Start</title><a href="sub/">Sub</a><a href="/a%20b.htm?q#f">Blank</a>' +
      '<a href=none.html>none</a><a href="http://elsewhere.example/">out</a>',
    'a b.htm': '<p>blank<a href="index.html">up</a>',
    'sub/index.html': '<p>sub<a href="../a b.htm">blank</a>',
    'sub/secret.html': '<meta name=robots content=noindex><p>secret',
    'notes.txt': 'no page',
  };

  test('has the URLs and links of its import', async () => {
    const path = folderOf('My Site', files);
    const pages = await pagesOf([path]);
    expect(urlsOf(pages)).toEqual([
      'http://my-site.localhost/a%20b.htm', 'http://my-site.localhost/index.html',
      'http://my-site.localhost/sub/index.html',
    ]);
    const graph = await readSite(path);
    const urls = Array.from({ length: graph.pages }, (_, page) =>
      `http://${graph.hosts.names.at(graph.hosts.ofPage[page])}${graph.paths!.at(page)}`);
    for (const prepared of pages) {
      const page = urls.indexOf(prepared.url);
      const targets = [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])];
      expect(anchorsOf(prepared).map((anchor) => anchor.url)).toEqual(targets.map((target) => urls[target]));
    }
    expect(await pagesOf([path], { threads: 2 })).toEqual(pages);
  });

  test('may have a file of the name that stores of crawls have', async () => {
    expect(await pagesOf([folderOf('plain', { store: 'no folder', 'a.html': '<p>a' })])).toHaveLength(1);
  });

  test('has a host per top folder where asked for, as its import', async () => {
    const path = folderOf('Hosts', {
      'a.test/index.html': '<a href="../b.test/x.html">to b</a><a href="/b.test/x.html">too</a>',
      'b.test/x.html': '<a href="../a.test/">to a</a>', 'top.html': '<a href="b.test/x.html">down</a>',
    });
    const pages = await pagesOf([path], { hostPerFolder: true });
    const graph = await readSite(path, { hostPerFolder: true });
    const urls = Array.from({ length: graph.pages }, (_, page) =>
      `http://${graph.hosts.names.at(graph.hosts.ofPage[page])}${graph.paths!.at(page)}`);
    expect(urlsOf(pages).sort()).toEqual(urls.sort());
    expect(new Set(urls.map((url) => new URL(url).host)).size).toBe(3);
    expect(pages.flatMap(anchorsOf).every(({ url }) => urls.includes(url))).toBe(true);
    expect(pages.flatMap(anchorsOf)).toHaveLength(4);
  });
});

test.each<[string, string, RegExp]>([
  ['what is not there', 'nowhere', /nowhere: .*/],
  ['a folder without pages', 'empty', /empty: is not a crawl, and contains neither WARC archives nor HTML files$/],
  ['a file that is no archive', 'text.warc', /text\.warc: contains no WARC record that can be read/],
])('%s is refused', async (_, name, message) => {
  folderOf('empty', { 'x.txt': 'x' });
  file('text.warc', 'some text\n'.repeat(100));
  expect(await inputErrorOf(pagesOf([join(folder, name)]))).toMatch(message);
});
