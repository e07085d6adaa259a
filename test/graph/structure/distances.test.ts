import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildGraph, counterDeviation, distancesOf, exactNeighbourhoods, hyperBall, hyperBallBytes,
} from '../../../src/graphs/graph/index.ts';
import { correction, drawnRegister } from '../../../src/graphs/graph/structure/hyperball.ts';
import { DrawStream, WorldError } from '../../../src/base/index.ts';
import { arcLists, partsOf } from '../random-graphs.ts';
import { docsWeb } from '../../docs-web.ts';
import { tries } from '../../sweep.ts';

// Goal: distances are exact where they say so, and HyperBall's counters are those of the balls around each page.

/** Links of shortest ways, by Floyd's algorithm. */
function lengths(pages: number, arcs: readonly (readonly [number, number])[]): number[][] {
  const length = Array.from({ length: pages }, (_, a) =>
    Array.from({ length: pages }, (_, b) => (a === b ? 0 : Infinity)),
  );
  for (const [a, b] of arcs) length[a][b] = Math.min(length[a][b], 1);
  for (let via = 0; via < pages; via++) {
    for (let a = 0; a < pages; a++)
      for (let b = 0; b < pages; b++) length[a][b] = Math.min(length[a][b], length[a][via] + length[via][b]);
  }
  return length;
}

test('exact distances are Floyd\'s', () => {
  fc.assert(fc.property(arcLists(), ({ pages, arcs }) => {
    const all = lengths(pages, arcs).flat();
    const reached = all.filter((length) => length > 0 && length < Infinity);
    const exact = exactNeighbourhoods(buildGraph(partsOf(pages, arcs)));
    expect([...exact]).toEqual(
      Array.from({ length: Math.max(0, ...reached) + 1 }, (_, t) => all.filter((length) => length <= t).length),
    );
    const distances = distancesOf(pages, [exact]);
    expect(distances.reachablePairs).toEqual({ value: reached.length, standardError: 0 });
    if (reached.length === 0) {
      expect([distances.average, distances.effectiveDiameter, distances.harmonicMean]).toEqual([null, null, null]);
      return;
    }
    expect(distances.average!.value).toBeCloseTo(reached.reduce((sum, length) => sum + length, 0) / reached.length, 12);
    expect((pages * (pages - 1)) / distances.harmonicMean!.value).toBeCloseTo(
      reached.reduce((sum, length) => sum + 1 / length, 0), 9,
    );
    expect(distances.longest).toBe(Math.max(...reached));
    // The least whole number of links that 90 % of pairs lie within.
    const whole = Math.ceil(distances.effectiveDiameter!.value - 1e-9);
    const within = (t: number): number => reached.filter((length) => length <= t).length;
    expect(within(whole)).toBeGreaterThanOrEqual(0.9 * reached.length - 1e-9);
    expect(within(whole - 1)).toBeLessThanOrEqual(0.9 * reached.length + 1e-9);
  }), { numRuns: tries(200) });
});

test('closed forms: a clique and a ring', () => {
  const clique = distancesOf(5, [[5, 25]]);
  expect([clique.average!.value, clique.harmonicMean!.value, clique.longest]).toEqual([1, 1, 1]);
  expect(clique.effectiveDiameter!.value).toBeCloseTo(0.9, 12);
  const ring = buildGraph(
    partsOf(
      11, Array.from({ length: 11 }, (_, page): [number, number] => [page, (page + 1) % 11]),
    ),
  );
  const distances = distancesOf(11, [exactNeighbourhoods(ring)]);
  expect(distances.average!.value).toBeCloseTo(5.5, 12);
  expect(distances.effectiveDiameter!.value).toBeCloseTo(9, 12);
});

test('the jackknife of a plain mean is its standard error', () => {
  const last = [90, 100, 104, 118];
  const { reachablePairs } = distancesOf(20, last.map((value) => [10, value]));
  expect(reachablePairs.value).toBe(93);
  const variance = last.reduce((sum, value) => sum + (value - 103) ** 2, 0) / 3;
  expect(reachablePairs.standardError).toBeCloseTo(Math.sqrt(variance / 4), 12);
});

