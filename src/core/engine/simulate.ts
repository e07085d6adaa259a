import { assert, checkFields } from '../../base/index.ts';
import { Sinks, type Change, type RunEnd, type RunSink } from '../events/index.ts';
import { isWhole, prepare, type PreparedGraph, type WebGraph } from '../../graphs/graph/index.ts';
import {
  MemoryRecord, TotalOrder, type ForkOf, type RunRecord, type RunResult, type StatisticsRow,
} from '../measure/index.ts';
import { parseExperiment, shippedPolicies, type PolicyDefinition } from '../policy/index.ts';
import {
  superstepLimitOrigin, type Experiment, type ExperimentInput, type SettledExperiment,
} from '../settings/index.ts';
import { hostAddresses, type NetworkFit } from '../simulation/index.ts';
import { runStatistics, type Statistics } from '../statistics/index.ts';
import { assemble, type QueueMaker, type WorldMaker } from './assembly.ts';
import type { RunControl } from './control/control.ts';
import { Steered } from './control/steered.ts';
import { stateOf } from './crews/crew.ts';
import type { SharedCrawl } from './crews/shared-crawl.ts';
import { crawl } from './loop.ts';
import { loadedResult, runHeader } from './result/run-result.ts';
import {
  checkExact, checkpointSink, exactCheckpoint, type ExactCheckpoint, type ExactCheckpoints,
} from './setup/exact-checkpoint.ts';
import { fitOf } from './setup/fitted-network.ts';
import { WholeGraph, type CrawledGraph } from './setup/graph/crawled-graph.ts';
import { reportHistory } from './setup/history.ts';
import { fetchedOf, namesOf } from './setup/names.ts';
import { withScores, type GivenScores } from './setup/ranks.ts';
import { resumeFrom } from './setup/resume.ts';
import { newScratchFolder } from './setup/scratch-folder.ts';
import { originsOf, settle } from './setup/settled.ts';
import { tune } from './tune/tune.ts';

/** Options of a simulation besides its experiment: sinks, control, and what was computed before. */
export interface SimulateOptions {
  /** Hear what happens while the run goes on. */
  readonly sinks?: readonly RunSink[] | undefined;
  /** Called with each row of statistics when it is there, some supersteps late; only if the experiment has any. */
  readonly onStatistics?: ((row: StatisticsRow) => void) | undefined;
  /** Looks into the run, and changes it. */
  readonly control?: RunControl | undefined;
  /**
   * A checkpoint to go on from, under the same settings or others. A new policy first sees what happened before;
   * downloads in flight end under the old settings.
   */
  readonly from?: ExactCheckpoint | undefined;
  /** The run that this one is a fork of, for the record. */
  readonly forkOf?: ForkOf | undefined;
  /** Takes exact checkpoints, which change what queues compare and nothing else. */
  readonly checkpoints?: ExactCheckpoints | undefined;
  /** Changes of an earlier run, made again at the same places. */
  readonly changes?: readonly Change[] | undefined;
  /** Holds the events; in memory (MemoryRecord) unless another is given. */
  readonly record?: RunRecord | undefined;
  /** Aborted, the run ends at the next barrier, with what it has. */
  readonly signal?: AbortSignal | undefined;
  /** True PageRank of the whole graph (damping 0.85), if the caller has it; computed otherwise. */
  readonly ranks?: Float64Array | undefined;
  /** Scores of the pages, for policies that use them. */
  readonly scores?: GivenScores | undefined;
  /** Facts about single hosts and pages of a fitted network, if the experiment names one (`fitNetwork`). */
  readonly fit?: NetworkFit | undefined;
  /** The caller's own policies, which the experiment names like any other. */
  readonly policies?: readonly PolicyDefinition[] | undefined;
  /** The other machines, if this has only some of the processors. The run is neither forked nor changed. @internal */
  readonly shared?: SharedCrawl | undefined;
  /** Makes the processors' queues in place of `createQueue`: for tests and benchmarks. @internal */
  readonly makeQueue?: QueueMaker | undefined;
  /** Makes the processors' Worlds from simulated ones: for tests and benchmarks. @internal */
  readonly makeWorld?: WorldMaker | undefined;
}

