import { prepare, type PreparedGraph, type WebGraph } from '../graph/index.ts';
import type { RunResult, RunSummary } from '../measure/index.ts';
import {
  assemble, partitionHosts, settle, settleSeeds, type Assembly, type QueueMaker, type VisitLog, type WorldMaker,
} from './assembly.ts';
import { stateOf, type StateMemory } from './crew.ts';
import { crawl, type CrawlObserver } from './loop.ts';
import { parseExperiment, shippedPolicies, type PolicyDefinition } from '../policy/index.ts';
import { trueRanks, withScores, type GivenScores } from './ranks.ts';
import { runResult } from './run-result.ts';
import { newScratchFolder } from './scratch-folder.ts';
import type { Experiment, ExperimentInput, SettledExperiment } from '../settings/index.ts';
import { tune } from './tune/tune.ts';

/** Told at every barrier. */
export interface Progress {
  readonly superstep: number;
  readonly pagesFetched: number;
  /** Pages the run can fetch: the page limit or the pages reachable. */
  readonly pagesExpected: number;
  readonly virtualSeconds: number;
}

export interface SimulateOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Aborted, the run ends at the next barrier, with what it has. */
  readonly signal?: AbortSignal | undefined;
  /** True PageRank of the whole graph (damping 0.85), if the caller has it; computed otherwise. */
  readonly ranks?: Float64Array | undefined;
  /** For policies that need scores, by themselves or weighted. */
  readonly scores?: GivenScores | undefined;
  /** Policies of the caller's own, which the experiment names as it does any other. */
  readonly policies?: readonly PolicyDefinition[] | undefined;
  /** Makes the processors' queues in place of `createQueue`, for whoever wants to see what goes through them. */
  readonly queueOf?: QueueMaker | undefined;
  /** Keeps the network's own log, for whoever wants to hold it against the record. */
  readonly onVisit?: VisitLog | undefined;
  /** Stands before the processors' Worlds, for whoever wants to see what goes through them. */
  readonly worldOf?: WorldMaker | undefined;
}

/**
 * Simulates a crawl of a stored graph and measures it. The same graph, experiment and seed give the same replay hash,
 * with any queue in any number of exact slices. Ranks for the measures, and for policies that need them: damping 0.85,
 * uniform teleport, on the whole stored graph. A PreparedGraph keeps what runs on it share; a WebGraph is prepared for
 * this run alone.
 */
export async function simulate(
  given: WebGraph | PreparedGraph,
  input: ExperimentInput,
  options: SimulateOptions = {},
): Promise<RunResult<SettledExperiment>> {
  const prepared = prepare(given);
  const { graph } = prepared;
  const policies = shippedPolicies.with(options.policies);
  const experiment = withScores(graph, parseExperiment(input, policies), options.scores, policies);
  const { seedPages, reachable, count } = settleSeeds(prepared, experiment);
  const ranks = options.ranks ?? trueRanks(prepared);
  const limit = await settleSuperstepLimit(prepared, experiment, ranks, count, options);
  const settled = settle(experiment, limit.pages, seedPages);
  const processorOfHost = partitionHosts(prepared, settled, reachable);
  const scratch = settled.queue.memoryBytes === 0 ? undefined : newScratchFolder();
  let assembly: Assembly | undefined;
  let ended: RunSummary['ended'];
  let state: StateMemory;
  try {
    const { queueOf, scores, worldOf, onVisit } = options;
    const parts = { ranks, scores: scores?.values, policies, folder: scratch?.path, queueOf, worldOf, onVisit };
    assembly = assemble(graph, settled, processorOfHost, parts);
    const observer = progressObserver(Math.min(settled.maxPages ?? Infinity, count), options.onProgress);
    ended = await crawl({ ...assembly, signal: options.signal, observer });
    state = stateOf(assembly.processors);
  } finally {
    assembly?.dispose();
    scratch?.remove();
  }

  return runResult(prepared, settled, {
    events: assembly.recorder.finish(), ended, ranks, scores: options.scores?.values, reachable, processorOfHost, state,
    superstepLimitOrigin: limit.origin,
  });
}

/** R_x as given, or tuned; where tuning finds none, ceil(reachable / (20 P)): twenty exchanges of messages a crawl. */
async function settleSuperstepLimit(
  prepared: PreparedGraph,
  experiment: Experiment,
  ranks: Float64Array,
  reachablePages: number,
  { signal, policies }: SimulateOptions,
): Promise<{ pages: number; origin: string }> {
  if (experiment.superstepLimit !== 'auto') return { pages: experiment.superstepLimit, origin: 'given' };
  const [tuned] = await tune(prepared, experiment, [experiment.processors], { ranks, signal, policies });
  if (tuned.superstepLimit !== null)
    return { pages: tuned.superstepLimit, origin: `tuned, stale error at most ${tuned.epsilon}` };
  const pages = Math.ceil(reachablePages / (20 * experiment.processors));
  return { pages, origin: `ceil(reachable/(20 P)), since tuning found none: ${tuned.reason ?? ''}` };
}

function progressObserver(
  pagesExpected: number,
  onProgress: SimulateOptions['onProgress'],
): CrawlObserver {
  return {
    superstepEnded(superstep, barrierUs, pagesFetched) {
      onProgress?.({ superstep, pagesFetched, pagesExpected, virtualSeconds: barrierUs / 1e6 });
    },
  };
}
