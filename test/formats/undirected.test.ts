import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../src/base/index.ts';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { readEdgeList } from '../../src/graphs/formats/index.ts';
import { checkGraph } from '../../src/graphs/graph/index.ts';
import { tries } from '../sweep.ts';
import { linksOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: a list that says it is undirected gives links both ways, and says so, in whatever form it lists them.

const { file } = temporaryFolder();

const undirected = [
  '% sym unweighted\n% 5 5 5\n', '% sym positive\n', '%sym weighted\n',
  '# Undirected graph: ../../data/x.txt\n# demo\n',
  '# Undirected graph (each unordered pair of nodes is saved once): x.txt\n# Nodes: 9 Edges: 9\n',
  '# Nodes: 9\n# FromNodeId\tToNodeId\n# undirected\n', '\n# The graph is undirected.\n',
];
const directed = [
  '', '% asym unweighted\n', '# Directed graph (each unordered pair of nodes is saved once): x.txt\n',
  '# Directed graph: x.txt\n# Undirected edges were left out.\n', '# symmetric? no\n',
];

/** A line of each form of list, and the text above all. */
const forms: readonly (readonly [string, (a: number, b: number) => string, string])[] = [
  ['ids', (a, b) => `${a} ${b}`, ''],
  ['ids with weights', (a, b) => `${a}\t${b}\t0.5`, ''],
  ['URLs', (a, b) => `http://h${a}.org/\thttp://h${b}.org/`, ''],
  ['names', (a, b) => `n${a}\tn${b}`, ''],
  ['names and data', (a, b) => `n${a} n${b} {}`, ''],
  ['a table of ids', (a, b) => `${a},${b}`, 'source,target\n'],
  ['a table of names', (a, b) => `x;n${a};n${b}`, 'Kind;Source;Target\n'],
];

describe.each(forms)('a list of %s', (_, line, header) => {
  test('is read both ways exactly where its comments say that it is undirected', async () => {
    const draws = new DrawStream(44, 'undirected');
    for (let round = 0; round < tries(160); round++) {
      const isUndirected = round % 2 === 0;
      const tops = isUndirected ? undirected : directed;
      let top = tops[(round >> 1) % tops.length];
      // Other lists than those of ids have no comments that begin so.
      if (!line(1, 2).startsWith('1') || header !== '') top = top.replaceAll('%', '#');
      const edges = Array.from({ length: 1 + (draws.uint32(round) % 12) }, (__, i) => [
        draws.uint32(round, 2 * i + 1) % 7, draws.uint32(round, 2 * i + 2) % 7,
      ]);
      // A first line `pages links` is refused, since it may be the sizes of a list.
      if (edges[0][1] === edges.length - 1 || edges[0][0] >= edges.length - 1) edges[0] = [0, edges.length];
      const text = `${top}${header}${edges.map(([a, b]) => `${line(a, b)}\n`).join('')}`;
      const notes: string[] = [];
      const path = file('list.txt', round % 3 === 0 ? gzipSync(text) : text);
      const graph = await openGraph(path, { onNote: (note) => notes.push(note) });
      checkGraph(graph);
      const nameOf = (page: number): number => {
        if (graph.sourceIds !== undefined) return graph.sourceIds[page];
        const place = graph.hosts.synthetic ? graph.paths?.at(page) ?? String(page) : graph.hosts.names.at(page);
        return Number(/\d+/.exec(place)![0]);
      };
      const both = edges.flatMap(([a, b]) => (isUndirected ? [[a, b], [b, a]] : [[a, b]]));
      expect(linksOf(graph, nameOf).sort(), text).toEqual([...new Set(both.map((link) => link.join(' ')))].sort());
      const note = notes.filter((words) => /undirected, each a link both ways$/.test(words));
      const count = edges.length === 1 ? '1 edge is' : `${edges.length} edges are`;
      expect(note, text).toEqual(isUndirected ? [`list: ${count} undirected, each a link both ways`] : []);
    }
  });

  test('is refused where it says that it is bipartite', async () => {
    const percent = line(1, 2).startsWith('1') && header === '' ? '%' : '#';
    const path = file('bip.txt', `${percent} bip unweighted\n${header}${line(1, 1)}\n${line(2, 1)}\n`);
    expect(await inputErrorOf(openGraph(path))).toMatch(/bip\.txt: line 1: says that the graph is bipartite/);
    if (percent === '%') expect(await inputErrorOf(readEdgeList(path))).toMatch(/says that the graph is bipartite/);
  });
});

describe('a table of Gephi', () => {
  test('has links both ways where its column Type says so, row by row', async () => {
    const notes: string[] = [];
    const text = 'Source,Target,Type,Id,Label,timeset,Weight\n0,1,Undirected,0,,,1.0\n1,2,undirected,1,,,2.0\n' +
      '2,0,Directed,2,,,1.0\n2,2,Undirected,3,,,1.0\n1,0,,4,,,1\n3,0,Mutual,,,,\n';
    const graph = await openGraph(file('gephi.csv', text), { onNote: (note) => notes.push(note) });
    expect(linksOf(graph).sort()).toEqual(['0 1', '0 3', '1 0', '1 2', '2 0', '2 1', '2 2', '3 0']);
    expect(notes).toContain('gephi: 4 edges are undirected, each a link both ways');
    expect(notes).toContain('gephi: the columns "Id", "Label", "timeset", "Weight" are not stored');
    const named = 'Type;Source;Target\nUndirected;a;b\nDirected;b;c\n';
    expect(linksOf(await openGraph(file('named.csv', named)))).toEqual(['0 1', '1 0', '1 2']);
  });

  test('keeps its direction where the column has other words', async () => {
    const notes: string[] = [];
    const text = 'Type,Source,Destination\nHyperlink,http://a/,http://b/\nImage,http://b/,http://c/\n';
    const graph = await openGraph(file('kinds.csv', text), { onNote: (note) => notes.push(note) });
    expect(linksOf(graph)).toEqual(['0 1', '1 2']);
    expect(notes).toEqual(['kinds: the column "Type" is not stored']);
  });
});

test('parts of one list are undirected if its first part says so, and must not contradict each other', async () => {
  const [first, second] = [file('part-0.txt', '# Undirected graph: x\n0 1\n'), file('part-1.txt', '1 2\n')];
  expect(linksOf((await openFiles([first, second]))!).sort()).toEqual(['0 1', '1 0', '1 2', '2 1']);
  const other = file('part-2.txt', '# Directed graph: y\n2 3\n');
  expect(await inputErrorOf(openFiles([first, other]))).toMatch(
    /part-2\.txt: line 1: says that the graph is directed, and .*part-0\.txt: line 1 that it is undirected/,
  );
});
