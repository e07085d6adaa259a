import fc from 'fast-check';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { writeGexf } from '../../src/formats/xml/gexf-writer.ts';
import { openGraph } from '../../src/catalogue/index.ts';
import { soundXml } from '../../src/formats/xml/xml-check.ts';
import { buildGraph, checkGraph, hostsFromNames, StringTable } from '../../src/graph/index.ts';
import { arcLists, partsOf } from '../graph/random-graphs.ts';
import { tries } from '../sweep.ts';
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
      { numRuns: 30 },
    );
  });

  test('is written of small graphs alone', async () => {
    const star = buildGraph(partsOf(2, [[0, 1]]));
    const large = { ...star, name: 'large', arcs: 100_001 };
    expect(await inputErrorOf(writeGexf(large, join(folder, 'large.gexf')))).toMatch(
      /^large: has 2 pages and 100001 links; a GEXF file is written of at most 100000 and 100000/,
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

  test('of edges of both kinds is read while it is small: its parser copies the graph for each edge', async () => {
    const edges = '<edge source="0" target="1" directed="true"/><edge source="1" target="2"/>'.repeat(501);
    expect(await inputErrorOf(openGraph(file('mixed', graphMl(ids + edges, 'undirected'))))).toMatch(
      /mixed: has directed edges among 1002 undirected ones; such documents are read up to 1000 edges/,
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
      /line 3: has "&nbsp;", an entity that XML does not define/,
    ],
    ['that nests very deep', `<gexf>${'<graph>'.repeat(100_000)}`, /nests elements more than 64 deep/],
    [
      'with very many attributes',
      gexf(`<node ${Array.from({ length: 300 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
      /line 2: the element "node" has more than 256 attributes/,
    ],
    ['cut short', gexf(nodes).slice(0, -9), /an end tag does not end|ends within the element/],
    [
      'with crossed elements', gexf('<nodes><node id="1"></nodes></node>'),
      /line 2: has the end tag "nodes" where "node" is expected/,
    ],
    ['with an end too many', `${gexf(nodes)}</gexf>`, /line 3: has the end tag "gexf" where none is expected/],
    ['with two roots', `${gexf(nodes)}<gexf/>`, /line 3: has a second root element/],
    [
      'with names that end in a colon', gexf('<nodes><node http:="1"/></nodes>'),
      /line 2: the element "node" is not well formed/,
    ],
    [
      'of another kind', '<!doctype html>\n<a href="/">',
      /bad: is markup, but neither GEXF nor GraphML; of HTML files, name their folder/,
    ],
    ['with bare values', gexf('<nodes><node id=1/></nodes>'), /line 2: the element "node" is not well formed/],
    ['with text outside', `${gexf(nodes)}text`, /has "text" outside of its root element/],
    ['with control characters', gexf('<nodes>\u0001</nodes>'), /line 2: has the character "\\x01"/],
    [
      'that is not UTF-8', Buffer.from(gexf('<nodes><node id="\u00fc"/></nodes>'), 'latin1'),
      /is not in "UTF-8", the encoding that it declares/,
    ],
    ['in an encoding of no one', gexf(nodes).replace('UTF-8', 'X-9'), /is not in "X-9"/],
    ['without nodes', gexf(''), /bad: has no nodes/],
    ['of two graphs', gexf(`${nodes}<graph/>`), /has 2 elements "graph"; expected one/],
    [
      'with an edge to nowhere',
      gexf(`${nodes}<edges><edge source="a" target="z"/></edges>`),
      /an edge names a node that the document has not/,
    ],
    ['with a node twice', gexf('<nodes><node id="a"/><node id="a"/></nodes>'), /is no graph that can be read: /],
    [
      'with an edge of an unknown kind',
      gexf(`${nodes}<edges><edge source="a" target="b" type="\u001b[2J"/></edges>`.replace('\u001b', 'x')),
      /is no graph that can be read: /,
    ],
  ])('%s', async (_, text, message) => {
    const error = await inputErrorOf(openGraph(file('bad', text)));
    expect(error).toMatch(message);
    expect(error.length).toBeLessThan(500);
    expect(error).toMatch(/^[\x20-\x7e]*$/);
  });

  test('beyond its size, before a tree is built', async () => {
    const long = Buffer.concat([Buffer.from('<gexf>'), Buffer.alloc((32 << 20) + 1, ' ')]);
    expect(await inputErrorOf(openGraph(file('long', gzipSync(long, { level: 1 }))))).toMatch(
      /long: is longer than 33554432 bytes/,
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

test('well-formed text of any shape passes, and costs no more than its length', () => {
  const wide = `<r>${'<a b="1" c=\'2\'>x &#65; &lt;<![CDATA[<&]]><!-- <b> --><?p <?></a>'.repeat(20_000)}</r>`;
  const sound = soundXml(wide, 'f', () => true);
  expect(sound.elements.get('a')).toBe(20_000);
  expect(sound.text).toBe(`<r>${'<a b="1" c=\'2\'>x &#65; &lt;<![CDATA[<&]]></a>'.repeat(20_000)}</r>`);
});

test('what a reader does not keep goes no further, whatever stands in it', () => {
  const text = '<r>a<b>c<d/>e<k>f</k><![CDATA[g]]></b>h<k>i<b/>j</k><b/>l</r>';
  expect(soundXml(text, 'f', (name) => name !== 'b').text).toBe('<r>ah<k>ij</k>l</r>');
  expect(soundXml(text, 'f', (name, parent) => name !== 'k' || parent === 'r').text).toBe(
    '<r>a<b>c<d/>e<![CDATA[g]]></b>h<k>i<b/>j</k><b/>l</r>',
  );
});
