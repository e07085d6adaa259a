import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { holderText, isAlive } from '../../../src/base/files/index.ts';

// Goal: a text names one process: not another one with its number, and not one that has ended.

test('this process is alive; one with its number that began at another time is not it', () => {
  const text = holderText();
  expect(isAlive(text)).toBe(true);
  expect(isAlive(text.replace(/ [0-9]+\n$/, ' 7\n'))).toBe(false);
  expect(isAlive('nonsense')).toBe(false);
});

test.runIf(process.platform === 'linux')('the first process, which may belong to another user, is not it', () => {
  expect(isAlive(holderText().replace(/^[0-9]+/, '1'))).toBe(false);
});

test.runIf(process.platform === 'linux')('a process that has ended and was not asked how is gone', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 5'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(parent.stdout, 'data') as [Buffer];
  const pid = line.toString().trim();
  const fields = (): string[] => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  };
  while (fields()[0] !== 'Z') await new Promise((resolve) => setImmediate(resolve));
  expect(isAlive(holderText().replace(/^[0-9]+/, pid).replace(/[0-9]+\n$/, `${fields()[19]}\n`))).toBe(false);
  parent.kill();
});
