import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import {
  pageRank, pageRankResidual, PageRankSolver, type SolveOptions,
} from '../../src/graphs/rank/index.ts';
import { DrawStream, InputError } from '../../src/base/index.ts';
import { assertProperty, graphByRule, graphOf, l1Distance, smallGraphs, solveDense } from './graphs.ts';
import { docsWeb } from '../docs-web.ts';
import { plainPageRank } from './plain-pagerank.ts';

const dampings = fc.constantFrom(0, 0.5, 0.85, 0.99);
const tolerances = fc.constantFrom(1, 1e-3, 1e-11);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** A small graph, and a weight for each of its pages: small numbers, often 0, never all. */
const preferred = smallGraphs.chain((graph) =>
  fc
    .array(fc.constantFrom(0, 0, 1, 2, 1e-9, 1e9), { minLength: graph.pages, maxLength: graph.pages })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map((weights) => ({ graph, weights: Float64Array.from(weights) })),
);

/**
 * By the definition, with the links that dangling pages have in it written out: to each page, in proportion to its
 * weight.
 */
function densePageRank({ pages, outOffsets, outTargets }: WebGraph, damping: number, weights: Float64Array): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const matrix = upTo(pages).map((row) => upTo(pages).map((column): number => (row === column ? 1 : 0)));
  for (let page = 0; page < pages; page++) {
    const links = outTargets.subarray(outOffsets[page], outOffsets[page + 1]);
    for (const target of links) matrix[target][page] -= damping / links.length;
    if (links.length === 0) weights.forEach((weight, target) => (matrix[target][page] -= (damping * weight) / sum));
  }
  return solveDense(matrix, [...weights].map((weight) => ((1 - damping) * weight) / sum));
}

describe('a preference', () => {
  test.each([
    ['kernel', pageRank], ['plain', plainPageRank],
  ] as const)('is where rank goes that follows no link: %s', (_, rank) => {
    assertProperty(
      fc.property(preferred, dampings, tolerances, ({ graph, weights }, damping, tolerance) => {
        const { ranks, l1ErrorBound } = rank(graph, { damping, tolerance, preference: weights });
        expect(l1ErrorBound).toBeLessThanOrEqual(tolerance);
        expect(pageRankResidual(graph, ranks, damping, weights)).toBeLessThanOrEqual(
          l1ErrorBound + 2 ** -50 / (1 - damping),
        );
        expect(l1Distance(ranks, densePageRank(graph, damping, weights))).toBeLessThanOrEqual(
          l1ErrorBound + 1e-13 / (1 - damping),
        );
      }),
      400,
    );
  });

  test('of equal weights is no preference', () => {
    assertProperty(
      fc.property(smallGraphs, (graph) => {
        const { ranks } = pageRank(graph, { tolerance: 1e-12, preference: new Float64Array(graph.pages).fill(7) });
        expect(l1Distance(ranks, pageRank(graph, { tolerance: 1e-12 }).ranks)).toBeLessThanOrEqual(2e-12);
      }),
      100,
    );
  });

  test('of one page leaves what it does not reach without rank', () => {
    const graph = graphByRule('two chains', 600, (page) => (page % 300 === 299 ? [] : [page + 1, page]));
    const preference = new Float64Array(600);
    preference[10] = 3;
    const { ranks } = pageRank(graph, { preference });
    expect(upTo(600).filter((page) => ranks[page] > 0)).toEqual(upTo(600).filter((page) => page >= 10 && page < 300));
  });

  test('is verified: the verifier finds ranks of another one', () => {
    const graph = graphOf('lopsided', 4, [[0, 1], [1, 2], [2, 0], [3, 2]]);
    const { ranks } = pageRank(graph, { preference: Float64Array.of(1, 1, 1, 2) });
    expect(pageRankResidual(graph, ranks, 0.85, Float64Array.of(2, 2, 2, 4))).toBeLessThanOrEqual(1e-9);
    expect(pageRankResidual(graph, ranks, 0.85)).toBeGreaterThan(0.01);
    expect(pageRankResidual(graph, ranks, 0.85, Float64Array.of(1, 1, 2, 1))).toBeGreaterThan(0.01);
  });
});

