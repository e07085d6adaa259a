import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../sweep.ts';
import { finished, mainFile, newFolder, type Finished } from '../command.ts';

// Goal: `-` is the graph on standard input for every command that reads a graph, and nothing of it stays behind.

const folder = newFolder();

/** Runs a command whose temporary files go to a folder of its own. */
async function fed(input: string | Uint8Array, ...args: string[]): Promise<Finished & { left: string[] }> {
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(process.execPath, [mainFile, ...args], { cwd: folder, env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined); // A command that refuses early does not read on.
  child.stdin.end(input);
  return { ...await finished(child), left: readdirSync(temporary) };
}

describe('standard input', () => {
  const csv = 'source,target\nhttp://a.example/,http://b.example/\nhttp://b.example/,http://a.example/\n';

  const cases = [
    'info -', 'rank -', 'simulate -', 'simulate - --out run', 'import - --out stdin.owg',
    'import - --format csv --columns 1,2 --out two.tsv',
  ].flatMap((line) => [{ form: 'text', input: csv, line }, { form: 'gzip data', input: gzipSync(csv), line }]);
  test.each(sampled(cases, 5))('as $form is the graph of $line', async ({ input, line }) => {
    const { code, stdout, stderr, left } = await fed(input, ...line.split(' '));
    expect({ code, stderr, left }).toEqual({ code: 0, stderr: '', left: [] });
    expect(stdout).toMatch(/^stdin: 2 pages, 2 links, 2 hosts\./);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['is empty', '', 'standard input: is empty; pipe a graph into it, as in: zcat links.gz | orbweaver info -\n'],
    ['has a fault', '0 1\n1 x\n',
      'standard input: line 2: "x" in "1 x" is not a page id; expected two page ids\n'],
    ['is truncated gzip', gzipSync(csv).subarray(0, 40), 'standard input: its gzip data are truncated\n'],
  ])('that %s is refused in one line', async (_, input, message) => {
    expect(await fed(input, 'info', '-')).toEqual({ code: 2, stdout: '', stderr: message, left: [] });
  });

  test('can be named once', async () => {
    expect((await fed(csv, 'import', '-', '-', '--out', 'x.owg')).stderr)
      .toBe('standard input: is named twice, and can be read once\n');
  });

  test.skipIf(!existsSync('/proc/self/fd'))('leaves no file when the process is killed (skipped without /proc)',
    async () => {
      const env = { ...process.env, TMPDIR: mkdtempSync(join(folder, 'killed-')) };
      const child = spawn(process.execPath, [mainFile, 'info', '-'], { cwd: folder, env, stdio: 'pipe' });
      child.stdin.on('error', () => undefined);
      child.stdin.write('0 1\n'.repeat(1 << 18));
      const files = `/proc/${child.pid}/fd`;
      const holdsIt = (): boolean => readdirSync(files).some((name) => {
        try {
          return /orbweaver-stdin.*deleted/.test(readlinkSync(join(files, name)));
        } catch {
          return false; // Closed since.
        }
      });
      while (!holdsIt()) await new Promise((resolve) => { setTimeout(resolve, 20); });
      child.kill('SIGKILL');
      await finished(child);
      expect(readdirSync(env.TMPDIR)).toEqual([]);
    });
});
