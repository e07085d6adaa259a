import { basename, resolve } from 'node:path';
import * as z from 'zod';
import type { ExperimentInput, Settings } from '../../core/settings/index.ts';
import {
  withScores, WholeGraph, type CrawledGraph, type FittedNetwork, type GivenScores,
} from '../../core/engine/index.ts';
import type { RunOrigin } from '../../core/measure/index.ts';
import { prepare, type GraphPages } from '../../graphs/graph/index.ts';
import { InputError } from '../../base/index.ts';
import { grouped } from '../text/figures.ts';
import {
  completed, experimentOf, idleFlags, kebabCase, ownFlags, runDefaults, type ConfigFlags,
} from '../flags/flags.ts';
import { fittedExperiment, readConfigFor } from '../flags/crawl-folder.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { completeRecord, filled, openOutFolder, runOrigin, type OutFolder } from '../flags/out-folder.ts';
import { print, printText, remark, remarkStatistics, tellInterrupted } from '../text/output.ts';
import { scoresFrom } from '../answers/rank-algorithms.ts';
import { inCluster } from '../answers/nodes/cluster.ts';
import { nodeGraph, runPrepare, type GraphSource, type SeedsOf } from '../answers/nodes/node-graph.ts';
import { ForkedRun, recordedFork } from '../answers/fork.ts';
import { Runner, type FinishedRun, type RunnerOptions } from '../answers/runner.ts';
import type { WhatIf } from '../../questions/plan/index.ts';
import { configSchemaText, configText, readReplay } from '../flags/config.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { watched, type Watching } from '../watched.ts';
import { fitFacts, fitText } from '../text/fit-text.ts';
import { simulateText } from '../text/run/simulate-text.ts';

const own = z.object({
  repeat: z.int().min(1).max(10_000).optional(), threads: z.int().min(1).max(256).optional(),
  node: z.int().min(0).max(4095).optional(), nodes: z.int().min(1).max(4096).optional(),
});

interface Flags extends ConfigFlags {
  readonly scores?: string;
  readonly seedPage?: readonly string[];
  readonly out?: string;
  readonly json?: true;
  readonly verify?: true;
  readonly whatIf?: true;
  readonly pagesCsv?: true;
  readonly from?: string;
  readonly at?: string;
  readonly watch?: true;
  readonly cluster?: string;
  readonly prepare?: true;
}

/** What `orbweaver simulate` does. */
export async function runSimulate(named: string | undefined, given: Flags): Promise<void> {
  const { name, flags, forked } = await started(named, given);
  const { config, policies, crawled } = await readConfigFor(name, flags);
  const { settings } = policies;
  if (flags.printSchema === true) {
    printText(configSchemaText(settings));
    return;
  }
  const { repeat, threads, node, nodes } = ownFlags(own, flags);
  const standard = repeat === undefined && flags.cluster === undefined ? { ...runDefaults, ...config } : config;
  const asked = await fittedExperiment(flags, standard, settings, crawled && name);
  const { fitted } = asked;
  const before = (): ExperimentInput => experimentOf({}, standard, settings);
  const { experiment, ...replay } = await replayed(flags, forked, asked.experiment, before);
  checkOwn(flags, repeat, threads);
  const scores = scoresNamed(flags, experiment, settings);
  for (const text of idleFlags(flags, experiment, settings)) remark(text);
  const source = { path: crawled?.graph ?? name, title: crawled && basename(resolve(name)) };
  const seedsOf: SeedsOf = (pages) => seedPagesOf(pages, flags.seedPage) ?? experiment.seedPages;
  if (flags.prepare === true) return runPrepare(source, seedsOf, flags);
  const opened = async () => {
    const graph = await openedGraph(source, flags, experiment, seedsOf, fitted);
    const seedPages = seedsOf(graph.pages);
    const input: ExperimentInput = { ...experiment, ...(seedPages && { seedPages }) };
    return { graph, input, given: await givenScores(graph.pages, scores, flags.scores) };
  };
  if (flags.printConfig === true) {
    const { graph, input, given } = await opened();
    printText(await configText(withScores(graph.pages, completed(input, settings), given, policies), settings));
    return;
  }
  // Before anything is on disk, so that SIGINT never leaves anything half written behind.
  const signal = interruptSignal();
  const { out } = flags;
  const open = () => out === undefined ? undefined : openOutFolder(out, repeat ? 'runs.json' : 'run.json');
  const run = { kind: 'simulation', name: crawled ? basename(resolve(name)) : name, folder: out, signal } as const;
  const { whatIf, from, watch } = flags;
  const alone = { repeat, whatIf, from, watch, config: isReplay(replay) ? flags.config : undefined };
  const finish = await inCluster({ cluster: flags.cluster, node, nodes }, alone, signal, async (cluster) =>
    watched(flags.watch && run, async (watching) => filled(await open(), async (folder) => {
    const { graph, input, given } = await opened();
    const runner = new Runner(graph, signal, policies, { scores: given, fit: fitted });
    const origin = await runOrigin(source.path, scores);

    if (repeat !== undefined) {
      const { repeatDocument, repeatText, runRepeatedly } = await import('../answers/repeat.ts');
      const runs = await runRepeatedly(runner, input, repeat, {
        folder, origin, verify: flags.verify === true, withPages: flags.pagesCsv === true,
      });
      return () => {
        const text = (): string => repeatText(runner.prepared, runs, input.seedPages, flags.out);
        print(flags.json, () => repeatDocument(runs), text);
        if (runner.signal.aborted) tellInterrupted(`in run ${runs.results.length} of ${repeat}`, folder);
      };
    }

    return runOnce(runner, flags, {
      input, fitted, folder, origin, replay, watching, shared: cluster?.shared,
    });
  })));
  finish?.();
}

/** What the flags need of all pages decides how much of it a node opens. */
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
    seedsOf, paths: byName.some((one) => one !== undefined),
    wholeFor: Object.entries(needs).find(([, isNeeded]) => isNeeded)?.[0],
  });
}

interface Once {
  readonly input: ExperimentInput;
  readonly fitted: FittedNetwork | undefined;
  readonly folder: OutFolder | undefined;
  readonly origin: RunOrigin;
  readonly replay: Pick<RunnerOptions, 'changes' | 'fork'>;
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
 * @param before those of the file, without flags.
 */
async function replayed(
  flags: Flags, forked: ForkedRun | undefined, experiment: ExperimentInput, before: () => ExperimentInput,
): Promise<Pick<RunnerOptions, 'changes' | 'fork'> & { readonly experiment: ExperimentInput }> {
  if (forked === undefined) {
    if (flags.config === undefined) return { experiment };
    const fork = await recordedFork(flags.config);
    return { experiment, fork, changes: (await readReplay(flags.config)).changes };
  }
  const robots = flags['robots'] === undefined ? undefined : experiment.robots;
  const isSame = robots === undefined && JSON.stringify(experiment) === JSON.stringify(before());
  return { experiment: { ...experiment, robots: forked.robots }, fork: forked.fork(robots, isSame) };
}

/** Whether a run repeats what a control did to an earlier one. */
function isReplay({ changes = [], fork }: Pick<RunnerOptions, 'changes' | 'fork'>): boolean {
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

/** @param file of the scores that are needed. @param flag the file that `--scores` names, needed or not. */
async function givenScores(
  graph: GraphPages, file: string | undefined, flag: string | undefined,
): Promise<GivenScores | undefined> {
  if (file !== undefined) return { file, values: (await scoresFrom(file, graph)).scores };
  if (flag !== undefined) remark('--scores means nothing without a policy that needs scores and is ignored');
  return undefined;
}
