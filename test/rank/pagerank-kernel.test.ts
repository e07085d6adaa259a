import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kronecker, type WebGraph } from '../../src/graphs/graph/index.ts';
import {
  pageRank, pageRankResidual, threadedPageRank, type PageRankSteps,
} from '../../src/graphs/rank/index.ts';
import { mutualLinks } from '../../src/graphs/rank/pagerank/mutual-links.ts';
import { PageRankKernel } from '../../src/graphs/rank/pagerank/pagerank-kernel.ts';
import { singleThread } from '../../src/graphs/rank/pagerank/pagerank-memory.ts';
import { extrapolation } from '../../src/graphs/rank/pagerank/extrapolation.ts';
import { kernelSteps } from '../../src/graphs/rank/pagerank/pagerank.ts';
import { adversaries, assertProperty, graphByRule, graphOf, l1Distance, smallGraphs } from './graphs.ts';
import { docsWeb } from '../docs-web.ts';
import { sampled } from '../sweep.ts';
import { plainPageRank } from './plain-pagerank.ts';

// pagerank.test.ts holds the kernel with all its steps; here each is left out, beside the plain version.

const onOff = [true, false];
const names = ['selfLoops', 'mutualLinks', 'danglingLast', 'deltaCoded', 'restless', 'extrapolation'] as const;
const allSteps: PageRankSteps[] = Array.from({ length: 2 ** names.length }, (_, bits) =>
  Object.fromEntries(names.map((name, i) => [name, (bits >> i) % 2 === 0])),
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
describe.each(sampled(allSteps, 7))('with %j', (steps) => {
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
  // Which blocks are swept again depends on their cost.
  const steps = { selfLoops: true, mutualLinks: true, danglingLast: true, restless: false };
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

test('mutual links are those between pages of at most two links', () => {
  assertProperty(
    fc.property(smallGraphs, (graph) => {
      const linksOf = (page: number): number[] =>
        [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])];
      const few = Array.from({ length: graph.pages }, (_, page) => page).filter((page) => linksOf(page).length <= 2);
      const pairs = few.flatMap((page) =>
        linksOf(page).filter((lower) => lower < page && few.includes(lower) && linksOf(lower).includes(page))
          .map((lower) => [page, lower]),
      );
      expect([...mutualLinks(graph)]).toEqual(pairs.flat());
    }),
    300,
  );
});

test('mutual links take fewer sweeps where they are solved', () => {
  // At the end of a random graph, rings of 2 to 7 pages that rank does not leave, ten to sixty of each.
  const rings = graphByRule('rings in a random graph', 20_000, (page) => {
    const nth = page - 18_000;
    const size = 2 + (Math.floor(nth / 60) % 6);
    const first = page - ((nth % 60) % size);
    return nth >= 0
      ? [first + ((page - first + 1) % size)]
      : [1, 2, 3].map((k) => (page * 7919 + k * 104_729 + page ** 2 * 31) % 20_000);
  });
  const sweeps = (mutualLinks: boolean): number =>
    pageRank(rings, { tolerance: 1e-8, steps: { mutualLinks } }).iterations;
  expect(sweeps(true)).toBeLessThan(sweeps(false));
});

test('a sweep takes the blocks again that hold most of the change, if they are few', () => {
  // Of 80 blocks of random links, eight are rings of 4 to 32 pages with chords, which take long.
  const graph = graphByRule('rings in a random graph', 80 * 256, (page) => {
    const size = 4 << Math.floor(page / 512);
    const first = page - (page % size);
    return page < 2048
      ? [first + ((page + 1) % size), first + ((page * 3 + 2) % size)]
      : [1, 2, 3].map((k) => (page * 7919 + k * 104_729 + page ** 2 * 31) % (80 * 256));
  });
  const sweeps = (restless: boolean): number =>
    pageRank(graph, { tolerance: 1e-8, steps: { restless } }).iterations;
  expect(sweeps(true)).toBeLessThan(sweeps(false));
});

test('on two threads, the promise holds where the pages of pairs are far apart', async () => {
  const far = graphByRule('pairs across the graph', 2000, (page) => [
    1999 - page, ...(page % 10 === 0 ? [page] : []),
  ]);
  for (const threads of [1, 2, 3]) {
    const { ranks, l1ErrorBound } = await threadedPageRank(far, threads, { tolerance: 1e-10 });
    expect(pageRankResidual(far, ranks, 0.85)).toBeLessThanOrEqual(l1ErrorBound);
  }
});

// On Kronecker graphs almost all of the error is one part, of which each further difference removes nine tenths.
test('a cycle takes a sixth sweep where the fifth helped much, unless enough is left out already', () => {
  const source = kronecker({ scale: 12, degree: 16, seed: 1 });
  const links = Array.from(source.rows(), (row) => [...row]);
  const graph = graphByRule('kronecker', source.pages, (page) => links[page]);
  const extrapolated = (enough: number): number => {
    const kernel = new PageRankKernel(graph, kernelSteps({}), singleThread(graph, true));
    kernel.begin(0.85);
    kernel.sweep(false);
    for (let sweeps = 1; ; sweeps++) {
      kernel.sweep(true);
      if (kernel.isCycleComplete && kernel.extrapolate(enough)) return sweeps;
    }
  };
  expect([1, 0].map(extrapolated)).toEqual([5, 6]);
});

// Goal: four parts of the error are removed exactly, whatever their factors.
// Method: x <- factor x + 1 in four coordinates, five differences; the limit is 1 / (1 - factor).
test('extrapolation from five differences is exact on a linear iteration in four dimensions', () => {
  const factors = [0.9, 0.5, -0.7, 0.2];
  const iterates = [[1, 2, 3, 4]];
  for (let i = 0; i < 5; i++) iterates.push(iterates[i].map((x, k) => factors[k] * x + 1));
  const differences = iterates.slice(1).map((next, i) => next.map((x, k) => x - iterates[i][k]));
  const gram = differences.flatMap((a) => differences.map((b) => a.reduce((sum, x, k) => sum + x * b[k], 0)));
  const { weights, left } = extrapolation(gram, 5)!;
  expect(left).toBeLessThan(1e-4);
  for (const [k, factor] of factors.entries()) {
    const limit = iterates[5][k] - differences.reduce((sum, difference, i) => sum + weights[i] * difference[k], 0);
    expect(limit).toBeCloseTo(1 / (1 - factor), 5);
  }
});

test('there is no extrapolation from differences that are zero', () => {
  expect(extrapolation(new Float64Array(25), 5)).toBeUndefined();
});
