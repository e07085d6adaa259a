import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf, sourceIdOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file } = temporaryFolder();

const numbered = '3 3 1\n1 http://a.org/ \n2 http://a.org/x \n3 https://b.org\n1 2\n3 1\n1 3\n';
const tagged =
  '# made by hand\nn 0 http://a.org/\nn 1 http:photos/x.html\nn 2 HTTP://A.org\nn 3 http://b_/\ne 0 1\ne 3 2\n';
const blocks = '2\n\n0 (0) [R]\nhttp://a.org/x\nA title\n1 0\n\n1 (1) [R]\nhttp://b.org\n\n0 1\n';
const lists = '0: 1 0 -1\n1: -1\n';

describe('lists of URLs and of links between them', () => {
  test('may be numbered', async () => {
    for (const path of [file('n.dat', numbered), file('n.dat.gz', gzipSync(numbered.replaceAll('\n', '\r\n')))]) {
      const notes: string[] = [];
      const graph = await openGraph(path, { onNote: (note) => notes.push(note) });
      checkGraph(graph);
      expect(linksOf(graph, placeOf(graph))).toEqual(['a.org/ a.org/x', 'a.org/ b.org/', 'b.org/ a.org/']);
      expect(linksOf(graph, sourceIdOf(graph))[0]).toBe('1 2');
      expect([graph.name, notes]).toEqual(['n', []]);
    }
  });

  test('may be tagged; odd URLs and hosts are stored and reported', async () => {
    const notes: string[] = [];
    const graph = await openGraph(file('t', tagged), { onNote: (note) => notes.push(note) });
    checkGraph(graph);
    expect(linksOf(graph, placeOf(graph))).toEqual(['a.org/ page-1.invalid/', 'b_/ a.org/']);
    expect(notes).toEqual([
      't: 1 page has no valid URL of http or https (the first is page 1); each has a host of its own, page-N.invalid',
      't: 1 host has a malformed name, stored unchanged', 't: 1 page has the URL of an earlier page; both are stored',
    ]);
  });

  test('may be blocks and lists, named in any order', async () => {
    const graph = await openFiles([file('adj', lists), file('nodes', blocks)]);
    checkGraph(graph!);
    expect(linksOf(graph!, placeOf(graph!))).toEqual(['a.org/x b.org/', 'a.org/x a.org/x']);
    expect(await inputErrorOf(openGraph(file('nodes', blocks)))).toMatch(
      /nodes: contains URLs without links; name the file of their links too/,
    );
    expect(await inputErrorOf(openGraph(file('adj', lists)))).toMatch(/adj: has no URLs/);
    expect(await inputErrorOf(openFiles([file('nodes', blocks), file('more', blocks), file('adj', lists)]))).toMatch(
      /one file of URLs is expected/,
    );
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['a page missing', numbered.replace('2 http://a.org/x \n', ''), /bad: line 3: page 2 is expected: "3 https/],
    [
      'ten thousand million pages', numbered.replace('3 3 1', '10000000000 3 1'),
      /line 1: a graph has from 1 to 4294967294 pages/,
    ],
    ['more pages than there are', numbered.replace('3 3 1', '4000000000 3 1'), /line 5: page 4 is expected: "1 2"/],
    [
      'more links than there are', numbered.replace('3 3 1', '3 10000000000 1'),
      /ends after 3 links; line 1 states 10000000000/,
    ],
    ['fewer links than there are', numbered.replace('3 3 1', '3 2 1'), /line 7: is one link more than the 2 of line 1/],
    ['a link to no page', numbered.replace('3 1\n1 3', '3 4\n1 3'), /line 6: expected page ids from 1 to 3/],
    ['a URL that is not UTF-8', Buffer.from(numbered.replace('/x', '/\u00fc'), 'latin1'), /line 3: is not UTF-8/],
    ['a cut', numbered.slice(0, -30), /ends after|expected/],
    ['a tag of no one', `${tagged}x 1 2\n`, /line 8: expected n, an id and a URL, or e and two ids: "x 1 2"/],
    ['a tagged page twice', `${tagged}n 3 http://c.org\n`, /line 8: page 4 is expected/],
    ['a tagged link to no page', `${tagged}e 0 4\n`, /line 8: page 4 is not one of the 4 listed pages/],
    ['a tagged link beyond all', `${tagged}e 0 9999999999\n`, /line 8: a page id is larger than 4294967294/],
  ])('are refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad', text)))).toMatch(message);
  });

  test.each<[string, string, string, RegExp]>([
    [
      'ten thousand million pages', blocks.replace('2\n', '9999999999\n'), lists,
      /nodes: ends after 2 URLs; line 1 states 9999999999/,
    ],
    ['a block truncated', blocks.slice(0, 50), lists, /nodes: line 8: page 1 is expected: ""|ends after 1 URLs/],
    ['more blocks than promised', blocks.replace('2\n', '1\n'), lists, /nodes: line 8: continues after 1 pages/],
    ['a block out of order', blocks.replace('1 (1)', '2 (2)'), lists, /nodes: line 8: page 1 is expected: "2 \(2\)/],
    ['a list that does not end', blocks, '0: 1 -1\n1: 0\n', /adj: line 2: expected an id, a colon, ids and -1: "1: 0"/],
    [
      'a URL that is not UTF-8', blocks.replace('/x', '/\xff'), lists,
      /nodes: line 4: is not UTF-8: "http:\/\/a\.org\/\\xff"/,
    ],
    ['a list of no page', blocks, '0: 1 -1\n2: -1\n', /adj: line 2: page 2 is not one of the 2 listed pages/],
  ])('of blocks are refused with %s', async (_, nodes, adjacency, message) => {
    expect(
      await inputErrorOf(openFiles([file('nodes', Buffer.from(nodes, 'latin1')), file('adj', adjacency)])),
    ).toMatch(message);
  });

  test('damaged anyhow are read soundly or refused in one message', async () => {
    const nodes = file('not-damaged', blocks);
    for (const [text, read] of [
      [numbered, (bytes: Uint8Array) => openGraph(file('damaged', bytes))],
      [tagged, (bytes: Uint8Array) => openGraph(file('damaged', bytes))],
      [lists, (bytes: Uint8Array) => openFiles([nodes, file('damaged', bytes)])],
    ] as const) {
      const refused = await refusedOfDamaged(text, 120, read);
      expect(refused).toBeGreaterThan(tries(20));
      expect(refused).toBeLessThan(120);
    }
  });
});

