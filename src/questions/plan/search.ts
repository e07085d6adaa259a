import { variable, type Ladders } from './ladders.ts';
import { bestOf, isMet, ordered, trialCost, type Objective } from './objective.ts';
import { survivors } from './race.ts';
import { rounds } from './trials/trial.ts';
import type { SetUp, Trial, TrialRequest } from './trials/trials.ts';

/** Runs trials: `Trials`, or constructed ones in tests. */
export type RunTrials = (phase: string, requests: readonly TrialRequest[]) => Promise<Trial[]>;

/** What a search found. */
export interface Found {
  /** Trials that had all the time, best first. */
  readonly whole: readonly Trial[];
  readonly best: Trial;
}

/** A pilot that costs this much more than the best ends the ladder of processors: more would cost more still. */
const tooDear = 1.5;
/** A trial may take this much longer than the best before: nothing longer is needed to know that it is worse. */
const patience = 1.25;
/** How often a set-up is changed for the better at most. */
const maxSteps = 6;
/** Fewer candidates than this run whole at once. */
const minRace = 6;

/**
 * Finds a good set-up under one seed: pilots choose the number of processors, the race chooses policy, R_x and pending
 * jobs, then single changes are tried until none helps, and at last fewer robots.
 */
export async function search(
  run: RunTrials, ladders: Ladders, objective: Objective, seed: number,
): Promise<Found> {
  const whole: Trial[] = [];
  const lab = { run, objective, seed, whole, ladders };
  await pilots(lab);
  await race(lab, bestOf(objective, whole));
  await climb(lab);
  await fewerRobots(lab);
  return { whole: ordered(objective, whole), best: bestOf(objective, whole) };
}

interface Lab {
  readonly run: RunTrials;
  readonly objective: Objective;
  readonly seed: number;
  readonly ladders: Ladders;
  readonly whole: Trial[];
}

/** Runs set-ups until the goal is met or they are certainly worse than the best. */
async function runWhole({ run, objective, seed, whole }: Lab, phase: string, setUps: readonly SetUp[]): Promise<void> {
  const isKnown = (setUp: SetUp): boolean => whole.some((trial) => isSame(trial.setUp, setUp));
  const fresh = setUps.filter((setUp, i) => !isKnown(setUp) && setUps.findIndex((other) => isSame(other, setUp)) === i);
  if (fresh.length === 0) return;
  const met = whole.filter((trial) => isMet(objective, trial));
  const leastCost = objective.kind === 'rank' || met.length === 0
    ? Infinity : trialCost(objective, bestOf(objective, met));
  whole.push(...await run(phase, fresh.map((setUp) => ({
    setUp, seed, maxSeconds: Math.min(objective.withinSeconds, longestWorthwhile(objective, setUp, leastCost)),
  }))));
}

/** After so long the machines alone cost more than is worthwhile. */
function longestWorthwhile({ prices }: Objective, { processors }: SetUp, leastCost: number): number {
  if (prices.machineHour === 0) return Infinity;
  return (patience * leastCost * 3600) / (prices.machineHour * processors);
}

/** The default policy on one machine, two, four ... */
async function pilots(lab: Lab): Promise<void> {
  const { ladders, objective, whole } = lab;
  const { processors } = ladders;
  for (let i = 0; i < processors.length; i += 2) {
    const countBefore = whole.length;
    const setUps = processors.slice(i, i + 2).map((count): SetUp => ({ ...first(ladders), processors: count }));
    await runWhole(lab, 'pilots', setUps);
    if (countBefore === 0) continue;
    const [best, latest] = [whole.slice(0, countBefore), whole.slice(countBefore)]
      .map((trials) => bestOf(objective, trials));
    const isDone = objective.kind === 'rank'
      ? bestOf(objective, [best, latest]) === best
      : isMet(objective, best) &&
        (!isMet(objective, latest) || trialCost(objective, latest) > tooDear * trialCost(objective, best));
    if (isDone) return;
  }
}

/** The first value of each ladder, but as many robots as there may be. */
function first({ policy, processors, robots, superstepLimit, pending, partition, exchange }: Ladders): SetUp {
  return {
    policy: policy[0], processors: processors[0], robots: robots[robots.length - 1], superstepLimit: superstepLimit[0],
    pending: pending[0], partition: partition[0], exchange: exchange[0],
  };
}

async function race(lab: Lab, { setUp, roundSeconds }: Trial): Promise<void> {
  const { run, objective, seed, ladders } = lab;
  let racing = ladders.policy.flatMap((policy) => ladders.superstepLimit.flatMap((superstepLimit) =>
    ladders.pending.map((pending): SetUp => ({ ...setUp, policy, superstepLimit, pending }))));
  for (const [i, maxSeconds] of roundSeconds.entries()) {
    // A pilot that fetched nothing has no time to judge by.
    if (racing.length <= minRace || maxSeconds === 0) break;
    const trials = await run(
      `race, round ${i + 1} of ${rounds.length}`,
      racing.map((setUp) => ({ setUp, seed, maxSeconds })),
    );
    racing = survivors(trials, (trial) => trial.setUp.policy, i === rounds.length - 1).map((trial) => trial.setUp);
  }
  await runWhole({ ...lab, objective }, 'race, whole runs', racing);
}

/** From the best set-up, and from the best of another policy, one change at a time while that helps. */
async function climb(lab: Lab): Promise<void> {
  const { objective, whole } = lab;
  const start = bestOf(objective, whole);
  const other = ordered(objective, whole).find(({ setUp }) => setUp.policy !== start.setUp.policy);
  if (other !== undefined) await runWhole(lab, 'neighbours', processorsBeside(lab.ladders, other.setUp));
  for (let step = 0, at: Trial | undefined; step < maxSteps; step++) {
    const best = bestOf(objective, whole);
    if (best === at) return;
    at = best;
    await runWhole(lab, 'neighbours', [...processorsBeside(lab.ladders, at.setUp), ...changes(lab.ladders, at.setUp)]);
  }
}

function processorsBeside({ processors }: Ladders, setUp: SetUp): SetUp[] {
  const at = processors.indexOf(setUp.processors);
  return processors.filter((_, i) => Math.abs(i - at) === 1).map((count) => ({ ...setUp, processors: count }));
}

function changes(ladders: Ladders, setUp: SetUp): SetUp[] {
  // A single processor has nothing to divide and nobody to write to.
  const shared = setUp.processors === 1 ? [] : ['partition', 'exchange'] as const;
  return (['superstepLimit', 'pending', ...shared] as const)
    .flatMap((name) => ladders[name].map((value): SetUp => ({ ...setUp, [name]: value })));
}

/** Halves the robots while that costs nothing. */
async function fewerRobots(lab: Lab): Promise<void> {
  const { ladders: { robots }, objective, whole } = lab;
  for (let i = robots.length - 2; i >= 0; i--) {
    const { setUp } = bestOf(objective, whole);
    if (robots[i] >= setUp.robots) continue;
    // Two at once: as many as cores are common.
    const fewer = [robots[i], robots[Math.max(0, i - 1)]];
    await runWhole(lab, 'fewer robots', fewer.map((count) => ({ ...setUp, robots: count })));
    if (bestOf(objective, whole).setUp.robots === setUp.robots) return;
  }
}

export function isSame(a: SetUp, b: SetUp): boolean {
  return variable.every((name) => a[name] === b[name]);
}
