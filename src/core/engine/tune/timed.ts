import { prepare, type PreparedGraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { threadModule } from '../../../base/threads/index.ts';
import { parseExperiment, shippedPolicies, type PolicyDefinition } from '../../policy/index.ts';
import type { Experiment, ExperimentInput } from '../../settings/index.ts';
import type { NetworkFit } from '../../simulation/index.ts';
import { settleSeeds } from '../setup/settled.ts';
import { trueRanks } from '../setup/ranks.ts';
import { simulate } from '../simulate.ts';
import { coarseLimits, type TuneOptions } from './tune.ts';
import { Workers } from './workers.ts';

/** `rank`: the most PageRank within the time limit; `time`: the least time for the pages. */
export type TimedGoal = 'rank' | 'time';

/** A whole simulation with one R_x. */
export interface TimedRow {
  /** Null: the rule that holds where R_x is not set. */
  readonly r: number | null;
  /** Share of the PageRank within reach. */
  readonly rankGathered: number;
  readonly pagesFetched: number;
  readonly virtualSeconds: number;
  /** Whether it fetched all that it may, and not just what the time allowed. */
  readonly isWhole: boolean;
  readonly supersteps: number;
  readonly pairsPerPage: number | null;
}

export interface TimedResult {
  readonly graph: string;
  readonly processors: number;
  readonly goal: TimedGoal;
  /** The best R_x tried; null if tuning was interrupted. */
  readonly superstepLimit: number | null;
  /** The rule comes first, then rows sorted by r. */
  readonly sweep: readonly TimedRow[];
}

export interface TimedContext {
  readonly prepared: PreparedGraph;
  readonly ranks: Float64Array;
  readonly experiment: Experiment;
  readonly policies: readonly PolicyDefinition[];
  readonly fit: NetworkFit | undefined;
}

/** One simulation: this many processors, this R_x. */
export interface TimedTrial {
  readonly processors: number;
  readonly r: number | null;
}

/**
 * Finds R_x for each number of processors by whole simulations, with robots, delays and network: to a factor of two,
 * since the curve is flat at its best. The rule that holds without R_x is simulated too, to compare with. Simulations
 * run on worker threads; those with policies of the user's own in this thread, since functions cannot be cloned.
 *
 * @throws InputError for invalid settings, and for `rank` without a time limit.
 */
export async function tuneTimed(
  source: WebGraph | PreparedGraph, input: ExperimentInput, processors: readonly number[], goal: TimedGoal,
  options: Omit<TuneOptions<TimedRow>, 'epsilon'> = {},
): Promise<TimedResult[]> {
  const policies = options.policies ?? [];
  const experiment = parseExperiment(input, shippedPolicies.with(policies));
  if (goal === 'rank' && experiment.maxSeconds === undefined) {
    throw new InputError(
      'finding the most rank within a time needs that time, in seconds (--max-seconds)', { field: 'maxSeconds' },
    );
  }
  const prepared = prepare(source);
  const { reachable } = settleSeeds(prepared, experiment);
  const context: TimedContext = {
    prepared, ranks: options.ranks ?? trueRanks(prepared), experiment, policies, fit: options.fit,
  };
  const workers = new Workers({
    context, threads: policies.length > 0 ? 1 : options.threads, module: threadModule(import.meta.url, 'timed-worker'),
    run: runTimedTrial,
  });
  let expected = 0;
  let trials = 0;
  const runAll = async (count: number, limits: readonly (number | null)[]): Promise<TimedRow[]> => {
    const rows = await Promise.all(limits.map(async (r) => {
      const row = await workers.run({ processors: count, r }, options.signal);
      if (row !== undefined) options.onProgress?.(++trials, expected, { processors: count, row });
      return row;
    }));
    return rows.filter((row) => row !== undefined);
  };
  try {
    const plans = processors.map((count) => {
      const coarse = coarseLimits(prepared, { ...experiment, processors: count }, reachable);
      const [limits, most] = [[null, ...coarse], coarse[coarse.length - 1]];
      // The finer ones follow.
      expected += limits.length + 2;
      return { count, limits, most };
    });
    return await Promise.all(plans.map(async ({ count, limits, most }): Promise<TimedResult> => {
      const facts = { graph: prepared.graph.name, processors: count, goal };
      const rows = await runAll(count, limits);
      const isWhole = rows.length === limits.length;
      const near = isWhole ? besideBest(rows, goal, most) : [];
      const sweep = [...rows, ...(await runAll(count, near))].sort((a, b) => (a.r ?? 0) - (b.r ?? 0));
      const best = sweep.length < limits.length + near.length || !isWhole ? null : bestOf(sweep, goal);
      return { ...facts, superstepLimit: best, sweep };
    }));
  } finally {
    await workers.close();
  }
}

/** One simulation, on any thread; undefined if the signal ended it. */
export async function runTimedTrial(
  { prepared, experiment, ...shared }: TimedContext, { processors, r }: TimedTrial, signal?: AbortSignal,
): Promise<TimedRow | undefined> {
  const input = { ...experiment, processors, superstepLimit: r ?? undefined, statistics: 'off' as const };
  const { run: { summary } } = await simulate(prepared, input, { ...shared, signal });
  if (summary.ended === 'interrupted') return undefined;
  return {
    r, rankGathered: summary.rankGathered.ofReachable, pagesFetched: summary.pagesFetched,
    virtualSeconds: summary.virtualSeconds, isWhole: summary.ended !== 'time limit', supersteps: summary.supersteps,
    pairsPerPage: summary.communication.pairsPerPage,
  };
}

/** The limits between the best of the coarse ones and its neighbours. */
function besideBest(rows: readonly TimedRow[], goal: TimedGoal, most: number): number[] {
  const best = bestOf(rows, goal);
  return [best / 2, best * 2].filter((r) => r >= 1 && r <= most);
}

/** The best row's R_x; of equal ones that with the fewest supersteps, then the least: greater ones change nothing. */
export function bestOf(rows: readonly TimedRow[], goal: TimedGoal): number {
  const [best] = rows.filter(({ r }) => r !== null).sort((a, b) => {
    const byTime = Number(b.isWhole) - Number(a.isWhole) || a.virtualSeconds - b.virtualSeconds;
    const byRank = b.rankGathered - a.rankGathered;
    return (goal === 'rank' ? byRank || byTime : byTime || byRank) || a.supersteps - b.supersteps || a.r! - b.r!;
  });
  return best.r!;
}
