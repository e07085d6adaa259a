import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostStructureOf } from '../../src/questions/facts/host-structure.ts';
import {
  buildGraph, hostGraph, hostsFromNames, partitionModularity, prepare, type HostGraph,
} from '../../src/graphs/graph/index.ts';
import { communityModularity, hostBetweenness, hostCommunities } from '../../src/graphs/graph/graphology/index.ts';
import { networkxIsHere, networkxIsMissing, python } from '../networkx.ts';
import { tries } from '../sweep.ts';
import { arcLists, partsOf } from './random-graphs.ts';

// Goal: communities and centrality of hosts are what their definitions say. Method: closed forms, models as plain as
// the definitions, and networkx where it is installed.

type Arc = readonly [number, number];

/** A page per host. */
function hostsOf(count: number, arcs: readonly Arc[]): HostGraph {
  const names = Array.from({ length: count }, (_, host) => `h${host}`);
  return hostGraph(buildGraph({ ...partsOf(count, arcs), hosts: hostsFromNames(names) }));
}

/** `cliques` cliques of `size` hosts with links both ways, and a link from each to the next one. */
function joinedCliques(cliques: number, size: number, isRing: boolean): HostGraph {
  const arcs: Arc[] = [];
  for (let clique = 0; clique < cliques; clique++) {
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) if (a !== b) arcs.push([clique * size + a, clique * size + b]);
    }
    if (isRing || clique + 1 < cliques) arcs.push([clique * size, ((clique + 1) % cliques) * size]);
  }
  return hostsOf(cliques * size, arcs);
}

/** Links between hosts as a matrix. */
function matrixOf({ hosts, starts, targets, weights }: HostGraph): number[][] {
  return Array.from({ length: hosts.count }, (_, host) => {
    const row = new Array<number>(hosts.count).fill(0);
    for (let i = starts[host]; i < starts[host + 1]; i++) row[targets[i]] = weights[i];
    return row;
  });
}

/** Leicht and Newman's formula, summed over all pairs. */
function plainModularity(links: readonly number[][], communities: ArrayLike<number>): number {
  const out = links.map((row) => row.reduce((sum, one) => sum + one, 0));
  const into = links.map((_, host) => links.reduce((sum, row) => sum + row[host], 0));
  const all = out.reduce((sum, one) => sum + one, 0);
  let sum = 0;
  links.forEach((row, a) => row.forEach((weight, b) => {
    if (communities[a] === communities[b]) sum += weight - (out[a] * into[b]) / all;
  }));
  return all === 0 ? 0 : sum / all;
}

/** Distances and numbers of shortest ways from every host, one round of links after the other. */
function shortestWays(links: readonly number[][]): { distance: number[][]; ways: number[][] } {
  const distance = links.map((_, from) => links.map((__, to) => (from === to ? 0 : Infinity)));
  const ways = links.map((_, from) => links.map((__, to) => Number(from === to)));
  for (let from = 0; from < links.length; from++) {
    for (let round = 0; round < links.length; round++) {
      const reached = links.map((_, to) => links.reduce(
        (sum, row, by) => sum + (distance[from][by] === round && row[to] > 0 && by !== to ? ways[from][by] : 0), 0,
      ));
      reached.forEach((count, to) => {
        if (count === 0 || distance[from][to] <= round) return;
        distance[from][to] = round + 1;
        ways[from][to] = count;
      });
    }
  }
  return { distance, ways };
}

function plainBetweenness(links: readonly number[][]): number[] {
  const { distance, ways } = shortestWays(links);
  const n = links.length;
  return links.map((_, by) => {
    let sum = 0;
    for (let from = 0; from < n; from++) {
      for (let to = 0; to < n; to++) {
        if (from === to || from === by || to === by || distance[from][to] === Infinity) continue;
        if (distance[from][by] + distance[by][to] === distance[from][to])
          sum += (ways[from][by] * ways[by][to]) / ways[from][to];
      }
    }
    return n < 3 ? 0 : sum / ((n - 1) * (n - 2));
  });
}

const drawnHosts = fc.tuple(arcLists(), fc.array(fc.nat(6), { minLength: 9, maxLength: 9 })).map(
  ([{ pages, arcs }, draw]) => hostGraph(
    buildGraph({ ...partsOf(pages, arcs), hosts: hostsFromNames(draw.slice(0, pages).map((host) => `h${host}`)) }),
  ),
);

