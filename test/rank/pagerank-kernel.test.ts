import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WebGraph } from '../../src/graph/index.ts';
import { pageRank, pageRankResidual, plainPageRank, type PageRankSteps } from '../../src/rank/index.ts';
import { PageRankKernel, singleThread } from '../../src/rank/pagerank/pagerank-kernel.ts';
import { extrapolationWeights } from '../../src/rank/pagerank/extrapolation.ts';
import { adversaries, assertProperty, graphByRule, graphOf, l1Distance, smallGraphs } from './graphs.ts';
import { docsWeb } from '../docs-web.ts';
import { sampled } from '../sweep.ts';

// pagerank.test.ts holds the kernel with all its steps; here each is left out, beside the plain version.

const onOff = [true, false];
const allSteps: PageRankSteps[] = onOff.flatMap((selfLoops) =>
  onOff.flatMap((danglingLast) =>
    onOff.flatMap((deltaCoded) =>
      onOff.map((extrapolation) => ({ selfLoops, danglingLast, deltaCoded, extrapolation })),
    ),
  ),
);

/** The bound holds against a converged vector and against the verifier, and the tolerance against the bound. */
function expectPromise(graph: WebGraph, damping: number, tolerance: number, steps: PageRankSteps): void {
  const { ranks, l1ErrorBound } = pageRank(graph, { damping, tolerance, steps });
  expect(l1ErrorBound).toBeLessThanOrEqual(tolerance);
  expect(pageRankResidual(graph, ranks, damping)).toBeLessThanOrEqual(l1ErrorBound);
  const converged = plainPageRank(graph, { damping, tolerance: 1e-14 / (1 - damping) });
  expect(l1Distance(ranks, converged.ranks)).toBeLessThanOrEqual(l1ErrorBound + converged.l1ErrorBound);
}

// The short sweep has each step with and without each other one.
describe.each(sampled(allSteps, 5))('with %j', (steps) => {
  test('the promise holds on random graphs', () => {
    assertProperty(
      fc.property(
        smallGraphs, fc.constantFrom(0, 0.5, 0.85, 0.99), fc.constantFrom(1, 1e-2, 1e-5, 1e-9, 1e-12),
        (graph, damping, tolerance) => expectPromise(graph, damping, tolerance, steps),
      ),
      150,
    );
  });

  test.each(adversaries())('the promise holds on $name', (graph) => {
    for (const damping of [0.85, 0.99]) {
      for (const tolerance of [1e-2, 1e-4, 1e-7, 1e-11]) expectPromise(graph, damping, tolerance, steps);
    }
  });

  test('equal input gives equal bits, whatever was ranked in between', () => {
    const [graph] = adversaries();
    const first = pageRank(graph, { steps });
    pageRank(graphOf('other', 3, [[0, 1], [2, 2]]), { steps });
    expect(pageRank(graph, { steps })).toEqual(first);
  });
});

test('each step saves sweeps, or nothing but time, on docs-web', () => {
  const graph = docsWeb;
  const sweeps = (steps: PageRankSteps): number => pageRank(graph, { tolerance: 1e-8, steps }).iterations;
  expect(sweeps({})).toBeLessThan(0.6 * sweeps({ extrapolation: false }));
  expect(sweeps({ danglingLast: false })).toBeGreaterThanOrEqual(sweeps({}));
  expect(pageRank(graph, { tolerance: 1e-8 }).ranks).toEqual(pageRank(graph, { tolerance: 1e-8 }).ranks);
});

test('lists are coded where they resemble each other, and the ranks are the same but for rounding', () => {
  const steps = { selfLoops: true, danglingLast: true };
  const isCoded = (graph: WebGraph, deltaCoded = true): boolean => 
    new PageRankKernel(graph, { ...steps, deltaCoded }, singleThread(graph, true)).code();
  const web = docsWeb;
  const templates = adversaries().find(({ name }) => name === 'templates on every page')!;
  const ring = graphByRule('ring', 400, (page) => [(page + 399) % 400]);
  expect([web, templates, ring].map((graph) => isCoded(graph))).toEqual([true, true, false]);
  expect(isCoded(web, false)).toBe(false);
  for (const graph of [web, templates]) {
    const [coded, plain] = onOff.map((deltaCoded) =>
      pageRank(graph, { tolerance: 1e-9, steps: { ...steps, deltaCoded } }),
    );
    expect(coded.iterations).toBe(plain.iterations);
    expect(l1Distance(coded.ranks, plain.ranks)).toBeLessThan(1e-13);
  }
});

test('a graph of one page linked to itself needs no second sweep only where self-loops are solved', () => {
  const graph = graphByRule('loops and links', 200, (page) => (page < 199 ? [page, page + 1] : [page]));
  const sweeps = (selfLoops: boolean): number =>
    pageRank(graph, { tolerance: 1e-10, steps: { selfLoops, extrapolation: false } }).iterations;
  expect(sweeps(true)).toBeLessThanOrEqual(2);
  expect(sweeps(false)).toBeGreaterThan(10);
});

// Goal: four parts of the error are removed exactly, whatever their factors.
// Method: x <- factor x + 1 in four coordinates, five differences; the limit is 1 / (1 - factor).
test('extrapolation from five differences is exact on a linear iteration in four dimensions', () => {
  const factors = [0.9, 0.5, -0.7, 0.2];
  const iterates = [[1, 2, 3, 4]];
  for (let i = 0; i < 5; i++) iterates.push(iterates[i].map((x, k) => factors[k] * x + 1));
  const differences = iterates.slice(1).map((next, i) => next.map((x, k) => x - iterates[i][k]));
  const gram = differences.flatMap((a) => differences.map((b) => a.reduce((sum, x, k) => sum + x * b[k], 0)));
  const weights = extrapolationWeights(gram, 5)!;
  for (const [k, factor] of factors.entries()) {
    const limit = iterates[5][k] - differences.reduce((sum, difference, i) => sum + weights[i] * difference[k], 0);
    expect(limit).toBeCloseTo(1 / (1 - factor), 5);
  }
});

test('there is no extrapolation from differences that are zero', () => {
  expect(extrapolationWeights(new Float64Array(25), 5)).toBeUndefined();
});
