import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readSite, type OpenOptions } from '../../src/graphs/formats/index.ts';
import { checkGraph, defaultSeeds } from '../../src/graphs/graph/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { linksOf, placeOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { folder } = temporaryFolder();

function site(files: Record<string, string | Uint8Array>, name = 'Docs 1'): string {
  const path = join(mkdtempSync(join(folder, 'site-')), name);
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), content);
  }
  return path;
}

async function read(path: string, options: OpenOptions = {}) {
  const notes: string[] = [];
  const graph = await openGraph(path, { ...options, onNote: (note) => notes.push(note) });
  checkGraph(graph);
  return {
    graph, notes, links: linksOf(graph, placeOf(graph)),
    pages: Array.from({ length: graph.pages }, (_, page) => placeOf(graph)(page)),
  };
}

describe('a folder of HTML files', () => {
  test('is a site: pages by path, sizes as they are, links as a server would resolve them', async () => {
    const path = site({
      'index.html':
        '<a href="guide/">g</a><a href="/guide">g</a><a href="b c.html?x#y">b</a><a href=missing.html><a href="http://a.org/"><a href=mailto:me>',
      'guide/index.htm':
        '<base href="/"><a href="index.html">up</a><a href="guide/%C3%BC.html"><a href="../../../index.html">',
      'guide/\u00fc.html': '<a href="#top"><a href="."><a rel=nofollow href="/">',
      'b c.html': Buffer.from('<meta charset=iso-8859-1><a href="guide/\u00fc.html">', 'latin1'),
      'notes.txt': '<a href="/">',
    });
    const { graph, links, notes, pages } = await read(path);
    const host = 'docs-1.localhost';
    expect(pages).toEqual(
      ['/b%20c.html', '/guide/index.htm', '/guide/%C3%BC.html', '/index.html'].map((page) => host + page),
    );
    expect(links).toEqual([
      ['/b%20c.html', '/guide/%C3%BC.html'],
      ['/guide/index.htm', '/index.html'], ['/guide/index.htm', '/guide/%C3%BC.html'],
      ['/guide/%C3%BC.html', '/guide/index.htm'],
      ['/index.html', '/guide/index.htm'], ['/index.html', '/b%20c.html'],
    ].map((link) => link.map((page) => host + page).join(' ')));
    expect(graph.bytes?.[0]).toBe('<meta charset=iso-8859-1><a href="guide/u.html">'.length);
    expect(graph.name).toBe('Docs 1');
    expect(defaultSeeds(graph)).toEqual({ seeds: Uint32Array.of(3), origin: 'host roots' });
    expect(notes).toEqual([
      'Docs 1: 1 link left out: out of the folder',
      'Docs 1: 1 link left out: not to an HTML file of the folder',
      'Docs 1: 1 link left out: nofollow',
      'Docs 1: 1 link left out: not a URL of http or https of at most 2048 characters',
      'Docs 1: 2 links were repeated and left out',
    ]);
  });

  test('may have a host for each top folder', async () => {
    const path = site(
      {
        'index.html': '<a href=one/a.html>', 'one/a.html': '<a href="../two/index.html">',
        'two/index.html': '<a href="/index.html">', 'two/x/y.html': '',
      },
      'all',
    );
    const { links, pages, graph } = await read(path, { hostPerFolder: true });
    expect(pages).toEqual([
      'all.localhost/index.html', 'one.all.localhost/a.html', 'two.all.localhost/index.html',
      'two.all.localhost/x/y.html',
    ]);
    expect(links).toEqual([
      'all.localhost/index.html one.all.localhost/a.html', 'one.all.localhost/a.html two.all.localhost/index.html',
      'two.all.localhost/index.html all.localhost/index.html',
    ]);
    expect(graph.hosts.count).toBe(3);
  });

  test('may have odd names, which are names and no more', async () => {
    const path = site({
      '100%25.html': '<a href="100%2525.html"><a href="a%5Cb.html"><a href="q%3Fx.html">', 'a\\b.html': '',
      'q?x.html': '', '%2e%2e.html': '', '.html': '',
    });
    expect((await read(path)).links.map((link) => link.split(' ')[1].replace(/^[^/]*/, ''))).toEqual([
      '/100%2525.html', '/a%5Cb.html', '/q%3Fx.html',
    ]);
  });

  test('is read without following symbolic links, and past what cannot be read', async () => {
    const path = site({ 'a.html': '<a href=b.html><a href=c.html>', 'c.html': '' });
    const elsewhere = site({ 'secret.html': '' });
    symlinkSync(join(elsewhere, 'secret.html'), join(path, 'b.html'));
    symlinkSync(path, join(path, 'round'));
    mkdirSync(join(path, 'closed.html'));
    const { pages, notes } = await read(path);
    expect(pages.map((page) => page.replace(/^[^/]*/, ''))).toEqual(['/a.html', '/c.html']);
    expect(notes).toEqual(['Docs 1: 1 link left out: not to an HTML file of the folder']);
    chmodSync(join(path, 'c.html'), 0);
    // The superuser may read all.
    if (process.getuid?.() === 0) return;
    const closed = await read(path);
    expect(closed.pages).toHaveLength(1);
    expect(closed.notes[0]).toMatch(/c\.html: may not be read/);
  });

  test('is refused where there is no HTML file', async () => {
    expect(await inputErrorOf(openGraph(site({ 'below/a.txt': 'x' })))).toMatch(
      /Docs 1: contains no HTML file that can be read, nor pages\.tsv and arcs\.tsv, nor WARC archives or Parquet tables$/,
    );
    expect(await inputErrorOf(openGraph(site({ 'a.txt': 'x' })))).toMatch(/contains no pages\.tsv/);
    expect(await inputErrorOf(readSite(join(folder, 'none')))).toMatch(/none: there is no such file/);
    expect(await inputErrorOf(readSite(join(site({ 'a.html': '' }), 'a.html')))).toMatch(/a\.html: is not a folder$/);
  });

  test('reads a large file up to the limit, and a page with very many links up to that', async () => {
    const path = site({
      'a.html': `<a href=b.html>${' '.repeat(5000)}<a href=c.html>`,
      'b.html': '<a href=a.html>'.repeat(50_010),
      'c.html': '',
    });
    const { links, notes, graph } = await read(path, { recordLimitBytes: 1 << 20 });
    expect(links).toHaveLength(3);
    expect(notes).toContain('Docs 1: 10 links left out: more than 50000 on a page');
    const short = await read(path, { recordLimitBytes: 4096 });
    expect(short.notes[0]).toBe('Docs 1: 2 files read only up to the limit of 4096 bytes');
    expect(short.graph.bytes).toEqual(graph.bytes);
  });

  test('of any bytes at all is read', async () => {
    const draws = new DrawStream(9, 'pages');
    const letters = [
      '<a href=',
      '"',
      "'",
      '>',
      'a.html',
      '<base href=',
      '%',
      '\0',
      '\xff',
      '<!--',
      '-->',
      '<script>',
      '//',
      '..',
      '&#x110000;',
      'http:',
      '?',
      '#',
      ' ',
    ];
    const text = (file: number): Uint8Array =>
      Buffer.from(
        Array.from({ length: 60 }, (_, i) => letters[draws.uint32(file, i) % letters.length]).join(''), 'latin1',
      );
    const { graph } = await read(
      site(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`${i}/a.html`, text(i)]))),
    );
    expect(graph.pages).toBe(150);
  });
});
