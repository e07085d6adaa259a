import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildGraph, checkGraph, graphFault, graphOfRows, hostsFromNames, reach, sharedUint32, StringTable, transpose,
  type WebGraph,
} from '../../src/graphs/graph/index.ts';
import { AssertionError } from '../../src/base/index.ts';
import { anyCharacter } from '../any-text.ts';
import { tries } from '../sweep.ts';
import { arcLists, partsOf } from './random-graphs.ts';

function linksOf(graph: WebGraph): number[][] {
  return Array.from({ length: graph.pages }, (_, page) => [
    ...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]),
  ]);
}

describe('buildGraph', () => {
  // Against the dullest model: a set a page, which keeps the order of first insertion.
  test('agrees with a set of links a page', () => {
    fc.assert(
      fc.property(arcLists(), ({ pages, arcs }) => {
        const model = Array.from({ length: pages }, () => new Set<number>());
        for (const [source, target] of arcs) model[source].add(target);
        // As it comes; by source, which spares the sorting; ascending, which takes one pass if none is repeated.
        const ascending = arcs.toSorted(([a, b], [c, d]) => a - c || b - d);
        const once = ascending.filter(([a, b], i) => i === 0 || `${a} ${b}` !== ascending[i - 1].join(' '));
        for (const listed of [arcs, arcs.toSorted(([a], [b]) => a - b), ascending, once]) {
          const graph = buildGraph(partsOf(pages, listed));
          const isAscending = listed === ascending || listed === once;
          expect(linksOf(graph)).toEqual(model.map((links) => (
            isAscending ? [...links].sort((a, b) => a - b) : [...links]
          )));
          expect(graph.arcs).toBe(model.reduce((sum, links) => sum + links.size, 0));
          checkGraph(graph);
        }
      }),
      { seed: 1, numRuns: tries(300) },
    );
  });

  test('takes shared targets as they are if the arcs ascend, and only then', () => {
    const targets = sharedUint32(4);
    targets.set([1, 2, 0, 1]);
    const ascending = { ...partsOf(3, [[0, 1], [0, 2], [2, 0], [2, 1]]), targets };
    expect(buildGraph(ascending).outTargets).toBe(targets);
    const repeated = buildGraph({ ...ascending, sources: Uint32Array.of(0, 0, 0, 0) });
    expect([...repeated.outTargets]).toEqual([1, 2, 0]);
    expect([...targets]).toEqual([1, 2, 0, 1]);
  });

  test('is what its own rows make', () => {
    const graph = buildGraph(partsOf(3, [[2, 0], [0, 1], [0, 2]]));
    expect(graphOfRows(graph)).toEqual(graph);
    expect(() => graphOfRows({ ...graph, outTargets: Uint32Array.of(1, 2) })).toThrow(AssertionError);
  });

  test('lays every array over shared memory', () => {
    const graph = buildGraph({
      ...partsOf(2, [[0, 1], [0, 1]]),
      hosts: hostsFromNames(['a.example', 'b.example']),
      paths: StringTable.from(['/', '/x']),
      bytes: Uint32Array.of(1, 2),
      sourceIds: Uint32Array.of(5, 9),
      seeds: Uint32Array.of(1),
    });
    const arrays = [
      graph.outOffsets, graph.outTargets, graph.hosts.ofPage, graph.hosts.names.offsets, graph.hosts.names.bytes,
      graph.paths?.offsets, graph.paths?.bytes, graph.bytes, graph.sourceIds, graph.seeds,
    ];
    for (const array of arrays) expect(array?.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(graph.arcs).toBe(1);
  });

  test('takes a graph without pages, and pages without arcs', () => {
    for (const pages of [0, 1, 3]) {
      const graph = buildGraph(partsOf(pages, []));
      checkGraph(graph);
      expect(graph.outOffsets.length).toBe(pages + 1);
    }
  });

  test.each([
    ['an id out of range', { ...partsOf(2, [[0, 2]]) }],
    ['arrays of two lengths', { ...partsOf(2, []), targets: Uint32Array.of(0) }],
    ['too few hosts', { ...partsOf(2, []), hosts: hostsFromNames(['a.example']) }],
    ['too few sizes', { ...partsOf(2, []), bytes: Uint32Array.of(1) }],
    ['a seed page out of range', { ...partsOf(2, []), seeds: Uint32Array.of(2) }],
  ])('asserts against %s', (_, parts) => {
    expect(() => buildGraph(parts)).toThrow(AssertionError);
  });
});

describe('checkGraph', () => {
  test('finds a target that is no page, or that stands twice, in rows of any order', () => {
    const target = fc.nat(6);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.array(target), fc.uniqueArray(target).map((row) => row.sort()),
          ),
          { minLength: 5, maxLength: 5 },
        ),
        (rows) => {
          const base = graphOfRows({ name: 'test', outOffsets: new Uint32Array(6), outTargets: new Uint32Array(0) });
          const outOffsets = Uint32Array.from({ length: 6 }, (_, page) => rows.slice(0, page).flat().length);
          const graph = { ...base, arcs: rows.flat().length, outOffsets, outTargets: Uint32Array.from(rows.flat()) };
          const isSound = rows.every((row) => row.every((page) => page < 5) && new Set(row).size === row.length);
          expect(graphFault(graph) === undefined).toBe(isSound);
          if (!isSound) expect(graphFault(graph)?.part).toBe('outTargets');
        },
      ),
      { seed: 11, numRuns: tries(300) },
    );
  });

  const good = buildGraph({ ...partsOf(3, [[0, 1], [0, 2], [2, 2]]), paths: StringTable.from(['/a', '/b', '/c']) });
  const paths = good.paths;
  test.each<[string, Partial<WebGraph>]>([
    ['outOffsets', { outOffsets: Uint32Array.of(0, 2, 1, 3) }],
    ['outOffsets', { outOffsets: Uint32Array.of(0, 2, 2) }],
    ['outOffsets', { outOffsets: Uint32Array.of(1, 2, 2, 3) }],
    ['outTargets', { outTargets: Uint32Array.of(1, 3, 2) }],
    ['outTargets', { outTargets: Uint32Array.of(1, 1, 2) }],
    ['hosts.ofPage', { hosts: { ...good.hosts, count: 1 } }],
    ['paths', { paths: paths && new StringTable(Float64Array.of(0, 2, NaN, 6), paths.bytes) }],
    ['bytes', { bytes: Uint32Array.of(1) }],
    ['sourceIds', { sourceIds: Uint32Array.of(1, 1, 2) }],
    ['sourceIds', { sourceIds: Uint32Array.of(5, 1, 5) }],
    ['sourceIds', { sourceIds: Uint32Array.of(5, 1) }],
    ['seeds', { seeds: Uint32Array.of(3) }],
  ])('finds a fault in %s', (part, change) => {
    expect(graphFault(good)).toBeUndefined();
    expect(graphFault({ ...good, ...change })?.part).toBe(part);
    expect(() => checkGraph({ ...good, ...change })).toThrow(AssertionError);
  });
});

