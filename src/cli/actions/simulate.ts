import { basename, resolve } from 'node:path';
import * as z from 'zod';
import type { ExperimentInput, Settings } from '../../core/settings/index.ts';
import {
  withScores, WholeGraph, type CrawledGraph, type FittedNetwork, type GivenScores,
} from '../../core/engine/index.ts';
import type { RunOrigin } from '../../core/measure/index.ts';
import type { PolicyRegistry } from '../../core/policy/index.ts';
import type { JoinedSimulation } from '../../machines/cluster/index.ts';
import { prepare, type GraphPages } from '../../graphs/graph/index.ts';
import { InputError } from '../../base/index.ts';
import { grouped } from '../text/figures.ts';
import {
  completed, experimentOf, idleFlags, kebabCase, ownFlags, runDefaults, type ConfigFlags, type OutFlags,
} from '../flags/flags.ts';
import { fittedExperiment, readConfigFor } from '../flags/crawl-folder.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { completeRecord, filled, runOrigin, type OutFolder } from '../flags/out-folder.ts';
import { print, printText, remark, remarkStatistics, tellInterrupted } from '../text/output.ts';
import { scoresFrom } from '../answers/rank-algorithms.ts';
import { inCluster, type ClusterFlags } from '../answers/nodes/cluster.ts';
import { nodeGraph, runPrepare, type GraphSource, type SeedsOf } from '../answers/nodes/node-graph.ts';
import { ForkedRun, recordedFork } from '../answers/fork.ts';
import { Runner, type FinishedRun, type RunnerOptions } from '../answers/runner.ts';
import type { WhatIf } from '../../questions/plan/index.ts';
import { configSchemaText, configText, readReplay } from '../flags/config.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { watched, type WatchedRun, type Watching } from '../watched.ts';
import { fitFacts, fitText } from '../text/fit-text.ts';
import { simulateText } from '../text/run/simulate-text.ts';

const own = z.object({
  repeat: z.int().min(1).max(10_000).optional(), threads: z.int().min(1).max(256).optional(),
  node: z.int().min(0).max(4095).optional(), nodes: z.int().min(1).max(4096).optional(),
});

interface Flags extends ConfigFlags, OutFlags {
  readonly scores?: string;
  readonly seedPage?: readonly string[];
  readonly verify?: true;
  readonly whatIf?: true;
  readonly pagesCsv?: true;
  readonly from?: string;
  readonly at?: string;
  readonly watch?: true;
  readonly cluster?: string;
  readonly prepare?: true;
}

export async function runSimulate(graph: string | undefined, typed: Flags): Promise<void> {
  const { name, flags, forked } = await started(graph, typed);
  const { config, policies, crawled } = await readConfigFor(name, flags);
  const { settings } = policies;
  if (flags.printSchema === true) {
    printText(configSchemaText(settings));
    return;
  }
  const { repeat, threads, ...place } = ownFlags(own, flags);
  const standard = repeat === undefined && flags.cluster === undefined ? { ...runDefaults, ...config } : config;
  const { experiment: joined, fitted } = await fittedExperiment(flags, standard, settings, crawled && name);
  const { experiment, ...replay } = await replayed(flags, forked, joined, () => experimentOf({}, standard, settings));
  checkOwn(flags, repeat, threads);
  const scores = scoresNamed(flags, experiment, settings);
  for (const text of idleFlags(flags, experiment, settings)) remark(text);
  const title = crawled && basename(resolve(name));
  const setUp: SetUp = { source: { path: crawled?.graph ?? name, title }, flags, experiment, policies, fitted, scores };
  if (flags.prepare === true) return runPrepare(setUp.source, seedsOf(setUp), flags);
  if (flags.printConfig === true) return printConfig(setUp);
  const run = { kind: 'simulation', name: title ?? name, folder: flags.out } as const;
  if (repeat === undefined) return simulateOnce(setUp, run, replay, place);
  if (place.node !== undefined || place.nodes !== undefined || flags.cluster !== undefined)
    throw new InputError('--repeat and --cluster cannot be combined');
  return simulateRepeatedly(setUp, repeat);
}

interface SetUp {
  readonly source: GraphSource;
  readonly flags: Flags;
  readonly experiment: ExperimentInput;
  readonly policies: PolicyRegistry;
  readonly fitted: FittedNetwork | undefined;
  /** The file of the scores that the policies need. */
  readonly scores: string | undefined;
}

/** How a run repeats an earlier one, or goes on from it. */
type Replay = Pick<RunnerOptions, 'changes' | 'fork'>;

function seedsOf({ flags, experiment }: SetUp): SeedsOf {
  return (pages) => seedPagesOf(pages, flags.seedPage) ?? experiment.seedPages;
}

async function openedFor(setUp: SetUp): Promise<{
  readonly graph: CrawledGraph; readonly input: ExperimentInput; readonly scores: GivenScores | undefined;
}> {
  const { source, flags, experiment, fitted } = setUp;
  const graph = await openedGraph(source, flags, experiment, seedsOf(setUp), fitted);
  const seedPages = seedsOf(setUp)(graph.pages);
  const input = { ...experiment, ...(seedPages && { seedPages }) };
  return { graph, input, scores: await givenScores(graph.pages, setUp.scores, flags.scores) };
}

