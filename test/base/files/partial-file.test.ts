import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineName, writeAll, writeFiles } from '../../../src/base/files/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: files appear whole, and processes that share a folder, also those of other machines, do not meet in it.

const { folder } = temporaryFolder();
const path = join(folder, 'file');

test('what is half-written is named by machine, process and write', async () => {
  const seen: string[] = [];
  const write = (text: string): Promise<void> => writeFiles([path], async ([file]) => {
    await writeAll(file, Buffer.from(text));
    seen.push(...readdirSync(folder).filter((name) => name.endsWith('.partial')));
  });
  await write('one');
  await write('two');
  expect(new Set(seen).size).toBe(2);
  for (const name of seen) {
    const [machine, number] = [machineName(), process.pid].map(String);
    expect(name.startsWith(`file.${machine}-${number}-`), name).toBe(true);
    expect(name).toMatch(/-[0-9]+\.partial$/);
  }
  expect(readdirSync(folder)).toEqual(['file']);
  expect(readFileSync(path, 'utf8')).toBe('two');
});

test('a write that fails leaves what was there', async () => {
  const failure = new Error('half-way');
  await expect(writeFiles([path], async ([file]) => {
    await writeAll(file, Buffer.from('thr'));
    throw failure;
  })).rejects.toBe(failure);
  expect(readdirSync(folder)).toEqual(['file']);
  expect(readFileSync(path, 'utf8')).toBe('two');
});