test('the transpose of the transpose is the graph, each page\'s links sorted', () => {
  fc.assert(
    fc.property(arcLists(), ({ pages, arcs }) => {
      const graph = buildGraph(partsOf(pages, arcs));
      const once = transpose(graph);
      const twice = transpose({ pages, outOffsets: once.inOffsets, outTargets: once.inSources });
      expect(twice.inOffsets).toEqual(graph.outOffsets);
      expect(linksOf({ ...graph, outTargets: twice.inSources })).toEqual(
        linksOf(graph).map((links) => links.sort((a, b) => a - b)),
      );
    }),
    { seed: 2, numRuns: tries(200) },
  );
});

test('reach agrees with closing the set of reached pages under links', () => {
  fc.assert(
    fc.property(arcLists(), fc.integer({ min: 0, max: 8 }), ({ pages, arcs }, start) => {
      const graph = buildGraph(partsOf(pages, arcs));
      const seeds = [start % pages, start % pages, 0];
      const model = new Set(seeds);
      for (let round = 0; round < pages; round++) for (const [s, t] of arcs) if (model.has(s)) model.add(t);
      const { reachable, count, hosts } = reach(graph, seeds);
      expect(count).toBe(model.size);
      expect([...reachable].flatMap((bit, page) => (bit ? [page] : []))).toEqual([...model].sort((a, b) => a - b));
      expect(hosts).toBe(new Set([...model].map((page) => graph.hosts.ofPage[page])).size);
    }),
    { seed: 3, numRuns: tries(200) },
  );
});

test('StringTable gives back every string, marks and all', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter })), (strings) => {
      const table = StringTable.from(strings);
      expect(Array.from({ length: table.count }, (_, i) => table.at(i))).toEqual(strings);
    }),
    { seed: 4, numRuns: tries(100) },
  );
  expect(StringTable.from(['\uFEFFx']).at(0)).toBe('\uFEFFx');
});
