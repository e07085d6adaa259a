import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { finished, mainFile, namesBelow, newFolder } from './command.ts';
import { writeSmallWeb } from './input/small-web.ts';

// Goal: where the system has no room for the queues' files, the command says so and leaves nothing behind.
// Method: a shell that limits the process: the system then refuses a write as it does on a full disk.

const webs = newFolder();
const web = join(webs, 'web');
writeSmallWeb(web);
afterAll(() => { rmSync(webs, { recursive: true }); });

test.skipIf(process.platform === 'win32').each([
  [
    'no file may pass 4 KiB', 'ulimit -f 4', ['--processors', '1'], 3,
    /orbweaver-queues-\w+.\d: page \d+ cannot be written: EFBIG/,
  ],
  [
    // Of 100 processors, those that have one of the web's 40 hosts make their queues.
    'no more than 100 files', 'ulimit -n 100', ['--processors', '100', '--slices', '8'], 2,
    /cannot be made: each queue, or slice of one, has a file open/,
  ],
] as const)('%s', async (_, limit, flags, exitCode, says) => {
  const folder = newFolder();
  const simulate = [
    process.execPath, mainFile, 'simulate', web, '--queue', 'cbt', '--queue-memory-bytes', '6KiB', '--out', 'run',
    ...flags,
  ];
  const child = spawn('bash', ['-c', `${limit}; exec "$@"`, 'bash', ...simulate], {
    cwd: folder, env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await finished(child);
  expect(stderr).toMatch(says);
  expect(stdout).toBe('');
  expect(code).toBe(exitCode);
  // Of a run that found no room, its record up to there may stay; of queues, nothing.
  expect(namesBelow(folder).filter((name) => !name.startsWith('run.partial'))).toEqual([]);
  rmSync(folder, { recursive: true });
});
