import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtScripts } from '../../../built-scripts.ts';
import { finished } from '../../../cli/command.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

// Goal: how many URLs fit is right to a quarter: a frontier that is filled to twice its URLs needs for each what
// it said of the first half.

const { folder } = temporaryFolder();
const script = builtScripts(folder, new URL('./room.ts', import.meta.url));

test.each([[10, 100_000], [400, 100_000], [1, 40_000]])('URLs of each host: %i', async (urlsPerHost, urls) => {
  const file = fileURLToPath((await script)('room'));
  const args = ['--expose-gc', file, join(folder, String(urlsPerHost)), String(urls), String(urlsPerHost)];
  const { code, stdout, stderr } = await finished(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  expect([code, stderr]).toEqual([0, '']);
  const { said, used } = JSON.parse(stdout) as {
    said: { memoryBytesPerUrl: number; diskBytesPerUrl: number }; used: { memory: number; disk: number };
  };
  for (const ratio of [said.memoryBytesPerUrl / used.memory, said.diskBytesPerUrl / used.disk]) {
    expect(ratio, stdout).toBeGreaterThan(0.75);
    expect(ratio, stdout).toBeLessThan(1.25);
  }
}, 120_000);
