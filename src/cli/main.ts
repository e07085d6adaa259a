#!/usr/bin/env node
/**
 * The command `orbweaver` as a process: its streams, and how it ends. What the commands do is in `program.ts` and the
 * files of the command words beside it.
 */
import { explained, exitCodes } from './exit.ts';
import { run } from './program.ts';
import { AssertionError, WorldError } from '../base/index.ts';

/** Sets the exit code of a failure, and prints what it means to the user. */
function fail(error: unknown): void {
  const { text, code } = explained(error, undefined);
  process.exitCode = code;
  process.stderr.write(`${text}\n`);
}

// A reader that has seen enough (head) is no failure: what is left to print has nowhere to go.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') fail(new WorldError(`standard output: could not be written: ${error.message}`));
});
// Nobody can be told.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = exitCodes.world;
});

// Node ends a process that has nothing to wait for, whether or not its work is done.
let isDone = false;
process.once('exit', (code) => {
  if (!isDone && code === 0) fail(new AssertionError('the command waits for something that cannot come'));
});
const code = run(process.argv.slice(2), process);
void code.then((ended) => { if (ended !== 0) process.exitCode = ended; }, fail).finally(() => { isDone = true; });
