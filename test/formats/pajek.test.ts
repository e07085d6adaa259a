import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readPajek } from '../../src/graphs/formats/index.ts';
import { checkGraph } from '../../src/graphs/graph/index.ts';
import { arcLists } from '../graph/random-graphs.ts';
import { tries } from '../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf, sourceIdOf } from './page-links.ts';

const { file } = temporaryFolder();

async function read(text: string | Uint8Array) {
  const notes: string[] = [];
  const graph = await openGraph(file('g.net', text), { onNote: (note) => notes.push(note) });
  checkGraph(graph);
  return { graph, notes, links: linksOf(graph, sourceIdOf(graph)) };
}

const network = `% comment
*Network of pages
*Vertices 5
1 "A page" 0.1 0.2 0.5 ic Red
2 B
3 "C"
5 "E"
4 "D"
*Arcs :1 "links"
1 2 1.5
2 1 1 c Blue
*Arcslist
3 1 2 5

*Edges
4 5
*Edgeslist
5 3 5
`;
const links = ['1 2', '2 1', '3 1', '3 2', '3 5', '4 5', '5 4', '5 3', '5 5'];

describe('Pajek', () => {
  test('has arcs one way and edges both, in the order of the file, and labels as paths', async () => {
    const odd = network.replace('*Arcslist', '*ARCSLIST').replace('1 2 1.5', '\t1\t2  1.5');
    const fields = odd.replaceAll('\n', ' \r\n');
    for (const text of [network, network.trimEnd(), gzipSync(network), fields]) {
      const { graph, links: found, notes } = await read(text);
      expect([graph.name, graph.pages, found]).toEqual(['g', 5, links]);
      expect([0, 1, 2, 3, 4].map((page) => graph.paths?.at(page))).toEqual(['/A page', '/B', '/C', '/D', '/E']);
      expect(notes).toContain('g: 3 edges are undirected, each a link both ways');
      expect(notes).toContain('g: whatever follows the ids of links, such as weights, is not stored');
    }
  });

  test.each([
    ['no comment', ''], ['comments of hashes', '### made by a tool ###\n\n'],
    ['a comment in stars', '/* two\n*Vertices 7 lines */\n'],
    ['a title', 'A simplified version of a data set\nby 3 people\n\n'],
    ['a description', '*Description "what this is"\nin two lines\n'], ['comments, then text', '% x\nA title: 5\n'],
    ['slashes', '// x\n'],
  ])('may have %s first', async (_, first) => {
    for (const text of [first + network, first.replaceAll('\n', '\r\n') + network, `${first}${network.slice(10)}`]) {
      const { graph, links: found } = await read(text);
      expect([graph.pages, found]).toEqual([5, links]);
    }
  });

  test('needs no lines of vertices, and leaves labels of some alone', async () => {
    const { graph } = await read('*vertices 3 2\n*arcs\n3 1\n');
    expect([graph.pages, linksOf(graph, sourceIdOf(graph)), graph.paths]).toEqual([3, ['3 1'], undefined]);
    const some = await read('*Vertices 3\n2 "x"\n3 ""\n*Edges\n3 1\n');
    expect(some.graph.paths).toBeUndefined();
    expect(some.notes).toContain('g: 1 of 3 vertices have labels, which are not stored: all or none must have one');
    expect((await read('*Vertices 1')).graph).toMatchObject({ pages: 1, arcs: 0 });
  });

  test('of URLs has hosts', async () => {
    const { graph } = await read('*Vertices 2\n1 "http://a.org/x?y"\n2 https://B.org\n*Arcs\n1 2\n');
    expect(linksOf(graph, placeOf(graph))).toEqual(['a.org/x?y b.org/']);
  });

  test('of any graph is read as it was written, whatever the sections', async () => {
    const kinds = ['Arcs', 'Edges', 'Arcslist', 'Edgeslist'] as const;
    const drawnKinds = fc.array(fc.constantFrom(...kinds), { minLength: 40 });
    await fc.assert(
      fc.asyncProperty(arcLists(), drawnKinds, async ({ pages, arcs }, of) => {
        const sections = arcs.map(([a, b], i) => `*${of[i]}\n${a + 1} ${b + 1}\n`).join('');
        const { graph, links: found } = await read(`*Vertices ${pages}\n${sections}`);
        const both = arcs.flatMap(([a, b], i) => (of[i].startsWith('A') ? [[a, b]] : [[a, b], [b, a]]));
        expect(graph.pages).toBe(pages);
        expect([...found].sort()).toEqual([...new Set(both.map(([a, b]) => `${a + 1} ${b + 1}`))].sort());
      }),
      { numRuns: tries(40) },
    );
  });
});

