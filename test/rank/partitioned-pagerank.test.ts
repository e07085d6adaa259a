import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { pageRank, partitionedPageRank, partitionedPageRankDistance } from '../../src/graphs/rank/index.ts';
import { InputError } from '../../src/base/index.ts';
import { assertProperty, graphByRule, graphOf, l1Distance, smallGraphs } from './graphs.ts';

// Goal: partitioned PageRank is what its head says, and its verifier sees what is not.

/** The definition, with a dense matrix a shard: column u holds where the rank of page u goes. */
function denseModel(graph: WebGraph, shardOfPage: readonly number[], damping: number, iterations: number): number[] {
  const n = graph.pages;
  const ranks = new Array<number>(n).fill(0);
  for (let shard = 0; shard <= Math.max(...shardOfPage); shard++) {
    const pages = [...shardOfPage.keys()].filter((page) => shardOfPage[page] === shard);
    const isArc = (from: number, to: number): boolean =>
      graph.outTargets.subarray(graph.outOffsets[from], graph.outOffsets[from + 1]).includes(to);
    const adjacency = pages.map((from) => pages.map((to): number => (isArc(from, to) ? 1 : 0)));
    const withBackEdges = adjacency.map((row, from) => (row.includes(1) ? row : adjacency.map((other) => other[from])));
    const stochastic = withBackEdges.map((row) => {
      const links = row.reduce((sum, one) => sum + one, 0);
      return row.map((one) => (links === 0 ? 1 / pages.length : one / links));
    });
    let x = pages.map(() => 1);
    for (let i = 0; i < iterations; i++) {
      x = pages.map(
        (_, to) => damping * pages.reduce((sum, __, from) => sum + stochastic[from][to] * x[from], 0) + 1 - damping,
      );
    }
    pages.forEach((page, local) => (ranks[page] = x[local] / n));
  }
  return ranks;
}

const cases = fc
  .record({
    graph: smallGraphs, shards: fc.integer({ min: 1, max: 4 }),
    draws: fc.array(fc.nat({ max: 3 }), { minLength: 12, maxLength: 12 }), damping: fc.constantFrom(0, 0.5, 0.85, 0.99),
    iterations: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ graph, shards, draws, ...rest }) => ({
    graph, shardOfPage: draws.slice(0, graph.pages).map((draw) => draw % shards), ...rest,
  }));

describe('partitioned PageRank', () => {
  test('is what dense matrices give, scaled to each shard\'s share of the pages, and its verifier agrees', () => {
    assertProperty(
      fc.property(cases, ({ graph, shardOfPage, damping, iterations }) => {
        const shards = Uint32Array.from(shardOfPage);
        const { ranks, droppedArcs } = partitionedPageRank(graph, shards, { damping, iterations });
        expect(l1Distance(ranks, denseModel(graph, shardOfPage, damping, iterations))).toBeLessThan(1e-12);
        expect(partitionedPageRankDistance(graph, ranks, shards, { damping, iterations })).toBeLessThan(1e-12);
        for (const shard of new Set(shardOfPage)) {
          const own = [...ranks].filter((_, page) => shardOfPage[page] === shard);
          expect(own.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(own.length / graph.pages, 12);
        }
        let crossing = 0;
        for (let page = 0; page < graph.pages; page++) {
          for (let arc = graph.outOffsets[page]; arc < graph.outOffsets[page + 1]; arc++) {
            if (shardOfPage[page] !== shardOfPage[graph.outTargets[arc]]) crossing++;
          }
        }
        expect(droppedArcs).toBe(crossing);
      }),
      300,
    );
  });

  test('of one shard is PageRank in the end, where every page has a link', () => {
    assertProperty(
      fc.property(smallGraphs, (graph) => {
        fc.pre(graph.outOffsets.every((offset, page) => page === 0 || offset > graph.outOffsets[page - 1]));
        const { ranks, sinks, isolatedPages } = partitionedPageRank(graph, new Uint32Array(graph.pages), {
          iterations: 200,
        });
        expect(l1Distance(ranks, pageRank(graph, { tolerance: 1e-12 }).ranks)).toBeLessThan(1e-11);
        expect([sinks, isolatedPages]).toEqual([0, 0]);
      }),
      50,
    );
  });

  test('is exact after one iteration where shards are cliques that do not touch', () => {
    const cliqueOf = (page: number): readonly number[] => (page < 3 ? [0, 1, 2] : [3, 4, 5, 6, 7]);
    const graph = graphByRule('two cliques', 8, (page) => cliqueOf(page).filter((other) => other !== page));
    const { ranks, droppedArcs } = partitionedPageRank(graph, Uint32Array.of(0, 0, 0, 1, 1, 1, 1, 1), {
      iterations: 1,
    });
    expect(droppedArcs).toBe(0);
    expect(l1Distance(ranks, new Array<number>(8).fill(1 / 8))).toBeLessThan(1e-15);
  });

  test('by hand: a sink links back, a page left alone spreads its rank over its shard', () => {
    // 0 -> 1 within shard 0, where 2 stands alone, its link to page 3 of shard 1 being dropped.
    const graph = graphOf('by hand', 4, [[0, 1], [2, 3]]);
    const result = partitionedPageRank(graph, Uint32Array.of(0, 0, 0, 1), { damping: 0.6, iterations: 2 });
    // All start with 1, and each of 0 and 1 gives its all to the other: 0.6 (1 + 1/3) + 0.4 = 1.2; page 2: 0.6 / 3 +
    // 0.4 = 0.6. Then:
    const [linked, alone] = [0.6 * (1.2 + 0.6 / 3) + 0.4, 0.6 * (0.6 / 3) + 0.4];
    expect(l1Distance(result.ranks, [linked / 4, linked / 4, alone / 4, 1 / 4])).toBeLessThan(1e-15);
    expect(result).toMatchObject({ droppedArcs: 1, sinks: 1, isolatedPages: 2 });
  });

  test('its verifier sees a rank that is off, another damping and another number of iterations', () => {
    const graph = graphByRule('star', 6, (page) => (page === 0 ? [1, 2, 3, 4, 5] : [0]));
    const shards = Uint32Array.of(0, 0, 0, 0, 1, 1);
    const { ranks } = partitionedPageRank(graph, shards, { damping: 0.85, iterations: 15 });
    const right = { damping: 0.85, iterations: 15 };
    expect(partitionedPageRankDistance(graph, ranks, shards, right)).toBeLessThan(1e-15);
    expect(partitionedPageRankDistance(graph, ranks, shards, { ...right, damping: 0.8 })).toBeGreaterThan(1e-3);
    expect(partitionedPageRankDistance(graph, ranks, shards, { ...right, iterations: 14 })).toBeGreaterThan(1e-3);
    expect(partitionedPageRankDistance(graph, ranks.slice().reverse(), shards, right)).toBeGreaterThan(1e-3);
  });

  test('refuses what it cannot do', () => {
    const graph = graphOf('pair', 2, [[0, 1]]);
    const shards = new Uint32Array(2);
    expect(() => partitionedPageRank(graphOf('nothing', 0, []), new Uint32Array(0))).toThrow(InputError);
    expect(() => partitionedPageRank(graph, shards, { iterations: 0 })).toThrow(/iterations is 0/);
    expect(() => partitionedPageRank(graph, shards, { damping: 1 })).toThrow(/damping is 1/);
    expect(() => partitionedPageRank(graph, new Uint32Array(3))).toThrow(/3 shards for 2 pages/);
  });
});
