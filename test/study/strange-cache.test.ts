import { execFileSync } from 'node:child_process';
import {
  existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunCache } from '../../src/questions/study/run/run-cache.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { tries } from '../sweep.ts';

// Goal: whatever has the name of a run in a cache, or that of its folder, is neither waited for nor written through:
// what is no regular file is skipped, and the run is done again.

const { folder } = temporaryFolder();
const secret = join(folder, 'secret.txt');

/** Puts something in the place of a file. */
const strange: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => { execFileSync('mkfifo', [path]); },
  zeros: (path) => { symlinkSync('/dev/zero', path); },
  'another file': (path) => { symlinkSync(secret, path); },
  nowhere: (path) => { symlinkSync(join(folder, 'none'), path); },
  itself: (path) => { symlinkSync(path, path); },
  folder: (path) => { mkdirSync(path); },
  'a folder with files': (path) => { mkdirSync(join(path, 'more'), { recursive: true }); },
  'a terabyte': (path) => { writeFileSync(path, ''); truncateSync(path, 2 ** 40); },
  'an empty file': (path) => { writeFileSync(path, ''); },
};

const form = fc.record({
  key: fc.stringMatching(/^[0-9a-f]{64}$/), kind: fc.constantFrom(...Object.keys(strange)),
  /** Where it is: the file itself, its folder, or what a process that was killed would have left. */
  where: fc.constantFrom('run', 'folder', 'partial'), run: fc.jsonValue(),
});

test.runIf(process.platform === 'linux')('a cache with strange entries', { timeout: 60_000 }, async () => {
  await fc.assert(fc.asyncProperty(form, async ({ key, kind, where, run }) => {
    writeFileSync(secret, 'a secret');
    const place = join(folder, 'cache');
    try {
      const path = (await RunCache.open(place)).pathOf(key);
      const at = where === 'run' ? path : where === 'folder' ? dirname(path) : `${path}.elsewhere-1-1.partial`;
      mkdirSync(dirname(at), { recursive: true });
      strange[kind](at);
      const cache = await RunCache.open(place);
      const found = await cache.read(key, (value) => value);
      expect(found === undefined || found === 'damaged').toBe(true);
      const isFolder = kind.includes('folder');
      if (where === 'folder' && !isFolder) {
        expect(await inputErrorOf(cache.write(key, run))).toContain(`there is no folder ${dirname(path)}`);
      } else {
        await cache.write(key, run);
        // A folder of its name stays where it is.
        const isStored = where !== 'run' || !isFolder;
        const after = await cache.read(key, (value) => value);
        expect(after).toEqual(isStored ? JSON.parse(JSON.stringify(run)) as unknown : found);
      }
      expect([readFileSync(secret, 'utf8'), existsSync(join(folder, 'none'))]).toEqual(['a secret', false]);
      if (where !== 'folder' && statSync(dirname(path)).isDirectory())
        expect(readdirSync(dirname(path)).filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }), { numRuns: tries(1600) });
});
