import fc from 'fast-check';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { fieldsOf, formats, type OpenOptions } from '../../src/graphs/formats/index.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { networkxIsHere, networkxIsMissing, python } from '../networkx.ts';
import { isFullSweep, tries } from '../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf } from './page-links.ts';

// Goal: a list of links as people have it is the graph that a dull reader of its two columns makes of it.

const { file, folder } = temporaryFolder();

/** What a page is called in the source: its id there, its URL, or its name. */
function nameIn(graph: WebGraph): (page: number) => string {
  const { hosts, paths, sourceIds } = graph;
  return (page) => {
    if (!hosts.synthetic) return `http://${hosts.names.at(hosts.ofPage[page])}${paths?.at(page) ?? ''}`;
    return paths?.at(page).slice(1) ?? String(sourceIds?.[page] ?? page);
  };
}

const named = (graph: WebGraph): string[] => linksOf(graph, nameIn(graph)).sort();

async function read(name: string, text: string | Uint8Array, options: OpenOptions = {}): Promise<[string[], string[]]> {
  const notes: string[] = [];
  const path = file(name, text);
  const settings = { ...options, onNote: (note: string) => notes.push(note) };
  const graph = await (options.columns ? formats.csv.read([path], settings) : openGraph(path, settings));
  checkGraph(graph);
  return [named(graph), notes.filter((note) => !note.includes('synthetic'))];
}

