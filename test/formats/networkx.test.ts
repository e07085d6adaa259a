import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { writeGexf } from '../../src/graphs/formats/xml/gexf-writer.ts';
import { checkGraph } from '../../src/graphs/graph/index.ts';
import { sampled } from '../sweep.ts';
import { networkxIsHere, networkxIsMissing, python } from '../networkx.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { linksOf } from './page-links.ts';

// Goal: what networkx writes is read as the graph that it had, and it reads what is written here as we do.

const { file, folder } = temporaryFolder();

/** Graphs of every kind: directed or not, with loops, parallel links, lone nodes, and without any link. */
const graphs: Record<string, string> = {
  'a scale-free directed multigraph': 'nx.scale_free_graph(300, seed=1)',
  'a random undirected graph': 'nx.fast_gnp_random_graph(200, 0.02, seed=2)',
  'a directed graph with loops': 'nx.DiGraph([(0, 0), (0, 1), (2, 1), (1, 0)])',
  'an undirected graph with a loop': 'nx.Graph([(0, 0), (0, 1), (2, 1)])',
  'a graph without links': 'nx.empty_graph(3)',
  'a cycle, which may be an edge list': 'nx.cycle_graph(7)',
};

/** How each label of nodes is made of node v. */
const labels: Record<string, string> = {
  numbers: 'str(v)',
  URLs: "f'http://h{v % 5}.org/p?{v}'",
  names: "f'n\u00e4me {v} & <{v}>'",
};

const writeAll = `
folder = sys.argv[1] + '/NUMBER'
G = GRAPH
L = nx.relabel_nodes(G, {v: LABEL for v in G})
nx.write_gml(L, folder + '/x.gml')
nx.write_pajek(L, folder + '/x.net')
nx.write_gexf(L, folder + '/x.gexf')
nx.write_graphml(L, folder + '/x.graphml')
S = nx.Graph(G); S.remove_edges_from(list(nx.selfloop_edges(S)))
with open(folder + '/x.metis', 'w') as f:
    f.write(f'{len(S)} {S.number_of_edges()}\\n')
    for v in sorted(S): f.write(' '.join(str(w + 1) for w in sorted(S[v])) + '\\n')
arcs = lambda H: sorted({(u, v) for a, b, *_ in H.edges for u, v in ([(a, b)] if H.is_directed() else [(a, b), (b, a)])})
order = {v: i for i, v in enumerate(L)}
print(json.dumps([list(L), [(order[u], order[v]) for u, v in arcs(L)], arcs(S)]))
`;

describe.skipIf(!networkxIsHere)(`networkx${networkxIsMissing}`, () => {
  const cases = Object.entries(graphs).flatMap(([what, graph]) =>
    Object.entries(labels).map(([of, label]) => ({ what, of, graph, label })),
  );

  // Those of the short sweep have each kind of label.
  const tried = sampled(cases, 4).map((one, number) => ({ ...one, number }));
  let reports: string[] = [];
  beforeAll(() => {
    // One process for all: networkx takes longer to start than to write.
    const scripts = tried.map(({ graph, label, number }) => {
      mkdirSync(`${folder}/${number}`);
      return writeAll.replace('NUMBER', String(number)).replace('GRAPH', graph).replace('LABEL', label);
    });
    reports = python(`import sys, json, networkx as nx\n${scripts.join('')}`, folder).trim().split('\n');
  });

  test.each(tried)('writes $what of $of that is read as it was', async ({ of, number }) => {
    const [names, arcs, simple] = JSON.parse(reports[number]) as [string[], [number, number][], [number, number][]];
    const sorted = (pairs: readonly [number, number][]): string[] => pairs.map(([a, b]) => `${a} ${b}`).sort();
    for (const name of ['x.gml', 'x.net', 'x.gexf', 'x.graphml', 'x.metis']) {
      const read = await openGraph(`${folder}/${number}/${name}`);
      checkGraph(read);
      expect(read.pages, name).toBe(names.length);
      expect(linksOf(read).sort(), name).toEqual(sorted(name === 'x.metis' ? simple : arcs));
      if (name === 'x.metis') continue;
      const { hosts, paths } = read;
      const isNamed = of === 'names' || (of === 'numbers' && name === 'x.net');
      const url = (page: number): string => `http://${hosts.names.at(hosts.ofPage[page])}${paths?.at(page) ?? ''}`;
      if (of === 'URLs') expect(names.map((_, page) => url(page)), name).toEqual(names);
      if (isNamed) expect(names.map((_, page) => paths?.at(page)), name).toEqual(names.map((label) => `/${label}`));
    }
  });

  test('reads what we read', async () => {
    const gml = file(
      'ours.gml',
      'graph [\ndirected 1\nnode [ id 0 label "a b" ]\nnode [ id 1 label "c" ]\nedge [ source 1 target 0 ]\n]\n',
    );
    const net = file('ours.net', '*Vertices 3\n1 "a b"\n2 "c"\n3 "d"\n*Arcs\n1 2\n3 1\n');
    const gexf = `${folder}/ours.gexf`;
    await writeGexf(await openGraph(gml), gexf);
    const graphMl = file(
      'ours.graphml',
      '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="u" for="node" attr.name="url" attr.type="string"/>' +
        '<graph edgedefault="directed"><node id="a b"/><node id="c"/><edge source="c" target="a b"/></graph></graphml>',
    );
    const paths = [gml, net, gexf, graphMl];
    const read = python(`
import sys, json, networkx as nx
gml, net, gexf, graphml = sys.argv[1:]
for G in nx.read_gml(gml), nx.read_pajek(net), nx.read_gexf(gexf, relabel=True), nx.read_graphml(graphml):
    print(json.dumps([list(G), [(u, v) for u, v, *_ in G.edges]]))`, ...paths).trim().split('\n');
    expect(read).toHaveLength(paths.length);
    for (const [i, path] of paths.entries()) {
      const graph = await openGraph(path);
      const nameOf = (page: number): string => graph.paths!.at(page).slice(1);
      const pages = Array.from({ length: graph.pages }, (_, page) => nameOf(page));
      const arcs = linksOf(graph, (page) => JSON.stringify(nameOf(page)).replaceAll(' ', '\\u0020'));
      const pairs = arcs.map((arc) => JSON.parse(`[${arc.replace(' ', ',')}]`) as unknown);
      expect(JSON.parse(read[i]), path).toEqual([pages, pairs]);
    }
  });
});
