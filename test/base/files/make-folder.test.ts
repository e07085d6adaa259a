import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder } from '../../../src/base/files/index.ts';

let folder: string;
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-')); });
afterAll(() => { rmSync(folder, { recursive: true }); });

test('creates what is missing, and returns the first of it; what is there stays', async () => {
  const path = join(folder, 'a', 'b', 'c');
  expect(await makeFolder(path)).toBe(join(folder, 'a'));
  expect(statSync(path).isDirectory()).toBe(true);
  expect(await makeFolder(path)).toBeUndefined();
  expect(await makeFolder(join(folder, 'a', 'd'))).toBe(join(folder, 'a', 'd'));
});

test('two at once make one folder', async () => {
  await Promise.all([makeFolder(join(folder, 'x', 'y', 'z')), makeFolder(join(folder, 'x', 'y', 'z'))]);
  expect(statSync(join(folder, 'x', 'y', 'z')).isDirectory()).toBe(true);
});

test('a file in the way is an error of mkdir', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.skipIf(!existsSync('/proc/self'))(
  'a place that holds no folders is an error, and not a wait for ever',
  async () => {
    await expect(makeFolder('/proc/orbweaver/below')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
