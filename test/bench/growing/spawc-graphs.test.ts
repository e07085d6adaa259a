import { describe, expect, test } from 'vitest';
import {
  densityOf, INFINITE, spawcGraph, spawcGraphNames, wholeComponents, wholeDistances, type ArcSequence,
} from '../../../src/questions/bench/index.ts';
import { distanceAlgorithms } from '../../../src/graphs/graph/growing/index.ts';

// Goal: the twelve graphs have SPAWC's counts, and the properties for which it chose them.

/** SPAWC, appendix C: vertices, edges, and the density in per cent as it rounds it. */
const table: Readonly<Record<string, readonly [pages: number, arcs: number, density: string]>> = {
  sc1: [8, 11, '19.64'], sc2: [8, 14, '25.00'], sc3: [4, 6, '50.00'],
  c100: [100, 9900, '100.00'], c200: [200, 39_800, '100.00'], c400: [400, 159_600, '100.00'],
  c800: [800, 639_200, '100.00'],
  a300: [300, 397, '0.44'], a900: [900, 1197, '0.15'], a1500: [1500, 1997, '0.09'],
  id: [256, 672, '1.03'], ga: [1557, 5016, '0.21'],
};

const pairsOf = ({ sources, targets }: ArcSequence): [number, number][] =>
  [...sources].map((source, i) => [source, targets[i]]);

describe('SPAWC\'s graphs', () => {
  test('have its counts; no arc is a loop or there twice', () => {
    expect([...spawcGraphNames].sort()).toEqual(Object.keys(table).sort());
    for (const name of spawcGraphNames) {
      const sequence = spawcGraph(name);
      const [pages, arcs, density] = table[name];
      expect([name, sequence.name, sequence.pages, sequence.sources.length, (100 * densityOf(sequence)).toFixed(2)])
        .toEqual([name, name, pages, arcs, density]);
      expect(sequence.isSynthetic, name).toBe(true);
      const codes = new Set(sequence.sources.map((source, i) => source * pages + sequence.targets[i]));
      expect(codes.size, name).toBe(arcs);
      expect(sequence.sources.every((source, i) => source !== sequence.targets[i]), name).toBe(true);
      expect([sequence.sources, sequence.targets].every((ends) => ends.every((page) => page < pages)), name).toBe(true);
    }
  });

  test('the sanity graphs have several components', () => {
    expect(['sc1', 'sc2', 'sc3'].map((name) => [...wholeComponents(spawcGraph(name))])).toEqual([
      [0, 0, 0, 3, 3, 5, 5, 7], [0, 0, 0, 0, 4, 4, 4, 7], [0, 0, 0, 3],
    ]);
  });

  test('the cubic sequence: the last shortcuts lower k^2 distances each, by one', () => {
    const sequence = spawcGraph('a300');
    const k = 100;
    const pairs = pairsOf(sequence);
    const pruned = distanceAlgorithms.find(({ name }) => name === 'pruned')!.make(300, 1);
    const first = pairs.length - (k - 1);
    for (const [at, [source, target]] of pairs.entries()) {
      pruned.addArc(source, target);
      if (at < first) continue;
      // x_1 -> x_i is there: from s, over x_1 and x_i, to x_k and t.
      const i = at - first + 2;
      expect([source, target]).toEqual([k, k + i - 1]);
      expect(pruned.distances.between(0, 299)).toBe(1 + 1 + (k - i) + 1);
    }
    const whole = wholeDistances(sequence);
    for (let s = 0; s < k; s++)
      for (let t = 2 * k; t < 3 * k; t++) expect(whole[s * 300 + t]).toBe(3);
  });

  test('roads are connected, go both ways, and cross nowhere on their grid', () => {
    for (const name of ['id', 'ga']) {
      const sequence = spawcGraph(name);
      expect(new Set(wholeComponents(sequence)).size).toBe(1);
      expect(wholeDistances(sequence)).not.toContain(INFINITE);
      const pairs = pairsOf(sequence);
      const width = Math.ceil(Math.sqrt(sequence.pages));
      for (let at = 0; at < pairs.length; at += 2) {
        const [[one, other], back] = pairs.slice(at, at + 2);
        expect(back).toEqual([other, one]);
        expect(other - one === width || (other - one === 1 && other % width > 0)).toBe(true);
      }
      expect(pairsOf(spawcGraph(name))).toEqual(pairs);
    }
  });

  test('another name is refused, with the nearest', () => {
    expect(() => spawcGraph('a3000')).toThrow(/graph a3000: must be one of sc1, .*; did you mean a300\?/);
  });
});