describe('communities', () => {
  test('of two cliques joined by a link are the cliques', () => {
    const graph = joinedCliques(2, 5, false);
    const communities = hostCommunities(graph, 1);
    expect([...communities]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    // 40 of 41 links stay; degrees out and in are 21 and 20 of the one clique, 20 and 21 of the other.
    expect(partitionModularity(graph, communities).modularity).toBeCloseTo(40 / 41 - (2 * 21 * 20) / 41 ** 2, 12);
  });

  test('of a ring of k cliques of s hosts are the cliques', () => {
    const [k, s] = [8, 6];
    const graph = joinedCliques(k, s, true);
    const communities = hostCommunities(graph, 3);
    expect([...communities]).toEqual(Array.from({ length: k * s }, (_, host) => Math.floor(host / s)));
    const links = k * (s * (s - 1) + 1);
    expect(partitionModularity(graph, communities).modularity).toBeCloseTo((links - k) / links - 1 / k, 12);
  });

  test('have the modularity of its definition, no worse than hosts apart or all together', () => {
    fc.assert(fc.property(drawnHosts, fc.nat(9), (graph, seed) => {
      const communities = hostCommunities(graph, seed);
      const links = matrixOf(graph);
      const { modularity } = partitionModularity(graph, communities);
      expect(communityModularity(graph, communities)).toBeCloseTo(modularity, 12);
      expect(modularity).toBeCloseTo(plainModularity(links, communities), 12);
      expect(modularity).toBeGreaterThan(plainModularity(links, links.map((_, host) => host)) - 1e-12);
      expect(modularity).toBeGreaterThan(-1e-12);
    }), { numRuns: tries(300) });
  });

  test('are the same for the same seed, and numbered by their first hosts', () => {
    fc.assert(fc.property(drawnHosts, fc.nat(9), (graph, seed) => {
      const communities = hostCommunities(graph, seed);
      expect(hostCommunities(graph, seed)).toEqual(communities);
      communities.forEach((one, host) => {
        expect(one).toBeLessThanOrEqual(Math.max(-1, ...communities.subarray(0, host)) + 1);
      });
    }));
  });

  test('of hosts without links are the hosts', () => {
    expect([...hostCommunities(hostsOf(3, []), 1)]).toEqual([0, 1, 2]);
    expect([...hostCommunities(hostsOf(0, []), 1)]).toEqual([]);
  });
});

describe('betweenness', () => {
  test('on a line and of a star is that of the closed form', () => {
    // Host i of a line of n is between i hosts before it and n - 1 - i behind it.
    const line = hostBetweenness(hostsOf(5, [[0, 1], [1, 2], [2, 3], [3, 4]]));
    expect([...line]).toEqual([0, 3 / 12, 4 / 12, 3 / 12, 0]);
    const star = hostBetweenness(hostsOf(4, [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0]]));
    expect([...star]).toEqual([1, 0, 0, 0]);
    expect([...hostBetweenness(hostsOf(2, [[0, 1]]))]).toEqual([0, 0]);
  });

  test('is that of its definition', () => {
    fc.assert(fc.property(drawnHosts, (graph) => {
      const found = hostBetweenness(graph);
      plainBetweenness(matrixOf(graph)).forEach((expected, host) => expect(found[host]).toBeCloseTo(expected, 12));
    }), { numRuns: tries(300) });
  });
});

describe.skipIf(!networkxIsHere)(`networkx${networkxIsMissing}`, () => {
  test('finds the same modularity of our communities, no greater one of its own, and the same betweenness', () => {
    const graph = joinedCliques(6, 5, false);
    const size = graph.hosts.count;
    const more = hostsOf(size, [
      ...matrixOf(graph).flatMap((row, a) => row.flatMap((weight, b): Arc[] => (weight > 0 ? [[a, b]] : []))),
      ...Array.from({ length: 40 }, (_, i): Arc => [(7 * i) % size, (11 * i + 3) % size]),
    ]);
    const communities = hostCommunities(more, 1);
    const code = `
import sys, json, networkx as nx
M, of = json.loads(sys.argv[1])
G = nx.DiGraph(); G.add_nodes_from(range(len(M)))
G.add_weighted_edges_from((a, b, w) for a, row in enumerate(M) for b, w in enumerate(row) if w)
sets = [{h for h in G if of[h] == c} for c in set(of)]
best = max(nx.community.modularity(G, nx.community.louvain_communities(G, seed=s)) for s in range(5))
print(json.dumps([nx.community.modularity(G, sets), best, list(nx.betweenness_centrality(G).values())]))`;
    const words = JSON.stringify([matrixOf(more), [...communities]]);
    const [modularity, best, betweenness] = JSON.parse(python(code, words)) as [number, number, number[]];
    expect(partitionModularity(more, communities).modularity).toBeCloseTo(modularity, 12);
    expect(modularity).toBeGreaterThan(best - 0.02);
    hostBetweenness(more).forEach((one, host) => expect(one).toBeCloseTo(betweenness[host], 12));
  });
});

describe('the structure of hosts', () => {
  test('lists communities by pages, with the links that stay', () => {
    // Hosts a (three pages) and b, and c and d; a link from b to c.
    const hosts = hostsFromNames(['c', 'd', 'b', 'a', 'a', 'a']);
    const arcs: Arc[] = [[0, 1], [1, 0], [2, 3], [3, 2], [4, 2], [4, 5], [2, 0]];
    const graph = hostGraph(buildGraph({ ...partsOf(6, arcs), hosts }));
    const { communities, centrality, leftOut } = hostStructureOf(graph, 1, 1);
    expect(communities).toMatchObject({ method: 'Louvain', seed: 1, count: 2 });
    expect(communities?.largest).toEqual([{ hosts: 2, pages: 4, links: 5, linksWithin: 4, largestHost: 'a' }]);
    expect(centrality?.top.map(({ name }) => name)).toEqual(['c']);
    expect(leftOut).toEqual([]);
  });

  test('is not asked of drawn hosts, and left out where it takes more than seconds', () => {
    const drawn = hostGraph(prepare(buildGraph(partsOf(4, [[0, 1]]))));
    expect(hostStructureOf(drawn, 1, 5)).toEqual({ communities: null, centrality: null, leftOut: [] });
    expect(hostStructureOf(hostsOf(20_000, [[0, 1], [1, 0]]), 1, 5)).toMatchObject({
      communities: { count: 19_999 }, centrality: null,
      leftOut: [{ what: 'centrality', limit: 100_000_000 }],
    });
    expect(hostStructureOf(hostsOf(200_000, [[0, 1]]), 1, 5).leftOut.map(({ what }) => what)).toEqual([
      'communities', 'centrality',
    ]);
  });
});
