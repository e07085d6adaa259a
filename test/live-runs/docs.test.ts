import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crawlLive, resumeCrawl, type LiveProgress } from '../../src/machines/crawl/index.ts';
import { FolderSite } from '../../src/views/service/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { crawledWeb, differences, none } from './docs.ts';
import { checkLinks } from './link-checker.ts';
import { loopback, type Loopback } from '../crawl/loopback.ts';

// Goal: a crawl ends with the pages that are there. `npm run live -- docs` does this with three of Debian's packages.

const seeds = ['http://odd.localhost/', 'http://drawn.localhost/0.html'];
let root: string;
let web: Loopback;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'orbweaver-docs-'));
  oddSite(join(root, 'odd'));
  drawnSite(join(root, 'drawn'), 150);
  web = await loopback(
    await FolderSite.open(['odd', 'drawn'].map((name) => ({ host: `${name}.localhost`, folder: join(root, name) }))),
  );
});
afterAll(async () => {
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A page of each kind of link there is, and of each that there is not: `yes-` is to be found, `no-` is not. */
function oddSite(folder: string): void {
  const links = (...hrefs: string[]): string => hrefs.map((href) => `<a href="${href}">x</a>`).join('\n');
  const pages: Record<string, string | Buffer> = {
    'index.html': `<!doctype html><title><a href=no-title.html></title><script>"<a href=no-script.html>"</script><!-- <a href=no-comment.html> -->
      <meta http-equiv=refresh content="5; url='yes-refresh.html'"><A HREF = yes-plain.html><a href='yes-amp.html?a=1&amp;b=2'>
      <area href=yes-area.html><iframe src=yes-iframe.html></iframe><a rel="external nofollow" href=no-nofollow.html>
      ${links('#here', 'yes-fragment.html#x', ' yes-blank.html\n', 'folder', 'folder/', 'based/page.html', 'closed/page.html', 'latin.html', 'frames.htm',
      'mailto:a@b', 'javascript:0', 'http://elsewhere.localhost/no.html', 'http://ODD.localhost./yes-dot.html', 'gone.html', 'sheet.css', 'notes.txt', 'inside.html',
      'outside.html', 'yes%2dspelled.html', 'yes-space%20here.html', 'yes-space here.html', 'yes-%C3%A9.html', '/a/../yes-dots.html', 'app.ts', 'http://drawn.localhost/1.html')}`,
    'yes-plain.html': '<textarea><a href=no-textarea.html></textarea><a href="no-unfinished.html',
    'yes-fragment.html': links('yes-fragment.html#y', './'),
    'yes-amp.html': links('?a=1', '?', 'yes-amp.html?a=1&b=2'),
    'folder/index.html': links('yes-below.html', '../folder', '//odd.localhost/folder/yes-slashes.html'),
    'based/page.html': `<base href="/folder/"><base href="/based/">${links('yes-based.html', '#top')}`,
    'folder/yes-based.html': '',
    'closed/page.html': `<meta name=ROBOTS content="noindex, NoFollow">${links('no-closed.html')}`,
    'frames.htm': '<frameset><frame src=yes-frame.html></frameset>',
    'latin.html': Buffer.from('<meta charset=iso-8859-1><a href="yes-\xfcber.html">', 'latin1'),
    'yes-\u00fcber.html': '', 'yes-\u00e9.html': '',
    'notes.txt': links('no-text.html'),
    'sheet.css': '', 'app.ts': links('no-typescript.html'), 'yes-space here.html': '',
  };
  for (const name of ['refresh', 'area', 'iframe', 'blank', 'dot', 'spelled', 'dots', 'frame'])
    pages[`yes-${name}.html`] = '';
  for (const name of ['below', 'slashes']) pages[`folder/yes-${name}.html`] = '';
  for (const name of ['title', 'script', 'comment', 'nofollow', 'textarea', 'unfinished', 'text', 'typescript'])
    pages[`no-${name}.html`] = '';
  pages['closed/no-closed.html'] = '';
  for (const [name, text] of Object.entries(pages)) write(join(folder, name), text);
  symlinkSync('yes-plain.html', join(folder, 'inside.html'));
  symlinkSync('../drawn/0.html', join(folder, 'outside.html'));
}

/** Pages that lead to one another, and to some that are not there, in all spellings. */
function drawnSite(folder: string, pages: number): void {
  const draws = new DrawStream(1, 'docs-site');
  const spellings = [
    (to: number) => `${to}.html`,
    (to: number) => `./${to}.html#s`,
    (to: number) => `/${to}.html`,
    (to: number) => `//drawn.localhost/${to}.html`,
    (to: number) => `http://drawn.localhost:80/${to}.html`,
    (to: number) => `x/../${to}%2Ehtml`,
    (to: number) => `%3${to % 10}.html`,
    (to: number) => `${to}.html?q=${to % 3}`,
    (to: number) => `folder${to % 5}`,
    (to: number) => `&#x2e;/${to}.html`,
  ];
  for (let page = 0; page < pages; page++) {
    const links = Array.from({ length: Math.floor(6 * draws.uniform(page, 0)) }, (_, i) => {
      const to = Math.floor(1.1 * pages * draws.uniform(page, 3 * i + 1));
      const href = spellings[Math.floor(spellings.length * draws.uniform(page, 3 * i + 2))](to);
      return `<a ${draws.uniform(page, 3 * i + 3) < 0.1 ? 'rel=nofollow ' : ''}href="${href}">${to}</a>`;
    });
    write(join(folder, `${page}.html`), links.join('\n'));
  }
  for (const i of [0, 1, 2, 3, 4]) write(join(folder, `folder${i}`, 'index.html'), `<a href=../${7 * i}.html>`);
}

describe('a crawl of folders of HTML', () => {
  test('ends with the pages and arcs that a link checker finds', async () => {
    const folder = web.folder();
    const { run } = await crawlLive(folder, {
      experiment: { politenessMs: 0, processors: 3 },
      live: { ...web.live, warc: false, allowDomains: ['odd.localhost', 'drawn.localhost'] }, seeds,
    });
    const [crawled, checked] = [await crawledWeb(folder), await checkLinks(seeds, web.port)];
    expect(differences(crawled, checked)).toEqual(none);
    expect(run.summary.pagesFetched).toBe(checked.pages.size + checked.redirects.size);
    // The checker does what it is for.
    const odd = [...checked.pages.keys()]
      .filter((url) => url.startsWith('http://odd.localhost/'))
      .map((url) => decodeURIComponent(url.slice(21)));
    const names = (text: string): string[] =>
      odd
        .filter((url) => url.includes(text))
        .map((url) => url.replace(/^.*-(\S+)\.html(?=\?|$)/, '$1'))
        .sort();
    expect(names('no-')).toEqual([]);
    expect(names('yes-')).toEqual(
      [
        'amp?a=1', 'amp', 'amp?a=1&b=2', 'area', 'based', 'below', 'blank', 'dot', 'dots', 'fragment', 'frame',
        'iframe', 'plain', 'refresh', 'slashes', 'yes-space here.html', 'spelled', '\u00e9', '\u00fcber',
      ].sort(),
    );
    expect([...checked.redirects]).toContainEqual(['http://odd.localhost/folder', 'http://odd.localhost/folder/']);
    expect([...checked.broken.keys()]).toEqual(
      expect.arrayContaining(['http://odd.localhost/gone.html', 'http://odd.localhost/outside.html']),
    );
    expect([...checked.pages.keys()].filter((url) => url.startsWith('http://drawn.')).length).toBeGreaterThan(100);
  });

  test('that is truncated shows, reports its progress, and does not go back', async () => {
    const folder = web.folder();
    const reported: LiveProgress[] = [];
    await crawlLive(
      folder,
      {
        experiment: { politenessMs: 0, maxPages: 50 }, live: { ...web.live, warc: false, allowDomains: ['localhost'] },
        seeds,
      },
      {
        onProgress: (progress) => {
          reported.push(progress);
        },
      },
    );
    expect([...new Set(reported.map(({ pagesFetched }) => pagesFetched))])
      .toEqual(Array.from({ length: 51 }, (_, i) => i));
    await expect(resumeCrawl(folder, { maxPages: 49 })).rejects.toThrow(
      'max pages 49: the crawl has already fetched 50',
    );
    expect(differences(await crawledWeb(folder), await checkLinks(seeds, web.port)).pagesMissed.length).toBeGreaterThan(
      50,
    );
  });
});
