import { assert, checkFields } from '../../base/index.ts';
import { Sinks, type Change, type RunEnd, type RunSink } from '../events/index.ts';
import { isWhole, prepare, type PreparedGraph, type WebGraph } from '../../graphs/graph/index.ts';
import {
  MemoryRecord, TotalOrder, type ForkOf, type RunRecord, type RunResult, type StatisticsRow,
} from '../measure/index.ts';
import { parseExperiment, shippedPolicies, type PolicyDefinition } from '../policy/index.ts';
import type { ExperimentInput, SettledExperiment } from '../settings/index.ts';
import { hostAddresses, type NetworkFit } from '../simulation/index.ts';
import { assemble, type Assembly, type QueueMaker, type WorldMaker } from './assembly.ts';
import type { RunControl } from './control/control.ts';
import { stateOf } from './crews/crew.ts';
import type { SharedCrawl } from './crews/shared-crawl.ts';
import { crawl } from './loop.ts';
import { frontierSettings } from './processors.ts';
import {
  checkExact, checkFrom, checkpointSink, exactCheckpoint, isOrderedOtherwise, takenUp, type ExactCheckpoint,
  type ExactCheckpoints,
} from './setup/exact-checkpoint.ts';
import { fitOf } from './setup/fitted-network.ts';
import { reportHistory } from './setup/history.ts';
import { withDelay } from './setup/longer-delay.ts';
import { fetchedOf, namesOf } from './setup/names.ts';
import { WholeGraph, type CrawledGraph } from './setup/graph/crawled-graph.ts';
import { withScores, type GivenScores } from './setup/ranks.ts';
import { loadedResult, runHeader } from './result/run-result.ts';
import { newScratchFolder } from './setup/scratch-folder.ts';
import { originsOf, settle } from './setup/settled.ts';
import { taught } from './setup/taught.ts';
import { settleSuperstepLimit } from './setup/superstep-limit.ts';
import { runStatistics } from '../statistics/index.ts';
import { Steered } from './control/steered.ts';

