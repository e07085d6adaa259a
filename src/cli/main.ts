#!/usr/bin/env node
/**
 * The command `orbweaver`. Here, and in the files of the command words beside it, parts are put together; what they do is in the
 * folders they come from.
 */
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addBench } from './bench.ts';
import { addCompare } from './compare.ts';
import { addCrawl } from './crawl.ts';
import { addDatasets } from './datasets.ts';
import { explained, exitCodes } from './exit.ts';
import { addGenerate } from './generate.ts';
import { addImport } from './import.ts';
import { addInfo } from './info.ts';
import { addRank } from './rank.ts';
import { addServe } from './serve.ts';
import { addSimulate } from './simulate.ts';
import { addStudy } from './study.ts';
import { addTour } from './tour.ts';
import { addTune } from './tune.ts';
import { AssertionError, WorldError } from '../std/index.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

const program = new Command('orbweaver')
  .description('What a web crawl will do, told before it is run: crawl orders, queues and supersteps over stored web graphs.')
  .version(version)
  .exitOverride()
  // Errors are told once, by explained() below.
  .configureOutput({ outputError: () => undefined })
  .addHelpText(
    'after',
    `
Examples:
  orbweaver tour docs-web
  orbweaver simulate docs-web --policy opic --processors 8
  orbweaver simulate --help

Exit codes: ${exitCodes.input} for bad input, ${exitCodes.world} where the system cannot go on (disk full),
${exitCodes.nothing} where a crawl stored no page, ${exitCodes.fault} for a fault of Orbweaver, ` +
      `${exitCodes.interrupted} when interrupted.`,
  );

addSimulate(program);
addTune(program);
addRank(program);
addImport(program);
addGenerate(program);
addInfo(program);
addDatasets(program);
addStudy(program);
addServe(program);
addCompare(program);
addCrawl(program);
addTour(program);
addBench(program);

/** Sets the exit code of a failure, and prints what it means to the user. */
function fail(error: unknown): void {
  const { text, code } = explained(error, program.commands.find((command) => command.name() === process.argv[2])?.name());
  process.exitCode = code;
  if (text !== '') process.stderr.write(`${text}\n`);
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
program.parseAsync().catch(fail).finally(() => { isDone = true; });
