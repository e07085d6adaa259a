import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breadthFirstOrder, buildGraph, checkGraph, defaultSeeds, hostOrder, hostsFromNames, reordered, StringTable,
  type WebGraph,
} from '../../src/graphs/graph/index.ts';
import { pageRank } from '../../src/graphs/rank/index.ts';
import { AssertionError } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';
import { arcLists, partsOf } from './random-graphs.ts';

// Goal: another order of pages is the same web: whatever is reported a page stays with it.

/** Small graphs with all that a graph can have: a few hosts and paths, so that some are equal. */
function graphs(): fc.Arbitrary<WebGraph> {
  return fc
    .record({
      list: arcLists(), names: fc.array(fc.constantFrom('b', 'a', 'a.b', 'é'), { minLength: 9, maxLength: 9 }),
      paths: fc.array(fc.constantFrom('/', '/a', '/ab', '/é', '/\u{1f980}'), { minLength: 9, maxLength: 9 }),
      hasAll: fc.boolean(),
    })
    .map(({ list: { pages, arcs }, names, paths, hasAll }) =>
      buildGraph({
        ...partsOf(pages, arcs),
        hosts: hostsFromNames(names.slice(0, pages)),
        ...(hasAll && {
          paths: StringTable.from(paths.slice(0, pages)),
          bytes: Uint32Array.from({ length: pages }, (_, page) => 100 + page),
          sourceIds: Uint32Array.from({ length: pages }, (_, page) => 3 * page + 1),
          seeds: Uint32Array.of(pages - 1, 0),
        }),
      }),
    );
}

/** All that is known of each page, by what the source calls it. */
function reported({ pages, outOffsets, outTargets, hosts, paths, bytes, sourceIds, seeds }: WebGraph) {
  const id = (page: number): number => sourceIds?.[page] ?? page;
  const about = Array.from({ length: pages }, (_, page): [number, unknown] => [id(page), {
    links: [...outTargets.subarray(outOffsets[page], outOffsets[page + 1])].map(id),
    host: [hosts.ofPage[page], hosts.names.at(hosts.ofPage[page])], path: paths?.at(page), bytes: bytes?.[page],
  }]);
  return { about: about.sort(([a], [b]) => a - b), seeds: seeds && [...seeds].map(id) };
}

describe.each([['host', hostOrder], ['breadth-first', breadthFirstOrder]] as const)('%s order', (_, orderOf) => {
  test('is the same graph, page by page, and the order of itself', () => {
    fc.assert(fc.property(graphs(), (graph) => {
      const order = orderOf(graph);
      expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
      const other = reordered(graph, order);
      checkGraph(other);
      expect(reported(other)).toEqual(reported(graph));
      const again = orderOf(other);
      expect([...again]).toEqual([...order.keys()]);
      expect(reordered(other, again)).toEqual(other);
    }), { numRuns: tries(200) });
  });

  test('moves ranks with their pages', () => {
    fc.assert(fc.property(graphs(), (graph) => {
      const order = orderOf(graph);
      const [before, after] = [graph, reordered(graph, order)].map((one) => pageRank(one, { tolerance: 1e-13 }).ranks);
      order.forEach((was, page) => expect(Math.abs(after[page] - before[was])).toBeLessThan(1e-12));
    }), { numRuns: tries(50) });
  });

  test('is undone by its inverse, which is reported by the ids of the source', () => {
    fc.assert(fc.property(graphs(), (graph) => {
      const order = orderOf(graph);
      const inverse = new Uint32Array(order.length);
      order.forEach((was, page) => (inverse[was] = page));
      expect(reordered(reordered(graph, order), inverse)).toEqual(graph);
    }));
  });
});

test('hosts and paths stand by their bytes', () => {
  fc.assert(fc.property(graphs(), (graph) => {
    const order = hostOrder(graph);
    const url = (page: number): Buffer =>
      Buffer.from(`${graph.hosts.names.at(graph.hosts.ofPage[page])}\0${graph.paths?.at(page) ?? ''}`);
    const expected = [...order.keys()].sort((a, b) => Buffer.compare(url(a), url(b)) || a - b);
    expect([...order]).toEqual(expected);
  }));
});

test('breadth first is no nearer to the seeds later on', () => {
  fc.assert(fc.property(graphs(), (graph) => {
    const { pages, outOffsets, outTargets } = graph;
    const distance = new Array<number>(pages).fill(Infinity);
    for (const seed of defaultSeeds(graph).seeds) distance[seed] = 0;
    for (let round = 0; round < pages; round++) {
      for (let page = 0; page < pages; page++) {
        for (const target of outTargets.subarray(outOffsets[page], outOffsets[page + 1])) {
          distance[target] = Math.min(distance[target], distance[page] + 1);
        }
      }
    }
    const inOrder = [...breadthFirstOrder(graph)].map((page) => distance[page]);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  }));
});

test('drawn hosts keep their order: nothing moves', () => {
  const graph = buildGraph(partsOf(200, [[0, 1]]));
  expect([...hostOrder(graph)]).toEqual([...hostOrder(graph).keys()]);
  expect(reordered(graph, hostOrder(graph)).sourceIds).toBeUndefined();
});

test('what is no order is refused', () => {
  const graph = buildGraph(partsOf(3, []));
  for (const order of [
    [0, 1], [0, 1, 1], [0, 1, 3],
  ])
    expect(() => reordered(graph, Uint32Array.from(order))).toThrow(AssertionError);
});
