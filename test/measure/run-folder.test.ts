import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import {
  everyRow, OutputFolder, readRunEvents, readRunJson, recordFiles, superstepColumns, type RunResult,
} from '../../src/core/measure/index.ts';
import { InputError } from '../../src/base/index.ts';
import { smallRun } from './records.ts';

let base = '';
beforeEach(() => (base = mkdtempSync(join(tmpdir(), 'orbweaver-folder-'))));
afterEach(() => rmSync(base, { recursive: true }));

test('appears whole on commit and not before', async () => {
  const folder = await OutputFolder.open(join(base, 'deep', 'run'), 'run.json');
  await folder.write('run.json', '{}');
  await folder.write('inner/bytes', Uint8Array.of(1, 2));
  expect(existsSync(folder.path)).toBe(false);
  await folder.commit();
  expect(readdirSync(join(base, 'deep'))).toEqual(['run']);
  expect(readFileSync(join(folder.path, 'run.json'), 'utf8')).toBe('{}');
  expect([...readFileSync(join(folder.path, 'inner', 'bytes'))]).toEqual([1, 2]);
});

test('leaves nothing when it is discarded', async () => {
  const folder = await OutputFolder.open(join(base, 'run'), 'run.json');
  await folder.write('run.json', '{}');
  await folder.discard();
  expect(readdirSync(base)).toEqual([]);
});

test('replaces an earlier run whole, and keeps it when discarded', async () => {
  const path = join(base, 'run');
  mkdirSync(path);
  for (const name of ['run.json', 'report.html']) writeFileSync(join(path, name), 'old');
  const discarded = await OutputFolder.open(path, 'run.json');
  await discarded.write('run.json', 'new');
  await discarded.discard();
  expect(readFileSync(join(path, 'run.json'), 'utf8')).toBe('old');
  const committed = await OutputFolder.open(path, 'run.json');
  await committed.write('run.json', 'new');
  await committed.commit();
  expect(readdirSync(path)).toEqual(['run.json']);
  expect(readFileSync(join(path, 'run.json'), 'utf8')).toBe('new');
  expect(readdirSync(base)).toEqual(['run']);
});

test('takes an empty folder, and refuses one with other files, a file, and a folder below a file', async () => {
  mkdirSync(join(base, 'empty'));
  const folder = await OutputFolder.open(join(base, 'empty'), 'run.json');
  await folder.commit();

  mkdirSync(join(base, 'full'));
  writeFileSync(join(base, 'full', 'thesis.txt'), 'mine');
  writeFileSync(join(base, 'file'), 'mine');
  for (const path of ['full', 'file', 'file/run']) {
    const refused = OutputFolder.open(join(base, path), 'run.json');
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow(join(base, path));
  }
  expect(readFileSync(join(base, 'full', 'thesis.txt'), 'utf8')).toBe('mine');
  expect(readdirSync(base).sort()).toEqual(['empty', 'file', 'full']);
});

test('files are little-endian, of the right lengths, and read back', async () => {
  const result = await simulate(await openGraph('star'), { processors: 2 });
  const files = recordFiles(result);
  expect([...files.keys()].sort()).toEqual(['failures.csv', 'order.u32', 'run.json', 'supersteps.csv', 'times.f64']);
  const [order, times] = ['order.u32', 'times.f64'].map((name) => Buffer.from(files.get(name) as Uint8Array));
  expect([order.length, times.length]).toEqual([4 * 9, 16 * 9]);
  result.events.order.forEach((page, i) => expect(order.readUInt32LE(4 * i)).toBe(page));
  result.events.times.forEach((us, i) => expect(times.readDoubleLE(8 * i)).toBe(us));
  expect(JSON.parse(files.get('run.json') as string)).toEqual(JSON.parse(JSON.stringify(result.run)));
  const lines = (files.get('supersteps.csv') as string).split('\n');
  expect(lines).toHaveLength(result.events.rows.length + 2);
  expect(lines[0]).toBe(superstepColumns.join(','));
  expect(lines[1]).toBe(superstepColumns.map((column) => result.events.rows[0][column]).join(','));
});

test('failures have their own file', async () => {
  const { run, curves } = await simulate(await openGraph('star'), {});
  const result: RunResult = { run, curves, events: smallRun() };
  expect(recordFiles(result).get('failures.csv')).toBe(
    'position,processor,page,kind,startedUs,finishedUs\n1,0,7,timeout,5,120\n',
  );
  expect([...(recordFiles(result).get('order.u32') as Uint8Array)]).toEqual([4, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0]);
});

test('a record of format 1, with all rows and no format, is read; one of a later format is refused', async () => {
  const { run, events, ...result } = await simulate(await openGraph('star'), { processors: 40 });
  expect(run.format).toBe(2);
  const all = [...everyRow(events, run.experiment)];
  expect(all.length).toBeGreaterThan(events.rows.length);
  const first = { ...run, format: undefined };
  const folderOf = (name: string, files: Map<string, string | Uint8Array>): string => {
    const path = join(base, name);
    mkdirSync(path);
    for (const [file, content] of files) writeFileSync(join(path, file), content);
    return path;
  };
  const older = folderOf('format-1', recordFiles({ ...result, run: first, events: { ...events, rows: all } }));
  const read = await readRunJson(older);
  expect(read.format).toBeUndefined();
  expect((await readRunEvents(older, read)).rows).toEqual(all);
  const now = folderOf('format-2', recordFiles({ ...result, run, events }));
  const { rows } = await readRunEvents(now, await readRunJson(now));
  expect(rows).toEqual(events.rows);
  expect([...everyRow({ rows }, run.experiment)]).toEqual(all);
  const later = folderOf('format-3', recordFiles({ ...result, run: { ...run, format: 3 }, events }));
  await expect(readRunJson(later)).rejects.toThrow(/run\.json: is of format 3; this version reads/);
});
