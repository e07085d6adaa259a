import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLmdbStore } from '../../../src/core/live/store/lmdb-store.ts';
import { sampled } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { noteOf } from './noting-process.ts';

// Goal: a disk that is full is an error like any other, which takes nothing of what was committed. Method: a process
// that may write no file beyond some size; lmdb is not asked to fail where that can be known before.

const { folder } = temporaryFolder();
const built = new URL('../../../dist/core/live/store/lmdb-store.js', import.meta.url).href;

/** Runs a module that has `open` and `noteOf`, where no file may grow beyond so many KiB. */
function limited(kib: number, path: string, module: string): SpawnSyncReturns<string> {
  const text = `
    import { spawnSync } from 'node:child_process';
    import { truncateSync } from 'node:fs';
    import { openLmdbStore } from '${built}';
    const path = process.argv[1];
    const noteOf = (k) => ({ firstPage: k, pages: [{ url: 'https://a.example/' + k, depth: 0, redirects: 0 }], visit: {
      page: k, kind: 'fetched', bytes: 1, waitUs: 0, finishedAtUs: k, links: new Uint32Array(200), digest: '', warc: undefined } });
    const limit = (bytes) => spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':unlimited']);
    ${module}`;
  return spawnSync(
    'bash',
    ['-c', `ulimit -S -f ${kib}; exec "$@"`, 'bash', process.execPath, '--input-type=module', '-e', text, path],
    { encoding: 'utf8' },
  );
}

const noteUntilFull = `
  let noted = 0;
  try {
    for (;; noted++) await store.note(noteOf(noted));
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
  await store.note(noteOf(noted + 1)).catch(() => console.log('and again'));
  await store.close();
  console.log(noted);`;

test.each(sampled([150, 300, 1000], 3))('a file may have %i KiB: the note fails, the store closes and goes on with room', async (kib) => {
  const path = join(folder, `full ${kib}`);
  const { status, stdout, stderr } = limited(
    kib,
    path,
    `const store = await openLmdbStore(path, {}); ${noteUntilFull}`,
  );
  expect([status, stderr]).toEqual([0, '']);
  const [error, again, noted] = stdout.split('\n');
  expect(error).toBe(`WorldError: ${join(path, 'data.mdb')}: could not be written: EFBIG: file too large, write`);
  expect(again).toBe('and again');
  expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
  const store = await openLmdbStore(path);
  expect(store.pageCount).toBe(Number(noted));
  expect([...store.visits()]).toHaveLength(Number(noted));
  await store.note({ firstPage: store.pageCount, pages: [{ url: 'https://b.example/', depth: 0, redirects: 0 }] });
  await store.close();
  expect(statSync(join(path, 'data.mdb')).size % 4096).toBe(0);
});

const mayLimit = spawnSync('prlimit', ['--version']).status === 0;
test.skipIf(!mayLimit)('where lmdb itself fails, for its room was taken away, it is reported and closed, and may be opened again', () => {
  const path = join(folder, 'lmdb fails');
  const { status, stdout } = limited(10_000, path, `
    const store = await openLmdbStore(path, {});
    truncateSync(path + '/data.mdb', 4 << 20);
    limit(150 << 10);
    ${noteUntilFull}
    limit('unlimited');
    const again = await openLmdbStore(path);
    await again.note(noteOf(noted));
    console.log(again.pageCount - noted);
    await again.close();`);
  const [error, again, noted, more] = stdout.split('\n');
  expect([status, again, more]).toEqual([0, 'and again', '1']);
  expect(error).toMatch(/^WorldError: .*data\.mdb: could not be written: (Input\/output error|File too large)/);
  expect(Number(noted)).toBeGreaterThan(10);
});

test.each([
  [0, '.lock'], [1, 'lock.mdb'], [40, 'data.mdb'],
])('a file may have %i KiB: no new store begins, for want of %s, and nothing is left', (kib, file) => {
  const path = join(folder, `none ${kib}`);
  const { status, stdout, stderr } = limited(
    kib,
    path,
    `await openLmdbStore(path, {}).catch((error) => console.log(error.name + ': ' + error.message));`,
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`WorldError: ${join(path, file)}: could not be written: EFBIG: file too large, write\n`);
  expect(() => statSync(path)).toThrow('ENOENT');
});

const onDisk = [
  '--map-root-user', '--mount', 'bash', '-ec',
  'mount -t tmpfs -o size=1m tmpfs "$1"; head -c $((1048576 - 4096 * $2)) /dev/zero > "$1/filler"; shift 2; exec "$@"',
  'bash',
];
const mayMount = spawnSync('unshare', [...onDisk, folder, '1', 'true']).status === 0;
test.skipIf(!mayMount)('wherever the disk is full as a store begins, the process reports it', () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const begin = `import { openLmdbStore } from '${built}';
    await openLmdbStore(process.argv[1], {}).catch((error) => console.log(error.name + ': ' + error.message));`;
  for (const freePages of sampled([1, 2, 3, 4, 5, 6, 12, 7], 3)) {
    const { status, signal, stdout } = spawnSync(
      'unshare',
      [...onDisk, disk, String(freePages), process.execPath, '--input-type=module', '-e', begin, join(disk, 'store')],
      { encoding: 'utf8' },
    );
    expect([freePages, status, signal]).toEqual([freePages, 0, null]);
    expect(stdout).toMatch(
      /^WorldError: .*\/store(\/\.lock|\/lock\.mdb|\/data\.mdb)?: could not be written: ENOSPC: no space left on device/,
    );
  }
});

test('a new crawl that finds no room takes nothing of the one that is there', async () => {
  const path = join(folder, 'there');
  const store = await openLmdbStore(path, {});
  await store.note(noteOf(0));
  await store.close();
  const { stdout } = limited(
    30,
    path,
    `await openLmdbStore(path, {}).catch((error) => console.log(error.name + ': ' + error.message));`,
  );
  expect(stdout).toContain('data.mdb: could not be written: EFBIG');
  const again = await openLmdbStore(path);
  expect(again.pageCount).toBe(noteOf(0).pages.length);
  await again.close();
});

test('what is left of a crawl that never committed gives way to a new one; resuming it is refused', async () => {
  const states: Record<string, Record<string, string>> = {
    'before the lock': {}, 'the lock empty': { '.lock': '' },
    'lmdb opening': { '.lock': '', 'data.mdb': '', 'lock.mdb': '' },
    'its head torn': { '.lock': '', 'data.mdb': '\0'.repeat(4096), 'lock.mdb': '\0'.repeat(8272) },
  };
  for (const [name, files] of Object.entries(states)) {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    await expect(openLmdbStore(path), name).rejects.toThrow(
      `${path}: contains no stored crawl: one ended there before its first commit; start it again (--out)`,
    );
    const store = await openLmdbStore(path, { name });
    await store.note(noteOf(0));
    await store.close();
    await expect(openLmdbStore(path, {})).rejects.toThrow(`${path}: already contains a crawl; continue it (--resume)`);
    const again = await openLmdbStore(path);
    expect([again.settings, again.pageCount]).toEqual([{ name }, noteOf(0).pages.length]);
    await again.close();
  }
  const foreign = join(folder, 'foreign');
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'notes.txt'), 'mine');
  await expect(openLmdbStore(foreign, {})).rejects.toThrow('contains other files');
  expect(readdirSync(foreign)).toEqual(['notes.txt']);
});
