import { describe, expect, test } from 'vitest';
import { measureBalance } from '../../src/core/measure/index.ts';
import type { SuperstepRow } from '../../src/core/events/index.ts';
import { row } from './records.ts';

/** Rows whose every measured load is the number given, by superstep and processor. */
const rowsOf = (loads: number[][]): SuperstepRow[] =>
  loads.flatMap((superstep, s) =>
    superstep.map((load, processor) =>
      row({
        superstep: s, processor, pages: load, bytes: load, busyUs: load, extractComparisons: load,
        insertComparisons: load,
      }),
    ),
  );

describe.each([1, 2, 3, 8, 64])('on %i processors', (processors) => {
  test.each([1, 2, 10])('equal loads balance 1 and one busy processor 1/P: %i supersteps', (supersteps) => {
    const grid = (load: (processor: number) => number): SuperstepRow[] =>
      rowsOf(
        Array.from({ length: supersteps }, () => Array.from({ length: processors }, (_, processor) => load(processor))),
      );
    const even = measureBalance(grid(() => 7), processors);
    const single = measureBalance(grid((processor) => (processor === processors - 1 ? 7 : 0)), processors);
    const idle = measureBalance(grid(() => 0), processors);
    for (const load of ['pages', 'bytes', 'busy', 'extract', 'insert'] as const) {
      expect([even[load], even.meanOfRatios[load]]).toEqual([1, 1]);
      expect(single[load]).toBeCloseTo(1 / processors, 14);
      expect(single.meanOfRatios[load]).toBeCloseTo(1 / processors, 14);
      expect([idle[load], idle.meanOfRatios[load]]).toEqual([null, null]);
    }
    expect([even.pagesWholeRun, idle.pagesWholeRun]).toEqual([1, null]);
    expect(single.pagesWholeRun).toBeCloseTo(1 / processors, 14);
  });
});

test('mean(X)/mean(Y) and mean(X/Y) by hand; a superstep without work counts in neither', () => {
  // X: 3, 1, 0; Y: 4, 2, 0.
  const { pages, pagesWholeRun, meanOfRatios } = measureBalance(rowsOf([[4, 2], [0, 2], [0, 0]]), 2);
  expect(pages).toBeCloseTo(4 / 6, 14);
  expect(meanOfRatios.pages).toBeCloseTo((3 / 4 + 1 / 2) / 2, 14);
  expect(pagesWholeRun).toBe(1);
});

test('each figure has its own column', () => {
  const columns = {
    pages: 'pages', bytes: 'bytes', busy: 'busyUs', extract: 'extractComparisons', insert: 'insertComparisons',
  } as const;
  for (const [figure, column] of Object.entries(columns)) {
    const { pagesWholeRun, meanOfRatios, ...balance } = measureBalance(
      [row({ [column]: 5 }), row({ processor: 1 })], 2,
    );
    expect(pagesWholeRun).toBe(figure === 'pages' ? 0.5 : null);
    const only = Object.fromEntries(Object.keys(columns).map((name) => [name, name === figure ? 0.5 : null]));
    expect([balance, meanOfRatios]).toEqual([only, only]);
  }
});
