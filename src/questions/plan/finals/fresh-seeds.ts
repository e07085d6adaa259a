import { interval, type Interval } from '../../../core/measure/index.ts';
import type { Objective } from '../objective.ts';
import type { Trial } from '../trials/trials.ts';

/** Seeds of a finalist whose goal has no limit of time. */
const seedsWithoutLimit = 3;
/** With a limit: seeds at the first look, and at the last, to which it comes if the interval contains the limit. */
const [firstLook, lastLook] = [5, 10] as const;
/** Seeds after which the interval is looked at. */
export const looks: readonly number[] = [firstLook, lastLook];

/**
 * How much wider than Student's the interval is where its own limits decide whether further seeds are drawn: then it
 * is looked at twice, and each look may miss the mean. Of normal values the two miss in at most 4.2 % of all cases
 * together, whatever decides at which of them the seeds end; the rest of the 5 % is for the skewness of crawl times.
 *
 * Source  the repeated confidence intervals of Jennison and Turnbull (JRSS B 51, 1989), by Bonferroni's inequality.
 */
export const widening = 1.28;

/** What the decision on further seeds depends on. */
export type FreshRun = Pick<Trial, 'isReached' | 'seconds'>;

/**
 * How many fresh seeds a finalist is to have in all, after those that it has: no more than these once their interval
 * decides whether the time is kept, or ten were not enough.
 */
export function seedsNeeded(objective: Objective, runs: readonly FreshRun[]): number {
  if (!hasLimit(objective)) return seedsWithoutLimit;
  if (runs.length < firstLook) return firstLook;
  return isUndecided(objective, runs) ? lastLook : runs.length;
}

/** Mean of a figure over fresh seeds, with an interval that covers it in 95 % of all cases also after two looks. */
export function freshInterval(objective: Objective, values: readonly number[]): Interval {
  const { mean, low, high } = interval(values);
  if (low === null || high === null || !hasLimit(objective)) return { mean, low, high };
  return { mean, low: mean - widening * (mean - low), high: mean + widening * (high - mean) };
}

/** Whether the interval of the time contains the limit. */
function isUndecided(objective: Objective, runs: readonly FreshRun[]): boolean {
  const reached = runs.filter(({ isReached }) => isReached);
  if (reached.length < runs.length) return reached.length > 0;
  const { low, high } = freshInterval(objective, runs.map(({ seconds }) => seconds));
  return low! <= objective.withinSeconds && objective.withinSeconds <= high!;
}

function hasLimit({ kind, withinSeconds }: Objective): boolean {
  return kind === 'cost' && withinSeconds < Infinity;
}
