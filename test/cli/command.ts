import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command: what a user starts, not what a test runner makes of its source. */
export const mainFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

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

export function orbweaver(args: readonly string[], cwd: string): Promise<Finished> {
  return finished(start(args, cwd));
}

/** A new folder outside the checkout. */
export function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'orbweaver-cli-')));
}

/** Every file and folder below `folder`, by its path from there. */
export function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