describe('a table of links as text', () => {
  test.each<[string, string, string[]]>([
    ['source and target', 'source,target\n0,1\n1,0\n', ['0 1', '1 0']],
    ["SNAP's columns, by tabs", 'FromNodeId\tToNodeId\n5\t7\n7\t5\n', ['5 7', '7 5']],
    ['from and to in another order', 'To;weight;From\n5;1;7\n', ['7 5']],
    ['quoted names, by blanks', '"from" "to"\n3 4\n', ['3 4']],
    ['url and link', 'url,link\nhttp://a.example/,http://b.example/x\n', ['http://a.example/ http://b.example/x']],
    ['a byte order mark, CRLF and comments', '\uFEFF# exported\r\nsrc,dst\r\n1,2\r\n\r\n# end\r\n', ['1 2']],
    ['names that begin as ids', 'source,target\n1,2\n2,Bern\n', ['1 2', '2 Bern']],
    ['names with commas and marks', 'source,target\n"Bern, ""BE""",Basel\n', ['Bern,_"BE" Basel']],
    ['a header, and ids beyond 32 bits', 'source,target\n1,99999999999\n', ['1 99999999999']],
  ])('with %s', async (_, text, links) => {
    const spaced = async (bytes: string | Uint8Array): Promise<string[]> => {
      const graph = await openGraph(file('table.csv', bytes));
      return linksOf(graph, (page) => nameIn(graph)(page).replaceAll(' ', '_')).sort();
    };
    expect(await spaced(text)).toEqual(links);
    expect(await spaced(gzipSync(text))).toEqual(links);
  });

  test.each<[string, string, string[]]>([
    ['commas', 'http://a.example,HTTP://b.example:80/x#y\n', ['http://a.example/ http://b.example/x']],
    ['semicolons', 'http://a.example/1,2;http://b.example/\n', ['http://a.example/1,2 http://b.example/']],
    ['blanks', 'http://a.example/ http://b.example/\n', ['http://a.example/ http://b.example/']],
    ['tabs, and a weight', 'http://a.example/\thttp://b.example/\t3\n', ['http://a.example/ http://b.example/']],
  ])('without header, of URLs between %s', async (_, text, links) => {
    expect((await read('urls.txt', text))[0]).toEqual(links);
  });

  test('reports the columns that are not stored, once', async () => {
    expect((await read('w.csv', 'source,target,weight\n0,1,2\n1,0,3\n'))[1])
      .toEqual(['w: the column "weight" is not stored']);
    expect((await read('w.csv', 'source,target,at,who\n0,1,2,x\n1,Bern,3,y\n'))[1])
      .toEqual(['w: the columns "at", "who" are not stored']);
    expect((await read('w.csv', '0;1;2\n1;0;3\n'))[1]).toEqual(['w: 1 further column is not stored']);
  });

  test('has the columns that the user names', async () => {
    const text = 'id,A,B\n9,0,1\n8,1,0\n';
    for (const columns of [['A', 'B'], ['a', 'b'], ['2', '3']] as const)
      expect((await read('own.csv', text, { columns }))[0]).toEqual(['0 1', '1 0']);
    expect((await read('own.csv', text, { columns: ['B', 'A'] }))[0]).toEqual(['0 1', '1 0']);
    expect((await read('own.csv', 'Bern,Basel\nBasel,Chur\n', { columns: ['1', '2'] }))[0])
      .toEqual(['Basel Chur', 'Bern Basel']);
    expect(await inputErrorOf(read('own.csv', text, { columns: ['A', 'C'] })))
      .toMatch(/own\.csv: line 1: has no column "C"; its columns are "id", "A", "B"/);
    expect(await inputErrorOf(read('own.csv', text, { columns: ['1', '4'] }))).toMatch(/has no column 4; its columns/);
  });

  test('in several files is one graph, each with its header', async () => {
    const graph = await openFiles([file('1.csv', 'source,target\n0,1\n'), file('2.csv', 'to,from\n0,2\n')]);
    expect(graph && named(graph)).toEqual(['0 1', '2 0']);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['unknown columns', 'a,b\n1,2\n',
      /bad\.csv: line 1: has no column source \(nor src.*"a", "b"; orbweaver import --columns FROM,TO/],
    ['names under no header', 'Bern,Basel\nBasel,Chur\n', /line 1: has no column source.*--columns/],
    ['a header alone', 'source,target\n', /bad\.csv: contains no links/],
    ['a negative id', 'source,target\n1,-2\n', /line 2: expected page ids/],
    ['a field too many', 'source,target\n1,2\n1,2,3\n', /line 3: has 3 fields where line 1 has 2/],
    ['an empty field', 'source,target\n1,\n', /line 2: a page has no name/],
    ['an open quotation mark', 'source,target\n1,"2\n3,4\n', /line 2: a quoted field does not end/],
    ['a record of many lines', `source,target\n1,"2\n${'""\n'.repeat(400_000)}`, /line 2: .*within 1000 lines/],
    ['text after a quotation mark', 'source,target\n1,"2"x\n', /line 2: has text after a closing quotation mark/],
    ['an overlong line', `source,target\n1,${'2'.repeat(1 << 21)}\n`, /line 2 is longer than/],
    ['other bytes than UTF-8', Buffer.from('source,target\na,\xfc\n', 'latin1'), /line 2: is not UTF-8/],
    ['truncated gzip', gzipSync('source,target\n1,2\n').subarray(0, 30), /gzip data are truncated/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad.csv', text)))).toMatch(message);
  });

  test('that is damaged anyhow is read soundly or refused in one message', async () => {
    const text = 'source,target,"a ""note"""\n"http://a.example/","http://b.example/,","x"\n' +
      'http://c.example/,http://a.example/,\n';
    const refused = await refusedOfDamaged(text, 300, (bytes) => openGraph(file('damaged.csv', bytes)));
    expect(refused).toBeGreaterThan(tries(30));
  });

  test('of any fields is read as a dull parser of RFC 4180 does', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', ' ', '\n'), maxLength: 6 });
    const record = fc.array(field, { minLength: 2, maxLength: 4 });
    fc.assert(fc.property(record, fc.constantFrom(',', ';', '\t', ' '), (fields, separator) => {
      const text = fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator);
      expect(fieldsOf(text, separator as ',')).toEqual(fields);
      expect(fieldsOf(text.slice(0, -1), separator as ',')).not.toEqual(fields);
    }), { numRuns: tries(500) });
  });
});

const nodesOf: Record<string, (node: number) => string> = {
  ids: (node) => String(node * 3),
  URLs: (node) => `http://h${node % 3}.example/p?${node}`,
  names: (node) => `n\u00e4me-${node}`,
};

/** Lines of each form, for links between texts. */
const formsOf: Record<string, (links: readonly [string, string][]) => string> = {
  'a CSV with a header': (links) => `source,target\n${links.map((link) => `${link.join(',')}\n`).join('')}`,
  'a quoted CSV with a weight': (links) =>
    `"weight";"from";"to"\n${links.map(([from, to], i) => `${i};"${from}";"${to}"\n`).join('')}`,
  'a TSV with a header': (links) => `src\tdst\n${links.map((link) => `${link.join('\t')}\n`).join('')}`,
  'edges with data': (links) => links.map((link) => `${link.join(' ')} {}\n`).join(''),
  'edges with weights in braces': (links) => links.map((link, i) => `${link.join(' ')} {'weight': ${i}}\n`).join(''),
};

