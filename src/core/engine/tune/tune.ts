import { prepare, type PreparedGraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { checkFields, InputError, wrongArgument } from '../../../base/index.ts';
import { threadModule } from '../../../base/threads/index.ts';
import type { NetworkFit } from '../../simulation/index.ts';
import { settleSeeds } from '../setup/settled.ts';
import { parseExperiment, shippedPolicies, type PolicyDefinition } from '../../policy/index.ts';
import { partitionHosts } from '../setup/owners.ts';
import { trueRanks } from '../setup/ranks.ts';
import type { Experiment, ExperimentInput } from '../../settings/index.ts';
import { runTrial, tuneContext, untimed, type SweepRow, type Trial } from './trial.ts';
import { Workers } from './workers.ts';

/** R_x for one number of processors. */
export interface TuneResult {
  /** Name of the graph. */
  readonly graph: string;
  /** Number of processors. */
  readonly processors: number;
  /** The largest error that was allowed. */
  readonly epsilon: number;
  /** R_x, or null if none qualifies or tuning was interrupted; then `reason` says why. */
  readonly superstepLimit: number | null;
  /** Why there is no R_x. */
  readonly reason?: string;
  /** Sorted by r. */
  readonly sweep: readonly SweepRow[];
}

/** A trial that has ended. */
export interface TunedTrial<Row> {
  readonly processors: number;
  readonly row: Row;
}

export interface TuneOptions<Row = SweepRow> {
  /** 0.05 by default. */
  readonly epsilon?: number | undefined;
  /** Worker threads; the result does not depend on them. 1 = in this thread. All cores by default. */
  readonly threads?: number | undefined;
  readonly onProgress?: ((done: number, expected: number, trial: TunedTrial<Row>) => void) | undefined;
  /** True PageRank of the whole graph (damping 0.85), if the caller has it. */
  readonly ranks?: Float64Array | undefined;
  /** Policies that the experiment may name; trials do not use them. */
  readonly policies?: readonly PolicyDefinition[] | undefined;
  /** What is known of single hosts and pages of a fitted network (`fitNetwork`); `tune` does not use it. */
  readonly fit?: NetworkFit | undefined;
  /** Aborted, tuning ends with the trials that are done. */
  readonly signal?: AbortSignal | undefined;
}

const optionFields = {
  epsilon: true, threads: true, onProgress: true, ranks: true, policies: true, fit: true, signal: true,
} as const satisfies Record<keyof TuneOptions, boolean>;

/**
 * Finds R_x for each number of processors: how many pages a processor may fetch per superstep while the error
 * `stale` stays within epsilon. R_x is the largest power of four such that it and every smaller one qualify, up to
 * the first one not below the largest number of pages on a processor, refined by binary search up to the next power.
 * The error need not rise with R everywhere, so this is a heuristic; the sweep shows its data. (Marin, Paredes &
 * Bonacic, WIDM 2008, section 2: R_x "can be set by performing a binary search through several executions"; the
 * executions' error formula is lost.)
 *
 * Trials run on worker threads over one graph in shared memory, by the same code as in this thread.
 *
 * @param source - the graph to crawl.
 * @param input - settings; R_x, limits and delays among them play no role.
 * @param processors - numbers of processors to find R_x for.
 * @param options - epsilon, threads, and a listener for progress.
 * @returns a result for each of `processors`, in their order.
 * @throws InputError for invalid settings; WorldError if threads do not start.
 */
export async function tune(
  source: WebGraph | PreparedGraph,
  input: ExperimentInput,
  processors: readonly number[],
  options: TuneOptions = {},
): Promise<TuneResult[]> {
  const prepared = prepare(source);
  checkFields('options', options, optionFields);
  const epsilon = options.epsilon ?? 0.05;
  if (!(epsilon >= 0 && epsilon < 1))
    throw new InputError(`epsilon must be at least 0 and below 1 (given: ${epsilon})`, { field: 'epsilon' });
  const experiment = untimed(parseExperiment(input, shippedPolicies.with(options.policies)));
  if (!(processors instanceof Array)) throw wrongArgument('processors', 'a list of numbers', processors);
  const { graph } = prepared;
  const context = await tuneContext(prepared, experiment, options.ranks ?? trueRanks(prepared), options.signal);
  const { reachable } = settleSeeds(prepared, experiment);

  const plans = processors.map((count) => {
    const powers = coarseLimits(prepared, { ...experiment, processors: count }, reachable);
    return { count, powers };
  });

  // Refinement adds log2 of the bracket, a number of trials that is known only later.
  let expected = plans.reduce((sum, { powers }) => sum + powers.length, 0);
  let trials = 0;
  const workers = new Workers({
    context, threads: options.threads, module: threadModule(import.meta.url, 'worker'),
    run: (shared, trial: Trial, signal) => runTrial(shared, trial, { signal }),
  });
  const run = async (trial: Trial): Promise<SweepRow | undefined> => {
    const row = await workers.run(trial, options.signal);
    if (row !== undefined) options.onProgress?.(++trials, expected, { processors: trial.processors, row });
    return row;
  };
  try {
    return await Promise.all(
      plans.map(async ({ count, powers }) => {
        const facts = { graph: graph.name, processors: count, epsilon };
        const tried = await Promise.all(powers.map((r) => run({ processors: count, r })));
        const sweep = tried.filter((row) => row !== undefined);
        const none = (reason: string): TuneResult => ({
          ...facts, superstepLimit: null, reason, sweep: sweep.sort((a, b) => a.r - b.r),
        });
        if (sweep.length < powers.length) return none('interrupted');
        const failing = sweep.findIndex(({ stale }) => stale > epsilon);
        if (failing === 0)
          return none('the error at R = 1 is already above epsilon: it comes from the partition, not from R_x');
        let best = powers[failing < 0 ? powers.length - 1 : failing - 1];
        let beyond = failing < 0 ? best + 1 : powers[failing];
        expected += Math.log2(beyond - best);
        while (beyond - best > 1) {
          const middle: number = (best + beyond) >>> 1;
          const row = await run({ processors: count, r: middle });
          if (row === undefined) return none('interrupted');
          sweep.push(row);
          if (row.stale <= epsilon) best = middle;
          else beyond = middle;
        }
        return { ...facts, superstepLimit: best, sweep: sweep.sort((a, b) => a.r - b.r) };
      }),
    );
  } finally {
    await workers.close();
  }
}

/** The limits tried first are so many times the one before; then those between the best and its neighbours. */
const COARSE = 4;

/** Limits tried first: 1, 4, 16, ..., to the first that no processor has more pages than, beyond which none differs. */
export function coarseLimits(prepared: PreparedGraph, experiment: Experiment, reachable: Uint8Array): number[] {
  const { ofPage } = prepared.graph.hosts;
  const owners = partitionHosts(prepared, experiment, reachable);
  const loads = new Float64Array(experiment.processors);
  reachable.forEach((isReachable, page) => (loads[owners[ofPage[page]]] += isReachable));
  const most = Math.max(...loads);
  const limits = [1];
  while (limits[limits.length - 1] < most) limits.push(COARSE * limits[limits.length - 1]);
  return limits;
}
