import { Command, CommanderError } from 'commander';
import { explained, exitCodes } from './exit.ts';
import { group } from './help/groups.ts';
import { stopListening } from './interrupt.ts';
import { invoke, type Invocation, type Output } from './invocation.ts';
import { remark } from './text/output.ts';
import { packageVersion } from '../base/index.ts';

/**
 * A sentence of at most 65 characters, which the list of commands shows and the command's own help begins with; and
 * what loads the module that adds the command to a program.
 */
type CommandEntry = readonly [summary: string, load: () => Promise<{ readonly add: (program: Command) => void }>];

/** A command is loaded when it is needed: the list of them is there at once, and one alone in half the time of all. */
const commands: Readonly<Record<string, CommandEntry>> = {
  simulate: ['Replay the crawl of a stored graph over a simulated network.', () => import('./commands/simulate.ts')],
  plan: ['Find the cheapest set-up that meets a goal, and what limits it.', () => import('./commands/plan.ts')],
  tune: ['Find R_x: how many pages a processor may fetch per superstep.', () => import('./commands/tune.ts')],
  rank: ['Rank the pages of a stored graph.', () => import('./commands/rank.ts')],
  import: ['Read a graph in any known format and store it as .owg.', () => import('./commands/import.ts')],
  generate: ['Draw a graph from a model.', () => import('./commands/generate.ts')],
  info: ['Describe a graph: links, components, distances, hosts.', () => import('./commands/info.ts')],
  datasets: ['List, fetch and verify public web graphs.', () => import('./commands/datasets.ts')],
  study: ['Run a grid of settings: which is best, and what matters.', () => import('./commands/study.ts')],
  cluster: ['Several machines: their state, merged folders, a worker.', () => import('./commands/cluster.ts')],
  serve: ['Serve a web to crawl, a frontier, or an index.', () => import('./commands/serve.ts')],
  frontier: ['Ask and steer a frontier that speaks URLFrontier.', () => import('./commands/frontier.ts')],
  compare: ['Compare finished runs: their settings and their figures.', () => import('./commands/compare.ts')],
  crawl: ['Crawl the web, with the scheduler and policies of simulate.', () => import('./commands/crawl.ts')],
  index: ['Index pages of crawls, WARC archives or folders of HTML.', () => import('./commands/index-pages.ts')],
  search: ['Search an index of pages.', () => import('./commands/search.ts')],
  export: ['Write an index for Elasticsearch, DuckDB or pandas.', () => import('./commands/export.ts')],
  dashboard: ['Set up, watch and steer runs in a browser.', () => import('./commands/dashboard.ts')],
  tour: ['Compare policies and settings on a graph, and explain them.', () => import('./commands/tour.ts')],
  policy: ['Write an example policy, to change.', () => import('./commands/policy.ts')],
  bench: ['Measure priority queues, or algorithms for growing graphs.', () => import('./commands/bench.ts')],
  completion: ['Print a script by which a shell completes commands.', () => import('./commands/completion.ts')],
  help: ['Describe a command, or policies, measures, formats, units.', () => import('./commands/help.ts')],
};
const earlierNames: Readonly<Record<string, readonly string[]>> = {
  graphbench: ['bench', 'graphs'], merge: ['cluster', 'merge'], worker: ['cluster', 'worker'],
};

/** Replaces an earlier name of a command. */
function currentWords(words: readonly string[]): readonly string[] {
  const at = words[0] === 'help' ? 1 : 0;
  const [word = ''] = words.slice(at);
  return Object.hasOwn(earlierNames, word) ? words.toSpliced(at, 1, ...earlierNames[word]) : words;
}

/** These commands describe all others. */
const ofAll: readonly string[] = ['completion', 'help'];

/**
 * Runs one command to its end; `line` has the arguments after `orbweaver`. Never rejects: a failure is explained on
 * `stderr`. Paths are relative to the process's working folder, and the first SIGINT ends the command early. One
 * command at a time.
 * @returns the exit code.
 */
export async function run(
  line: readonly string[], streams: { readonly stdout: Output; readonly stderr: Output },
): Promise<number> {
  const words = currentWords(line);
  // Not spread: the streams of a whole process would come with everything else it has, such as its standard input.
  const invocation: Invocation = { words, stdout: streams.stdout, stderr: streams.stderr, exitCode: 0 };
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
  const command = program.commands.find((inner) => inner.name() === word);
  return command && (commandOf(command, rest) ?? command);
}

/**
 * The command line. A new one for each command: it stores the flags that it has parsed.
 * @param words what it will be asked for: it has in full the commands that this needs, by default all.
 */
export async function newProgram(
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }, words?: readonly string[],
): Promise<Command> {
  const program = new Command('orbweaver')
    .description('Predicts web crawls over stored web graphs, and runs them live.')
    .version(packageVersion())
    .exitOverride()
    // What a command takes is in its own help.
    // Long terms leave less room than commander's 40 columns on a narrow terminal: words are wrapped in 20 too.
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 })
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
  orbweaver simulate docs-web
  orbweaver plan docs-web --goal '80% of rank' --within 10m
  orbweaver help policies

Values take units: 10h, 250ms, 100Mbit, 64KiB, 1.5M (orbweaver help units).

Exit codes: ${exitCodes.input} for bad input, ${exitCodes.world} if the system fails (for example, disk full),
${exitCodes.nothing} if a crawl stored no page, ${exitCodes.fault} for an internal error, ` +
        `${exitCodes.interrupted} if interrupted.`,
    );
  await addCommands(program, words === undefined ? Object.keys(commands) : neededFor(words));
  group(program);
  return program;
}

/** Adds the commands, in full those that are needed, and otherwise what the list of them shows. */
async function addCommands(program: Command, inFull: readonly string[]): Promise<void> {
  const adds = new Map(await Promise.all(inFull.map(async (name) => [name, (await commands[name][1]()).add] as const)));
  for (const [name, [summary]] of Object.entries(commands)) {
    const add = adds.get(name) ?? ((of) => of.command(name));
    add(program);
    const command = program.commands.at(-1)!;
    command.description([summary, command.description()].filter((text) => text !== '').join('\n'));
  }
}

/** The commands without which these words cannot be answered: none for the list of commands, or a wrong name. */
function neededFor([word = '']: readonly string[]): string[] {
  if (!Object.hasOwn(commands, word)) return [];
  return ofAll.includes(word) ? Object.keys(commands) : [word];
}