async function printConfig(setUp: SetUp): Promise<void> {
  const { policies, policies: { settings } } = setUp;
  const { graph, input, scores } = await openedFor(setUp);
  printText(await configText(withScores(graph.pages, completed(input, settings), scores, policies), settings));
}

async function simulateRepeatedly(setUp: SetUp, repeat: number): Promise<void> {
  const { source, flags, policies, fitted } = setUp;
  // Before anything is on disk, so that SIGINT never leaves anything half written behind.
  const signal = interruptSignal();
  const finish = await filled(flags.out, 'runs.json', async (folder) => {
    const { graph, input, scores } = await openedFor(setUp);
    const runner = new Runner(graph, signal, policies, { scores, fit: fitted });
    const { repeatDocument, repeatText, runRepeatedly } = await import('../answers/repeat.ts');
    const runs = await runRepeatedly(runner, input, repeat, {
      folder, origin: await runOrigin(source.path, setUp.scores), verify: flags.verify === true,
      withPages: flags.pagesCsv === true,
    });
    return () => {
      print(flags.json, () => repeatDocument(runs), () =>
        repeatText(runner.prepared, runs, input.seedPages, flags.out));
      if (signal.aborted) tellInterrupted(`in run ${runs.results.length} of ${repeat}`, folder);
    };
  });
  finish();
}

/** Opens in order: the cluster, the door for watchers, the folder, the graph. The result is printed last. */
async function simulateOnce(
  setUp: SetUp, run: Omit<WatchedRun, 'signal'>, replay: Replay, place: Omit<ClusterFlags, 'cluster'>,
): Promise<void> {
  const { source, flags, policies, fitted } = setUp;
  const signal = interruptSignal();
  const { whatIf, from, watch } = flags;
  const alone = { whatIf, from, watch, config: isReplay(replay) ? flags.config : undefined };
  const inFolder = (watching: Watching | undefined, cluster: JoinedSimulation | undefined) =>
    filled(flags.out, 'run.json', async (folder) => {
      const { graph, input, scores } = await openedFor(setUp);
      const runner = new Runner(graph, signal, policies, { scores, fit: fitted });
      return runOnce(runner, flags, {
        input, fitted, folder, origin: await runOrigin(source.path, setUp.scores), replay, watching,
        shared: cluster?.shared,
      });
    });
  const finish = await inCluster({ cluster: flags.cluster, ...place }, alone, signal, (cluster) =>
    watched(watch && { ...run, signal }, (watching) => inFolder(watching, cluster)));
  finish?.();
}

/** A node opens as much of the graph as the flags need. */
async function openedGraph(
  { path, title }: GraphSource, flags: Flags, { statistics, superstepLimit, measures, scores }: ExperimentInput,
  seedsOf: SeedsOf, fitted: FittedNetwork | undefined,
): Promise<CrawledGraph> {
  if (flags.cluster === undefined) return new WholeGraph(prepare(await namedGraph(path, title)));
  const needs = {
    '--statistics': statistics !== undefined && statistics !== 'off',
    '--superstep-limit auto': superstepLimit === 'auto', '--measures all': measures === 'all',
    '--verify': flags.verify === true,
  };
  const byName = [flags.seedPage, flags.scores, flags.pagesCsv, scores, fitted];
  return nodeGraph({ path, title }, {
    seedsOf, paths: byName.some((flag) => flag !== undefined),
    wholeFor: Object.entries(needs).find(([, isNeeded]) => isNeeded)?.[0],
  });
}

interface Once {
  readonly input: ExperimentInput;
  readonly fitted: FittedNetwork | undefined;
  readonly folder: OutFolder | undefined;
  readonly origin: RunOrigin;
  readonly replay: Replay;
  readonly watching: Watching | undefined;
  readonly shared: RunnerOptions['shared'];
}

/** One run, and what may follow it. Returns what prints it. */
async function runOnce(
  runner: Runner, flags: Flags, { input, fitted, folder, origin, replay, watching, shared }: Once,
): Promise<() => void> {
  const { graph } = runner;
  const result = await runner.run(input, { ...replay, record: await folder?.record('', origin), watching, shared });
  const verified = flags.verify === true ? runner.verify(result) : undefined;
  const pages = folder && flags.pagesCsv === true ? await runner.pagesCsv(result) : undefined;
  const label = `${graph.pages.name}, ${result.run.experiment.policy}`;
  if (folder) await completeRecord(folder, '', label, result, {
    pages, origin, curves: watching?.watch.curves(),
  });
  const changes = flags.whatIf === true ? await import('../answers/what-if.ts') : undefined;
  const whatIf = await changes?.runWhatIf(runner, result);
  return () => {
    remarkStatistics(result);
    print(
      flags.json,
      () => ({ ...result.run, ...(folder && { origin }), verified, whatIf, fit: fitted && fitFacts(fitted) }),
      () => [
        fitted && `${fitText(fitted)}\n`, simulateText(graph, result, input.seedPages, flags.out),
        whatIf && `\n${changes?.whatIfText(whatIf)}`, verified,
      ].filter(Boolean).join('\n'),
    );
    const after = interruptedAfter(result, runner.signal.aborted ? whatIf : undefined);
    if (after !== undefined) tellInterrupted(after, folder);
  };
}

