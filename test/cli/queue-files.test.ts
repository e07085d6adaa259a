import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { finished, mainFile, namesBelow, newFolder } from './command.ts';

// Goal: where the disk has no room for the queues' files, the command says so, ends with exit code 3 and leaves nothing behind.
// Method: a shell that lets no file grow beyond 16 KiB; the system then refuses the write as it does on a full disk.

test.skipIf(process.platform === 'win32')('a file that cannot grow', async () => {
  const folder = newFolder();
  const simulate = `exec '${process.execPath}' '${mainFile}' simulate docs-web --queue cbt --queue-memory 6KiB --max-pages 3000 --out run`;
  const child = spawn('bash', ['-c', `ulimit -f 16; ${simulate}`], {
    cwd: folder, env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await finished(child);
  expect(stderr).toMatch(/orbweaver-queues-\w+.\d: page \d+ cannot be written: EFBIG/);
  expect(stdout).toBe('');
  expect(code).toBe(3);
  expect(namesBelow(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
