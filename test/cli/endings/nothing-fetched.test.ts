import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, expect, test } from 'vitest';
import type { RunJson } from '../../../src/core/measure/index.ts';
import { newFolder, printedBy } from '../command.ts';

// Goal: where nothing was fetched, or every order is worth the same, ratios of nothing are null in files and "none" to
// people: never 1.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });

const run = (...args: string[]): Promise<string> => printedBy(args, folder);

const row = (text: string, name: string): string | undefined =>
  text.split('\n').find((line) => line.trimStart().startsWith(name));
const refused = ['simulate', 'star', '--refused-share', '1', '--retries', '0'];

test('simulate, once and repeated, and compare', async () => {
  const text = await run(...refused, '--out', 'nothing');
  const names = ['normalised gain', 'balance of pages', 'crossing links', 'messages'];
  for (const name of names) expect(row(text, name), name).toMatch(/ none /);
  const { summary } = JSON.parse(readFileSync(join(folder, 'nothing', 'run.json'), 'utf8')) as RunJson;
  expect(summary).toMatchObject({
    pagesFetched: 0, quality: { normalisedGain: null },
    balance: { pages: null, pagesWholeRun: null, meanOfRatios: { pages: null } },
    communication: { pairsPerPage: null, bytesPerPage: null }, parallel: { overlap: null, coverage: 0, quality: null },
  });
  expect(row(await run('simulate', 'clique'), 'normalised gain')).toMatch(/ none .*all orders are equally good/);

  const repeated = await run(...refused, '--repeat', '2');
  expect(row(repeated, 'mean')).toMatch(/mean +0\.0000 +0\.0000 +none .* none +none$/);
  await run('simulate', 'star', '--out', 'some');
  const compared = await run('compare', 'some', 'nothing');
  expect(row(compared, 'normalised gain')).toMatch(/normalised gain +-?\d\.\d+ +none +-/);
  expect(compared).toMatch(/^ *balance of pages .* none +-/m);
});

test('tour', async () => {
  const text = await run('tour', 'clique');
  expect(row(text, 'opic ')).toMatch(/ none /);
  expect(text).toContain('no policy gains anything');
});

test('plan: nothing reaches the goal', async () => {
  const text = await run(
    'plan', 'star', '--goal', '50% of pages', '--within', '1h', '--machines', '2', '--robots', '2', '--vary',
    'processors,policy', '--refused-share', '1', '--retries', '0', '--cache', 'plans', '--threads', '1',
  );
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
  expect(text).toContain('No set-up that was tried reaches 50 % of the pages within 1:00:00');
});

test('study: empty in CSV, null in Parquet, and nothing fetched is best in nothing', async () => {
  const yaml = (policies: string, refused: string): string =>
    `graph: star\nexperiment: { retries: 0 }\naxes:\n  policy: ${policies}\n  network.refusedShare: ${refused}\n`;
  writeFileSync(join(folder, 'none.yaml'), yaml('[opic, random]', '[1]'));
  expect(await run('study', 'none.yaml', '--out', 'none')).not.toMatch(/NaN|Infinity|undefined/);
  writeFileSync(join(folder, 'study.yaml'), yaml('[opic]', '[0, 1]'));
  const text = await run('study', 'study.yaml', '--out', 'study');
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
  expect(text).not.toMatch(/1 gathers PageRank fastest/);
  const csv = readFileSync(join(folder, 'study', 'results.csv'), 'utf8');
  const [header, ...rows] = csv.trimEnd().split('\n').map((line) => line.split(','));
  const cells = (name: string): string[] => rows.map((cellsOf) => cellsOf[header.indexOf(name)]);
  expect(cells('pagesFetched')[1]).toBe('0');
  for (const name of ['quality.normalisedGain', 'balance.pages', 'communication.pairsPerPage']) {
    expect(cells(name)[0], name).toMatch(/\d/);
    expect(cells(name)[1], name).toBe('');
  }
  const file = readFileSync(join(folder, 'study', 'results.parquet'));
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
  const records = await parquetReadObjects({ file: bytes });
  expect(records.map((record): unknown => record['quality.normalisedGain'])).toEqual([expect.any(Number), null]);
});
