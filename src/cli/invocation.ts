import { assert } from '../base/index.ts';

/** The part of standard output or standard error that commands use; `process.stdout` is one. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Invocation {
  readonly words: readonly string[];
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode: number;
  logsJson?: boolean;
}

let current: Invocation | undefined;

/**
 * The running command: it has the streams to print to, and the exit code. Outside any command, the process's
 * own streams.
 */
export function invocation(): Invocation {
  return current ?? { words: [], stdout: process.stdout, stderr: process.stderr, exitCode: 0 };
}

/** Runs `work` as the current command. One at a time, since working folder and signals belong to the process. */
export async function invoke(command: Invocation, work: () => Promise<void>): Promise<void> {
  assert(current === undefined, 'another command is still running');
  current = command;
  try {
    await work();
  } finally {
    current = undefined;
  }
}
