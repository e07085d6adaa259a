import { expect } from 'vitest';
import { exactNeighbourhoods, strongComponents } from '../../src/graphs/graph/index.ts';
import type { Growing, GrowingComponents, GrowingDistances } from '../../src/graphs/graph/growing/index.ts';

/** What each algorithm promises, judged by searches that know nothing of it. */

export type Arc = readonly [source: number, target: number];

/** Pages and the arcs to add, loops and repetitions included. */
export interface ArcSequence {
  readonly pages: number;
  readonly arcs: readonly Arc[];
}

/** Lengths of the shortest paths from each page, by the dullest search; Infinity if there is none. */
export function lengthsOf(pages: number, arcs: readonly Arc[]): number[][] {
  const targets: number[][] = Array.from({ length: pages }, () => []);
  for (const [source, target] of arcs) targets[source].push(target);
  return targets.map((_, start) => {
    const lengths = new Array<number>(pages).fill(Infinity);
    lengths[start] = 0;
    const queue = [start];
    for (const page of queue) {
      for (const target of targets[page]) {
        if (lengths[target] < Infinity) continue;
        lengths[target] = lengths[page] + 1;
        queue.push(target);
      }
    }
    return lengths;
  });
}

/** Adds arcs, and calls `judge` after every one of them. */
export function grow(growing: Growing, arcs: readonly Arc[], judge: (arcs: readonly Arc[]) => void): void {
  for (const [at, [source, target]] of arcs.entries()) {
    growing.addArc(source, target);
    growing.update();
    judge(arcs.slice(0, at + 1));
  }
}

export function expectDistances({ pages, distances }: GrowingDistances, arcs: readonly Arc[]): void {
  const lengths = lengthsOf(pages, arcs);
  // Pairs at each distance. Plain loops: a sweep is at this comparison most of its time.
  const counts: number[] = [];
  let isRight = true;
  for (let source = 0; source < pages; source++) {
    const row = lengths[source];
    for (let target = 0; target < pages; target++) {
      const length = row[target];
      if (distances.between(source, target) !== length) isRight = false;
      if (length === Infinity) continue;
      while (counts.length <= length) counts.push(0);
      counts[length]++;
    }
  }
  if (!isRight) {
    expect(lengths.map((row, source) => row.map((_, target) => distances.between(source, target)))).toEqual(lengths);
  }
  expect(distances.longest).toBe(Math.max(0, counts.length - 1));
  let within = 0;
  expect([...distances.neighbourhoods()]).toEqual(counts.map((count) => (within += count)));
}

export function expectComponents(components: GrowingComponents, arcs: readonly Arc[]): void {
  const lengths = lengthsOf(components.pages, arcs);
  const lowest = lengths.map((row, page) => row.findIndex((length, other) =>
    length < Infinity && lengths[other][page] < Infinity));
  expect(lowest.map((_, page) => components.componentOf(page))).toEqual(lowest);
  expect(components.count).toBe(new Set(lowest).size);
}

/** For graphs too large for the searches above: breadth-first counts and Tarjan's components. */
export function expectLarge(
  distances: GrowingDistances | undefined, components: GrowingComponents | undefined, sequence: ArcSequence,
): void {
  const graph = graphOf(sequence);
  if (distances !== undefined)
    expect([...distances.distances.neighbourhoods()]).toEqual([...exactNeighbourhoods(graph)]);
  if (components === undefined) return;
  const { count, ofPage } = strongComponents(graph);
  expect(components.count).toBe(count);
  const lowest = new Map<number, number>();
  for (const [page, component] of ofPage.entries()) if (!lowest.has(component)) lowest.set(component, page);
  for (const [page, component] of ofPage.entries()) expect(components.componentOf(page)).toBe(lowest.get(component));
}

function graphOf({ pages, arcs }: ArcSequence): { pages: number; outOffsets: Uint32Array; outTargets: Uint32Array } {
  const rows: number[][] = Array.from({ length: pages }, () => []);
  for (const [source, target] of arcs) rows[source].push(target);
  const outOffsets = new Uint32Array(pages + 1);
  for (const [page, row] of rows.entries()) outOffsets[page + 1] = outOffsets[page] + row.length;
  return { pages, outOffsets, outTargets: Uint32Array.from(rows.flat()) };
}
