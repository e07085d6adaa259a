import { assert } from '../../base/index.ts';
import { costOf, type Prices } from './cost.ts';
import type { Trial } from './trials/trials.ts';

/** What a plan is to be good at. */
export interface Objective {
  /** The least cost at which the goal is met, or the most rank within a time. */
  readonly kind: 'cost' | 'rank';
  /** Virtual seconds; Infinity for no limit. */
  readonly withinSeconds: number;
  readonly prices: Prices;
}

export function objectiveOf(
  { goals, withinSeconds, prices }: { readonly goals: readonly unknown[] } & Omit<Objective, 'kind'>,
): Objective {
  return { kind: goals.length > 0 ? 'cost' : 'rank', withinSeconds, prices };
}

/** Trials this close are alike: then fewer robots decide. */
const alike = 0.002;

export function isMet({ kind, withinSeconds }: Objective, { isReached, seconds }: Trial): boolean {
  return kind === 'rank' || (isReached && seconds <= withinSeconds);
}

export function trialCost({ prices }: Objective, { setUp, seconds, bytes }: Trial): number {
  return costOf(prices, setUp.processors, seconds, bytes);
}

/**
 * Trials, best first: those that meet the goal by their cost (or by their rank), then the others by how near they came.
 */
export function ordered(objective: Objective, trials: readonly Trial[]): Trial[] {
  const costs = new Map(
    trials.map((trial) => [trial, isMet(objective, trial) ? trialCost(objective, trial) : Infinity]),
  );
  const cost = (trial: Trial): number => costs.get(trial)!;
  return [...trials].sort((a, b) => {
    if (objective.kind === 'rank') return b.rank - a.rank || cost(a) - cost(b) || simpler(a, b);
    if (cost(a) !== cost(b)) return cost(a) - cost(b);
    return b.progress - a.progress || a.seconds - b.seconds || simpler(a, b);
  });
}

/** The best trial; of those that are as good, the one that costs least (for rank) and has the fewest robots. */
export function bestOf(objective: Objective, trials: readonly Trial[]): Trial {
  assert(trials.length > 0, 'there is no trial to choose from');
  const [first, ...others] = ordered(objective, trials);
  const isAlike = (trial: Trial): boolean => {
    if (objective.kind === 'rank') return trial.rank >= first.rank * (1 - alike);
    if (!isMet(objective, first)) return trial.progress >= first.progress * (1 - alike);
    return isMet(objective, trial) && trialCost(objective, trial) <= trialCost(objective, first) * (1 + alike);
  };
  return others.filter(isAlike).reduce((best, trial) => {
    const [bestCost, now] = [best, trial].map((each) => trialCost(objective, each));
    if (objective.kind === 'rank' && Math.abs(now - bestCost) > alike * bestCost) return now < bestCost ? trial : best;
    return simpler(trial, best) < 0 ? trial : best;
  }, first);
}

/** Negative where `a` has fewer robots in all, then fewer machines. */
function simpler({ setUp: a, id: idA }: Trial, { setUp: b, id: idB }: Trial): number {
  return a.processors * a.robots - b.processors * b.robots || a.processors - b.processors || idA - idB;
}
