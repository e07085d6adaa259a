#!/usr/bin/env node
/**
 * The command `orbweaver` as a process: its streams, and how it ends. What the commands do is in `program.ts` and the
 * files of the command words beside it.
 */
import { explained, exitCodes } from './exit.ts';
import { run } from './program.ts';
import { AssertionError, WorldError } from '../base/index.ts';

function fail(error: unknown): void {
  const { text, code } = explained(error, undefined);
  process.exitCode = code;
  process.stderr.write(`${text}\n`);
}

// A reader that has seen enough (head) is not a failure: the rest of the output has nowhere to go.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') fail(new WorldError(`standard output: could not be written: ${error.message}`));
});
// There is nowhere to report this.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = exitCodes.world;
});

// Node ends a process that has nothing to wait for, whether or not its work is done.
let isDone = false;
process.once('exit', (code) => {
  if (!isDone && code === 0) fail(new AssertionError('the command is waiting for something that cannot happen'));
});
const code = run(process.argv.slice(2), process);
void code.then((ended) => { if (ended !== 0) process.exitCode = ended; }, fail).finally(() => { isDone = true; });
