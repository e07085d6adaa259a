import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readGml } from '../../src/graphs/formats/index.ts';
import { GmlTokens } from '../../src/graphs/formats/gml/gml-tokens.ts';
import { checkGraph } from '../../src/graphs/graph/index.ts';
import { arcLists } from '../graph/random-graphs.ts';
import { tries } from '../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf, sourceIdOf } from './page-links.ts';

const { file } = temporaryFolder();

async function read(text: string | Uint8Array) {
  const notes: string[] = [];
  const graph = await openGraph(file('g.gml', text), { onNote: (note) => notes.push(note) });
  checkGraph(graph);
  return { graph, notes, links: linksOf(graph, (page) => graph.paths?.at(page) ?? page) };
}

const three = 'node [ id 5 label "A" ]\nnode [ id 7 label "B &#38; &quot;C&quot;" ]\nnode [ id 6 label "\u00fc" ]\n';
const edges = 'edge [ source 7 target 5 value 1.5E+2 ]\nedge [ source 7 target 6 ]\nedge [ source 7 target 5 ]\n';
const directed = `Creator "one\nof [two]"\nVersion 1\ngraph [\ndirected 1\n${three}${edges}]\n`;

describe('GML', () => {
  test('gives nodes in their order, and labels as paths', async () => {
    for (const text of [
      directed, gzipSync(directed), directed.replaceAll('\n', '\r\n'),
      `# c "[\n${directed.replace('Version 1\n', '').replace(/ (?=[[\w])/g, '\n\t')}# end`,
      directed.replace(three, '').replace(edges, edges + three),
    ]) {
      const { graph, links, notes } = await read(text);
      expect(graph.name).toBe('g');
      expect([graph.pages, links]).toEqual([3, ['/B & "C" /A', '/B & "C" /\u00fc']]);
      expect(notes[0]).toBe('g: 1 link was repeated and left out');
    }
  });

  test('that is not directed has links both ways', async () => {
    for (const kind of ['directed 0', '']) {
      const { links, notes } = await read(
        `graph [ ${kind} node [ id 1 ] node [ id 4 ] edge [ source 1 target 4 ] edge [ source 4 target 4 ] ]`,
      );
      expect(links).toEqual(['0 1', '1 0', '1 1']);
      expect(notes[0]).toBe('g: 2 edges are undirected, each a link both ways');
    }
  });

  test('of ids that rise keeps them; of URLs has hosts; passes over all else', async () => {
    const { graph } = await read(
      'graph [ directed 1 node [ id 3 graphics [ x -1.5 id 9 label "no" ] ] node [ id 8 ] edge [ source 8 target 3 ] ]',
    );
    expect(linksOf(graph, sourceIdOf(graph))).toEqual(['8 3']);
    const urls = await read(
      'graph[directed 1 node[id -1 label"http://a.org/x?y"]node[id 0 label "https://B.org"]edge[source -1 target 0]]',
    );
    expect(linksOf(urls.graph, placeOf(urls.graph))).toEqual(['a.org/x?y b.org/']);
  });

  test('of any graph is read as it was written, in whatever chunks it comes', async () => {
    await fc.assert(
      fc.asyncProperty(arcLists(), fc.boolean(), async ({ pages, arcs }, isDirected) => {
        const nodes = Array.from({ length: pages }, (_, page) => `node [ id ${2 * page} ]\n`).join('');
        const links = arcs.map(([a, b]) => `edge [ source ${2 * a} target ${2 * b} ]\n`).join('');
        const { graph } = await read(`graph [\ndirected ${Number(isDirected)}\n${nodes}${links}]\n`);
        const both = isDirected ? arcs : arcs.flatMap(([a, b]) => [[a, b], [b, a]]);
        const expected = new Set(both.map(([a, b]) => `${2 * a} ${2 * b}`));
        expect(graph.pages).toBe(pages);
        expect(linksOf(graph, sourceIdOf(graph)).sort()).toEqual([...expected].sort());
      }),
      { numRuns: tries(40) },
    );
    const cut = (size: number): string[] => {
      const found: string[] = [];
      const tokens: GmlTokens = new GmlTokens('f', (...token) => found.push(`${token.join(' ')} ${tokens.line}`));
      const bytes = Buffer.from(`# c\n${directed}`);
      for (let at = 0; at < bytes.length; at += size) tokens.push(bytes.subarray(at, at + size));
      tokens.finish();
      return found;
    };
    for (const size of [1, 2, 3, 7, 50]) expect(cut(size)).toEqual(cut(1000));
    expect(cut(1)).toContain('word directed 6');
  });
});

