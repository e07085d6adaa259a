import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import { directedDensity, modularity as modularityOf } from 'graphology-metrics/graph/index.js';
import { weightedInDegree, weightedOutDegree } from 'graphology-metrics/node/index.js';
import { describe, expect, test } from 'vitest';
import {
  buildGraph, checkGraph, hostGraph, hostGraphFacts, hostsFromNames, partitionModularity, StringTable,
} from '../../src/graphs/graph/index.ts';
import {
  fromGraphology, hostGraphology, toGraphology, type PageGraph,
} from '../../src/graphs/graph/graphology/index.ts';
import { InputError } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';
import { arcLists, partsOf } from './random-graphs.ts';

/** Pages 0, 1 on host a; 2, 3 on b; 4 on c. Links: a->a 2, a->b 2, b->b 1, b->c 1, c->a 1, and a self-link on c. */
const small = buildGraph({
  ...partsOf(5, [[0, 1], [1, 0], [0, 2], [1, 3], [2, 3], [3, 4], [4, 0], [4, 4]]),
  hosts: hostsFromNames(['a', 'a', 'b', 'b', 'c']),
});

describe('the host graph', () => {
  const hosts = hostGraph(small);

  test('weighs host pairs by their links', () => {
    const asObjects = hostGraphology(hosts);
    const edges = asObjects.mapDirectedEdges((_, { weight }, source, target) => [source, target, weight]);
    expect(edges).toEqual([['0', '0', 2], ['0', '1', 2], ['1', '1', 1], ['1', '2', 1], ['2', '0', 1], ['2', '2', 1]]);
    expect(asObjects.getNodeAttributes(1)).toEqual({ name: 'b', pages: 2 });
  });

  test('has its facts by hand', () => {
    expect(hostGraphFacts(hosts, 2)).toEqual({
      hosts: 3,
      linkedPairs: 3,
      density: 3 / 6,
      links: 8,
      linksWithinHosts: 4,
      topOut: [{ host: 0, name: 'a', links: 4 }, { host: 1, name: 'b', links: 2 }],
      topIn: [{ host: 0, name: 'a', links: 3 }, { host: 1, name: 'b', links: 3 }],
    });
  });

  test('gives the modularity computed by hand, links within hosts included', () => {
    // {a, b} and {c}: inside 6 and 1 of 8 links; out-degrees 6, 2 and in-degrees 6, 2 of the two parts.
    const { modularity, crossingLinks, links } = partitionModularity(hosts, [0, 0, 1]);
    expect(modularity).toBeCloseTo(5 / 8 + 1 / 8 - (6 * 6 + 2 * 2) / 64, 12);
    expect({ crossingLinks, links }).toEqual({ crossingLinks: 2, links: 8 });
    expect(partitionModularity(hosts, [0, 0, 0]).modularity).toBeCloseTo(0, 12);
  });

  test('agrees with the definition summed over all pairs of hosts, on random graphs', () => {
    fc.assert(
      fc.property(arcLists(), fc.array(fc.nat(2), { minLength: 9, maxLength: 9 }), ({ pages, arcs }, draw) => {
        const graph = buildGraph({
          ...partsOf(pages, arcs),
          hosts: hostsFromNames(draw.slice(0, pages).map((h) => `h${h}`)),
        });
        const n = graph.hosts.count;
        const a = Array.from({ length: n }, () => new Array<number>(n).fill(0));
        for (let page = 0; page < pages; page++) {
          for (const target of graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])) {
            a[graph.hosts.ofPage[page]][graph.hosts.ofPage[target]]++;
          }
        }
        const out = a.map((row) => row.reduce((x, y) => x + y, 0));
        const into = a.map((_, j) => a.reduce((sum, row) => sum + row[j], 0));
        const processor = Array.from({ length: n }, (_, host) => host % 2);
        let expected = 0;
        let crossing = 0;
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < n; j++) {
            if (processor[i] === processor[j]) expected += a[i][j] - (out[i] * into[j]) / graph.arcs;
            else crossing += a[i][j];
          }
        }
        const result = partitionModularity(hostGraph(graph), processor);
        expect(result.crossingLinks).toBe(crossing);
        expect(result.links).toBe(graph.arcs);
        expect(result.modularity).toBeCloseTo(graph.arcs === 0 ? 0 : expected / graph.arcs, 10);

        const hosts = hostGraphology(hostGraph(graph));
        const facts = hostGraphFacts(hostGraph(graph), n);
        expect(facts.density).toBeCloseTo(directedDensity(n, facts.linkedPairs), 12);
        for (const { host, links } of facts.topOut) expect(links).toBe(weightedOutDegree(hosts, host, 'weight'));
        for (const { host, links } of facts.topIn) expect(links).toBe(weightedInDegree(hosts, host, 'weight'));
        if (graph.arcs === 0) return;
        const theirs = modularityOf(hosts, {
          getNodeCommunity: (node: string) => processor[Number(node)], getEdgeWeight: 'weight',
        });
        expect(result.modularity).toBeCloseTo(theirs, 10);
      }),
      { seed: 5, numRuns: tries(100) },
    );
  });
});

describe('graphology', () => {
  test('carries a graph there and back unchanged', () => {
    fc.assert(
      fc.property(arcLists(), ({ pages, arcs }) => {
        const bare = buildGraph(partsOf(pages, arcs));
        expect(fromGraphology(toGraphology(bare), bare.name)).toEqual(bare);
        const full = buildGraph({
          ...partsOf(pages, arcs),
          hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${page % 3}`)),
          paths: StringTable.from(Array.from({ length: pages }, (_, page) => `/${page}`)),
          bytes: Uint32Array.from({ length: pages }, (_, page) => 100 * page),
          sourceIds: Uint32Array.from({ length: pages }, (_, page) => 7 * page + 1),
          seeds: Uint32Array.of(pages - 1),
        });
        const back = fromGraphology(toGraphology(full), full.name);
        expect(back).toEqual(full);
        checkGraph(back);
      }),
      { seed: 6, numRuns: tries(100) },
    );
  });

  test('reads graphs made elsewhere, with keys of any kind', () => {
    const made: PageGraph = new DirectedGraph();
    for (const node of ['z', '10', '2']) made.addNode(node, { host: 'x.example', label: node });
    made.addDirectedEdge('z', '10');
    made.addDirectedEdge('z', '2');
    const graph = fromGraphology(made, 'made');
    expect([...graph.outTargets]).toEqual([1, 2]);
    expect(graph.hosts.names.at(0)).toBe('x.example');
    expect(graph.hosts.synthetic).toBe(false);
  });

  test.each<[string, (graph: PageGraph) => void, RegExp]>([
    ['a host missing on one node', (g) => g.setNodeAttribute(0, 'host', 'x'), /node 1 has no attribute host/],
    ['an invalid size', (g) => g.setNodeAttribute(0, 'bytes', -1), /node 0: its attribute bytes/],
    [
      'a source id given twice', (g) => g.updateEachNodeAttributes((_, attributes) => ({ ...attributes, sourceId: 7 })),
      /node 1: an earlier node has the same sourceId/,
    ],
    ['an unknown seed page', (g) => g.setAttribute('seeds', [9]), /seed page 9 is not one of its 2 pages/],
  ])('refuses %s', (_, change, message) => {
    const made: PageGraph = new DirectedGraph();
    made.addNode(0);
    made.addNode(1);
    change(made);
    expect(() => fromGraphology(made, 'made')).toThrow(InputError);
    expect(() => fromGraphology(made, 'made')).toThrow(message);
  });
});
