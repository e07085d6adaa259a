import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLmdbStore } from '../../../src/core/live/store/lmdb-store.ts';
import { lmdbFault } from '../../../src/core/live/store/lmdb-check.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { noteOf } from './noting-process.ts';

const { folder } = temporaryFolder();

test('one crawl a folder, one process a crawl', async () => {
  const path = join(folder, 'one');
  expect(await inputErrorOf(openLmdbStore(path))).toBe(`${path}: contains no stored crawl`);
  const store = await openLmdbStore(path, {});
  expect(await inputErrorOf(openLmdbStore(path))).toContain('is being written by process');
  await store.close();
  expect(await inputErrorOf(openLmdbStore(path, {}))).toContain('already contains a crawl');
  await (await openLmdbStore(path)).close();
});

test('a file that is not a store, is truncated or altered is reported, and ends no process', async () => {
  const path = join(folder, 'damaged');
  const file = join(path, 'data.mdb');
  const store = await openLmdbStore(path, {});
  for (let k = 0; k < 300; k++) void store.note(noteOf(k));
  await store.checkpoint({ superstep: 0, barrierUs: 0, state: new Uint8Array(30_000) });
  await store.close();
  const whole = readFileSync(file);
  expect(lmdbFault(file)).toBeUndefined();
  const draws = new DrawStream(1, 'damage');
  const damages = isFullSweep ? 40 : 10;
  for (let i = 0; i < damages; i++) {
    const length = draws.uint32(i) % (whole.length - 4096);
    writeFileSync(file, whole.subarray(0, length));
    const says = length < 8192 ? 'contains no stored crawl' : 'data.mdb: is not a stored crawl, or was damaged';
    expect(await inputErrorOf(openLmdbStore(path)), `cut ${i}`).toContain(says);
  }
  for (const content of ['', 'text']) {
    writeFileSync(file, content);
    expect(await inputErrorOf(openLmdbStore(path))).toContain('contains no stored crawl');
  }
  writeFileSync(file, '\0'.repeat(100_000));
  expect(await inputErrorOf(openLmdbStore(path))).toContain('it does not begin like one');
  for (let i = 0; i < damages; i++) {
    const altered = Buffer.from(whole);
    altered[draws.uint32(i, 1) % altered.length] ^= 1 << (i % 8);
    writeFileSync(file, altered);
    // What is not looked at is not needed: all else is refused.
    try {
      const opened = await openLmdbStore(path);
      try {
        expect([[...opened.pages()].length, [...opened.visits()].length]).toEqual([opened.pageCount, 300]);
        expect([...opened.robots()]).toHaveLength(60);
      } finally {
        await opened.close();
      }
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
    }
  }
});

test('a folder that cannot be made is reported', async () => {
  const path = join(folder, 'file');
  mkdirSync(path);
  rmSync(path, { recursive: true });
  writeFileSync(path, '');
  await expect(openLmdbStore(join(path, 'below'), {})).rejects.toThrow(InputError);
});
