import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import { pagerank as graphologyPagerank } from 'graphology-metrics/centrality/index.js';
import { describe, expect, test } from 'vitest';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { pageRank, pageRankResidual } from '../../src/graphs/rank/index.ts';
import { InputError } from '../../src/base/index.ts';
import { isFullSweep, sampled } from '../sweep.ts';
import { assertProperty, graphByRule, graphOf, l1Distance, normalised, smallGraphs, solveDense } from './graphs.ts';

const dampings = [0, 0.5, 0.85, 0.99];
const sizes = [2, 3, 7, 50, isFullSweep ? 1000 : 300];
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

interface Closed {
  readonly name: string;
  readonly graph: (pages: number) => WebGraph;
  /** Ranks up to a common factor, in closed form; see each. */
  readonly weights: (pages: number, damping: number) => number[];
}

// Weights below solve y = d P^T y + 1 (dangling rank lost, teleport 1), which normalises to PageRank.
const closedForms: Closed[] = [
  {
    name: 'clique',
    graph: (n) => graphByRule('clique', n, (page) => upTo(n).filter((target) => target !== page)),
    weights: (n) => upTo(n).map(() => 1),
  },
  {
    name: 'clique with self-loops',
    graph: (n) => graphByRule('clique with self-loops', n, () => upTo(n)),
    weights: (n) => upTo(n).map(() => 1),
  },
  {
    name: 'cycle',
    graph: (n) => graphByRule('cycle', n, (page) => [(page + 1) % n]),
    weights: (n) => upTo(n).map(() => 1),
  },
  {
    name: 'self-loops only',
    graph: (n) => graphByRule('self-loops only', n, (page) => [page]),
    weights: (n) => upTo(n).map(() => 1),
  },
  {
    name: 'all dangling',
    graph: (n) => graphOf('all dangling', n, []),
    weights: (n) => upTo(n).map(() => 1),
  },
  {
    // Every leaf has 1, the hub 1 + d (n - 1).
    name: 'leaves to a dangling hub',
    graph: (n) => graphByRule('leaves to hub', n, (page) => (page === 0 ? [] : [0])),
    weights: (n, d) => upTo(n).map((page) => (page === 0 ? 1 + d * (n - 1) : 1)),
  },
  {
    // The hub has 1, a leaf 1 + d / (n - 1).
    name: 'hub to dangling leaves',
    graph: (n) => graphByRule('hub to leaves', n, (page) => (page === 0 ? upTo(n).slice(1) : [])),
    weights: (n, d) => upTo(n).map((page) => (page === 0 ? 1 : 1 + d / (n - 1))),
  },
  {
    // H = 1 + d (n - 1) L and L = 1 + d H / (n - 1), so H = (1 + d (n - 1)) / (1 - d^2).
    name: 'star both ways',
    graph: (n) => graphByRule('star both ways', n, (page) => (page === 0 ? upTo(n).slice(1) : [0])),
    weights: (n, d) => {
      const hub = (1 + d * (n - 1)) / (1 - d * d);
      return upTo(n).map((page) => (page === 0 ? hub : 1 + (d * hub) / (n - 1)));
    },
  },
  {
    // y[0] = 1, y[i] = 1 + d y[i-1]: the geometric sum (1 - d^(i+1)) / (1 - d).
    name: 'chain with a dangling end',
    graph: (n) => graphByRule('chain', n, (page) => (page + 1 < n ? [page + 1] : [])),
    weights: (n, d) => upTo(n).map((page) => (1 - d ** (page + 1)) / (1 - d)),
  },
  {
    // The same against the order of the sweep, where a sweep carries rank one page further only.
    name: 'chain that descends',
    graph: (n) => graphByRule('chain that descends', n, (page) => (page > 0 ? [page - 1] : [])),
    weights: (n, d) => upTo(n).map((page) => (1 - d ** (n - page)) / (1 - d)),
  },
  {
    // y[0] = 1 + d y[0] / 2, so 1 / (1 - d / 2); page 1 gets d y[0] / 2 besides its 1; the others have 1.
    name: 'a self-loop beside a link',
    graph: (n) => graphByRule('loop and link', n, (page) => (page === 0 ? [0, 1] : [])),
    weights: (n, d) => upTo(n).map((page) => [1 / (1 - d / 2), 1 + d / (2 - d)][page] ?? 1),
  },
];

describe.each(closedForms)('$name', ({ graph, weights }) => {
  test.each(sizes)('of %i pages has its closed form at every damping', (pages) => {
    const built = graph(pages);
    for (const damping of dampings) {
      const { ranks, l1ErrorBound } = pageRank(built, { damping, tolerance: 1e-12 });
      expect(l1ErrorBound).toBeLessThanOrEqual(1e-12);
      expect(pageRankResidual(built, ranks, damping)).toBeLessThanOrEqual(l1ErrorBound);
      // 1e-14 for the rounding of the closed form itself, which the chain's 1 - d^i loses at d near 1.
      expect(l1Distance(ranks, normalised(weights(pages, damping)))).toBeLessThanOrEqual(l1ErrorBound + 1e-14);
    }
  });
});

