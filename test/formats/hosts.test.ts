import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { isFullSweep, tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file } = temporaryFolder();

/** Links as pairs of host names. */
function linksOf(graph: WebGraph): string[] {
  const name = (page: number): string => graph.hosts.names.at(graph.hosts.ofPage[page]);
  const links: string[] = [];
  for (let page = 0; page < graph.pages; page++) {
    for (let i = graph.outOffsets[page]; i < graph.outOffsets[page + 1]; i++)
      links.push(`${name(page)} ${name(graph.outTargets[i])}`);
  }
  return links;
}

const year1996 = '1996|a.uk|b.uk\t2\n1996|b.uk|b.uk\t1\n1996|a.uk|m\u00fcnchen.de\t40';

describe('a host table', () => {
  test('makes each host a page and reports weights and years', async () => {
    const notes: string[] = [];
    const graph = await openGraph(file('1996.tsv.gz', gzipSync(year1996)), { onNote: (note) => notes.push(note) });
    checkGraph(graph);
    expect(graph.hosts).toMatchObject({ count: 3, synthetic: false });
    expect(linksOf(graph)).toEqual(['a.uk b.uk', 'a.uk m\u00fcnchen.de', 'b.uk b.uk']);
    expect(notes).toEqual([
      expect.stringMatching(/^1996: each page is a whole host.* 43 in all; weights are not stored$/),
      '1996: links of 1996',
    ]);
  });

  test('in several files is one graph', async () => {
    const notes: string[] = [];
    const paths = [file('1996.tsv', year1996), file('1997.tsv', '1997|a.uk|b.uk\t5\r\n1997|c.uk|a. uk\t1\r\n')];
    const graph = await openFiles(paths, { onNote: (note) => notes.push(note) });
    expect(linksOf(graph!)).toEqual(['a.uk b.uk', 'a.uk m\u00fcnchen.de', 'b.uk b.uk', 'c.uk a. uk']);
    expect(notes).toContain('1996 and 1 more: links of 1996 to 1997');
    expect(notes).toContain('1996 and 1 more: 1 host has a name with blanks, stored unchanged');
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['a line truncated', `${year1996}\n1996|a.uk|b`, /bad\.tsv: line 4: expected year/],
    ['an empty host', `${year1996}\n1996||b.uk\t1\n`, /line 4: a host is empty/],
    [
      'a host with a control character',
      `${year1996}\n1996|a\u007fb|b.uk\t1\n`,
      /line 4: a host is empty or has control/,
    ],
    ['no number', `${year1996}\n1996|a.uk|b.uk\t-1\n`, /line 4: expected year/],
    ['Latin-1', Buffer.from(`1996|a|b\t1\n1996|a|m\u00fcnchen.de\t4\n`, 'latin1'), /line 2: is not UTF-8/],
    ['an overlong line', `1996|a|b\t1\n1996|${'a'.repeat(1 << 21)}|b\t1\n`, /line 2 is longer than/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad.tsv', text)))).toMatch(message);
  });

  test('that is damaged anyhow is read soundly or refused in one message', async () => {
    const refused = await refusedOfDamaged(year1996, 300, (bytes) => openGraph(file('damaged.tsv', bytes)));
    expect(refused).toBeGreaterThan(tries(100));
    expect(refused).toBeLessThan(300);
  });
});

test('a host graph of Web Data Commons has its hosts as they are written, and their ids after them', async () => {
  const index = file('index.gz', gzipSync('example.com\t0\nwww.1000.org\t1\n42.example\t2\n'));
  const arcs = file('arcs', '0\t1\n2\t0\n1\t1\n');
  for (const paths of [[index, arcs], [arcs, index]]) {
    const graph = await openFiles(paths);
    checkGraph(graph!);
    expect(linksOf(graph!)).toEqual([
      'example.com www.1000.org', 'www.1000.org www.1000.org', '42.example example.com',
    ]);
  }
  expect(await inputErrorOf(openGraph(index))).toMatch(/is a list of hosts without their links/);
  expect(await inputErrorOf(openFiles([file('odd', 'a.com\t0\nb.com\n'), arcs]))).toMatch(
    /odd: line 2: expected a host, a tab and an id/,
  );
  expect(await inputErrorOf(openFiles([file('odd', 'a.com\t0\nb.com\t2\n'), arcs]))).toMatch(
    /line 2: vertex 1 is missing/,
  );
});

const vertices = '0\torg.example\n1\torg.example.www\t17\n2\tuk.co.a\n';

describe('a host graph', () => {
  test('is read from vertices and edges in parts, named in any order, and turns hosts around', async () => {
    const graph = await openFiles([
      file('edges-0.txt', '0\t1\n2\t0\n'), file('vertices-0.txt.gz', gzipSync(vertices)), file('edges-1.txt', '1\t2\n'),
      file('vertices-1.txt', '3\ta\n'),
    ]);
    checkGraph(graph!);
    expect(linksOf(graph!)).toEqual(['example.org www.example.org', 'www.example.org a.co.uk', 'a.co.uk example.org']);
    expect(graph?.hosts).toMatchObject({ count: 4, synthetic: false });
    expect(graph?.name).toBe('vertices-0');
  });

  test.each<[string, string | Uint8Array, string, RegExp]>([
    ['a vertex twice', '0\ta.b\n0\ta.c\n', '0\t0\n', /v\.txt: line 2: vertex 0 appears where 1 is expected/],
    ['a vertex missing', '0\ta.b\n2\ta.c\n', '0\t0\n', /v\.txt: line 2: vertex 1 is missing before it/],
    ['very many missing', '0\ta.b\n10000000000\ta.c\n', '0\t0\n', /vertices 1 to 9999999999 are missing/],
    ['a host twice', '0\tb.b\n1\ta.a\n2\tb.b\n', '0\t0\n', /v\.txt: line 3: vertex 2 has the host of vertex 0: "b\.b"/],
    ['no host', '0\ta.b\n1\t\n', '0\t0\n', /line 2: the host is empty/],
    ['a vertex truncated', '0\ta.b\n1', '0\t0\n', /line 2: expected an id, a tab and a host/],
    ['Latin-1', Buffer.from('0\ta.b\n1\ta.\u00fc\n', 'latin1'), '0\t0\n', /line 2: the host is not UTF-8/],
    [
      'an edge to no vertex', '0\ta.b\n1\ta.c\n', '0\t1\n\n1\t2\n',
      /e\.txt: line 3: page id 2 is not one of the 2 vertices of .*v\.txt/,
    ],
    ['an edge truncated', '0\ta.b\n1\ta.c\n', '0\t1\n1', /e\.txt: line 2 has 1 field/],
  ])('is refused with %s', async (_, list, edges, message) => {
    expect(await inputErrorOf(openFiles([file('v.txt', list), file('e.txt', edges)]))).toMatch(message);
  });

  test('that is damaged anyhow is read soundly or refused in one message', async () => {
    const edges = file('damaged-not.txt', '0\t1\n2\t0\n');
    const refused = await refusedOfDamaged(vertices, 300, (bytes) => openFiles([file('damaged.txt', bytes), edges]));
    expect(refused).toBeGreaterThan(tries(100));
    expect(refused).toBeLessThan(300);
  });
});

const uk = fileURLToPath(
  new URL('../../../shared/datasets/uk-web-hosts-1996/1996-uk-web-hosts.tsv.gz', import.meta.url),
);
test.runIf(isFullSweep && existsSync(uk))('uk-web-hosts-1996 (skipped where absent: it lies beside the project) has the links of its lines', async () => {
  const notes: string[] = [];
  const graph = await openGraph(uk, { onNote: (note) => notes.push(note) });
  checkGraph(graph);
  const lines = gunzipSync(readFileSync(uk)).toString('utf8').trim().split('\n').map((line) => line.split(/[|\t]/));
  expect(graph.pages).toBe(58_842);
  expect(graph.pages).toBe(new Set(lines.flatMap(([, source, target]) => [source, target])).size);
  expect(graph.arcs).toBe(184_433);
  expect(new Set(linksOf(graph))).toEqual(new Set(lines.map(([, source, target]) => `${source} ${target}`)));
  expect(notes[0]).toContain(` ${lines.reduce((sum, line) => sum + Number(line[3]), 0)} in all`);
});
