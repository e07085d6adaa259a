import type { WebGraph } from '../graph/index.ts';
import type { Recorder, RunResult, RunSummary } from '../measure/index.ts';
import { assemble, partitionHosts, settle, settleSeeds, type Assembly, type QueueMaker, type VisitLog, type WorldMaker } from './assembly.ts';
import { stateOf, type StateMemory } from './crew.ts';
import { crewFolder, CrewThreads, crewsOf, type RemoteCrew } from './crew-threads.ts';
import { crawl, type CrawlObserver } from './loop.ts';
import { parseExperiment } from './parse.ts';
import { trueRanks, withScores, type GivenScores } from './ranks.ts';
import { runResult } from './run-result.ts';
import { newScratchFolder } from './scratch-folder.ts';
import type { Experiment, ExperimentInput, SettledExperiment } from './schema.ts';
import { tune } from './tune.ts';

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
  /** For policy `scores`, by itself or weighted. */
  readonly scores?: GivenScores | undefined;
  /**
   * Threads on which the processors are simulated, no more than there are processors (default: 1), or threads that are there already, and
   * stay. The result is the same. With any of the hooks below it is one.
   */
  readonly threads?: number | CrewThreads | undefined;
  /** Makes the processors' queues in place of `createQueue`, for whoever wants to see what goes through them. */
  readonly queueOf?: QueueMaker | undefined;
  /** Keeps the network's own log, for whoever wants to hold it against the record. */
  readonly onVisit?: VisitLog | undefined;
  /** Stands before the processors' Worlds, for whoever wants to see what goes through them. */
  readonly worldOf?: WorldMaker | undefined;
}

/**
 * Simulates a crawl of a stored graph and measures it. The same graph, experiment and seed give the same replay hash, with any
 * queue in any number of exact slices, on any number of threads. Ranks for the measures, and for policy `pagerank`: damping 0.85, uniform teleport, on the
 * whole stored graph.
 */
export async function simulate(
  graph: WebGraph,
  input: ExperimentInput,
  options: SimulateOptions = {},
): Promise<RunResult<SettledExperiment>> {
  const experiment = withScores(graph, parseExperiment(input), options.scores);
  const { threads = 1, queueOf, worldOf, onVisit } = options;
  const isWatched = queueOf !== undefined || worldOf !== undefined || onVisit !== undefined;
  if (isWatched) return simulateOn(new CrewThreads(1), graph, experiment, options);
  if (threads instanceof CrewThreads) return simulateOn(threads, graph, experiment, options);
  const team = new CrewThreads(threads);
  return simulateOn(team, graph, experiment, options).finally(() => team.close());
}

async function simulateOn(
  team: CrewThreads, graph: WebGraph, experiment: Experiment, options: SimulateOptions,
): Promise<RunResult<SettledExperiment>> {
  team.start(experiment.processors);
  const { seedPages, reachable, count } = settleSeeds(graph, experiment);
  const ranks = options.ranks ?? trueRanks(graph);
  const limit = await settleSuperstepLimit(graph, experiment, ranks, count, options.signal);
  const settled = settle(experiment, limit.pages, seedPages);
  const processorOfHost = partitionHosts(graph, settled, reachable);
  const scratch = settled.queue.memoryBytes === 0 ? undefined : newScratchFolder();
  let assembly: Assembly | undefined;
  let ended: RunSummary['ended'];
  const states: StateMemory[] = [];
  try {
    const { queueOf, scores, worldOf, onVisit } = options;
    const crewIds = crewsOf(settled.processors, team.threads);
    const parts = { ranks, scores: scores?.values };
    assembly = assemble(graph, settled, processorOfHost, { ...parts, folder: crewFolder(scratch?.path, 0), queueOf, worldOf, onVisit }, crewIds[0]);
    const crews = await team.assemble(crewIds, { ...parts, folder: scratch?.path, graph, experiment: settled, processorOfHost });
    const observer = progressObserver(Math.min(settled.maxPages ?? Infinity, count), options.onProgress);
    ended = await crawl({ ...assembly, crews, signal: options.signal, observer });
    states.push(stateOf(assembly.processors), ...(await finish(crews, assembly.recorder)));
  } finally {
    assembly?.dispose();
    await team.release();
    scratch?.remove();
  }

  return runResult(graph, settled, {
    events: assembly.recorder.finish(), ended, ranks, scores: options.scores?.values, reachable, processorOfHost, states, superstepLimitOrigin: limit.origin,
  });
}

/** Takes what crews in other threads noted into the record. */
async function finish(crews: readonly RemoteCrew[], recorder: Recorder): Promise<StateMemory[]> {
  return Promise.all(crews.map(async (crew) => {
    const { logs, memory } = await crew.finish();
    crew.ids.forEach((id, i) => { recorder.take(id, logs[i]); });
    return memory;
  }));
}

/** R_x as given, or tuned; where tuning finds none, ceil(reachable / (20 P)): twenty exchanges of messages a crawl. */
async function settleSuperstepLimit(
  graph: WebGraph,
  experiment: Experiment,
  ranks: Float64Array,
  reachablePages: number,
  signal: AbortSignal | undefined,
): Promise<{ pages: number; origin: string }> {
  if (experiment.superstepLimit !== 'auto') return { pages: experiment.superstepLimit, origin: 'given' };
  const [tuned] = await tune(graph, experiment, [experiment.processors], { ranks, signal });
  if (tuned.superstepLimit !== null) return { pages: tuned.superstepLimit, origin: `tuned, stale error at most ${tuned.epsilon}` };
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