test.each(Object.keys(formsOf))('%s of any graph has its links', async (form) => {
  const links = fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { minLength: 1, maxLength: 20 });
  await fc.assert(fc.asyncProperty(links, fc.constantFrom(...Object.keys(nodesOf)), async (arcs, kind) => {
    const texts = arcs.map(([a, b]): [string, string] => [nodesOf[kind](a), nodesOf[kind](b)]);
    const expected = [...new Set(texts.map((link) => link.join(' ')))].sort();
    expect((await read('any.txt', formsOf[form](texts)))[0]).toEqual(expected);
  }), { numRuns: tries(40) });
});

describe('a list of edges', () => {
  test.each<[string, string, string[], string[]]>([
    ['data in braces', '# G\n1 2 {}\n2 3 {"weight": 3}\n', ['1 2', '2 3'], ['nx: 1 line has data']],
    ['weights', 'alice bob 3.5\nbob carol 2\n', ['alice bob', 'bob carol'], ['nx: 2 lines have data']],
    ['names alone', 'alice bob\nbob carol\n', ['alice bob', 'bob carol'], []],
    ['texts after ids', '1 2 {} red\n2 x\n', ['1 2', '2 x'], ['nx: 1 line has data']],
  ])('with %s', async (_, text, links, notes) => {
    const [found, said] = await read('nx.edgelist', text.replace('{} red', "{'colour': 'red'}"));
    expect(found).toEqual(links);
    expect(said.map((note) => note.replace(/,.*/, ''))).toEqual(notes);
  });

  test.each<[string, string, RegExp]>([
    ['one node', '1 2 {}\n3\n', /nx\.edgelist: line 2: expected two nodes/],
    ['open braces', '1 2 {}\n1 3 {"a"\n', /line 2: the data in braces do not end/],
    ['a negative id', '1 2 {}\n1 -3 {}\n', /line 2: expected page ids/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('nx.edgelist', text)))).toMatch(message);
  });

  const written = ['', ', data=False', ", data=['weight']"];
  const cases = Object.keys(nodesOf).flatMap((kind) => written.map((data) => [kind, data]));
  const names: Record<string, string> = {
    ids: 'v * 3', URLs: "f'http://h{v % 3}.example/p?{v}'", names: "f'näme-{v}'",
  };
  let links: string[][] = [];
  beforeAll(() => {
    if (!networkxIsHere) return;
    // One process for all: networkx takes longer to start than to write.
    const scripts = cases.map(([kind, data], i) => `
G = nx.relabel_nodes(drawn, {v: ${names[kind]} for v in drawn})
nx.write_edgelist(G, sys.argv[1] + '/written-${i}.edgelist'${data})
print(json.dumps([f'{u} {v}' for u, v in G.edges]))`);
    const code = `
import sys, json, networkx as nx
drawn = nx.gnp_random_graph(30, 0.1, seed=4, directed=True)
for i, (u, v) in enumerate(drawn.edges): drawn[u][v]['weight'] = i / 2${scripts.join('')}`;
    links = python(code, folder).trim().split('\n').map((line) => JSON.parse(line) as string[]);
  });
  test.skipIf(!networkxIsHere).each(cases.map(([kind, data], i) => [kind, data, i] as const))(
    `that networkx writes, of %s%s${networkxIsMissing}`,
    async (_, __, i) => {
      expect(named(await openGraph(join(folder, `written-${i}.edgelist`)))).toEqual(links[i].sort());
    },
  );
});

const hollins = fileURLToPath(new URL('../../../shared/datasets/hollins/hollins.dat.gz', import.meta.url));
// `npm test` has the same of drawn URLs, above.
test.skipIf(!existsSync(hollins) || !isFullSweep)(
  'the links of hollins (skipped where absent: it lies beside the project) are the same as a table of URLs',
  async () => {
    const graph = await openGraph(hollins);
    const url = (page: number): string => `http://${placeOf(graph)(page)}`;
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const rows: string[] = [];
    for (let page = 0; page < graph.pages; page++) {
      for (const target of graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]))
        rows.push(`${quoted(url(page))},${quoted(url(target))},x\n`);
    }
    const table = await openGraph(file('hollins.csv', `from_url,to_url,note\n${rows.join('')}`));
    expect(new Set(linksOf(table, placeOf(table)))).toEqual(new Set(linksOf(graph, placeOf(graph))));
  },
);
