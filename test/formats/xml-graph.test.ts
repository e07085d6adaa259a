import fc from 'fast-check';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { writeGexf } from '../../src/graphs/formats/xml/gexf-writer.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readXml } from '../../src/graphs/formats/xml/read-xml.ts';
import { buildGraph, checkGraph, hostsFromNames, StringTable } from '../../src/graphs/graph/index.ts';
import { arcLists, partsOf } from '../graph/random-graphs.ts';
import { isFullSweep, sampled, tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf, sourceIdOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file, folder } = temporaryFolder();

const gexf = (body: string, kind = 'directed'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="${kind}">${body}</graph></gexf>\n`;
const nodes = '<nodes><node id="a" label="A"/><node id="b" label="B &amp; C"/><node id="c" label="D"/></nodes>';
const graphMl = (body: string, kind = 'directed', keys = ''): string =>
  `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">${keys}<graph edgedefault="${kind}">${body}</graph></graphml>`;
const ids = '<node id="0"/><node id="1"/><node id="2"/>';

async function read(name: string, text: string | Uint8Array) {
  const notes: string[] = [];
  const graph = await openGraph(file(name, text), { onNote: (note) => notes.push(note) });
  checkGraph(graph);
  return { graph, notes, links: linksOf(graph, (page) => graph.paths?.at(page) ?? page) };
}

describe('GEXF', () => {
  test('gives nodes in their order, and labels as paths', async () => {
    const text = gexf(
      `${nodes}<edges><edge id="0" source="b" target="a"/><edge id="1" source="b" target="c"/><edge id="2" source="b" target="a" weight="2"/></edges>`,
    );
    for (const bytes of [text, gzipSync(text), Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le')]) {
      const { graph, links } = await read('g.gexf', bytes);
      expect(graph.name).toBe('g');
      expect([graph.pages, links]).toEqual([3, ['/B & C /A', '/B & C /D']]);
    }
  });

  test('of undirected and mutual edges has links both ways', async () => {
    const { links, notes } = await read(
      'g',
      gexf(
        `${nodes}<edges><edge source="a" target="b"/><edge source="c" target="c"/><edge source="b" target="c" type="directed"/></edges>`,
        'undirected',
      ),
    );
    expect(links).toEqual(['/A /B & C', '/B & C /A', '/B & C /D', '/D /D']);
    expect(notes[0]).toBe('g: 2 edges are undirected, each a link both ways');
  });

  test('of URLs has hosts', async () => {
    const { graph } = await read(
      'u',
      gexf(
        '<nodes><node id="0" label="http://a.org/x?y"/><node id="1" label="https://B.org"/></nodes><edges><edge source="0" target="1"/></edges>',
      ),
    );
    expect(linksOf(graph, placeOf(graph))).toEqual(['a.org/x?y b.org/']);
  });

  test('that we write is read back, hosts, paths, sizes and source ids too', async () => {
    const path = join(folder, 'written.gexf');
    await fc.assert(
      fc.asyncProperty(arcLists(), fc.boolean(), fc.boolean(), async ({ pages, arcs }, hasUrls, isSparse) => {
        const each = <T>(of: (page: number) => T): T[] => Array.from({ length: pages }, (_, page) => of(page));
        const graph = buildGraph({
          ...partsOf(pages, arcs),
          ...(hasUrls && {
            hosts: hostsFromNames(each((page) => `h${page % 3}.org`)),
            paths: StringTable.from(each((page) => `/<é&"'> ${page}`)),
            bytes: Uint32Array.from(each((page) => page * 1e9)),
          }),
          ...(isSparse && { sourceIds: Uint32Array.from(each((page) => 5 * page + 2 ** 31)) }),
        });
        await writeGexf(graph, path);
        const back = await openGraph(path);
        checkGraph(back);
        expect(linksOf(back)).toEqual(linksOf(graph));
        expect(back.hosts.synthetic).toBe(!hasUrls);
        if (hasUrls) expect(each(placeOf(back))).toEqual(each(placeOf(graph)));
        expect(back.bytes).toEqual(graph.bytes);
        expect(each(sourceIdOf(back))).toEqual(each(sourceIdOf(graph)));
      }),
      { numRuns: tries(30) },
    );
  });

  test('is written of small graphs alone', async () => {
    const star = buildGraph(partsOf(2, [[0, 1]]));
    const large = { ...star, name: 'large', arcs: 100_001 };
    expect(await inputErrorOf(writeGexf(large, join(folder, 'large.gexf')))).toMatch(
      /^large: has 2 pages and 100001 links; a GEXF file may have at most 100000 and 100000/,
    );
  });
});

describe('GraphML', () => {
  test('gives nodes in their order', async () => {
    const keys =
      '<key id="d0" for="node" attr.name="label" attr.type="string"/><key id="y" for="port" yfiles.type="portgraphics"/><key id="w" for="edge" attr.name="weight" attr.type="double"/>';
    const { links } = await read(
      'g.graphml',
      graphMl(
        '<node id="x"><data key="d0">X</data></node><node id="y"><data key="d0">Y</data></node><edge source="y" target="x"><data key="w">0.5</data></edge>',
        'directed', keys,
      ),
    );
    expect(links).toEqual(['/Y /X']);
  });

  test('of ids keeps them, and of undirected edges has links both ways', async () => {
    const { graph, notes } = await read(
      'g', graphMl('<node id="3"/><node id="7"/><edge source="3" target="7"/>', 'undirected'),
    );
    expect(linksOf(graph, sourceIdOf(graph))).toEqual(['3 7', '7 3']);
    expect(notes[0]).toBe('g: 1 edge is undirected, each a link both ways');
    expect(
      (
        await read(
          'g',
          graphMl(`${ids}<edge source="0" target="1" directed="true"/><edge source="1" target="2"/>`, 'undirected'),
        )
      ).links,
    ).toEqual(['0 1', '1 2', '2 1']);
  });

  test('of edges of both kinds is read, however many', async () => {
    const edges = '<edge source="0" target="1" directed="true"/><edge source="1" target="2"/>'.repeat(5000);
    const { links, notes } = await read('mixed', graphMl(ids + edges, 'undirected'));
    expect(links).toEqual(['0 1', '1 2', '2 1']);
    expect(notes[0]).toBe('mixed: 5000 edges are undirected, each a link both ways');
    const one = graphMl(`${ids}<edge source="0" target="1" directed="false"/>`);
    expect((await read('one', one)).links).toEqual(['0 1', '1 0']);
  });

  test('takes what is said of nodes by keys of nodes or of all, and text alone', async () => {
    const keys =
      '<key id="u" for="all" attr.name="url"/><key id="e" for="edge" attr.name="url"/><key id="d" for="node" yfiles.type="x"/>';
    const data = (url: string): string =>
      `<data key="d"><y:Shape><y:Label>L</y:Label></y:Shape></data><data key="u">http://<![CDATA[${url}]]><i>no</i>/&#63;q</data>`;
    const { graph } = await read(
      'k', graphMl(
        `<node id="a">${data('a.org')}</node><node id="b"><data key="e">x</data>${data('b.org')}</node>` +
          '<edge source="b" target="a"><data key="u">http://no.org</data></edge>', 'directed', keys,
      ),
    );
    expect(linksOf(graph, placeOf(graph))).toEqual(['b.org/?q a.org/?q']);
  });
});

describe('a document in any order', () => {
  test('may have edges before their nodes, and nodes within nodes', async () => {
    const text = gexf(
      '<edges><edge source="b" target="a"/></edges><nodes><node id="a" label="A"><nodes><node id="b" label="B"/></nodes>' +
        '<attvalues><attvalue for="label" value="C"/></attvalues></node></nodes>',
    );
    expect((await read('g', text)).links).toEqual(['/B /C']);
  });

  test('has URLs by the title or the id of an attribute of nodes', async () => {
    const named = (attribute: string, of = 'node'): string =>
      gexf(
        `<attributes class="${of}">${attribute}</attributes><nodes><node id="0"><attvalues><attvalue for="x" value="http://a.org"/>` +
          '<attvalue for="url" value="http://b.org"/></attvalues></node></nodes>',
      );
    for (const [text, host] of [
      [named('<attribute id="x" title="url"/><attribute id="url" title="no"/>'), 'b.org'],
      [named('<attribute id="x" title="url"/><attribute id="z" title="no"/>'), 'b.org'],
      [named('<attribute id="x" title="url"/>', 'edge'), 'b.org'],
    ]) {
      const { graph } = await read('n', text);
      expect(placeOf(graph)(0)).toBe(`${host}/`);
    }
    const attributes = '<attributes class="node"><attribute id="0" title="url"/></attributes>';
    const late = gexf(`<nodes><node id="0"/></nodes>${attributes}`);
    expect(await inputErrorOf(openGraph(file('late', late)))).toMatch(
      /late: line 2: declares an attribute of nodes after a node; expected before all of them/,
    );
  });
});

const bomb = `<!DOCTYPE gexf [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
  .split('')
  .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghi'[i]};`.repeat(10)}">`)
  .join('')}]>`;

describe('a document is refused', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'with entities that grow',
      `${bomb}<gexf><graph><nodes><node id="&j;"/></nodes></graph></gexf>`,
      /bad: line 1: has a document type or entities/,
    ],
    [
      'with an entity of a file',
      '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<gexf>&x;</gexf>',
      /line 1: has a document type/,
    ],
    [
      'with an entity of no one', gexf('<nodes>\n<node id="&nbsp;"/></nodes>'),
      /line 3: is not well-formed XML: undefined entity; expected one of amp, lt, gt, quot and apos/,
    ],
    [
      'that nests very deep', `<gexf>${'<nodes>'.repeat(100_000)}`,
      /line 1: nests elements more than 64 deep, the last being "nodes"/,
    ],
    [
      'with very many attributes',
      gexf(`<node ${Array.from({ length: 300 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
      /line 2: has an element with more than 256 attributes/,
    ],
    [
      'truncated', gexf(nodes).slice(0, -9),
      /line 2: is not well-formed XML: unclosed tag: graph\. Is the file truncated\?/,
    ],
    [
      'with crossed elements', gexf('<nodes><node id="1"></nodes></node>'),
      /line 2: is not well-formed XML: unexpected close tag; expected the close tag of "node"/,
    ],
    ['with an end too many', `${gexf(nodes)}</gexf>`, /line 3: is not well-formed XML: unmatched closing tag: gexf/],
    ['with two roots', `${gexf(nodes)}<gexf/>`, /line 3: is not well-formed XML: documents may contain only one root/],
    ['with an attribute twice', gexf('<nodes><node id="1" id="2"/></nodes>'), /line 2: .*: duplicate attribute: id/],
    [
      'of another kind', '<!doctype html>\n<a href="/">',
      /bad: is markup, but neither GEXF nor GraphML; of HTML files, name their folder/,
    ],
    [
      'with bare values', gexf('<nodes><node id=1/></nodes>'),
      /line 2: is not well-formed XML: unquoted attribute value/,
    ],
    ['with text outside', `${gexf(nodes)}text`, /line 3: is not well-formed XML: text data outside of root node/],
    ['with control characters', gexf('<nodes>\u0001</nodes>'), /line 2: is not well-formed XML: disallowed character/],
    [
      'that is not UTF-8', Buffer.from(gexf('<nodes><node id="\u00fc"/></nodes>'), 'latin1'),
      /is not in "UTF-8", the encoding that it declares/,
    ],
    ['in an encoding of no one', gexf(nodes).replace('UTF-8', 'X-9'), /is not in "X-9"/],
    ['without nodes', gexf(''), /bad: has no nodes/],
    ['of two graphs', gexf(`${nodes}<graph/>`), /line 2: has a second graph; only one is supported/],
    ['of no graph', '<gexf>\n</gexf>', /bad: line 2: has no graph/],
    ['of another root', '<x><gexf></gexf></x>', /line 1: its root element is "x"; expected "gexf"/],
    ['with an entity of its own, in GraphML', `<!DOCTYPE graphml>${graphMl(ids)}`, /line 1: has a document type or/],
    ['with a node without id', gexf('<nodes><node/></nodes>'), /line 2: a node has no id/],
    ['with an edge without target', graphMl('<node id="0"/><edge source="0"/>'), /line 1: an edge has no target/],
    [
      'with edges of an unknown kind', graphMl(ids, 'both'),
      /line 1: edgedefault is "both"; expected directed or undirected/,
    ],
    [
      'with an edge neither directed nor not', graphMl('<node id="0"/><edge source="0" target="0" directed="yes"/>'),
      /line 1: "directed" of an edge is "yes"; expected 0 or 1 or true or false/,
    ],
    [
      'with an edge to nowhere',
      gexf(`${nodes}<edges><edge source="a" target="z"/></edges>`),
      /line 2: an edge refers to a node that is not in the document/,
    ],
    ['with a node twice', gexf('<nodes><node id="a"/><node id="a"/></nodes>'), /line 2: has a second node "a"/],
    [
      'with an edge of an unknown kind',
      gexf(`${nodes}<edges><edge source="a" target="b" type="&#x85;[2J"/></edges>`),
      /line 2: the type of an edge is ".*\[2J"; expected directed or undirected or mutual/,
    ],
  ])('%s', async (_, text, message) => {
    const error = await inputErrorOf(openGraph(file('bad', text)));
    expect(error).toMatch(message);
    expect(error.length).toBeLessThan(500);
    expect(error).toMatch(/^[\x20-\x7e]*$/);
  });

  test.each(sampled([
    ['text', '<gexf>'], ['comment', '<gexf><!--'], ['tag', '<gexf ><a b="'],
    ['document type', '<!-- <gexf> --><!DOCTYPE gexf ['],
  ], 4))('with a %s without end, before it fills the memory', async (_, start) => {
    const endless = Buffer.concat([Buffer.from(start), Buffer.alloc(17 << 20, 'x')]);
    expect(await inputErrorOf(openGraph(file('long', gzipSync(endless, { level: 1 }))))).toMatch(
      /long: line 1: has a text, tag or comment of more than 16777216 characters$/,
    );
  });

  test('or read soundly, when it is damaged anyhow', async () => {
    const one = gexf(`${nodes}<edges><edge id="0" source="a" target="b"/><edge id="1" source="b" target="c"/></edges>`);
    const other = graphMl(`${ids}<edge source="0" target="1"/><edge source="1" target="2"/>`, 'undirected');
    for (const text of [one, other]) {
      const refused = await refusedOfDamaged(text, 80, (bytes) => openGraph(file('damaged', bytes)));
      expect(refused).toBeGreaterThan(tries(30));
      expect(refused).toBeLessThan(80);
    }
  });
});

test('a document is read as it flows, whatever its length', async () => {
  const row = '<a b="1" c=\'2\'>x &#65; &lt;<![CDATA[<&]]><!-- <b> --><?p <?></a>\n';
  const rows = isFullSweep ? 150_000 : 10_000;
  const path = file('long.xml.gz', gzipSync(`<r>\n${row.repeat(rows)}</r>`, { level: 1 }));
  const seen = { elements: 0, text: 0, line: 0 };
  const before = process.memoryUsage().rss;
  let most = 0;
  await readXml(path, {}, (place) => ({
    wantsText: true,
    open() {
      if (++seen.elements % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    },
    text(text) {
      seen.text += text.trim().length;
    },
    close() {
      seen.line = place.line;
    },
  }));
  expect(seen).toEqual({ elements: rows + 1, text: rows * ('x A <'.length + '<&'.length), line: rows + 2 });
  // The document has 10 MB; a tree of it takes fifty times as much.
  expect(most).toBeLessThan(200 << 20);
});
