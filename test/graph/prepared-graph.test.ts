import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph, computedOnce, graphChecksum, prepare, reach } from '../../src/graphs/graph/index.ts';
import { partsOf } from './random-graphs.ts';

// Goal: a prepared graph computes once what it is asked twice, and never gives an answer to another question.

const graph = buildGraph(partsOf(6, [[0, 1], [1, 2], [3, 4], [4, 5]]));

test('an answer is that for the last input, whatever was asked before, and computed when the input changes', () => {
  const sum = computedOnce('sum', ({ graph: { pages } }, a: number, b: number) => pages + a + b);
  const difference = computedOnce('difference', ({ graph: { pages } }, a: number, b: number) => pages + a - b);
  const input = fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(1, 2));
  fc.assert(fc.property(fc.array(input), (inputs) => {
    const prepared = prepare(graph);
    let changes = 0;
    inputs.forEach(([a, b], i) => {
      expect(sum(prepared, a, b)).toBe(6 + a + b);
      expect(difference(prepared, a, b)).toBe(6 + a - b);
      if (i === 0 || inputs[i - 1][0] !== a || inputs[i - 1][1] !== b) changes++;
    });
    const counts = changes === 0 ? [] : [['sum', changes], ['difference', changes]];
    expect([...prepared.computations]).toEqual(counts);
  }), { seed: 1 });
});

test('what a computation asks of others is held as well', () => {
  const half = computedOnce('half', ({ graph: { pages } }) => pages / 2);
  const quarter = computedOnce('quarter', (prepared) => half(prepared) / 2);
  const prepared = prepare(graph);
  expect([quarter(prepared), half(prepared), quarter(prepared)]).toEqual([1.5, 3, 1.5]);
  expect([...prepared.computations]).toEqual([['half', 1], ['quarter', 1]]);
});

test('nothing is held of a plain graph, nor of a computation that threw', () => {
  let calls = 0;
  const failing = computedOnce('failing', () => {
    if (++calls < 3) throw new Error('not yet');
    return calls;
  });
  const prepared = prepare(graph);
  expect(() => failing(prepared)).toThrow('not yet');
  expect(() => failing(prepared)).toThrow('not yet');
  expect([failing(prepared), failing(prepared), failing(graph), failing(graph)]).toEqual([3, 3, 4, 5]);
});

test('seed pages are the same by their numbers; a prepared graph is not prepared again', () => {
  const prepared = prepare(graph);
  expect(prepare(prepared)).toBe(prepared);
  const first = reach(prepared, [0]);
  expect(first.count).toBe(3);
  expect(reach(prepared, Uint32Array.of(0))).toBe(first);
  expect(reach(prepared, [3]).count).toBe(3);
  expect(reach(prepared, [0, 3]).count).toBe(6);
  expect(prepared.computations.get('reach')).toBe(3);
  expect(graphChecksum(prepared)).toBe(graphChecksum(graph));
});
