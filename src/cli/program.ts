import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { explained, exitCodes } from './exit.ts';
import { group } from './help/groups.ts';
import { stopListening } from './interrupt.ts';
import { invoke, type Invocation, type Output } from './invocation.ts';
import { remark } from './text/output.ts';

/** Loaded where they are needed: alone, a command starts in half the time. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  simulate: async () => (await import('./commands/simulate.ts')).addSimulate,
  plan: async () => (await import('./commands/plan.ts')).addPlan,
  tune: async () => (await import('./commands/tune.ts')).addTune,
  rank: async () => (await import('./commands/rank.ts')).addRank,
  import: async () => (await import('./commands/import.ts')).addImport,
  generate: async () => (await import('./commands/generate.ts')).addGenerate,
  info: async () => (await import('./commands/info.ts')).addInfo,
  datasets: async () => (await import('./commands/datasets.ts')).addDatasets,
  study: async () => (await import('./commands/study.ts')).addStudy,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  compare: async () => (await import('./commands/compare.ts')).addCompare,
  crawl: async () => (await import('./commands/crawl.ts')).addCrawl,
  tour: async () => (await import('./commands/tour.ts')).addTour,
  bench: async () => (await import('./commands/bench.ts')).addBench,
  completion: async () => (await import('./commands/completion.ts')).addCompletion,
  help: async () => (await import('./commands/help.ts')).addHelp,
};
/** They describe the others. */
const ofAll: readonly string[] = ['completion', 'help'];

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
  const program = await newProgram(streams, words);
  await invoke(invocation, async () => {
    try {
      await program.parseAsync(words, { from: 'user' });
    } catch (error) {
      const meaning = error instanceof CommanderError && error.exitCode !== 0
        ? await import('./help/flag-meant.ts') : undefined;
      const { text, code } = explained(error, commandOf(program, words), meaning?.withMeaning);
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

/**
 * The command line. A new one for each command: it stores the flags that it has parsed.
 * @param words what it will be asked for: it has the commands that this needs, by default all.
 */
export async function newProgram(
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }, words: readonly string[] = [],
): Promise<Command> {
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
  const adds = await Promise.all(neededFor(words).map((name) => commands[name]()));
  for (const add of adds) add(program);
  group(program);
  return program;
}

/** Names of the commands without which these words cannot be answered. */
function neededFor([word = '']: readonly string[]): string[] {
  if (word === '--version' || word === '-V') return [];
  return Object.hasOwn(commands, word) && !ofAll.includes(word) ? [word] : Object.keys(commands);
}
