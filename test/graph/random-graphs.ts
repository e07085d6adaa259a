import fc from 'fast-check';
import type { GraphParts } from '../../src/graphs/graph/index.ts';

/** Small graphs with many repeated arcs and self-loops. */
export function arcLists(): fc.Arbitrary<{ pages: number; arcs: [number, number][] }> {
  return fc.integer({ min: 1, max: 9 }).chain((pages) => {
    const page = fc.integer({ min: 0, max: pages - 1 });
    return fc.record({ pages: fc.constant(pages), arcs: fc.array(fc.tuple(page, page), { maxLength: 40 }) });
  });
}

export function partsOf(pages: number, arcs: readonly (readonly [number, number])[]): GraphParts {
  return {
    name: 'test',
    pages,
    sources: Uint32Array.from(arcs, ([source]) => source),
    targets: Uint32Array.from(arcs, ([, target]) => target),
  };
}