const optionFields = {
  sinks: true, onStatistics: true, control: true, from: true, forkOf: true, checkpoints: true, changes: true,
  record: true, signal: true, ranks: true, scores: true, fit: true, policies: true, shared: false, makeQueue: false,
  makeWorld: false,
} as const satisfies Record<keyof SimulateOptions, boolean>;

/**
 * Simulates a crawl of a stored graph and measures it. The same graph, experiment and seed give the same replay hash,
 * with any queue in any number of exact slices. Measures and policies use PageRank with damping 0.85 and uniform
 * teleport, on the whole stored graph. Several runs can share one PreparedGraph.
 *
 * @param source - the graph to crawl.
 * @param input - settings; those left out have their defaults.
 * @param options - sinks, control, and what was computed before.
 * @returns the record of the run and its figures; all arrays are the caller's own.
 * @throws InputError for invalid settings, named by `field`; whatever a sink throws.
 */
export async function simulate(
  source: WebGraph | PreparedGraph, input: ExperimentInput, options: SimulateOptions = {},
): Promise<RunResult<SettledExperiment>> {
  const prepared = prepare(source);
  checkFields('options', options, optionFields);
  return simulateOn(new WholeGraph(prepared), input, options);
}

/** As `simulate`, on a graph of which this machine may have a part: the pages of its processors. */
export async function simulateOn(
  source: CrawledGraph, input: ExperimentInput, options: SimulateOptions = {},
): Promise<RunResult<SettledExperiment>> {
  const plan = await settleRun(source, input, options);
  const statistics = statisticsOf(plan, options);
  const scratch = plan.settings.queue.memoryBytes === 0 ? undefined : newScratchFolder();
  try {
    const run = makeRun(plan, options, statistics, scratch?.path);
    const ended = await driveRun(plan, options, run);
    return resultOf(plan, options, run, ended, statistics);
  } finally {
    scratch?.remove();
    await statistics.close();
  }
}

type RunPlan = Awaited<ReturnType<typeof settleRun>>;
type Run = ReturnType<typeof makeRun>;

/** Settles all that the run depends on: settings, processors of hosts, links, ranks and the checkpoint. */
async function settleRun(source: CrawledGraph, input: ExperimentInput, options: SimulateOptions) {
  const { from, checkpoints, shared } = options;
  checkShared(options);
  const policies = shippedPolicies.with(options.policies);
  const experiment = withScores(source.pages, parseExperiment(input, policies), options.scores, policies);
  const fit = fitOf(experiment, options.fit);
  const { seedPages, reachable, count } = source.seeds(experiment);
  const limit = await settleSuperstepLimit(source, experiment, count, options);
  const settings = settle(experiment, limit.pages, seedPages);
  const ids = shared?.idsOf(settings.processors);
  const processorOfHost = source.owners(settings, reachable);
  const loaded = await source.load(processorOfHost, ids);
  const ranks = options.ranks ?? await source.ranks();
  const parts = { policies, ranks, scores: options.scores?.values, fit };
  if (from !== undefined || checkpoints !== undefined) checkExact(settings);
  const plan = {
    source, settings, reachable, processorOfHost, ids, loaded, parts,
    origins: { ...originsOf(settings), superstepLimit: limit.origin },
    maxPages: Math.min(settings.maxPages ?? Infinity, count),
  };
  return { ...plan, from: from && resumeFrom(from, plan) };
}

/** Makes the record, the sinks and the processors. @param folder where queues of bounded memory create their files. */
function makeRun(plan: RunPlan, options: SimulateOptions, statistics: Statistics, folder: string | undefined) {
  const { source, settings, origins, processorOfHost, ids, from, loaded: { graph }, parts } = plan;
  const { checkpoints, shared, makeQueue, makeWorld } = options;
  const record: RunRecord = options.record ?? new MemoryRecord();
  record.begin?.(
    runHeader(source, settings, origins, options.forkOf), (page) => processorOfHost[graph.hosts.ofPage[page]],
  );
  const copy = (superstep: number): ExactCheckpoint =>
    exactCheckpoint(superstep, source.sha256, settings, assembly, record.events());
  const sinks = new Sinks([
    ...(shared ? [shared.sink] : []), new TotalOrder([record, ...statistics.targets]), ...statistics.sinks,
    ...(checkpoints ? [checkpointSink(checkpoints, copy)] : []), ...(options.sinks ?? []),
  ]);
  const steered = new Steered(options.changes ?? [], sinks, options.signal);
  const assembly = assemble(graph, settings, processorOfHost, {
    ...parts, ids, from, sinks, makeQueue, makeWorld, changesIn: steered.changesIn, breathe: steered.breathe, folder,
    logsQueues: checkpoints !== undefined,
  });
  steered.attach(options.control, assembly.processors);
  return { record, sinks, steered, assembly };
}

