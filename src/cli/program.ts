import { Command, CommanderError } from 'commander';
import { explained, exitCodes } from './exit.ts';
import { group } from './help/groups.ts';
import { stopListening } from './interrupt.ts';
import { invoke, type Invocation, type Output } from './invocation.ts';
import { remark } from './text/output.ts';
import { packageVersion } from '../base/index.ts';

interface CommandEntry {
  /** What it does, in a sentence: the list of commands shows it, and its own help begins with it. */
  readonly summary: string;
  /** Loads it, and adds it to a program. */
  readonly add: () => Promise<(program: Command) => void>;
}

/** Loaded where they are needed: the list of them is there at once, and one alone in half the time of all. */
const commands: Readonly<Record<string, CommandEntry>> = {
  simulate: {
    summary: 'Replay the crawl of a stored graph over a simulated network, and measure it.',
    add: async () => (await import('./commands/simulate.ts')).addSimulate,
  },
  plan: {
    summary: 'Find the cheapest set-up that meets a goal, or the one with the most rank within a time: policy, ' +
      'machines, robots and limits, with what limits it and how certain that is.',
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
    summary: 'Read a graph in any known format and store it: as one .owg file, which opens at once and is ' +
      'checked when read, or for other programs.',
    add: async () => (await import('./commands/import.ts')).addImport,
  },
  generate: {
    summary: 'Draw a graph from a model and store it as one .owg file.',
    add: async () => (await import('./commands/generate.ts')).addGenerate,
  },
  info: {
    summary: 'Describe a stored graph: degrees and the power laws fitted to them, components and bow-tie, ' +
      'distances, hosts, the links between them, their communities and centrality, and what its seed ' +
      'pages reach.',
    add: async () => (await import('./commands/info.ts')).addInfo,
  },
  datasets: {
    summary: 'List the graphs in the catalogue, fetch public web graphs, verify fetched ones.',
    add: async () => (await import('./commands/datasets.ts')).addDatasets,
  },
  study: {
    summary: 'Run an experiment over a grid of settings; report which policy gathers PageRank fastest, what it ' +
      'costs and which settings matter most.',
    add: async () => (await import('./commands/study.ts')).addStudy,
  },
  worker: {
    summary: 'Run what studies and plans on other machines queue on a Redis server, until interrupted.',
    add: async () => (await import('./commands/worker.ts')).addWorker,
  },
  merge: {
    summary: 'Make one graph, record and report of the folders of a crawl on several nodes.',
    add: async () => (await import('./commands/merge.ts')).addMerge,
  },
  cluster: {
    summary: 'Show how far the nodes of a crawl or a simulation on several machines are, and who waits for whom.',
    add: async () => (await import('./commands/cluster.ts')).addCluster,
  },
  serve: {
    summary: 'Serve a web to crawl, or a frontier to fetch from, until interrupted.',
    add: async () => (await import('./commands/serve.ts')).addServe,
  },
  frontier: {
    summary: 'Ask and steer a frontier that speaks URLFrontier: put and get URLs, list them, block queues.',
    add: async () => (await import('./commands/frontier.ts')).addFrontier,
  },
  compare: {
    summary: 'Compare finished runs: the settings in which they differ, and their figures.',
    add: async () => (await import('./commands/compare.ts')).addCompare,
  },
  crawl: {
    summary: 'Crawl the web from some pages, with the scheduler, policies and queues of simulate.',
    add: async () => (await import('./commands/crawl.ts')).addCrawl,
  },
  index: {
    summary: 'Index the pages of live crawls, WARC archives or folders of HTML, to be searched.',
    add: async () => (await import('./commands/index-pages.ts')).addIndex,
  },
  search: {
    summary: 'Search an index of pages.',
    add: async () => (await import('./commands/search.ts')).addSearch,
  },
  export: {
    summary: 'Write the documents of an index for Elasticsearch, OpenSearch, DuckDB or pandas.',
    add: async () => (await import('./commands/export.ts')).addExport,
  },
  dashboard: {
    summary: 'Set up, watch and steer simulations and live crawls in a browser.',
    add: async () => (await import('./commands/dashboard.ts')).addDashboard,
  },
  tour: {
    summary: 'Crawl a stored graph with several policies and settings; compare the runs and explain what they show.',
    add: async () => (await import('./commands/tour.ts')).addTour,
  },
  bench: {
    summary: 'Measure the priority queues, Orbweaver\'s and others in the same run: the hold model beside queues ' +
      'of other packages and C++; the paper\'s figures and Table 1 on streams from simulated crawls.',
    add: async () => (await import('./commands/bench.ts')).addBench,
  },
  graphbench: {
    summary: 'Measure algorithms that keep distances and strong components of a graph correct while its arcs arrive: ' +
      'SPAWC\'s benchmark, with its graphs, files and figures.',
    add: async () => (await import('./commands/graphbench.ts')).addGraphbench,
  },
  completion: {
    summary: 'Print a script by which a shell completes commands, flags, values and graphs.',
    add: async () => (await import('./commands/completion.ts')).addCompletion,
  },
  help: {
    summary: 'Describe a command, or one of the topics policies, measures, formats, units.',
    add: async () => (await import('./commands/help.ts')).addHelp,
  },
};
/** They describe the others. */
const ofAll: readonly string[] = ['completion', 'help'];

/**
 * Runs one command to its end; `words` are the arguments after `orbweaver`. Never rejects: a failure is explained on
 * `stderr`. Paths are relative to the process's working folder, and the first SIGINT ends the command early. One
 * command at a time.
 * @returns the exit code.
 */
export async function run(
  words: readonly string[], streams: { readonly stdout: Output; readonly stderr: Output },
): Promise<number> {
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
    .description('Simulates web crawls over stored web graphs (crawl orders, queues, supersteps), and runs them live.')
    .version(packageVersion())
    .exitOverride()
    // What a command takes is in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
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