const at = (name: string): string => fileURLToPath(new URL(`../../../shared/datasets/${name}`, import.meta.url));
const linesOf = (name: string): string[] => gunzipSync(readFileSync(at(name))).toString('latin1').split('\n');

/** Dangling pages, and hosts, as the graph has them. */
function facts(graph: WebGraph) {
  checkGraph(graph);
  let dangling = 0;
  for (let page = 0; page < graph.pages; page++) if (graph.outOffsets[page] === graph.outOffsets[page + 1]) dangling++;
  return { pages: graph.pages, arcs: graph.arcs, dangling, hosts: graph.hosts.count };
}

describe('real lists (skipped where absent: they may not be redistributed) have the links of their lines', () => {
  test.skipIf(!existsSync(at('hollins')))('hollins', async () => {
    const graph = await openGraph(at('hollins/hollins.dat.gz'));
    expect(facts(graph)).toEqual({ pages: 6_012, arcs: 23_875, dangling: 3_189, hosts: 4 });
    const lines = linesOf('hollins/hollins.dat.gz').slice(6_013).filter((line) => line !== '');
    expect(new Set(linksOf(graph, sourceIdOf(graph)))).toEqual(new Set(lines.map((line) => line.trim())));
  });

  test.skipIf(!existsSync(at('kleinberg-california')))('kleinberg-california', async () => {
    const notes: string[] = [];
    const graph = await openGraph(at('kleinberg-california/gr0.California.gz'), { onNote: (note) => notes.push(note) });
    expect(facts(graph)).toMatchObject({ pages: 9_664, arcs: 16_150 });
    const lines = linesOf('kleinberg-california/gr0.California.gz');
    expect(new Set(linksOf(graph))).toEqual(
      new Set(lines.filter((line) => line.startsWith('e')).map((line) => line.slice(2))),
    );
    const unreadable = lines.filter((line) => line.startsWith('n') && !/^n \d+ http:\/\/[^/]/i.test(line)).length;
    expect(unreadable).toBe(53);
    expect(notes[0]).toContain(`${unreadable} pages have no valid URL`);
  });

  test.skipIf(!existsSync(at('toronto-cars')))('toronto-cars', async () => {
    const graph = await openFiles([at('toronto-cars/nodes.gz'), at('toronto-cars/adj_list.gz')]);
    expect(facts(graph!)).toMatchObject({ pages: 3_460, arcs: 12_796, hosts: 1_844 });
    const links = linesOf('toronto-cars/adj_list.gz').flatMap((line) => {
      const [source, rest = ''] = line.split(':');
      return (rest.match(/\d+/g) ?? []).slice(0, -1).map((target) => `${source} ${target}`);
    });
    expect(new Set(linksOf(graph!))).toEqual(new Set(links));
  });

  test.skipIf(!existsSync(at('wikispeedia')))(
    'wikispeedia, its one cut line left out, with the articles that no link names',
    async () => {
      const links = linesOf('wikispeedia/links.tsv.gz').filter((line) => line !== '10th');
      const graph = await openFiles([
        at('wikispeedia/articles.tsv'), file('links.tsv', Buffer.from(links.join('\n'), 'latin1')),
      ]);
      checkGraph(graph!);
      const articles = readFileSync(at('wikispeedia/articles.tsv'), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      expect(graph?.pages).toBe(4_604);
      expect(Array.from({ length: 4_604 }, (_, page) => graph?.paths?.at(page).slice(1))).toEqual(articles);
      expect(graph?.arcs).toBe(new Set(links.filter((line) => line !== '' && !line.startsWith('#'))).size);
    },
  );
});