describe('Pajek is refused', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['without vertices', '*Network x\n', /bad\.net: contains no \*Vertices/],
    ['with links before its vertices', '*Arcs\n1 2\n', /line 1: appears before \*Vertices: "\*Arcs"/],
    ['with lines before its vertices', '1 2\n', /line 1: expected \*Vertices and their number: "1 2"/],
    ['without a number of vertices', '*Vertices\n', /line 1: expected the number of vertices/],
    ['of no vertices', '*Vertices 0\n', /line 1: a graph has from 1 to 4294967294 pages/],
    ['of too many vertices', '*Vertices 4294967295\n', /line 1: a graph has from 1 to 4294967294 pages/],
    ['with a lying count', '%\n*Vertices 16777217\n*Arcs\n1 2\n', /line 2: 16777217 vertices are too many for a/],
    ['of two networks', '*Vertices 2\n*Arcs\n1 2\n*Vertices 2\n', /line 4: begins a second network/],
    ['with a matrix', '*Vertices 2\n*Matrix\n0 1\n1 0\n', /line 2: is an unsupported section; expected \*Vertices/],
    ['with vertex 0', '*Vertices 2\n0 "a"\n', /line 2: "0" is not one of 1 to 2, the vertices of line 1: "0 \\"a\\""/],
    ['with a vertex twice', '*Vertices 2\n1 "a"\n1 "b"\n', /line 3: vertex 1 already has a line/],
    ['with an open label', '*Vertices 2\n1 "a\n', /line 2: expected a vertex and optionally a label, in quotes if it/],
    ['with a label of no one', '*Vertices 2\na b\n', /line 2: expected a vertex and optionally a label/],
    ['with control characters', '*Vertices 1\n1 "a\x1bb"\n', /line 2: has control characters: "1 \\"a\\x1bb\\""/],
    ['that is not UTF-8', Buffer.from('*Vertices 1\n1 "\xfc"\n', 'latin1'), /line 2: is not UTF-8/],
    ['with a link to nowhere', '*Vertices 2\n*Arcs\n1 3\n', /line 3: "3" is not one of 1 to 2, the vertices of line 1/],
    ['with a link of one end', '*Vertices 2\n*Arcs\n1\n', /line 3: expected two vertices: "1"/],
    ['with a list of none', '*Vertices 2\n*Edgeslist\n1\n', /line 3: expected a vertex and its neighbours: "1"/],
    ['with negative ids', '*Vertices 2\n*Arcslist\n1 -2\n', /line 3: "-2" is not one of 1 to 2/],
    ['with ids beyond numbers', `*Vertices 2\n*Arcs\n1 ${'9'.repeat(400)}\n`,
      /line 3: "9+"\.\.\. is not one of 1 to 2/],
  ])('%s', async (_, text, message) => {
    for (const bytes of [text, gzipSync(text)]) {
      const error = await inputErrorOf(readPajek(file('bad.net', bytes)));
      expect(error).toMatch(message);
      expect(error).toMatch(/^[\x20-\x7e]{1,400}$/);
    }
  });

  test('or read soundly, when it is damaged anyhow', async () => {
    const refused = await refusedOfDamaged(network, 150, (bytes) => openGraph(file('damaged.net', bytes)));
    expect(refused).toBeGreaterThan(tries(50));
    expect(refused).toBeLessThan(tries(150));
  });
});
