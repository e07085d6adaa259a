import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { isFullSweep, tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file } = temporaryFolder();

function linksOf(graph: WebGraph, nameOf: (page: number) => string): string[] {
  return Array.from({ length: graph.pages }, (_, page) =>
    [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])].map(
      (target) => `${nameOf(page)}\t${nameOf(target)}`,
    ),
  ).flat();
}

const urls = 'http://a.org/\thttps://b.org/x?y#z\nhttp://a.org\tmailto:me@a.org\nhttps://b.org/x?y\thttp://A.org:80/\n';

describe('a list of named links', () => {
  test('makes hosts and paths of URLs and reports what it left out', async () => {
    const notes: string[] = [];
    const graph = await openGraph(file('urls.tsv', urls), { onNote: (note) => notes.push(note) });
    checkGraph(graph);
    expect(
      linksOf(graph, (page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + (graph.paths?.at(page) ?? '')),
    ).toEqual(['a.org/\tb.org/x?y', 'b.org/x?y\ta.org/']);
    expect(graph.bytes).toBeUndefined();
    expect(notes).toEqual(['urls: 1 link left out: not between two URLs of http or https of at most 2048 characters']);
  });

  test('of names, in two files, has drawn hosts', async () => {
    const graph = await openFiles([file('a.tsv', '# names\nZ\u00fcrich\tBern\n'), file('b.tsv', 'Bern\tA b')]);
    expect(graph?.hosts.synthetic).toBe(true);
    expect(linksOf(graph!, (page) => graph?.paths?.at(page) ?? '')).toEqual(['/Z\u00fcrich\t/Bern', '/Bern\t/A b']);
  });

  test('of more URLs than are remembered is the same graph', async () => {
    const lines = Array.from({ length: 70_000 }, (_, i) => `http://a.org/${i}\thttp://a.org/${(i * 7) % 70_000}\n`);
    const graph = await openGraph(
      file('long.tsv', [...lines, ...lines.slice(0, 100), 'http://a.org/1\tftp://a.org\n'].join('')),
    );
    const number = (page: number): number => Number(graph.paths?.at(page).slice(1));
    expect([graph.pages, graph.arcs]).toEqual([70_000, 70_000]);
    expect(graph.outTargets.every((target, page) => number(target) === (number(page) * 7) % 70_000)).toBe(true);
  });

  test('beside lists of names has their pages first, linked or not', async () => {
    const names = file('names.txt', '# all\nAlone\nBern\n');
    const graph = await openFiles([file('a.tsv', 'Z\u00fcrich\tBern\n'), names]);
    expect(Array.from({ length: 3 }, (_, page) => graph?.paths?.at(page))).toEqual(['/Alone', '/Bern', '/Z\u00fcrich']);
    expect([graph?.name, graph?.arcs]).toEqual(['a', 1]);
    expect(await inputErrorOf(openFiles([file('a.tsv', 'a\tb\n'), file('n', 'a\nb\tc\n')]))).toMatch(
      /n: line 2: expected one name or URL/,
    );
    expect(await inputErrorOf(openGraph(names))).toMatch(/names\.txt: line 2: "Alone" in "Alone" is not a page id/);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['one name', 'a\tb\nc', /bad\.tsv: line 2: expected two names/],
    ['three', 'a\tb\na\tb\tc\n', /line 2: expected two names/],
    ['Latin-1', Buffer.from('a\tb\na\t\u00fc\n', 'latin1'), /line 2: is not UTF-8/],
    ['no web page', 'ftp://a/\tftp://b/\n', /contains no links/],
    ['an overlong line', `a\tb\n${'a'.repeat(1 << 21)}`, /line 2 is longer than/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad.tsv', text)))).toMatch(message);
  });

  test('that is damaged anyhow is read soundly or refused in one message', async () => {
    const refused = await refusedOfDamaged(urls, 300, (bytes) => openGraph(file('damaged.tsv', bytes)));
    expect(refused).toBeGreaterThan(tries(30));
    expect(refused).toBeLessThan(300);
  });
});

const wiki = fileURLToPath(new URL('../../../shared/datasets/wikispeedia/links.tsv.gz', import.meta.url));
// `npm test` reads the same file in url-lists.test.ts.
test.skipIf(!existsSync(wiki) || !isFullSweep)(
  'wikispeedia (skipped where absent: it lies beside the project) has the links of its lines, but for one',
  async () => {
    // The file has one line that is truncated.
    expect(await inputErrorOf(openGraph(wiki))).toMatch(
      /line 2077: expected two names or URLs, separated by a tab: "10th"/,
    );
    const text = gunzipSync(readFileSync(wiki)).toString('utf8').replace('\n10th\n', '\n');
    const graph = await openGraph(file('links.tsv', text));
    checkGraph(graph);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(new Set(linksOf(graph, (page) => (graph.paths?.at(page) ?? '').slice(1)))).toEqual(new Set(lines));
  },
);
