import { Command, CommanderError } from 'commander';
import { explained, exitCodes } from './exit.ts';
import { group } from './help/groups.ts';
import { stopListening } from './interrupt.ts';
import { invoke, type Invocation, type Output } from './invocation.ts';
import { remark } from './text/output.ts';
import { packageVersion } from '../base/index.ts';

interface CommandEntry {
  /** A sentence of at most 65 characters: the list of commands shows it, and its own help begins with it. */
  readonly summary: string;
  /** Loads it, and adds it to a program. */
  readonly add: () => Promise<(program: Command) => void>;
}

/** Loaded where they are needed: the list of them is there at once, and one alone in half the time of all. */
const commands: Readonly<Record<string, CommandEntry>> = {
  simulate: {
    summary: 'Replay the crawl of a stored graph over a simulated network.',
    add: async () => (await import('./commands/simulate.ts')).addSimulate,
  },
  plan: {
    summary: 'Find the cheapest set-up that meets a goal, and what limits it.',
    add: async () => (await import('./commands/plan.ts')).addPlan,
  },
  tune: {
    summary: 'Find R_x: how many pages a processor may fetch per superstep.',
    add: async () => (await import('./commands/tune.ts')).addTune,
  },
  rank: {
    summary: 'Rank the pages of a stored graph.',
    add: async () => (await import('./commands/rank.ts')).addRank,
  },
  import: {
    summary: 'Read a graph in any known format and store it as .owg.',
    add: async () => (await import('./commands/import.ts')).addImport,
  },
  generate: {
    summary: 'Draw a graph from a model.',
    add: async () => (await import('./commands/generate.ts')).addGenerate,
  },
  info: {
    summary: 'Describe a graph: links, components, distances, hosts.',
    add: async () => (await import('./commands/info.ts')).addInfo,
  },
  datasets: {
    summary: 'List, fetch and verify public web graphs.',
    add: async () => (await import('./commands/datasets.ts')).addDatasets,
  },
  study: {
    summary: 'Run a grid of settings: which is best, and what matters.',
    add: async () => (await import('./commands/study.ts')).addStudy,
  },
  cluster: {
    summary: 'Several machines: their state, merged folders, a worker.',
    add: async () => (await import('./commands/cluster.ts')).addCluster,
  },
  serve: {
    summary: 'Serve a web to crawl, a frontier, or an index.',
    add: async () => (await import('./commands/serve.ts')).addServe,
  },
  frontier: {
    summary: 'Ask and steer a frontier that speaks URLFrontier.',
    add: async () => (await import('./commands/frontier.ts')).addFrontier,
  },
  compare: {
    summary: 'Compare finished runs: their settings and their figures.',
    add: async () => (await import('./commands/compare.ts')).addCompare,
  },
  crawl: {
    summary: 'Crawl the web, with the scheduler and policies of simulate.',
    add: async () => (await import('./commands/crawl.ts')).addCrawl,
  },
  index: {
    summary: 'Index pages of crawls, WARC archives or folders of HTML.',
    add: async () => (await import('./commands/index-pages.ts')).addIndex,
  },
  search: {
    summary: 'Search an index of pages.',
    add: async () => (await import('./commands/search.ts')).addSearch,
  },
  export: {
    summary: 'Write an index for Elasticsearch, DuckDB or pandas.',
    add: async () => (await import('./commands/export.ts')).addExport,
  },
  dashboard: {
    summary: 'Set up, watch and steer runs in a browser.',
    add: async () => (await import('./commands/dashboard.ts')).addDashboard,
  },
  tour: {
    summary: 'Compare policies and settings on a graph, and explain them.',
    add: async () => (await import('./commands/tour.ts')).addTour,
  },
  policy: {
    summary: 'Write an example policy, to change.',
    add: async () => (await import('./commands/policy.ts')).addPolicy,
  },
  bench: {
    summary: 'Measure priority queues, or algorithms for growing graphs.',
    add: async () => (await import('./commands/bench.ts')).addBench,
  },
  completion: {
    summary: 'Print a script by which a shell completes commands.',
    add: async () => (await import('./commands/completion.ts')).addCompletion,
  },
  help: {
    summary: 'Describe a command, or policies, measures, formats, units.',
    add: async () => (await import('./commands/help.ts')).addHelp,
  },
};
/** Commands that are now part of another. */
const earlierNames: Readonly<Record<string, readonly string[]>> = {
  graphbench: ['bench', 'graphs'], merge: ['cluster', 'merge'], worker: ['cluster', 'worker'],
};

/** The same with the present name of the command. */
function currentWords(words: readonly string[]): readonly string[] {
  const at = words[0] === 'help' ? 1 : 0;
  const [word = ''] = words.slice(at);
  return Object.hasOwn(earlierNames, word) ? words.toSpliced(at, 1, ...earlierNames[word]) : words;
}

/** They describe the others. */
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
  const command = program.commands.find((one) => one.name() === word);
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
async function addCommands(program: Command, needed: readonly string[]): Promise<void> {
  const adds = new Map(await Promise.all(needed.map(async (name) => [name, await commands[name].add()] as const)));
  for (const [name, { summary }] of Object.entries(commands)) {
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