/** Reports what happened before the checkpoint, then crawls to the end. */
function driveRun(
  { source, settings, maxPages, from, loaded: { graph } }: RunPlan, { shared, signal }: SimulateOptions,
  { sinks, steered: { isStopped, atBarrier }, assembly }: Run,
): Promise<RunEnd> {
  const started = {
    kind: 'simulation' as const, settings, graph: isWhole(graph) ? graph : undefined, names: namesOf(graph),
    firstSuperstep: from?.superstep ?? 0, maxPages, mayRollBack: assembly.recovery !== undefined,
  };
  return sinks.during(started, async () => {
    if (from !== undefined) await reportHistory(sinks, from.events, fetchedOf(graph));
    const sharedRun = { settings, graph: source, sinks, fetchedOf: fetchedOf(graph) };
    const crews = await shared?.join(assembly.crews[0], sharedRun);
    return crawl({ ...assembly, ...(crews ? { crews } : { signal }), isStopped, breathe: atBarrier });
  }).finally(() => { assembly.dispose(); });
}

/** The record of the run, and its figures. */
function resultOf(
  { source, settings, reachable, processorOfHost, origins, loaded, parts: { ranks, scores, fit } }: RunPlan,
  { forkOf }: SimulateOptions, { record, assembly }: Run, ended: RunEnd, statistics: Statistics,
): RunResult<SettledExperiment> {
  return loadedResult(source, loaded, settings, {
    events: record.events(), ended, ranks, scores, reachable, processorOfHost, origins,
    addresses: hostAddresses(source.pages, { ...settings, fit, processorOfHost }),
    state: stateOf(assembly.processors), statistics: statistics.result(), forkOf,
  });
}

/** R_x and its origin: as set, by default, or as tuned. If tuning finds none, a crawl exchanges messages 20 times. */
async function settleSuperstepLimit(
  graph: CrawledGraph, experiment: Experiment, reachablePages: number, { ranks, signal, policies }: SimulateOptions,
): Promise<{ readonly pages: number | undefined; readonly origin: string }> {
  const { superstepLimit, processors } = experiment;
  if (superstepLimit !== 'auto')
    return { pages: superstepLimit, origin: superstepLimitOrigin({ ...experiment, superstepLimit }) };
  const prepared = graph.whole('--superstep-limit auto');
  const [tuned] = await tune(prepared, experiment, [processors], { ranks, signal, policies });
  if (tuned.superstepLimit !== null)
    return { pages: tuned.superstepLimit, origin: `tuned, stale error at most ${tuned.epsilon}` };
  const origin = `ceil(reachable/(20 P)), since tuning found none: ${tuned.reason ?? ''}`;
  return { pages: Math.ceil(reachablePages / (20 * processors)), origin };
}

/** Statistics of the graph fetched need the links of all pages. */
function statisticsOf({ source, settings, maxPages }: RunPlan, { onStatistics }: SimulateOptions): Statistics {
  const graph = settings.statistics === 'off' ? undefined : source.whole('--statistics').graph;
  return runStatistics(settings, { maxPages, graph, onRow: onStatistics });
}

/** All machines of a shared crawl must run the same crawl, so that one machine alone can neither fork nor change it. */
function checkShared({ shared, control, from, changes = [], checkpoints }: SimulateOptions): void {
  const isAlone = control !== undefined || from !== undefined || changes.length > 0 || checkpoints !== undefined;
  assert(shared === undefined || !isAlone, 'a crawl on several machines is neither forked nor changed');
}
