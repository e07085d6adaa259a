import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { run } from '../../src/cli/program.ts';

/** The built command: what a user starts, not what a test runner makes of its source. */
export const mainFile = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command in a process of its own. */
export function start(args: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [mainFile, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What a process printed, and its exit code, once it has ended. */
export async function finished(child: ChildProcess): Promise<Finished> {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, ...texts };
}

/** Runs the built command in a process of its own, to its end. */
export function orbweaverProcess(args: readonly string[], cwd: string): Promise<Finished> {
  return finished(start(args, cwd));
}

/** What main.js runs. Built, as that is; outside the test runner's transformations (vitest.config.ts). */
const program = import(new URL('../../dist/bundle/program.js', import.meta.url).href) as Promise<{ run: typeof run }>;
let last: Promise<unknown> = program;

/**
 * Runs the built command in this process, which saves the start of one; for all that is not about processes, signals
 * and the real streams. One after the other, as the working folder is the process's.
 */
export function orbweaver(args: readonly string[], cwd: string): Promise<Finished> {
  const mine = last.then(async (): Promise<Finished> => {
    const command = await program;
    const texts = { stdout: '', stderr: '' };
    const back = process.cwd();
    process.chdir(cwd);
    try {
      const code = await command.run(args, {
        stdout: { write: (text) => { texts.stdout += text; } },
        stderr: { write: (text) => { texts.stderr += text; } },
      });
      return { code, ...texts };
    } finally {
      process.chdir(back);
    }
  });
  last = mine.catch(() => undefined);
  return mine;
}

/** What a command prints that must succeed and have nothing to remark. */
export async function printedBy(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await orbweaver(args, cwd);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
}

/** A new folder outside the checkout. */
export function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'orbweaver-cli-')));
}

/** Every file and folder below `folder`, by its path from there. */
export function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
