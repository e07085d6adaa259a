import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph, checkGraph, subgraph } from '../../src/graphs/graph/index.ts';
import { arcLists, partsOf } from './random-graphs.ts';

test('a subgraph has the pages asked for and the links between them, in their order', () => {
  fc.assert(fc.property(arcLists(), fc.nat(2 ** 9 - 1), ({ pages, arcs }, mask) => {
    const graph = buildGraph(partsOf(pages, arcs));
    const chosen = Array.from({ length: pages }, (_, page) => page).filter((page) => (mask >> page) % 2 === 1);
    const part = subgraph(graph, Uint32Array.from(chosen));
    checkGraph(part);
    const linksOf = ({ outOffsets, outTargets }: typeof graph, page: number): number[] => [
      ...outTargets.subarray(outOffsets[page], outOffsets[page + 1]),
    ];
    expect(part.pages).toBe(chosen.length);
    chosen.forEach((page, id) => {
      expect(linksOf(part, id).map((target) => chosen[target])).toEqual(
        linksOf(graph, page).filter((target) => chosen.includes(target)),
      );
      expect(part.hosts.ofPage[id]).toBe(graph.hosts.ofPage[page]);
    });
  }), { seed: 1 });
});

test('pages must ascend', () => {
  const graph = buildGraph(partsOf(3, [[0, 1]]));
  expect(() => subgraph(graph, Uint32Array.of(1, 0))).toThrow('ascend');
  expect(() => subgraph(graph, Uint32Array.of(1, 1))).toThrow('ascend');
});
