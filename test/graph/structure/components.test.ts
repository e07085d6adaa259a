import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import {
  buildGraph, graphOfRows, bowTie, bowTieParts, strongComponents, weakComponents, type BowTiePart,
} from '../../../src/graphs/graph/index.ts';
import { arcLists, partsOf } from '../random-graphs.ts';
import { isFullSweep, tries } from '../../sweep.ts';

// Goal: the components and the bow-tie are what their definitions say, on any graph.

/** reaches[a][b]: by Warshall's algorithm. */
function reachability(pages: number, arcs: readonly (readonly [number, number])[]): boolean[][] {
  const reaches = Array.from({ length: pages }, (_, a) => Array.from({ length: pages }, (_, b) => a === b));
  for (const [a, b] of arcs) reaches[a][b] = true;
  for (let via = 0; via < pages; via++) {
    for (let a = 0; a < pages; a++)
      for (let b = 0; b < pages; b++) reaches[a][b] ||= reaches[a][via] && reaches[via][b];
  }
  return reaches;
}

test('strong and weak components are those of mutual reach and of joining links', () => {
  fc.assert(fc.property(arcLists(), ({ pages, arcs }) => {
    const graph = buildGraph(partsOf(pages, arcs));
    const strong = strongComponents(graph);
    const weak = weakComponents(graph);
    const reaches = reachability(pages, arcs);
    const joins = reachability(pages, [...arcs, ...arcs.map(([a, b]): [number, number] => [b, a])]);
    for (let a = 0; a < pages; a++) {
      for (let b = 0; b < pages; b++) {
        expect(strong.ofPage[a] === strong.ofPage[b]).toBe(reaches[a][b] && reaches[b][a]);
        expect(weak.ofPage[a] === weak.ofPage[b]).toBe(joins[a][b]);
        if (reaches[a][b]) expect(strong.ofPage[a]).toBeGreaterThanOrEqual(strong.ofPage[b]);
      }
    }
    for (const { count, ofPage, sizes, largest } of [strong, weak]) {
      expect(sizes.length).toBe(count);
      expect([...sizes]).toEqual(
        Array.from({ length: count }, (_, one) => ofPage.filter((other) => other === one).length),
      );
      expect(largest).toBe(sizes.indexOf(Math.max(...sizes)));
    }
  }), { numRuns: tries(300) });
});

test('the bow-tie is as defined', () => {
  fc.assert(fc.property(arcLists(), ({ pages, arcs }) => {
    const graph = buildGraph(partsOf(pages, arcs));
    const strong = strongComponents(graph);
    const tie = bowTie(graph, strong, weakComponents(graph));
    const reaches = reachability(pages, arcs);
    const joins = reachability(pages, [...arcs, ...arcs.map(([a, b]): [number, number] => [b, a])]);
    const core = strong.ofPage.indexOf(strong.largest);
    const all = Array.from({ length: pages }, (_, page) => page);
    const isIn = (page: number): boolean => reaches[page][core] && !reaches[core][page];
    const isOut = (page: number): boolean => reaches[core][page] && !reaches[page][core];
    const part = (page: number): BowTiePart => {
      if (reaches[page][core]) return reaches[core][page] ? 'core' : 'in';
      if (reaches[core][page]) return 'out';
      const fromIn = all.some((one) => isIn(one) && reaches[one][page]);
      const toOut = all.some((one) => isOut(one) && reaches[page][one]);
      return fromIn && toOut ? 'tubes' : joins[page][core] ? 'tendrils' : 'disconnected';
    };
    const parts = all.map(part);
    expect([...tie.ofPage].map((number) => bowTieParts[number])).toEqual(parts);
    for (const name of bowTieParts) expect(tie.pages[name]).toBe(parts.filter((one) => one === name).length);
  }), { numRuns: tries(300) });
});

test('every part of a bow-tie drawn by hand', () => {
  // 0 <-> 1 core, 2 in, 3 out, 2 -> 4 -> 3 tube, 2 -> 5 and 6 -> 3 and 7 -> 5 tendrils, 8 alone.
  const graph = buildGraph(partsOf(9, [[0, 1], [1, 0], [2, 0], [1, 3], [2, 4], [4, 3], [2, 5], [6, 3], [7, 5]]));
  const { pages } = bowTie(graph, strongComponents(graph), weakComponents(graph));
  expect(pages).toEqual({ core: 2, in: 1, out: 1, tubes: 1, tendrils: 3, disconnected: 1 });
});

describe('long ways need no recursion', () => {
  const pages = isFullSweep ? 300_000 : 100_000;
  const rows = (arc: (page: number) => number, arcs: number) => graphOfRows({
    name: 'way',
    outOffsets: Uint32Array.from({ length: pages + 1 }, (_, page) => Math.min(page, arcs)),
    outTargets: Uint32Array.from({ length: arcs }, (_, page) => arc(page)),
  });
  test('a chain is all components, a ring is one', () => {
    const chain = rows((page) => page + 1, pages - 1);
    expect(strongComponents(chain)).toMatchObject({ count: pages, largest: 0 });
    expect(weakComponents(chain).count).toBe(1);
    const ring = rows((page) => (page + 1) % pages, pages);
    expect(strongComponents(ring).count).toBe(1);
    expect(bowTie(ring, strongComponents(ring), weakComponents(ring)).pages.core).toBe(pages);
  });
});

test('no pages, no components', () => {
  const none = buildGraph(partsOf(0, []));
  expect(strongComponents(none).count).toBe(0);
  const { pages } = bowTie(none, strongComponents(none), weakComponents(none));
  expect(pages).toEqual({ core: 0, in: 0, out: 0, tubes: 0, tendrils: 0, disconnected: 0 });
});

const folder = '../shared/datasets/cnr-2000';

test('cnr-2000 has the strong components that others found, page by page', async (context) => {
  if (!existsSync(`${folder}/cnr-2000.scc.gz`)) context.skip(`${folder} is absent`);
  const graph = await openGraph(`${folder}/cnr-2000.properties`);
  const theirs = (name: string): number[] => {
    const bytes = gunzipSync(readFileSync(`${folder}/cnr-2000.${name}.gz`));
    return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32BE(4 * i));
  };
  const { count, ofPage, sizes, largest } = strongComponents(graph);
  expect([count, sizes[largest]]).toEqual([100_977, 112_023]);
  expect([...sizes].sort((a, b) => b - a)).toEqual(theirs('sccsizes'));
  // As many pairs of numbers as components: each of theirs is our own.
  const pairs = new Set(theirs('scc').map((component, page) => component * graph.pages + ofPage[page]));
  expect(pairs.size).toBe(count);
});