describe('a start', () => {
  test('does not change what is promised, whatever it is', () => {
    assertProperty(
      fc.property(preferred, dampings, tolerances, ({ graph, weights: start }, damping, tolerance) => {
        for (const rank of [pageRank, plainPageRank]) {
          const { ranks, l1ErrorBound } = rank(graph, { damping, tolerance, start });
          expect(l1ErrorBound).toBeLessThanOrEqual(tolerance);
          expect(pageRankResidual(graph, ranks, damping)).toBeLessThanOrEqual(l1ErrorBound + 2 ** -50 / (1 - damping));
        }
      }),
      300,
    );
  });

  test('near the ranks saves sweeps', () => {
    const graph = docsWeb;
    const rough = pageRank(graph, { tolerance: 1e-4 });
    const cold = pageRank(graph, { tolerance: 1e-8 });
    const warm = pageRank(graph, { tolerance: 1e-8, start: rough.ranks });
    expect(warm.iterations).toBeLessThanOrEqual(cold.iterations - 5);
    expect(pageRankResidual(graph, warm.ranks, 0.85)).toBeLessThanOrEqual(1e-8);
    expect(pageRank(graph, { tolerance: 1e-8, start: cold.ranks }).iterations).toBeLessThanOrEqual(2);
    // Of the sum that ranks have, and of another.
    expect(
      pageRank(graph, { tolerance: 1e-8, start: cold.ranks.map((rank) => 1e6 * rank) }).iterations,
    ).toBeLessThanOrEqual(2);
    // After a small change of the damping.
    const { iterations } = pageRank(graph, { damping: 0.86, tolerance: 1e-8 });
    expect(pageRank(graph, { damping: 0.86, tolerance: 1e-8, start: cold.ranks }).iterations).toBeLessThan(iterations);
  });
});

describe.each(['preference', 'start'] as const)('%s', (what) => {
  const graph = graphByRule('ring', 3, (page) => [(page + 1) % 3]);

  test.each<[string, Float64Array, string]>([
    ['too short', Float64Array.of(1, 2), `${what} has 2 numbers: ring has 3 pages, and each needs one`],
    ['a negative one', Float64Array.of(1, -2, 3), `${what} of page 1 is -2: it must be a number, 0 or more`],
    ['not a number', Float64Array.of(1, 2, NaN), `${what} of page 2 is NaN: it must be a number, 0 or more`],
    ['infinite', Float64Array.of(Infinity, 2, 1), `${what} of page 0 is Infinity: it must be a number, 0 or more`],
    ['nothing but zeros', new Float64Array(3), `${what} sums to 0: it must lie between 1e-280 and 1e280`],
    ['an infinite sum', new Float64Array(3).fill(1e308), `${what} sums to`],
  ])('is refused: %s', (_, numbers, message) => {
    for (const rank of [pageRank, plainPageRank]) {
      expect(() => rank(graph, { [what]: numbers })).toThrow(InputError);
      expect(() => rank(graph, { [what]: numbers })).toThrow(message);
    }
  });
});

test('a solver gives the very bits of pageRank, whatever was solved before and beside it', () => {
  const draws = new DrawStream(3, 'solver');
  const graphs = [40, 300, 700].map((pages) =>
    graphByRule(`random ${pages}`, pages, (page) =>
      Array.from({ length: page % 5 }, (_, link) => Math.floor(pages * draws.uniform(page, link) ** 2)),
    ),
  );
  const solvers = graphs.map((graph) => new PageRankSolver(graph));
  const weights = (pages: number): Float64Array =>
    Float64Array.from({ length: pages }, (_, page) => draws.uniform(page, 99));
  const asked: ((graph: WebGraph) => SolveOptions)[] = [
    () => ({}), () => ({ damping: 0.5 }), ({ pages }) => ({ preference: weights(pages) }), () => ({ tolerance: 1e-12 }),
    ({ pages }) => ({ start: weights(pages), damping: 0.99 }), () => ({}),
  ];
  for (const options of asked) {
    graphs.forEach((graph, i) => expect(solvers[i].solve(options(graph))).toEqual(pageRank(graph, options(graph))));
  }
});