/** Options of a simulation besides its experiment: sinks, control, and what was computed before. */
export interface SimulateOptions {
  /** Hear what happens while the run goes on. */
  readonly sinks?: readonly RunSink[] | undefined;
  /** Called with each row of statistics when it is there, some supersteps late; only if the experiment has any. */
  readonly onStatistics?: ((row: StatisticsRow) => void) | undefined;
  /** Looks into the run, and changes it. */
  readonly control?: RunControl | undefined;
  /**
   * A checkpoint to go on from, exactly as the run was that it was taken of, under the same settings or others: a new
   * policy is shown what happened before, and downloads in flight end under the old settings.
   */
  readonly from?: ExactCheckpoint | undefined;
  /** What the run is recorded to be a fork of. */
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
  /** For policies that need scores, by themselves or weighted. */
  readonly scores?: GivenScores | undefined;
  /** What is known of single hosts and pages of a fitted network, where the experiment names one (`fitNetwork`). */
  readonly fit?: NetworkFit | undefined;
  /** Policies of the caller's own, which the experiment names as it does any other. */
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
 * with any queue in any number of exact slices. Ranks for the measures, and for policies that need them: damping 0.85,
 * uniform teleport, on the whole stored graph. A PreparedGraph holds what runs on it share; a WebGraph is prepared for
 * this run alone.
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

/** The same on a graph of which only a part may be here: that of the processors of this machine. */
export async function simulateOn(
  source: CrawledGraph, input: ExperimentInput, options: SimulateOptions = {},
): Promise<RunResult<SettledExperiment>> {
  checkShared(options);
  const policies = shippedPolicies.with(options.policies);
  const experiment = withScores(source.pages, parseExperiment(input, policies), options.scores, policies);
  const fit = fitOf(experiment, options.fit);
  const { seedPages, reachable, count } = source.seeds(experiment);
  const limit = await settleSuperstepLimit(source, experiment, count, options);
  const settings = settle(experiment, limit.pages, seedPages);
  const origins = { ...originsOf(settings), superstepLimit: limit.origin };
  const { checkpoints, forkOf, shared } = options;
  const ids = shared?.idsOf(settings.processors);
  const processorOfHost = source.owners(settings, reachable);
  const loaded = await source.load(processorOfHost, ids);
  const { graph } = loaded;
  const ranks = options.ranks ?? await source.ranks();
  const record: RunRecord = options.record ?? new MemoryRecord();
  record.begin?.(runHeader(source, settings, origins, forkOf), (page) => processorOfHost[graph.hosts.ofPage[page]]);
  let from = options.from && takenUp(options.from, settings);
  if (from !== undefined) checkFrom(source.sha256, settings, from);
  else if (checkpoints !== undefined) checkExact(settings);
  const copy = (superstep: number): ExactCheckpoint => exactCheckpoint(superstep, source.sha256, settings, {
    processors: assembly.processors, worlds: assembly.worlds(), mail: assembly.transport.save(),
    events: record.events(),
  });
  const maxPages = Math.min(settings.maxPages ?? Infinity, count);
  const statistics = statisticsOf(source, settings, maxPages, options);
  const sinks = new Sinks([
    ...(shared ? [shared.sink] : []), new TotalOrder([record, ...statistics.targets]), ...statistics.sinks,
    ...(checkpoints ? [checkpointSink(checkpoints, copy)] : []), ...(options.sinks ?? []),
  ]);
  let assembly: Assembly;
  const scratch = settings.queue.memoryBytes === 0 ? undefined : newScratchFolder();
  try {
    const { makeQueue, makeWorld, signal } = options;
    const scores = options.scores?.values;
    const steered = new Steered(options.changes ?? [], sinks, signal);
    const { breathe, isStopped, plan } = steered;
    if (from !== undefined && isOrderedOtherwise(settings, from))
      from = taught(graph, settings, processorOfHost, from, { policies, ranks, scores, fit });
    if (from !== undefined && settings.politenessMs > from.settings.politenessMs)
      from = withDelay(from, frontierSettings(settings).politenessUs);
    assembly = assemble(graph, settings, processorOfHost, {
      ids, from, sinks, policies, ranks, scores, fit, makeQueue, makeWorld, plan, breathe, folder: scratch?.path,
      logsQueues: checkpoints !== undefined,
    });
    steered.attach(options.control, assembly.processors);
    const ended = await sinks.during(
      {
        kind: 'simulation', settings, graph: isWhole(graph) ? graph : undefined, names: namesOf(graph),
        firstSuperstep: from?.superstep ?? 0, maxPages, mayRollBack: assembly.recovery !== undefined,
      },
      async (): Promise<RunEnd> => {
        if (from !== undefined) await reportHistory(sinks, from.events, fetchedOf(graph));
        const run = { settings, graph: source, sinks, fetchedOf: fetchedOf(graph) };
        const crews = await shared?.join(assembly.crews[0], run);
        return crawl({ ...assembly, ...(crews ? { crews } : { signal }), isStopped, breathe: steered.atBarrier });
      },
    ).finally(() => { assembly.dispose(); });
    return loadedResult(source, loaded, settings, {
      events: record.events(), ended, ranks, scores, reachable, processorOfHost, origins,
      addresses: hostAddresses(source.pages, { ...settings, fit, processorOfHost }),
      state: stateOf(assembly.processors), statistics: statistics.result(), forkOf,
    });
  } finally {
    scratch?.remove();
    await statistics.close();
  }
}

/** Statistics of the graph fetched need the links of all pages. */
function statisticsOf(
  source: CrawledGraph, settings: SettledExperiment, maxPages: number, { onStatistics }: SimulateOptions,
) {
  const graph = settings.statistics === 'off' ? undefined : source.whole('--statistics').graph;
  return runStatistics(settings, { maxPages, graph, onRow: onStatistics });
}

/** What happens on one machine alone would make its crawl another one than that of the others. */
function checkShared({ shared, control, from, changes = [], checkpoints }: SimulateOptions): void {
  const isAlone = control !== undefined || from !== undefined || changes.length > 0 || checkpoints !== undefined;
  assert(shared === undefined || !isAlone, 'a crawl on several machines is neither forked nor changed');
}
