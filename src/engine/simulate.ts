import { Sinks, type RunEnd, type RunSink } from '../events/index.ts';
import { prepare, type PreparedGraph, type WebGraph } from '../graph/index.ts';
import { MemoryRecord, TotalOrder, type RunRecord, type RunResult } from '../measure/index.ts';
import { parseExperiment, type ExperimentInput, type SettledExperiment } from '../settings/index.ts';
import { assemble, type QueueMaker, type WorldMaker } from './assembly.ts';
import { stateOf } from './crew.ts';
import { crawl } from './loop.ts';
import { namesOf } from './setup/names.ts';
import { partitionHosts } from './setup/owners.ts';
import { trueRanks, withScores, type GivenScores } from './setup/ranks.ts';
import { runHeader, runResult } from './result/run-result.ts';
import { newScratchFolder } from './setup/scratch-folder.ts';
import { settle, settleSeeds } from './setup/settled.ts';
import { settleSuperstepLimit } from './setup/superstep-limit.ts';

export interface SimulateOptions {
  /** Hear what happens while the run goes on. */
  readonly sinks?: readonly RunSink[] | undefined;
  /** Holds the events; in memory (MemoryRecord) unless another is given. */
  readonly record?: RunRecord | undefined;
  /** Aborted, the run ends at the next barrier, with what it has. */
  readonly signal?: AbortSignal | undefined;
  /** True PageRank of the whole graph (damping 0.85), if the caller has it; computed otherwise. */
  readonly ranks?: Float64Array | undefined;
  /** For policy `scores`, by itself or weighted. */
  readonly scores?: GivenScores | undefined;
  /** Makes the processors' queues in place of `createQueue`: for tests and benchmarks. */
  readonly makeQueue?: QueueMaker | undefined;
  /** Makes the processors' Worlds from simulated ones: for tests and benchmarks. */
  readonly makeWorld?: WorldMaker | undefined;
}

/**
 * Simulates a crawl of a stored graph and measures it. The same graph, experiment and seed give the same replay hash,
 * with any queue in any number of exact slices. Ranks for the measures, and for policy `pagerank`: damping 0.85,
 * uniform teleport, on the whole stored graph. A PreparedGraph holds what runs on it share; a WebGraph is prepared for
 * this run alone.
 */
export async function simulate(
  source: WebGraph | PreparedGraph, input: ExperimentInput, options: SimulateOptions = {},
): Promise<RunResult<SettledExperiment>> {
  const prepared = prepare(source);
  const { graph } = prepared;
  const experiment = withScores(graph, parseExperiment(input), options.scores);
  const { seedPages, reachable, count } = settleSeeds(prepared, experiment);
  const ranks = options.ranks ?? trueRanks(prepared);
  const limit = await settleSuperstepLimit(prepared, experiment, ranks, count, options.signal);
  const settings = settle(experiment, limit.pages, seedPages);
  const processorOfHost = partitionHosts(prepared, settings, reachable);
  const record: RunRecord = options.record ?? new MemoryRecord();
  record.begin?.(
    runHeader(prepared, settings, limit.origin), (page) => processorOfHost[graph.hosts.ofPage[page]],
  );
  const sinks = new Sinks([new TotalOrder(settings.processors, [record]), ...(options.sinks ?? [])]);
  const scratch = settings.queue.memoryBytes === 0 ? undefined : newScratchFolder();
  try {
    const { makeQueue, makeWorld, signal } = options;
    const scores = options.scores?.values;
    const assembly = assemble(graph, settings, processorOfHost, {
      sinks, ranks, scores, makeQueue, makeWorld, folder: scratch?.path,
    });
    const ended = await sinks.during(
      {
        kind: 'simulation', settings, graph, names: namesOf(graph), firstSuperstep: 0,
        mayRollBack: assembly.recovery !== undefined,
        maxPages: Math.min(settings.maxPages ?? Infinity, count),
      },
      (): Promise<RunEnd> => crawl({ ...assembly, signal }),
    ).finally(() => { assembly.dispose(); });
    return runResult(prepared, settings, {
      events: record.events(), ended, ranks, scores, reachable, processorOfHost, superstepLimitOrigin: limit.origin,
      state: stateOf(assembly.processors),
    });
  } finally {
    scratch?.remove();
  }
}
