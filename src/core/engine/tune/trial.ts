import { prepare, sharedUint32, type PreparedGraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { bestRanks, measureQuality } from '../../measure/index.ts';
import { assert } from '../../../base/index.ts';
import { networkSchema, type Experiment } from '../../settings/index.ts';
import { breathe } from '../processors.ts';
import { partitionHosts } from '../setup/owners.ts';
import { settleSeeds } from '../setup/settled.ts';
import { BestFirst, type BestFirstCrawl } from './best-first.ts';
import { byRank, type ByRank } from './by-rank.ts';
import type { OnSuperstep } from './ideal.ts';

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
export interface TuneContext extends ByRank {
  /** Order of the sequential crawl: one processor, page by page. */
  readonly sequential: Uint32Array;
}

/** One trial: this many processors, this R_x. */
export interface Trial {
  readonly processors: number;
  readonly r: number;
}

/** Best-first by true PageRank, without time and failures: only R_x ends a superstep. Queues are in memory. */
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

/** Numbers the pages by falling rank, into shared memory; runs the sequential crawl. */
export async function tuneContext(
  graph: WebGraph | PreparedGraph,
  experiment: Experiment,
  ranks: Float64Array,
  signal?: AbortSignal,
): Promise<TuneContext> {
  const context = byRank(prepare(graph), experiment, ranks);
  const { order } = await crawled(context, { processors: 1, r: 1 }, { signal }, undefined);
  const sequential = sharedUint32(order.length);
  sequential.set(order);
  return { ...context, sequential };
}

export interface TrialOptions {
  /** Aborted, the trial ends soon, without a result. */
  readonly signal?: AbortSignal | undefined;
  readonly onSuperstep?: OnSuperstep;
}

/** Other work of this thread runs after so many pages. */
const pagesPerBreath = 1 << 16;

async function crawled(
  { prepared, ranks, formerPages, experiment }: ByRank, { processors, r }: Trial,
  { signal, onSuperstep }: TrialOptions, sequential: Uint32Array | undefined,
): Promise<BestFirstCrawl> {
  const { seedPages, reachable } = settleSeeds(prepared, experiment);
  const crawl = new BestFirst({
    graph: prepared.graph, ranks, seedPages, processors, robots: experiment.robots, r, sequential,
    processorOfHost: partitionHosts(prepared, { ...experiment, processors }, reachable),
    onSuperstep: onSuperstep && ((fetched, instant, global) => {
      const former = (pages: readonly number[]): number[] => pages.map((page) => formerPages[page]);
      onSuperstep(fetched.map((pages) => pages.map((page) => formerPages[page])), former(instant), former(global));
    }),
  });
  let breath = 0;
  for (let size = crawl.superstep(); size !== undefined && signal?.aborted !== true; size = crawl.superstep()) {
    breath += size;
    if (breath < pagesPerBreath) continue;
    breath = 0;
    await breathe();
  }
  return crawl.result;
}

/** One trial, on any thread; undefined if the signal ended it. */
export async function runTrial(
  context: TuneContext, trial: Trial, options: TrialOptions = {},
): Promise<SweepRow | undefined> {
  const { prepared, ranks, experiment, sequential } = context;
  const { order, errors, supersteps, pairs, balance } = await crawled(context, trial, options, sequential);
  if (options.signal?.aborted === true) return undefined;
  assert(errors !== undefined, 'a trial is compared with ideals');
  const { reachable } = settleSeeds(prepared, experiment);
  const { pagerankArea } = measureQuality(
    { ranks, reachable, order, times: new Float64Array(2 * order.length) }, bestRanks(prepared, ranks, reachable),
  );
  return { r: trial.r, ...errors, area: pagerankArea, supersteps, pairs, balance };
}
