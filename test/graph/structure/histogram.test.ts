import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph, histogramOf, inDegrees, outDegrees, placesOfLargest } from '../../../src/graphs/graph/index.ts';
import { partsOf } from '../random-graphs.ts';

test('degrees and their histogram', () => {
  const graph = buildGraph(partsOf(4, [[0, 1], [0, 2], [0, 0], [3, 2]]));
  expect([...outDegrees(graph)]).toEqual([3, 0, 0, 1]);
  expect([...inDegrees(graph)]).toEqual([1, 1, 2, 0]);
  expect(histogramOf(outDegrees(graph))).toEqual({ values: Uint32Array.of(0, 1, 3), counts: Uint32Array.of(2, 1, 1) });
});

test('the largest numbers, ties by place', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 0, max: 12 }), (numbers, count) => {
    const expected = [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a] || a - b).slice(0, count);
    expect(placesOfLargest(Uint32Array.from(numbers), count)).toEqual(expected);
  }));
});