/** The graph to crawl, and the run that is forked, whose record then is the file of settings. */
async function started(
  name: string | undefined, flags: Flags,
): Promise<{ readonly name: string; readonly flags: Flags; readonly forked?: ForkedRun }> {
  if (flags.from === undefined) {
    if (flags.at !== undefined) throw new InputError('--at needs --from <DIR>, the run that is forked');
    if (name === undefined) throw new InputError('name a graph, such as docs-web, or fork a run by --from <DIR>');
    return { name, flags };
  }
  const other = (['config', 'repeat', 'whatIf', 'verify'] as const).find((flag) => flags[flag] !== undefined);
  if (other !== undefined) throw new InputError(`--${kebabCase(other)} and --from cannot be combined`);
  const forked = await ForkedRun.open(flags.from, flags.at);
  return { name: name ?? forked.graph, flags: { ...flags, config: forked.config }, forked };
}

/**
 * What repeats an earlier run, or the part of it that a fork begins with; and the settings then.
 * @param ofFile settings of the file, without flags.
 */
async function replayed(
  flags: Flags, forked: ForkedRun | undefined, experiment: ExperimentInput, ofFile: () => ExperimentInput,
): Promise<Replay & { readonly experiment: ExperimentInput }> {
  if (forked === undefined) {
    if (flags.config === undefined) return { experiment };
    const fork = await recordedFork(flags.config);
    return { experiment, fork, changes: (await readReplay(flags.config)).changes };
  }
  const robots = flags['robots'] === undefined ? undefined : experiment.robots;
  const isSame = robots === undefined && JSON.stringify(experiment) === JSON.stringify(ofFile());
  return { experiment: { ...experiment, robots: forked.robots }, fork: forked.fork(robots, isSame) };
}

/** Whether the run repeats a control's changes, or a fork. */
function isReplay({ changes = [], fork }: Replay): boolean {
  return changes.length > 0 || fork !== undefined;
}

/** @param whatIf the changes that were run, if they were interrupted. */
function interruptedAfter(
  { run: { summary: { ended, pagesFetched, supersteps } } }: FinishedRun, whatIf: readonly WhatIf[] | undefined,
): string | undefined {
  if (ended === 'interrupted') return `after ${grouped(pagesFetched)} pages in ${grouped(supersteps)} supersteps`;
  return whatIf && `after ${whatIf.length} changes of --what-if`;
}

/** Flags of a run, which `--prepare` does not begin. */
const runFlags = [
  'cluster', 'node', 'nodes', 'out', 'repeat', 'from', 'whatIf', 'watch', 'verify', 'pagesCsv',
] as const;

/** @throws InputError for flags that cannot be combined. */
function checkOwn(flags: Flags, repeat: number | undefined, threads: number | undefined): void {
  const { whatIf, pagesCsv, out, watch } = flags;
  const ofRun = flags.prepare && runFlags.find((flag) => flags[flag] !== undefined);
  if (ofRun !== undefined) throw new InputError(`--${kebabCase(ofRun)} and --prepare cannot be combined`);
  if (threads !== undefined)
    remark('--threads has no effect and is ignored: the processors are simulated on one thread');
  if (repeat !== undefined && whatIf === true)
    throw new InputError('--what-if changes a single run; leave out --repeat, or --what-if');
  if (repeat !== undefined && watch === true)
    throw new InputError('--watch shows a single run; leave out --repeat, or --watch');
  if (pagesCsv === true && out === undefined)
    throw new InputError('--pages-csv: needs --out <DIR>, the folder of the run record');
}

/** The file of scores that the policies need, if any does. @throws InputError if none is named. */
function scoresNamed(flags: Flags, experiment: ExperimentInput, settings: Settings): string | undefined {
  const needy = settings.policiesUsed(experiment).find(({ needs }) => needs.includes('scores'));
  if (needy === undefined) return undefined;
  const file = flags.scores ?? experiment.scores?.file;
  if (file === undefined) throw new InputError(`--policy ${needy.name} needs --scores <FILE>`);
  return file;
}

/** @param file the scores that the policy needs. @param flag the file that `--scores` names, needed or not. */
async function givenScores(
  graph: GraphPages, file: string | undefined, flag: string | undefined,
): Promise<GivenScores | undefined> {
  if (file !== undefined) return { file, values: (await scoresFrom(file, graph)).scores };
  if (flag !== undefined) remark('--scores means nothing without a policy that needs scores and is ignored');
  return undefined;
}
