import { expect, test } from 'vitest';
import { curvesCsv } from '../../src/views/report/index.ts';
import { madeRun } from './made-run.ts';

// Goal: curves.csv has each run's own figures, few enough to draw and none made up.

test.each([1, 3, 600, 5000])('%i pages: moments of the run itself, its first and its last among them', (pages) => {
  const result = madeRun({ pages });
  const { events, curves } = result;
  const [head, ...rows] = curvesCsv([{ label: 'a', result }]).trimEnd().split('\n');
  expect(head).toBe('run,pages,seconds,rank,sortedRank,uniformRank');
  expect(rows).toHaveLength(Math.min(600, pages));
  const numbers = rows.map((row) => row.split(',').slice(1).map(Number));
  expect([numbers[0][0], numbers.at(-1)![0]]).toEqual([1, pages]);
  for (const [page, seconds, rank, sorted, uniform] of numbers) {
    expect(seconds).toBeCloseTo(events.times[2 * page - 1] / 1e6, 2);
    expect(rank).toBeCloseTo(curves.horizonShare * curves.cumulativeRank[page - 1], 5);
    expect(sorted).toBeCloseTo(curves.horizonShare * curves.boundRank[page - 1], 5);
    expect(uniform).toBeCloseTo(Math.min(1, curves.horizonShare * curves.randomRankPerPage * page), 5);
  }
});

test('a run of nothing has no row; several runs are told apart by their labels', () => {
  const nothing = madeRun({ pages: 0, supersteps: 0 });
  expect(curvesCsv([{ label: 'a', result: nothing }]).trimEnd().split('\n')).toHaveLength(1);
  const [two, one] = [madeRun({ pages: 2 }), madeRun({ pages: 1 })];
  const [, ...rows] = curvesCsv([{ label: 'a, b', result: two }, { label: 'c', result: one }]).trimEnd().split('\n');
  expect(rows.map((row) => /^("[^"]*"|[^,]*)/.exec(row)![0])).toEqual(['"a, b"', '"a, b"', 'c']);
});
