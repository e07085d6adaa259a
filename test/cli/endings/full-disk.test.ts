import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fullDisks, type FullDisk } from '../../live-runs/full-disk.ts';
import { isFullSweep } from '../../sweep.ts';
import { finished, mainFile, newFolder, orbweaver, type Finished } from '../command.ts';
import { writeSmallWeb } from '../input/small-web.ts';

// Goal: a full disk ends a command with exit code 3 and one line, and leaves nothing half written; with room it does
// its work. `npm run live -- disks` does this at 20 moments, and on disks of 3 MB.

let folder: string;
beforeEach(() => { folder = newFolder(); });
afterEach(() => { rmSync(folder, { recursive: true }); });

test('at some moments of each command', async () => {
  const tried: FullDisk[] = [];
  const [moments, commands] = isFullSweep
    ? [2, ['crawl', 'crawl --no-warc', 'simulate', 'import', 'study', 'plan']]
    : [1, ['crawl', 'generate']];
  await fullDisks({ moments, pages: isFullSweep ? 200 : 50, commands }, (one) => { tried.push(one); });
  expect(tried.filter(({ problems }) => problems.length > 0)).toEqual([]);
  expect(tried).toHaveLength(moments * commands.length);
  for (const command of new Set(tried.map(({ command }) => command))) {
    expect(tried.filter((one) => one.command === command && one.code === 3).length, command).toBeGreaterThan(0);
  }
}, 240_000);

/** Runs the command with `shell` around it, and modules loaded before it. */
function within(shell: string, args: readonly string[], ...modules: readonly string[]): Promise<Finished> {
  const imports = modules.flatMap((module) => ['--import', `data:text/javascript,${encodeURIComponent(module)}`]);
  return finished(
    spawn('bash', ['-c', shell, 'bash', process.execPath, ...imports, mainFile, ...args], {
      cwd: folder, stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

describe('beside its files', () => {
  test.skipIf(process.platform !== 'linux')('what a command prints goes to a disk too', async () => {
    const { code, stderr } = await within('exec "$@" > /dev/full', ['info', 'star']);
    expect([code, stderr]).toEqual([
      3, 'standard output: could not be written: ENOSPC: no space left on device, write\n',
    ]);
  });

  test('a folder that cannot be made for want of room is no bad input, and leaves none of those above it', async () => {
    const full = `
      import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
      fs.mkdir = ((mkdir) => (path) => String(path).endsWith('.partial') ? full() : mkdir(path))(fs.mkdir);
      const full = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
      syncBuiltinESMExports();`;
    const { code, stderr } = await within('exec "$@"', ['simulate', 'star', '--out', 'a/b/run'], full);
    expect([code, stderr]).toEqual([3, 'a/b/run: the output folder cannot be made: ENOSPC: no space left on device\n']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('what a killed process left behind under the same id is in nobody\'s way', async () => {
    const leaves = `
      import { writeFileSync } from 'node:fs';
      writeFileSync('star.owg.' + process.pid + '.partial', '');`;
    expect(await within('exec "$@"', ['import', 'star', '--out', 'star.owg'], leaves)).toMatchObject({ code: 0 });
  });

  test('an earlier run stays where a new one finds no room', async () => {
    expect(await orbweaver(['simulate', 'star', '--out', 'run'], folder)).toMatchObject({ code: 0 });
    const before = readdirSync(join(folder, 'run'));
    const { code, stderr } = await within('ulimit -f 1; exec "$@"', ['simulate', 'star', '--out', 'run']);
    expect([code, stderr.split('\n').length]).toEqual([3, 2]);
    expect(stderr).toMatch(/run\.partial\/.*: could not be written: EFBIG: file too large, write; nothing is saved in /);
    expect([readdirSync(folder), readdirSync(join(folder, 'run'))]).toEqual([['run'], before]);
  });
});

test('a run that finds no room leaves its record up to there, which compare reads and the next run replaces', async () => {
  writeSmallWeb(join(folder, 'web'));
  expect(await orbweaver(['simulate', 'web', '--max-pages', '300', '--out', 'other'], folder))
    .toMatchObject({ code: 0 });
  const { code, stderr } = await within('ulimit -f 20; exec "$@"', ['simulate', 'web', '--out', 'run']);
  expect([code, stderr.split('\n').length]).toEqual([3, 2]);
  expect(stderr).toMatch(/times\.f64: could not be written: EFBIG: .*; what was recorded until then is in .*run\.partial: orbweaver compare reads it$/m);
  expect(readdirSync(folder)).toEqual(['other', 'run.partial', 'web']);
  const compared = await orbweaver(['compare', 'other', 'run.partial'], folder);
  expect(compared.code).toBe(0);
  expect(compared.stdout.replace(/\s+/g, ' ')).toMatch(/run\.partial \(incomplete: read up to superstep \d+\)/);
  expect(await orbweaver(['simulate', 'star', '--out', 'run'], folder)).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual(['other', 'run', 'web']);
}, 120_000);

test('a command that waits for what cannot come is an internal error, and says so', async () => {
  const waits = `
    import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
    fs.mkdir = () => new Promise(() => undefined);
    syncBuiltinESMExports();`;
  const { code, stderr } = await within('exec "$@"', ['simulate', 'star', '--out', 'run'], waits);
  expect(stderr).toContain('this is a bug in Orbweaver');
  expect(stderr).toContain('the command is waiting for something that cannot happen');
  expect(code).toBe(70);
});
