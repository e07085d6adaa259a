import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { opicRank, opicResidual } from '../../src/graphs/rank/index.ts';
import { opicPass } from '../../src/graphs/rank/opic.ts';
import { InputError } from '../../src/base/index.ts';
import { assertProperty, graphByRule, graphOf, l1Distance, smallGraphs, solveDense } from './graphs.ts';
import { opicDistance } from './opic-distance.ts';

/**
 * Stationary vector of the paper's chain with its virtual page (the last), divided by its sum over the real pages:
 * x (P - 1) = 0, one equation replaced by sum = 1.
 */
function denseLimit(graph: WebGraph): number[] {
  const n = graph.pages;
  const matrix = Array.from({ length: n + 1 }, (_, row) =>
    Array.from({ length: n + 1 }, (__, column): number => (row === column ? -1 : 0)),
  );
  for (let page = 0; page < n; page++) {
    const links = graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]);
    for (const target of [...links, n]) matrix[target][page] += 1 / (links.length + 1);
    matrix[page][n] += 1 / n;
  }
  matrix[n].fill(1);
  const stationary = solveDense(matrix, [...new Array<number>(n).fill(0), 1]);
  const real = 1 - stationary[n];
  return stationary.slice(0, n).map((rank) => rank / real);
}

describe('OPIC', () => {
  // The distance is at most (greatest degree + 1) times the residual, and the residual at most 2 / passes: both proved
  // at the head of the files.
  test('comes as near to the stationary vector of its chain as it says', () => {
    assertProperty(
      fc.property(smallGraphs, (graph) => {
        const { ranks, iterations, l1ErrorBound } = opicRank(graph, { tolerance: 1e-6 });
        const limit = denseLimit(graph);
        const residual = opicResidual(graph, ranks);
        const degrees = Array.from(
          { length: graph.pages }, (_, page) => graph.outOffsets[page + 1] - graph.outOffsets[page],
        );
        const greatestDegree = Math.max(...degrees);
        expect(l1ErrorBound).toBeNull();
        expect(residual).toBeLessThanOrEqual(2 / iterations + 1e-12);
        expect(l1Distance(ranks, limit)).toBeLessThanOrEqual(((greatestDegree + 1) * 2) / iterations);
        expect(opicDistance(graph, ranks, 1e-9)).toBeCloseTo(l1Distance(ranks, limit), 8);
      }),
      300,
    );
  });

  test('errs in proportion to 1 / passes', () => {
    const graph = graphByRule('wheel', 40, (page) => (page === 0 ? [1, 2, 3] : [0, 1 + (page % 39)]));
    const coarse = opicRank(graph, { tolerance: 1e-4 });
    const fine = opicRank(graph, { tolerance: 1e-8 });
    const ratio = opicDistance(graph, coarse.ranks, 1e-10) / opicDistance(graph, fine.ranks, 1e-10);
    const passRatio = fine.iterations / coarse.iterations;
    expect(passRatio).toBeGreaterThan(50);
    expect(ratio / passRatio).toBeGreaterThan(0.5);
    expect(ratio / passRatio).toBeLessThan(2);
  });

  test('conserves cash over ten thousand passes, and what is recorded is what was moved', () => {
    assertProperty(
      fc.property(smallGraphs, (graph) => {
        const pages = graph.pages;
        const cash = new Float64Array(pages + 1).fill(1 / (pages + 1));
        const history = new Float64Array(pages + 1);
        const lost = new Float64Array(pages);
        for (let pass = 0; pass < 10_000; pass++) opicPass(graph.outOffsets, graph.outTargets, cash, lost, history);
        const inCirculation = cash.reduce((sum, amount) => sum + amount, 0);
        expect(Math.abs(inCirculation - 1)).toBeLessThanOrEqual(1e-12);
        // All cash is moved at least once a pass.
        expect(history.reduce((sum, amount) => sum + amount, 0)).toBeGreaterThanOrEqual(9_999.999);
      }),
      20,
    );
  });

  test('gives a cycle, a clique and pages without links even ranks', () => {
    const even = [
      graphByRule('cycle', 7, (page) => [(page + 1) % 7]),
      graphByRule('clique', 7, () => [0, 1, 2, 3, 4, 5, 6]),
      graphOf('no links', 7, []),
      graphOf('alone', 1, [[0, 0]]),
    ];
    for (const graph of even) {
      const { ranks } = opicRank(graph, { tolerance: 1e-8 });
      expect(l1Distance(ranks, new Array<number>(graph.pages).fill(1 / graph.pages))).toBeLessThan(1e-3);
      expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 14);
    }
  });

  test('refuses options out of range, a graph without pages, and too few passes for the tolerance', () => {
    const cycle = graphByRule('cycle', 5, (page) => [(page + 1) % 5]);
    expect(() => opicRank(cycle, { tolerance: 0 })).toThrow('tolerance is 0: for OPIC it must lie between 1e-12 and 1');
    expect(() => opicRank(cycle, { maxPasses: 0.5 })).toThrow('maxPasses is 0.5: it must be an integer of at least 1');
    expect(() => opicRank(graphOf('nothing', 0, []))).toThrow(InputError);
    expect(() => opicRank(cycle, { tolerance: 1e-12, maxPasses: 3 })).toThrow('after 3 passes over cycle');
  });
});

describe('the verifier of OPIC', () => {
  const graph = graphOf('lopsided', 6, [[0, 1], [0, 2], [1, 2], [2, 0], [3, 2], [3, 3], [4, 5]]);
  const { ranks, iterations } = opicRank(graph, { tolerance: 1e-8 });

  test('finds two ranks swapped', () => {
    const swapped = ranks.slice();
    [swapped[0], swapped[3]] = [swapped[3], swapped[0]];
    expect(opicResidual(graph, swapped)).toBeGreaterThan(2 / iterations);
    expect(opicDistance(graph, swapped)).toBeGreaterThan(0.1);
  });

  test('throws on a scaled vector, a NaN and a rank too few', () => {
    const scaled = ranks.map((rank) => rank * 1.001);
    expect(() => opicResidual(graph, scaled)).toThrow('the ranks sum to 1.00');
    expect(() => opicDistance(graph, ranks.with(2, NaN))).toThrow('the rank of page 2 is NaN');
    expect(() => opicResidual(graph, ranks.slice(1))).toThrow('5 ranks for 6 pages');
  });
});
