import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { buildGraph, drawnPages, neighbourhoodsOf, sumSweep } from '../../../src/graphs/graph/index.ts';
import { lengthsOf } from '../../conformance/growing.ts';
import { tries } from '../../sweep.ts';
import { partsOf } from '../random-graphs.ts';

// Goal: shared searches find what single ones do, samples are fair, and the diameter is never outside its bounds.

/** Sparse enough for long paths, and with several components. */
function graphs(): fc.Arbitrary<{ pages: number; arcs: [number, number][] }> {
  return fc.integer({ min: 1, max: 60 }).chain((pages) => {
    const page = fc.integer({ min: 0, max: pages - 1 });
    const arc = fc.tuple(page, fc.integer({ min: -3, max: 3 }), page, fc.boolean()).map(
      ([from, step, other, isNear]): [number, number] => [from, isNear ? (from + step + pages * 3) % pages : other],
    );
    return fc.record({ pages: fc.constant(pages), arcs: fc.array(arc, { maxLength: 3 * pages }) });
  });
}

test('32 searches at a time reach what single searches reach, at the same distances', () => {
  fc.assert(fc.property(graphs(), ({ pages, arcs }) => {
    const lengths = lengthsOf(pages, arcs);
    const sources = Uint32Array.from({ length: pages }, (_, page) => page);
    const functions = neighbourhoodsOf(buildGraph(partsOf(pages, arcs)), sources);
    expect(functions.map((function_) => [...function_])).toEqual(lengths.map((row) => {
      const longest = Math.max(...row.filter((length) => length < Infinity));
      return Array.from({ length: longest + 1 }, (_, t) => row.filter((length) => length <= t).length);
    }));
  }), { numRuns: tries(800) });
});

test('the diameter is between its bounds after any number of searches, and exact without a limit', () => {
  fc.assert(fc.property(graphs(), fc.integer({ min: 1, max: 40 }), ({ pages, arcs }, maxSearches) => {
    const graph = buildGraph(partsOf(pages, arcs));
    const diameter = Math.max(...lengthsOf(pages, arcs).flat().filter((length) => length < Infinity));
    const { low, high } = sumSweep(graph, maxSearches);
    expect(low).toBeLessThanOrEqual(diameter);
    expect(high).toBeGreaterThanOrEqual(diameter);
    expect(sumSweep(graph)).toMatchObject({ low: diameter, high: diameter });
  }), { numRuns: tries(4000) });
});

test('the diameter of a graph without pages is 0', () => {
  expect(sumSweep(buildGraph(partsOf(0, [])))).toEqual({ low: 0, high: 0, searches: 0 });
});

test('samples have the size asked for, no page twice, and every page as often as any other', () => {
  const counts = new Float64Array(10);
  const samples = 4000;
  for (let seed = 0; seed < samples; seed++) {
    const drawn = drawnPages(10, 3, new DrawStream(seed, 'sample'));
    expect(new Set(drawn).size).toBe(3);
    for (const page of drawn) counts[page]++;
  }
  // 1,200 each, with a standard deviation of 29.
  for (const count of counts) expect(Math.abs(count - 0.3 * samples)).toBeLessThan(5 * 29);
  expect([...drawnPages(4, 9, new DrawStream(1, 'sample'))]).toEqual([0, 1, 2, 3]);
});
