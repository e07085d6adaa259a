import { assert } from '../base/index.ts';

/** Standard output or standard error, as far as a command needs it; `process.stdout` is one. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** One command under way. */
export interface Invocation {
  /** What was typed after `orbweaver`. */
  readonly words: readonly string[];
  readonly stdout: Output;
  readonly stderr: Output;
  /** What the shell is told in the end. */
  exitCode: number;
}

let current: Invocation | undefined;

/**
 * The command under way: where it prints is asked for here, and its exit code is set here. Outside any, the process's
 * own streams.
 */
export function invocation(): Invocation {
  return current ?? { words: [], stdout: process.stdout, stderr: process.stderr, exitCode: 0 };
}

/** Runs `work` as the command under way. One at a time, as the working folder and the signals are the process's. */
export async function invoke(one: Invocation, work: () => Promise<void>): Promise<void> {
  assert(current === undefined, 'a command is under way already');
  current = one;
  try {
    await work();
  } finally {
    current = undefined;
  }
}
