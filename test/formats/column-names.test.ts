import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';
import { linksOf, placeOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: tables open by the names that tools give their columns; one that does not open names the columns it took.

const { file } = temporaryFolder();

/** Tool, header; the columns of sources and targets have the names in brackets. */
const headers: readonly (readonly [string, string])[] = [
  ['Screaming Frog, all outlinks', 'Type,[Source],[Destination],Size (Bytes),Alt Text,Anchor,Status Code,Follow,Target,Rel'],
  ['Screaming Frog, all inlinks', 'Type,[From],[To],Anchor Text,Alt Text,Follow,Status Code'],
  ['Sitebulb', '[Source URL],Anchor,[Target URL],Status'],
  ['Ahrefs', '[Referring page URL],Anchor,[Target URL],Domain rating'],
  ['an API of links', '[url_from],[url_to],domain_from,domain_to,anchor'],
  ['WikiLinkGraphs', '[page_id_from],page_title_from,[page_id_to],page_title_to'],
  ['neo4j', '[:START_ID(Page)],[:END_ID(Page)],:TYPE'],
  ['LinkChecker', '[urlname],[parentname],baseref,result'],
  ['node_1 and node_2', '[node_1],[node_2]'],
  ['id_1 and id_2', '[id_1],[id_2]'],
  ['igraph', '[from],[to],weight'],
  ['citations', '[citing],[cited]'],
  ['parents', '[parent],[child]'],
  ['pages', 'crawl,[source_page_url],[target_page_url]'],
  ['hosts', '[src_host],count,[dst_host]'],
  ['page and href', '[page],[href],text'],
];

describe('a table is opened by its header', () => {
  test.each(headers)('of %s', async (tool, header) => {
    const names = header.split(',');
    const places = names.flatMap((name, place) => (name.startsWith('[') ? [place] : []));
    if (tool === 'LinkChecker') places.reverse();
    const draws = new DrawStream(44, tool);
    const kinds = [(page: number) => `https://h${page}.example/`, (page: number) => `name ${page}`, String];
    for (const [round, nameOf] of kinds.entries()) {
      if (round === 1 && / and id_2|node_2/.test(tool)) continue; // These may be names of pages.
      const links = Array.from({ length: 8 }, (_, i) => [0, 1].map((end) => draws.uint32(round, 2 * i + end) % 5));
      const records = links.map(([a, b]) => names.map((_, place) =>
        place === places[0] ? nameOf(a) : place === places[1] ? nameOf(b) : ['', 'x y', '7'][place % 3]));
      const separator = [',', ';', '\t'][round];
      const text = [names.map((name) => name.replace(/[[\]]/g, '')), ...records]
        .map((fields) => `${fields.map((field) => `"${field}"`).join(separator)}\n`).join('');
      const graph = await openGraph(file('table.csv', `\u{feff}${text}`));
      const idOf = (page: number): string => /\d+/.exec(
        graph.hosts.synthetic ? graph.paths?.at(page) ?? String(graph.sourceIds?.[page] ?? page) : placeOf(graph)(page),
      )![0];
      expect(linksOf(graph, idOf).sort()).toEqual([...new Set(links.map((link) => link.join(' ')))].sort());
    }
  });

  test('but two names of pages are no header', async () => {
    for (const text of ['n1\tn2\nn2\tn3\n', 'node1 node2 {}\nnode2 node1 {}\n', 'i\tj\nj\tk\n', 'v1 v2\nv2 v3\n'])
      expect((await openGraph(file('names.txt', text))).arcs, text).toBe(2);
  });

  test('in any order of its columns, which are drawn', async () => {
    const draws = new DrawStream(45, 'columns');
    for (let round = 0; round < tries(80); round++) {
      const [tool, header] = headers[draws.uint32(round) % headers.length];
      if (tool === 'LinkChecker') continue;
      const names = header.split(',').map((name, i) => ({ name, key: draws.uint32(round, i + 1) }))
        .sort((a, b) => a.key - b.key).map(({ name }) => name);
      const places = header.split(',').filter((name) => name.startsWith('[')).map((name) => names.indexOf(name));
      const fields = names.map((_, place) => (places.includes(place) ? `http://h${places.indexOf(place)}/` : 'x'));
      const text = `${names.join(',').replace(/[[\]]/g, '')}\n${fields.join(',')}\n`;
      expect(linksOf(await openGraph(file('drawn.csv', text))), text).toEqual(['0 1']);
    }
  });
});

describe('a table that does not open', () => {
  test.each<[string, string, RegExp]>([
    ['one end', 'Source,Anchor\nhttp://a/,x\n', /line 1: has no column target \(nor .*, of which "Source" is the other end; .*--columns/],
    ['the other end', 'Text,Destination\nx,http://a/\n', /line 1: has no column source \(nor .*, of which "Destination" is the other end/],
    ['other columns', 'Type,Source,Target,Where\nA,http://a/,,http://b/\n',
      /contains no links between URLs of http or https; .* its columns "Source" and "Target"; .*--columns FROM,TO/],
    ['no records', 'Source,Destination\n', /contains no links; .* its columns "Source" and "Destination"/],
  ])('names what it took: %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad.csv', text)))).toMatch(message);
  });
});
