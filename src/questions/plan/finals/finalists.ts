import type { Interval } from '../../../core/measure/index.ts';
import { bestOf, ordered, trialCost, type Objective } from '../objective.ts';
import type { RunTrials } from '../search.ts';
import type { SetUp, Trial, TrialRequest } from '../trials/trials.ts';
import { freshInterval, seedsNeeded } from './fresh-seeds.ts';
import { probabilityAtMost, probabilityOf } from './odds.ts';

/** A set-up with its figures, from seeds that had no part in choosing it. */
export interface Choice {
  readonly setUp: SetUp;
  /** Cost, and virtual seconds; without an interval where a run ended before it met the goal. */
  readonly cost: Interval;
  readonly seconds: Interval;
  readonly pages: Interval;
  readonly bytes: Interval;
  /** Share of the rank within reach, when the goal was met or the time was over. */
  readonly rank: Interval;
  /** Share of the goal reached at the end, the smallest of any seed; 1 if all met it. */
  readonly progress: number;
  /** The probability that another draw of the network meets the goal, never 0 or 1; null without a goal. */
  readonly probability: number | null;
  /** What limits it, in a sentence, from the first of its runs. */
  readonly limits: string;
  /** Ids of its runs. */
  readonly runs: readonly number[];
}

/** Runs may take this much longer than allowed, so that it is known by how much the goal was missed. */
export const overtime = 1.25;
/** Finalists at most, while none probably meets the goal. */
const maxFinalists = 4;

/** A set-up and its runs on fresh seeds. */
export interface Finalist {
  readonly choice: Choice;
  readonly trials: readonly Trial[];
}

/**
 * The best set-up and the best of another policy (else of another size), on fresh seeds; further ones while none
 * probably meets the goal. Best first, by these seeds alone.
 */
export async function finalists(
  run: RunTrials, objective: Objective, whole: readonly Trial[], seed: number,
): Promise<Finalist[]> {
  const best = bestOf(objective, whole);
  const others = whole.filter((trial) => trial !== best);
  const rival = others.find(({ setUp }) => setUp.policy !== best.setUp.policy) ??
    others.find(({ setUp }) => setUp.processors !== best.setUp.processors) ?? others.at(0);
  // What failed by little may still be better in other draws; what costs a little more is safer.
  const queue = [best, ...(rival === undefined ? [] : [rival]), ...others.filter((setUp) => setUp !== rival)];
  const results: Finalist[] = [];
  for (const { setUp } of queue.slice(0, maxFinalists)) {
    if (results.length >= 2 && results.some(({ choice }) => isProbable(choice))) break;
    results.push(await onFreshSeeds(run, objective, setUp, seed));
  }
  const means = results.map(({ trials: [first], choice }): Trial => ({
    ...first, isReached: isProbable(choice) && objective.kind === 'cost', seconds: choice.seconds.mean,
    bytes: choice.bytes.mean, rank: choice.rank.mean, progress: choice.progress,
  }));
  const order = ordered({ ...objective, withinSeconds: Infinity }, means);
  const first = bestOf({ ...objective, withinSeconds: Infinity }, means);
  return [first, ...order.filter((mean) => mean !== first)].map((mean) => results[means.indexOf(mean)]);
}

/** Whether another draw of the network meets the goal as likely as not. */
export function isProbable({ probability }: Choice): boolean {
  return probability === null || probability >= 0.5;
}

/** A set-up on seeds after `seed`, as many as its interval asks for. */
export async function onFreshSeeds(
  run: RunTrials, objective: Objective, setUp: SetUp, seed: number,
): Promise<Finalist> {
  const maxSeconds = (objective.kind === 'rank' ? 1 : overtime) * objective.withinSeconds;
  const trials: Trial[] = [];
  for (let count: number; (count = seedsNeeded(objective, trials)) > trials.length; ) {
    const requests = Array.from({ length: count - trials.length }, (_, i): TrialRequest =>
      ({ setUp, seed: seed + 1 + trials.length + i, maxSeconds }));
    trials.push(...await run('finalists', requests));
  }
  return { trials, choice: choiceOf(objective, setUp, trials) };
}

function choiceOf(objective: Objective, setUp: SetUp, trials: readonly Trial[]): Choice {
  const of = (figure: (trial: Trial) => number): Interval => freshInterval(objective, trials.map(figure));
  // Runs that were cut off say how long they were let run, not how long they take.
  const isTimeKnown = objective.kind === 'rank' || trials.every(({ isReached }) => isReached);
  const ofTime = (figure: (trial: Trial) => number): Interval =>
    (isTimeKnown ? of(figure) : { mean: of(figure).mean, low: null, high: null });
  return {
    setUp, cost: ofTime((trial) => trialCost(objective, trial)), seconds: ofTime(({ seconds }) => seconds),
    pages: of(({ pages }) => pages), bytes: of(({ bytes }) => bytes), rank: of(({ rank }) => rank),
    progress: Math.min(...trials.map(({ progress }) => progress)), probability: probabilityFor(objective, trials),
    limits: trials[0].limits, runs: trials.map(({ id }) => id),
  };
}

function probabilityFor({ kind, withinSeconds }: Objective, trials: readonly Trial[]): number | null {
  if (kind === 'rank') return null;
  const isWhole = trials.every(({ isReached }) => isReached);
  if (isWhole && withinSeconds < Infinity)
    return probabilityAtMost(trials.map(({ seconds }) => seconds), withinSeconds);
  const met = trials.filter(({ isReached, seconds }) => isReached && seconds <= withinSeconds);
  return probabilityOf(met.length, trials.length);
}

/** Difference of a finalist to the best, seed by seed: of the cost, or of the rank; null where it is not known. */
export function differenceOf(
  objective: Objective, { trials: best }: Finalist, { trials: other }: Finalist,
): Interval | null {
  const pairs = best.flatMap((trial) => {
    const beside = other.find(({ seed }) => seed === trial.seed);
    return beside === undefined ? [] : [[trial, beside] as const];
  });
  const value = (trial: Trial): number => (objective.kind === 'rank' ? trial.rank : trialCost(objective, trial));
  const isKnown = objective.kind === 'rank' || pairs.every((pair) => pair.every((trial) => trial.isReached));
  return pairs.length < 2 || !isKnown ? null
    : freshInterval(objective, pairs.map(([trial, beside]) => value(beside) - value(trial)));
}