test.each(dampings)('a single page has all rank at damping %d, with and without a link to itself', (damping) => {
  expect([...pageRank(graphOf('alone', 1, []), { damping }).ranks]).toEqual([1]);
  expect([...pageRank(graphOf('alone with loop', 1, [[0, 0]]), { damping }).ranks]).toEqual([1]);
});

// Compensated steps after the sweeps would hide a wrong sweep behind right ranks; the count of sweeps shows it.
test.each(dampings)(
  'self-loops and links to later pages cost one sweep, and another to see it, at damping %d',
  (damping) => {
    const graph = graphByRule('chain with loops', 200, (page) =>
      [page, page + 1, page + 7].filter((target) => target < 200),
    );
    expect(pageRank(graph, { damping, tolerance: 1e-10 }).iterations).toBeLessThanOrEqual(2);
  },
);

/** PageRank by its definition, dangling pages' links to all pages written out: (1 - G) x = teleport. */
function densePageRank(graph: WebGraph, damping: number): number[] {
  const n = graph.pages;
  const matrix = upTo(n).map((row) => upTo(n).map((column): number => (row === column ? 1 : 0)));
  for (let page = 0; page < n; page++) {
    const links = graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]);
    const targets = links.length === 0 ? upTo(n) : [...links];
    for (const target of targets) matrix[target][page] -= damping / targets.length;
  }
  return solveDense(matrix, upTo(n).map(() => (1 - damping) / n));
}

// Goal: the bound is a bound, and within the tolerance, on graphs nobody chose.
// Method: the verifier (push, other code) measures the residual, and Gaussian elimination gives the true ranks. Loose
// tolerances too, where the true error is large enough to show a bound that is too small.
describe('on random graphs', () => {
  const settings = fc.record({
    graph: smallGraphs,
    damping: fc.oneof(fc.constantFrom(...dampings), fc.double({ min: 0, max: 0.99, noNaN: true })),
    tolerance: fc.constantFrom(1, 1e-2, 1e-5, 1e-9, 1e-12),
  });

  test('the true error is within the bound, and the bound within the tolerance', () => {
    assertProperty(
      fc.property(settings, ({ graph, damping, tolerance }) => {
        const { ranks, l1ErrorBound } = pageRank(graph, { damping, tolerance });
        expect(l1ErrorBound).toBeLessThanOrEqual(tolerance);
        expect(pageRankResidual(graph, ranks, damping)).toBeLessThanOrEqual(l1ErrorBound);
        const eliminationRounding = 1e-14 / (1 - damping);
        expect(l1Distance(ranks, densePageRank(graph, damping))).toBeLessThanOrEqual(
          l1ErrorBound + eliminationRounding,
        );
      }),
      1000,
    );
  });

  // graphology-metrics spreads dangling rank evenly over all pages and counts self-loops, as we do (read in its source,
  // and this test would fail otherwise). It stops at an L1 change of pages x tolerance, in plain power iteration.
  test('graphology-metrics agrees', () => {
    assertProperty(
      fc.property(smallGraphs, fc.constantFrom(0, 0.5, 0.85), (graph, damping) => {
        const other = new DirectedGraph();
        for (let page = 0; page < graph.pages; page++) other.addNode(page);
        for (let page = 0; page < graph.pages; page++) {
          for (let arc = graph.outOffsets[page]; arc < graph.outOffsets[page + 1]; arc++) {
            other.addDirectedEdge(page, graph.outTargets[arc]);
          }
        }
        const options = { alpha: damping, tolerance: 1e-13 / graph.pages, maxIterations: 1000, getEdgeWeight: null };
        const theirs = graphologyPagerank(other, options);
        const { ranks } = pageRank(graph, { damping, tolerance: 1e-12 });
        expect(l1Distance(ranks, upTo(graph.pages).map((page) => theirs[page]))).toBeLessThanOrEqual(3e-12);
      }),
      300,
    );
  });

  test('equal input gives equal bits', () => {
    assertProperty(
      fc.property(smallGraphs, (graph) => {
        expect(pageRank(graph).ranks).toEqual(pageRank(graph).ranks);
      }),
      100,
    );
  });
});

