import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readMetis } from '../../src/graphs/formats/index.ts';
import { checkGraph } from '../../src/graphs/graph/index.ts';
import { arcLists } from '../graph/random-graphs.ts';
import { tries } from '../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, sourceIdOf } from './page-links.ts';

const { file } = temporaryFolder();

/** Reads a text as METIS; links by the ids of the file. */
async function read(text: string | Uint8Array) {
  const notes: string[] = [];
  const graph = await readMetis(file('g.graph', text), { onNote: (note) => notes.push(note) });
  checkGraph(graph);
  return { graph, notes, links: linksOf(graph, sourceIdOf(graph)) };
}

/** The example of METIS's manual (version 5.1, figure 2): 7 nodes, 11 edges. */
const manual = [[5, 3, 2], [1, 3, 4], [5, 4, 2, 1], [2, 3, 6, 7], [1, 3, 6], [5, 4, 7], [6, 4]];
const manualLinks = manual.flatMap((list, node) => list.map((other) => `${node + 1} ${other}`));
const plain = `7 11\n${manual.map((list) => `${list.join(' ')}\n`).join('')}`;

describe('METIS', () => {
  test('gives each edge both ways, in the order of the file', async () => {
    for (const text of [
      plain, plain.trimEnd(), gzipSync(plain), plain.replaceAll('\n', ' \r\n'), plain.replaceAll(' ', '\t'),
      `% a comment\n${plain.replaceAll('\n', '\n% 9 9 x\n')}\n\n`,
    ]) {
      const { graph, links, notes } = await read(text);
      expect([graph.name, graph.pages, links]).toEqual(['g', 7, manualLinks]);
      expect(notes[0]).toBe('g: 11 edges are undirected, each a link both ways');
    }
  });

  test.each([
    ['edge weights', '001', (list: number[]) => list.map((id) => `${id} ${id * 7}`)],
    ['edge weights, short', '1', (list: number[]) => list.map((id) => `${id} 0`)],
    ['node weights', '010', (list: number[]) => ['99999999999', ...list]],
    ['three node weights', '10 3', (list: number[]) => [1, 2, 3, ...list]],
    ['sizes', '100', (list: number[]) => [8, ...list]],
    ['all of them', '111 2', (list: number[]) => [8, 1, 2, ...list.map((id) => `${id} 5`)]],
  ])('passes over %s, and says so', async (_, format, row) => {
    const { links, notes } = await read(`7 11 ${format}\n${manual.map((list) => `${row(list).join(' ')}\n`).join('')}`);
    expect(links).toEqual(manualLinks);
    expect(notes[0]).toBe('g: the sizes and weights of the graph are not stored');
  });

  test('of nodes without edges has them all', async () => {
    expect((await read('3 0\n\n\n\n')).graph).toMatchObject({ pages: 3, arcs: 0 });
    expect((await read('4 1\n\n3\n2\n\n')).links).toEqual(['2 3', '3 2']);
  });

  test('is reported by its content where no edge list is so, else by its name or by the user', async () => {
    expect((await openGraph(file('a.txt', plain))).arcs).toBe(22);
    const cycle = '4 4\n2 4\n1 3\n2 4\n3 1\n';
    expect(await inputErrorOf(openGraph(file('a.graph', cycle)))).toMatch(/METIS graph of 4 pages and 4 links;/);
    for (const name of ['a.metis', 'a.metis.gz'])
      expect((await openGraph(file(name, name.endsWith('z') ? gzipSync(cycle) : cycle))).arcs).toBe(8);
  });

  test('of any graph is read as a dull parser does', async () => {
    let duplicates = 0;
    await fc.assert(
      fc.asyncProperty(arcLists(), fc.integer({ min: 0, max: 7 }), async ({ pages, arcs }, format) => {
        const [size, weight, edgeWeight] = [format >> 2, (format >> 1) & 1, format & 1];
        const lists = Array.from({ length: pages }, (): number[] => []);
        for (const [a, b] of arcs) {
          if (a === b) continue;
          lists[a].push(b);
          lists[b].push(a);
        }
        const rows = lists.map((list) => [
          ...(size ? [5] : []), ...(weight ? [6] : []), ...list.flatMap((id) => (edgeWeight ? [id + 1, 7] : [id + 1])),
        ]);
        const edges = lists.flat().length / 2;
        const { graph, links } = await read(
          `${pages} ${edges} ${size}${weight}${edgeWeight}\n${rows.map((row) => `${row.join(' ')}\n`).join('')}`,
        );
        const expected = lists.flatMap((list, node) => [...new Set(list)].map((id) => `${node + 1} ${id + 1}`));
        expect([graph.pages, links]).toEqual([pages, expected]);
        duplicates += 2 * edges - expected.length;
      }),
      { numRuns: tries(40) },
    );
    expect(duplicates).toBeGreaterThan(0);
  });

  test('of a node with more neighbours than a line of a table may have letters', async () => {
    const n = 200_001;
    const leaves = Array.from({ length: n - 1 }, (_, i) => i + 2).join(' ');
    const { graph } = await read(`${n} ${n - 1}\n${leaves}\n${'1\n'.repeat(n - 1)}`);
    expect([graph.pages, graph.arcs, graph.outOffsets[1]]).toEqual([n, 2 * n - 2, n - 1]);
  });
});

