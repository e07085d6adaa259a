import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { prepare } from '../../src/graphs/graph/index.ts';
import { defaultsCell, defaultsColumns, defaultsCsv, gatheredBy, grid } from './defaults.ts';

test('a cell compares the default with the best fixed values at each quarter', async () => {
  const cell = await defaultsCell(prepare(await openGraph('clique')), { policy: 'opic', processors: 2, robots: 1 });
  expect(cell).toMatchObject({ graph: 'clique', policy: 'opic', processors: 2, robots: 1 });
  // So few pages that no limit is ever reached.
  expect(cell.ratios).toEqual([1, 1, 1, 1]);
  const [header, row] = defaultsCsv([cell]).trimEnd().split('\n');
  expect(header).toBe(defaultsColumns.join(','));
  expect(row.split(',')).toHaveLength(defaultsColumns.length);
});

test('what was gathered by a time ends with the downloads that had ended by then', () => {
  const events = { order: Uint32Array.of(2, 0, 1), times: Float64Array.of(0, 1, 0, 2, 1, 3) };
  const ranks = Float64Array.of(0.5, 0.25, 0.125);
  expect([0, 1, 2, 3].map((us) => gatheredBy(events, ranks, us))).toEqual([0, 0.125, 0.625, 0.875]);
});

test('the figures in datasets/studies are of the whole grid, and as good as datasets/README.md says', () => {
  const file = new URL('../../datasets/studies/defaults.csv', import.meta.url);
  const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
  const column = (name: (typeof defaultsColumns)[number]): number => header.indexOf(name);
  const graphs = new Set(rows.map((row) => row[column('graph')]));
  expect(rows).toHaveLength(graphs.size * grid.length);
  const quarters = (['quarter1', 'quarter2', 'quarter3', 'quarter4'] as const).map(column);
  const least = rows.map((row) => Math.min(...quarters.map((at) => Number(row[at]))));
  expect(graphs.size).toBe(6);
  expect(least.filter((ratio) => ratio >= 0.95).length / least.length).toBeGreaterThanOrEqual(0.95);
  expect(least.filter((ratio) => ratio < 0.85)).toEqual([0.8455]);
});