describe('options', () => {
  const cycle = graphByRule('cycle', 5, (page) => [(page + 1) % 5]);

  test.each([-0.1, 1, 1.5, NaN, Infinity])('damping %d is refused', (damping) => {
    expect(() => pageRank(cycle, { damping })).toThrow(InputError);
    expect(() => pageRank(cycle, { damping })).toThrow(`damping is ${damping}: it must be at least 0 and less than 1`);
  });

  test.each([0, 9e-15, 1.1, -1, NaN])('tolerance %d is refused', (tolerance) => {
    expect(() => pageRank(cycle, { tolerance })).toThrow(InputError);
    expect(() => pageRank(cycle, { tolerance })).toThrow(`tolerance is ${tolerance}: it must lie between 1e-14 and 1`);
  });

  test('a graph without pages is refused', () => {
    expect(() => pageRank(graphOf('nothing', 0, []))).toThrow('nothing has no pages');
  });

  test('onSweep sees every sweep once, with changes that fall to the tolerance', () => {
    const chain = graphByRule('chain', 20, (page) => (page > 0 ? [page - 1] : []));
    const changes: number[] = [];
    const { iterations } = pageRank(chain, {
      onSweep: (sweeps, change) => {
        changes.push(change);
        expect(sweeps).toBe(changes.length);
      },
    });
    expect(changes).toHaveLength(iterations);
    expect(changes.at(-1)).toBeLessThan(1e-9);
  });

  // A hub with thousands of equal shares, whose plain sum rounds the same way every time.
  const star = graphByRule('star', 3000, (page) => (page === 0 ? upTo(3000).slice(1) : [0, 1 + (page % 2999)]));

  test.each([0.5, 0.85, 0.99, 0.999])(
    'the last digits can be had at damping %d, where plain sums lose them',
    (damping) => {
      const tolerance = Math.max(1e-14, 2 ** -49 / (1 - damping));
      const { ranks, l1ErrorBound } = pageRank(star, { damping, tolerance });
      expect(l1ErrorBound).toBeLessThanOrEqual(tolerance);
      expect(pageRankResidual(star, ranks, damping)).toBeLessThanOrEqual(l1ErrorBound);
    },
  );

  test.each(sampled([0.99, 0.999], 2))(
    'a tolerance below rounding is refused, and the one named can be had (damping %d)',
    (damping) => {
      for (const ofLeast of [0.5, 0.99, 1.0001]) {
        let message = '';
        try {
          pageRank(star, { damping, tolerance: (ofLeast * 2 ** -50) / (1 - damping) });
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          message = (error as InputError).message;
        }
        // Just above the least, an iteration may happen to end at the solution itself.
        if (ofLeast > 1 && message === '') continue;
        const named = Number(/ask for (\S+) or more/.exec(message)?.[1]);
        expect(named).toBeLessThan(2 ** -48 / (1 - damping));
        expect(pageRank(star, { damping, tolerance: named }).l1ErrorBound).toBeLessThanOrEqual(named);
      }
    },
  );

  test('a damping at which nothing can be certified is refused at once', () => {
    expect(() => pageRank(cycle, { damping: 1 - 2 ** -53, tolerance: 1 })).toThrow(
      'no tolerance can be had at this damping',
    );
  });
});

// Goal: `--verify` sees damage that a person would not. Each damages correct ranks in one way.
describe('the verifier', () => {
  const graph = graphOf('lopsided', 6, [[0, 1], [0, 2], [1, 2], [2, 0], [3, 2], [3, 3], [4, 5]]);
  const { ranks } = pageRank(graph, { tolerance: 1e-12 });
  const damaged = (damage: (copy: Float64Array) => void): Float64Array => {
    const copy = ranks.slice();
    damage(copy);
    return copy;
  };

  test('passes what is right', () => {
    expect(pageRankResidual(graph, ranks, 0.85)).toBeLessThanOrEqual(1e-12);
  });

  test('finds two ranks swapped', () => {
    const swapped = damaged((copy) => {
      [copy[0], copy[1]] = [copy[1], copy[0]];
    });
    expect(pageRankResidual(graph, swapped, 0.85)).toBeGreaterThan(0.1);
  });

  test('finds ranks of another damping, and of the graph without its self-loop', () => {
    expect(pageRankResidual(graph, ranks, 0.84)).toBeGreaterThan(1e-3);
    const without = graphOf('without', 6, [[0, 1], [0, 2], [1, 2], [2, 0], [3, 2], [4, 5]]);
    expect(pageRankResidual(without, ranks, 0.85)).toBeGreaterThan(1e-2);
  });

  test('is no less than the true distance', () => {
    const moved = damaged((copy) => {
      copy[2] += 1e-6;
      copy[4] -= 1e-6;
    });
    expect(pageRankResidual(graph, moved, 0.85)).toBeGreaterThanOrEqual(2e-6 - 1e-12);
  });

  test.each<[string, Float64Array, string]>([
    [
      'a scaled vector', damaged((copy) => copy.forEach((rank, i) => (copy[i] = rank * 1.001))),
      'the ranks sum to 1.00',
    ],
    ['a NaN', damaged((copy) => (copy[3] = NaN)), 'the rank of page 3 is NaN'],
    ['an infinity', damaged((copy) => (copy[3] = Infinity)), 'the rank of page 3 is Infinity'],
    ['a negative rank', damaged((copy) => (copy[5] = -copy[5])), 'the rank of page 5 is -0.'],
    ['a rank too few', ranks.slice(1), '5 ranks for 6 pages'],
  ])('throws on %s', (_, wrong, message) => {
    expect(() => pageRankResidual(graph, wrong, 0.85)).toThrow(message);
  });
});