const HEADER = /line 1: expected from 1 to 4294967294 nodes, edges, perhaps fmt \(three digits, 0 or 1\)/;

describe('METIS is refused', () => {
  test.each<[string, string, RegExp]>([
    ['empty', '', /bad\.metis: ends before its first line; expected the numbers of nodes and edges/],
    ['of comments alone', '% 3 2\n%', /ends before its first line/],
    ['without edges on its first line', '3\n2\n1\n\n', HEADER],
    ['with an unknown fmt', '3 2 2\n2\n1 3\n2\n', HEADER],
    ['with a fmt of four digits', '3 2 1001\n2\n1 3\n2\n', HEADER],
    ['with ncon without weights', '3 2 1 1\n2\n1 3\n2\n', HEADER],
    ['with ncon 0', '3 2 10 0\n2\n1 3\n2\n', HEADER],
    ['with five sizes', '3 2 10 1 1\n', /line 1: has more than four numbers/],
    ['without nodes', '0 0\n', HEADER],
    ['of too many nodes', '4294967295 1\n', HEADER],
    ['with a lying count', '4294967294 1\n2\n1\n', /ends after the neighbours of 2 nodes; line 1 states 4294967294/],
    ['truncated', '% c\n3 2\n2\n1 3', /ends after the neighbours of 2 nodes; line 2 states 3\. Is the file truncated/],
    [
      'with a line too many', '3 2\n2\n1 3\n2\n1\n',
      /line 5: continues after the neighbours of 3 nodes, as many as line 1/,
    ],
    ['with node 0', '3 2\n2\n1 3\n0\n', /line 4: node 0 is not one of 1 to 3, the nodes of line 1/],
    ['with a node beyond', '3 2\n2\n1 99999999999\n2\n', /line 3: node 99999999999 is not one of 1 to 3/],
    ['with a node at itself', '3 2\n2\n1 2\n2\n', /line 3: node 2 is its own neighbour, which METIS does not allow/],
    ['with too few edges', '3 3\n2\n1 3\n2\n', /line 1: states 3 edges, .* which makes 6 neighbours; there are 4/],
    ['with too many edges', '3 1\n2\n1 3\n2\n', /line 1: states 1 edges, .* there are 4/],
    ['with an edge of one side', '4 2\n2\n1 3\n4\n\n', /node 2 has the neighbour 3, which does not list it; each edge must be listed/],
    ['with other letters', '3 2\n2\n1 x3\n2\n', /line 3: has "x" where whole numbers from 0 are expected/],
    ['with negative numbers', '3 2\n2\n1 -3\n2\n', /line 3: has "-" where/],
    ['with a comment behind numbers', '3 2\n2\n1 3 % c\n2\n', /line 3: has "%" where/],
    ['without its weights', '3 2 11 2\n1 1 2 5\n1\n2 2 2 5\n', /line 3: has 1 numbers; by line 1 2 must precede/],
    ['without the last weight', '3 2 1\n2 5\n1 5 3\n2 5\n', /line 3: ends with a neighbour without its weight/],
  ])('%s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad.metis', text)))).toMatch(message);
    expect(await inputErrorOf(openGraph(file('bad.metis.gz', gzipSync(text))))).toMatch(/bad\.metis/);
  });

  test('or read soundly, when it is damaged anyhow', async () => {
    // Damage within the comment changes nothing.
    const text = `% ${'a comment '.repeat(3)}\n${plain}`;
    const refused = await refusedOfDamaged(text, 150, (bytes) => openGraph(file('damaged.metis', bytes)));
    expect(refused).toBeGreaterThan(tries(40));
    expect(refused).toBeLessThan(tries(150));
  });
});
