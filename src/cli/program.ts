import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addBench } from './commands/bench.ts';
import { addCompare } from './commands/compare.ts';
import { addCompletion } from './commands/completion.ts';
import { addCrawl } from './commands/crawl.ts';
import { addDatasets } from './commands/datasets.ts';
import { explained, exitCodes } from './exit.ts';
import { addGenerate } from './commands/generate.ts';
import { addHelp } from './commands/help.ts';
import { addImport } from './commands/import.ts';
import { group } from './help/groups.ts';
import { addInfo } from './commands/info.ts';
import { stopListening } from './interrupt.ts';
import { invoke, type Invocation, type Output } from './invocation.ts';
import { addPlan } from './commands/plan.ts';
import { remark } from './text/output.ts';
import { addRank } from './commands/rank.ts';
import { addServe } from './commands/serve.ts';
import { addSimulate } from './commands/simulate.ts';
import { addStudy } from './commands/study.ts';
import { addTour } from './commands/tour.ts';
import { addTune } from './commands/tune.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/**
 * Runs one command to its end; `words` are the arguments after `orbweaver`. Never rejects: a failure is explained on
 * `stderr`. Paths are relative to the process's working folder, and the first SIGINT ends the command early. One
 * command at a time.
 * @returns the exit code.
 */
export async function run(
  words: readonly string[], streams: { readonly stdout: Output; readonly stderr: Output },
): Promise<number> {
  const invocation: Invocation = { words, ...streams, exitCode: 0 };
  const program = newProgram(streams);
  await invoke(invocation, async () => {
    try {
      await program.parseAsync(words, { from: 'user' });
    } catch (error) {
      const { text, code } = explained(error, commandOf(program, words));
      invocation.exitCode = code;
      if (text !== '') remark(text, 'error', { exitCode: code });
    } finally {
      stopListening();
    }
  });
  return invocation.exitCode;
}

/** The command that these words name, also within another; undefined if they name none. */
function commandOf(program: Command, [word, ...rest]: readonly string[]): Command | undefined {
  const command = program.commands.find((one) => one.name() === word);
  return command && (commandOf(command, rest) ?? command);
}

/** The command line. A new one for each command: it stores the flags that it has parsed. */
export function newProgram({ stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }): Command {
  const program = new Command('orbweaver')
    .description('Simulates web crawls over stored web graphs (crawl orders, queues, supersteps), and runs them live.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => { stdout.write(text); },
      writeErr: (text) => { stderr.write(text); },
      // explained() reports errors, once.
      outputError: () => undefined,
    })
    .addHelpText(
      'after',
      `
Examples:
  orbweaver tour docs-web
  orbweaver simulate docs-web --policy opic --processors 8
  orbweaver simulate --help
  orbweaver help policies

Values take units: 10h, 250ms, 100Mbit, 64KiB, 1.5M (orbweaver help units).

Exit codes: ${exitCodes.input} for bad input, ${exitCodes.world} if the system fails (for example, disk full),
${exitCodes.nothing} if a crawl stored no page, ${exitCodes.fault} for an internal error, ` +
        `${exitCodes.interrupted} if interrupted.`,
    );
  const commands = [
    addSimulate, addPlan, addTune, addRank, addImport, addGenerate, addInfo, addDatasets, addStudy, addServe,
    addCompare, addCrawl, addTour, addBench, addCompletion, addHelp,
  ];
  for (const add of commands) add(program);
  group(program);
  return program;
}