const node = 'node [ id 1 ]\n';

describe('GML is refused', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['without nodes', 'graph [\n]', /bad\.gml: has no nodes/],
    ['of two graphs', `graph [ ${node} ]\ngraph [\n]`, /line 3: has a second graph; only one is supported/],
    ['truncated in a list', `graph [\n${node}`, /line 3: ends within the list "graph"\. Is the file truncated/],
    ['truncated in a text', `graph [\n${node} label "x\n`, /line 3: a text does not end\. Is the file truncated/],
    ['truncated behind a key', `graph [ ${node} ] a`, /line 2: ends after the key "a"/],
    ['with a bracket too many', `graph [\n${node}]\n]`, /line 4: has a "\]" without an open list/],
    ['with a key without value', `graph [\n${node} a ]`, /line 3: the key "a" has no value/],
    ['with a value without key', `graph [\n${node} 5 ]`, /line 3: has "5" where a key is expected/],
    ['with a bare word', `graph [\n${node} a b ]`, /line 3: the value of "a" is "b"; expected a number, a text in/],
    ['with a list without key', `graph [\n${node} [ ] ]`, /line 3: has "\[" where a key is expected/],
    ['with lists very deep', `graph [ ${'a [ '.repeat(1e5)}`, /line 1: nests lists more than 64 deep/],
    ['with a node without id', 'graph [\nnode [\nlabel "x"\n] ]', /line 2: a node has no id/],
    ['with a node of two ids', 'graph [ node [ id 1\nid 2 ] ]', /line 2: has a second "id" in one node/],
    ['with an id of letters', 'graph [\nnode [ id "x" ] ]', /line 2: the id of a node is "x"; expected a whole number/],
    ['with a broken id', 'graph [\nnode [ id 1.5 ] ]', /line 2: the id of a node is "1.5"; expected a whole number/],
    ['with a node twice', `graph [\n${node}${node}]`, /line 3: has a second node 1/],
    ['with an edge without target', `graph [\n${node}edge [ source 1 ] ]`, /line 3: an edge has no target/],
    ['with an edge to nowhere', `graph [\n${node}edge [ source 1\ntarget 2 ] ]`, /line 3: an edge refers to a node/],
    ['of an unknown kind', `graph [\ndirected 2 ${node} ]`, /line 2: directed is "2"; expected 0 or 1/],
    ['of two kinds', `graph [ directed 1\ndirected 0 ${node} ]`, /line 2: has a second "directed"/],
    ['with bytes beyond UTF-8', Buffer.from('graph [\nnode [ label "\xfc" ] ]', 'latin1'), /line 2: a text is not U/],
    ['with control characters', 'graph [\nnode [ id 1 label "a&#27;b" ] ]', /line 2: a text has control characters/],
    ['with a very long text', `graph [\nlabel "${'x'.repeat(2 ** 20 + 1)}" ]`, /line 2: a text is longer than 1048576/],
    ['with a very long word', `graph [\n${'x'.repeat(2 ** 20 + 1)} 1 ]`, /line 2: a word is longer than 1048576 bytes/],
  ])('%s', async (_, text, message) => {
    for (const bytes of [text, gzipSync(text)]) {
      const error = await inputErrorOf(readGml(file('bad.gml', bytes)));
      expect(error).toMatch(message);
      expect(error).toMatch(/^[\x20-\x7e]{1,400}$/);
    }
  });

  test('without a graph', async () => {
    expect(await inputErrorOf(readGml(file('bad.gml', 'Version 1\n')))).toMatch(/has no graph; expected graph \[/);
  });

  test('or read soundly, when it is damaged anyhow', async () => {
    // In ASCII, as the damaged bytes are not encoded; damage within the comment changes nothing.
    const text = `${directed.replace('\u00fc', 'u')}# ${'a comment '.repeat(20)}\n`;
    const refused = await refusedOfDamaged(text, 150, (bytes) => openGraph(file('damaged.gml', bytes)));
    expect(refused).toBeGreaterThan(tries(40));
    expect(refused).toBeLessThan(tries(150));
  });
});
