import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FetchedGraph, GrownGraph } from '../../src/core/statistics/index.ts';
import { tries } from '../sweep.ts';

// Goal: after every page, the grown graph is the links between the pages fetched, without loops and repetitions.

/** A web of links, and the order in which some of its pages are fetched. */
function crawls(): fc.Arbitrary<{ links: number[][]; order: number[] }> {
  return fc.integer({ min: 1, max: 12 }).chain((pages) => {
    const page = fc.integer({ min: 0, max: pages - 1 });
    return fc.record({
      links: fc.array(fc.array(page, { maxLength: 8 }), { minLength: pages, maxLength: pages }),
      order: fc.shuffledSubarray(Array.from({ length: pages }, (_, i) => i)),
    });
  });
}

test('holds the links between pages fetched, whenever they became known', () => {
  fc.assert(fc.property(crawls(), ({ links, order }) => {
    const graph = new GrownGraph();
    const entered: string[] = [];
    for (const [at, page] of order.entries()) {
      graph.addPage(page, Uint32Array.from(links[page]), (source, target) => { entered.push(`${source} ${target}`); });
      const fetched = order.slice(0, at + 1);
      const arcs = fetched.flatMap((source, number) => [...new Set(links[source])]
        .filter((target) => target !== source && fetched.includes(target))
        .map((target) => `${number} ${fetched.indexOf(target)}`));
      expect([...entered].sort()).toEqual([...arcs].sort());
      expect(graph.pages).toBe(fetched.length);
      expect(graph.arcs).toBe(arcs.length);
      expect(graph.danglingPages).toBe(fetched.filter((_, number) =>
        !arcs.some((arc) => arc.startsWith(`${number} `))).length);
      const { outOffsets, outTargets } = graph.rows();
      const rows = fetched.flatMap((_, number) =>
        [...outTargets.subarray(outOffsets[number], outOffsets[number + 1])].map((target) => `${number} ${target}`));
      expect(rows.sort()).toEqual([...arcs].sort());
    }
  }), { numRuns: tries(4000) });
});

test('counted instead of entered link by link, it is the same graph', () => {
  fc.assert(fc.property(crawls(), fc.boolean(), ({ links: named, order }, isStored) => {
    // A stored graph repeats no link of a page.
    const links = isStored ? named.map((row) => [...new Set(row)]) : named;
    const outOffsets = new Uint32Array(links.length + 1);
    for (const [page, row] of links.entries()) outOffsets[page + 1] = outOffsets[page] + row.length;
    const stored = isStored ? { outOffsets, outTargets: Uint32Array.from(links.flat()) } : undefined;
    const fetched = new FetchedGraph(stored);
    const entered = new GrownGraph();
    for (const [number, page] of order.entries()) {
      const row = Uint32Array.from(links[page]);
      fetched.addPage(page, isStored ? undefined : row);
      entered.addPage(page, row);
      expect([fetched.pages, fetched.arcs, fetched.danglingPages])
        .toEqual([number + 1, entered.arcs, entered.danglingPages]);
      expect(fetched.links).toBe(order.slice(0, number + 1).reduce((sum, one) => sum + new Set(links[one]).size, 0));
      expect(listsOf(fetched)).toEqual(listsOf(entered));
    }
  }), { numRuns: tries(2000) });
});

/** By page, its targets in ascending order. */
function listsOf(graph: FetchedGraph | GrownGraph): number[][] {
  const { outOffsets, outTargets } = graph.rows();
  return Array.from({ length: graph.pages }, (_, page) =>
    [...outTargets.subarray(outOffsets[page], outOffsets[page + 1])].sort((a, b) => a - b));
}

test('places of links that no longer wait are used again', () => {
  const graph = new GrownGraph();
  for (let page = 0; page < 300; page++) graph.addPage(page, Uint32Array.of(page + 1, page + 2, page));
  expect(graph.arcs).toBe(299 + 298);
  expect(graph.danglingPages).toBe(1);
});