describe('HyperBall', () => {
  /** The same in the dullest way: a counter for the pages within t links, from their registers. */
  function model(
    pages: number, arcs: readonly (readonly [number, number])[], registersLog2: number, seed: number, run: number,
  ): number[] {
    const registers = 2 ** registersLog2;
    const stream = new DrawStream(seed, `hyperball, run ${run}`);
    const length = lengths(pages, arcs);
    const counter = (from: number, t: number): number[] => {
      const ranks = new Array<number>(registers).fill(0);
      length[from].forEach((far, page) => {
        const { register, rank } = drawnRegister(stream, page, registersLog2);
        if (far <= t) ranks[register] = Math.max(ranks[register], rank);
      });
      return ranks;
    };
    const estimate = (ranks: readonly number[]): number => {
      const raw = (correction(registersLog2) * registers ** 2) / ranks.reduce((sum, rank) => sum + 2 ** -rank, 0);
      const empty = ranks.filter((rank) => rank === 0).length;
      return empty > 0 && raw <= 2.5 * registers ? registers * Math.log(registers / empty) : raw;
    };
    const result: number[] = [];
    for (let t = 0, before = ''; ; t++) {
      const counters = Array.from({ length: pages }, (_, page) => counter(page, t));
      if (String(counters) === before) return result;
      before = String(counters);
      result.push(counters.reduce((sum, ranks) => sum + estimate(ranks), 0));
    }
  }

  test.each([4, 5, 7])('with 2^%d registers counts the balls around each page', (registersLog2) => {
    fc.assert(fc.property(arcLists(), fc.integer({ min: 0, max: 1e6 }), ({ pages, arcs }, seed) => {
      const runs = hyperBall(buildGraph(partsOf(pages, arcs)), { registersLog2, runs: 2, seed });
      for (const [run, neighbourhoods] of runs.entries()) {
        const expected = model(pages, arcs, registersLog2, seed, run);
        expect(neighbourhoods.length).toBe(expected.length);
        expected.forEach((value, t) => expect(neighbourhoods[t] / value).toBeCloseTo(1, 5));
      }
    }), { numRuns: tries(40) });
  });

  test('beyond small counts and one block of pages, too', () => {
    // Each page links to three others at random: balls grow to nearly all pages.
    const stream = new DrawStream(1, 'three links');
    const pages = 40_000;
    const sources = Uint32Array.from({ length: 3 * pages }, (_, i) => Math.floor(i / 3));
    const targets = Uint32Array.from(sources, (_, i) => stream.uint32(i) % pages);
    const [one] = hyperBall(buildGraph({ name: 'three links', pages, sources, targets }), {
      registersLog2: 6, runs: 1, seed: 3,
    });
    // The most a page can reach over t links is 1 + 3 + ... + 3^t; early balls hardly overlap.
    for (const [t, most] of [[1, 4], [2, 13], [3, 40]]) expect(Math.abs(one[t] / pages / most - 1)).toBeLessThan(0.05);
    // The share reached in the end solves 1 - s = e^-3s.
    expect(Math.abs(one[one.length - 1] / pages / (0.9405 * pages) - 1)).toBeLessThan(4 * counterDeviation(6));
  });

  test('is right within its stated error on real pages', () => {
    const graph = docsWeb;
    const runs = hyperBall(graph, { registersLog2: 6, runs: 6, seed: 7 });
    const { average, effectiveDiameter, reachablePairs, longest } = distancesOf(graph.pages, runs);
    // exactNeighbourhoods takes half a minute here: 149,406,754 pairs, 3.22227 links on average, 90 % within 3.88080,
    // the farthest 10.
    expect(Math.abs(average!.value - 3.22227)).toBeLessThan(4 * average!.standardError);
    expect(Math.abs(effectiveDiameter!.value - 3.8808)).toBeLessThan(4 * effectiveDiameter!.standardError);
    expect(Math.abs(reachablePairs.value - 149_406_754)).toBeLessThan(4 * reachablePairs.standardError);
    expect(longest).toBeLessThanOrEqual(10);
    expect(average!.standardError).toBeLessThan(0.1);
  });

  test('a graph without links, and one beyond the kernel\'s memory', () => {
    expect(hyperBall(buildGraph(partsOf(3, [])), { registersLog2: 4, runs: 1, seed: 0 })).toHaveLength(1);
    const huge = {
      name: 'huge', pages: 2 ** 26, arcs: 0, outOffsets: new Uint32Array(1), outTargets: new Uint32Array(0),
    };
    expect(hyperBallBytes(huge, 7)).toBeGreaterThan(2 ** 34);
    expect(() => hyperBall(huge, { registersLog2: 7, runs: 1, seed: 0 })).toThrow(WorldError);
  });
});
