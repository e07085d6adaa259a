import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { start } from '../../cli/command.ts';

/** A process of the command, until the test ends. */
export class Running {
  readonly child: ChildProcess;
  /** Exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], cwd: string) {
    this.child = start(args, cwd);
    onTestFinished(() => { this.child.kill('SIGKILL'); });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  /** Waits until standard error says so. */
  async says(text: string): Promise<void> {
    const stream = this.child.stderr!;
    while (!this.stderr.includes(text)) {
      await new Promise<void>((resolve, reject) => {
        stream.once('data', () => resolve());
        void this.ended.then(() => reject(new Error(`ended before it said ${JSON.stringify(text)}:\n${this.stderr}`)));
      });
    }
  }

  /** Sends a signal, and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** A worker of one thread that takes runs. */
export async function startWorker(url: string, cwd: string, ...more: string[]): Promise<Running> {
  const worker = new Running(['worker', url, '--threads', '1', '--lost-after-seconds', '2', ...more], cwd);
  await worker.says('takes runs');
  return worker;
}

/** The entries of a cache, by their names. */
export function entriesOf(cache: string): Map<string, string> {
  const names = readdirSync(cache, { recursive: true }).map(String).filter((name) => name.endsWith('.run'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(cache, name), 'utf8')]));
}
