import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkInDegree, inDegreeRank } from '../../src/graphs/rank/index.ts';
import { InputError } from '../../src/base/index.ts';
import { assertProperty, graphOf, smallGraphs } from './graphs.ts';

describe('in-degree', () => {
  test('is the share of all links, as its verifier finds too', () => {
    assertProperty(
      fc.property(smallGraphs, (graph) => {
        fc.pre(graph.arcs > 0);
        const { ranks, tiedPages } = inDegreeRank(graph);
        const targets = [...graph.outTargets];
        const degrees = [...ranks.keys()].map((page) => targets.filter((target) => target === page).length);
        expect([...ranks]).toEqual(degrees.map((degree) => degree / graph.arcs));
        expect(tiedPages).toBe(
          degrees.filter((degree, page) => degrees.some((other, i) => i !== page && other === degree)).length,
        );
        checkInDegree(graph, ranks);
      }),
      100,
    );
  });

  test('by hand, a link to itself being one like any other', () => {
    expect([...inDegreeRank(graphOf('by hand', 3, [[0, 1], [2, 1], [1, 1], [1, 0]])).ranks]).toEqual([0.25, 0.75, 0]);
  });

  test('its verifier sees one link too many, one too few, and one at another page', () => {
    const graph = graphOf('path', 4, [[0, 1], [1, 2], [2, 3], [0, 3]]);
    for (const wrong of [[0, 0.25, 0.25, 0.75], [0, 0.25, 0.25, 0.25], [0.25, 0.25, 0, 0.5]]) {
      expect(() => { checkInDegree(graph, Float64Array.from(wrong)); }).toThrow(/page \d has \d of 4 links/);
    }
  });

  test('needs links', () => {
    expect(() => inDegreeRank(graphOf('apart', 3, []))).toThrow(InputError);
  });
});
