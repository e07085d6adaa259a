import { prepare, sharedFloat64, sharedUint32, type PreparedGraph, type WebGraph } from '../../graph/index.ts';
import { Sinks } from '../../events/index.ts';
import {
  bestRanks, measureBalance, measureQuality, MemoryRecord, TotalOrder, type RunEvents,
} from '../../measure/index.ts';
import { assert } from '../../base/index.ts';
import { assemble } from '../assembly.ts';
import { IdealSink, type IdealInput } from './ideal.ts';
import { crawl } from '../loop.ts';
import { namesOf } from '../setup/names.ts';
import { partitionHosts } from '../setup/owners.ts';
import { settle, settleSeeds } from '../setup/settled.ts';
import { networkSchema, type Experiment } from '../../settings/index.ts';

/** One value of R_x tried: mean errors over supersteps (0 ... 1), and figures of the crawl. */
export interface SweepRow {
  readonly r: number;
  readonly stale: number;
  readonly prefix: number;
  readonly state: number;
  readonly area: number;
  readonly supersteps: number;
  /** Pairs sent in the whole run. */
  readonly pairs: number;
  /** mean(X)/mean(Y) of pages. */
  readonly balance: number;
}

/** What all trials of a tuning share; all arrays are in shared memory. */
export interface TuneContext {
  readonly prepared: PreparedGraph;
  readonly ranks: Float64Array;
  /** Order of the sequential crawl: one processor, page by page. */
  readonly sequential: Uint32Array;
  readonly experiment: Experiment;
}

/** One trial: this many processors, this R_x. */
export interface Trial {
  readonly processors: number;
  readonly r: number;
}

/**
 * Best-first by true PageRank, where nothing takes time or fails and only R_x ends a superstep. Queues in
 * memory: the same entries leave.
 */
export function untimed(experiment: Experiment): Experiment {
  return {
    ...experiment,
    maxPages: undefined,
    maxSeconds: undefined,
    policy: 'pagerank',
    superstepMs: 0,
    politenessMs: 0,
    queue: { ...experiment.queue, memoryBytes: 0 },
    network: networkSchema.parse({ latencyMs: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0 }),
  };
}

/** Copies what the trials share into shared memory; runs the sequential crawl. */
export async function tuneContext(
  graph: WebGraph | PreparedGraph,
  experiment: Experiment,
  ranks: Float64Array,
  signal?: AbortSignal,
): Promise<TuneContext> {
  const prepared = prepare(graph);
  const shared = ranks.buffer instanceof SharedArrayBuffer ? ranks : sharedFloat64(ranks.length);
  if (shared !== ranks) shared.set(ranks);
  const { events: { order } } =
    await runUntimed({ prepared, ranks: shared, experiment }, { processors: 1, r: 1 }, { signal });
  const sequential = sharedUint32(order.length);
  sequential.set(order);
  return { prepared, ranks: shared, sequential, experiment };
}

type UntimedInput = Omit<TuneContext, 'sequential'>;

export interface TrialOptions {
  /** Aborted, the trial ends at its next barrier, without a result. */
  readonly signal?: AbortSignal | undefined;
  readonly onSuperstep?: IdealInput['onSuperstep'];
}

async function runUntimed(
  { prepared, ranks, experiment }: UntimedInput,
  { processors, r }: Trial,
  { signal, onSuperstep }: TrialOptions,
  sequential?: Uint32Array,
): Promise<{ events: RunEvents; reachable: Uint8Array; ideal: IdealSink | undefined }> {
  const { graph } = prepared;
  const { seedPages, reachable, count } = settleSeeds(prepared, experiment);
  const settings = settle({ ...experiment, processors, pending: r }, r, seedPages);
  const record = new MemoryRecord();
  const ideal = sequential && new IdealSink({ graph, ranks, sequential, processors, onSuperstep });
  const sinks = new Sinks([new TotalOrder(processors, [record]), ...(ideal === undefined ? [] : [ideal])]);
  const assembly = assemble(graph, settings, partitionHosts(prepared, settings, reachable), {
    sinks, ranks, onReceived: () => ideal?.received(assembly.processors),
  });
  await sinks
    .during(
      {
        kind: 'simulation', settings, graph, names: namesOf(graph), firstSuperstep: 0, mayRollBack: false,
        maxPages: count,
      },
      () => crawl({ ...assembly, signal }),
    )
    .finally(() => {
      assembly.dispose();
    });
  return { events: record.events(), reachable, ideal };
}

/** One trial, on any thread; undefined if the signal ended it. */
export async function runTrial(
  context: TuneContext, trial: Trial, options: TrialOptions = {},
): Promise<SweepRow | undefined> {
  const { prepared, ranks } = context;
  const { events, reachable, ideal } = await runUntimed(context, trial, options, context.sequential);
  if (options.signal?.aborted === true) return undefined;
  assert(ideal !== undefined, 'a trial is compared with ideals');
  const { stale, prefix, state } = ideal.errors;
  const { pagerankArea } = measureQuality(
    { ranks, reachable, ...events }, bestRanks(prepared, ranks, reachable),
  );
  return {
    r: trial.r,
    stale,
    prefix,
    state,
    area: pagerankArea,
    supersteps: events.rows.length / trial.processors,
    pairs: events.rows.reduce((sum, row) => sum + row.pairsSent, 0),
    // Without pages there is no balance, but a trial fetches at least its seed pages.
    balance: measureBalance(events.rows, trial.processors).pages!,
  };
}
