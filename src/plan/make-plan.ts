import type { PreparedGraph } from '../graph/index.ts';
import { interval, type DatasetFacts, type Interval } from '../measure/index.ts';
import { datasetFacts } from '../engine/index.ts';
import type { PolicyRegistry } from '../policy/index.ts';
import type { Experiment, ExperimentInput } from '../settings/index.ts';
import type { Prices } from './cost.ts';
import { targetOf, type Goal } from './goal.ts';
import { laddersOf, slowPolicies, type Ladders, type Variable } from './ladders.ts';
import { bestOf, isMet, objectiveOf, ordered, trialCost, type Objective } from './objective.ts';
import { probabilityAtMost, probabilityOf } from './odds.ts';
import { search } from './search.ts';
import {
  Trials, TrialsTakenBack, type SetUp, type Trial, type TrialRequest, type TrialsOptions,
} from './trials/trials.ts';
import { altered, alterations, type Alteration } from './alterations.ts';

/** What a plan is asked for. */
export interface PlanRequest {
  /** All must be met; none asks for the most rank within the time. */
  readonly goals: readonly Goal[];
  /** Virtual seconds; Infinity for no limit. */
  readonly withinSeconds: number;
  /** Machines at most, one processor each, and robots on each at most. */
  readonly machines: number;
  readonly robots: number;
  readonly prices: Prices;
  readonly vary?: readonly Variable[] | undefined;
  readonly values?: Partial<Ladders> | undefined;
  /** The settings that all set-ups share: delays, network, seed pages. */
  readonly base: ExperimentInput;
}

/** A set-up with its figures, from seeds that had no part in choosing it. */
export interface Choice {
  readonly setUp: SetUp;
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

/** What one change of circumstances brings to the best set-up, with the same seed. */
export interface Consequence {
  readonly name: Alteration;
  readonly isMet: boolean;
  /** Whether the goal was met, perhaps too late. */
  readonly isReached: boolean;
  readonly cost: number;
  readonly seconds: number;
  readonly rank: number;
  readonly progress: number;
  /** Of the run without the change, and of the run with it. */
  readonly runs: readonly [before: number, after: number];
}

/** The answer. */
export interface Plan {
  readonly request: PlanRequest;
  readonly objective: Objective;
  readonly dataset: DatasetFacts;
  readonly ladders: Ladders;
  /** Policies that were not tried, because simulating them takes too long on a graph of this size. */
  readonly leftOut: readonly string[];
  /** Whether the best set-up probably meets the goal. */
  readonly feasible: boolean;
  readonly best: Choice;
  readonly runnerUp: Choice | null;
  /** Difference runner-up minus best, seed by seed: of the cost, or of the rank. */
  readonly difference: Interval | null;
  readonly whatIf: readonly Consequence[];
  /** Pages simulated by all runs. */
  readonly simulatedPages: number;
  readonly runs: readonly Trial[];
}

/** Seeds that finalists meet: at least, and at most where the interval contains the goal. */
const minSeeds = 3;
const maxSeeds = 10;
/** Runs may take this much longer than allowed, so that it is known by how much the goal was missed. */
const overtime = 1.25;
/** How much longer a crawl that misses its goal may go on, to find the time that it needs. */
const moreTime = 10;
/** Finalists at most, while none probably meets the goal. */
const maxFinalists = 4;

/**
 * Finds the cheapest set-up that meets the goals on a graph, or the one with the most rank.
 *
 * Cost     about 30 to 60 whole simulations; each is stored at once, so that a plan can be resumed.
 *
 * @throws InputError for a goal that the graph cannot meet; PlanInterrupted if the signal ended it.
 */
export async function makePlan(
  prepared: PreparedGraph, request: PlanRequest, policies: PolicyRegistry, options: TrialsOptions,
): Promise<Plan> {
  for (;;) {
    try {
      return await planOnce(prepared, request, policies, options);
    } catch (error) {
      if (!(error instanceof TrialsTakenBack)) throw error;
      options.onRemark?.('the plan is made anew, since trials that it was built on were taken back');
    }
  }
}

async function planOnce(
  prepared: PreparedGraph, request: PlanRequest, policies: PolicyRegistry, options: TrialsOptions,
): Promise<Plan> {
  const { goals, base } = request;
  const trials = await Trials.open(prepared, base, policies, options);
  try {
    const { reachable } = trials;
    const ladders = laddersOf({ ...request, policies, pages: reachable.pages });
    const aims = goals.length > 0 ? goals : [{ kind: 'rank', amount: 1, isShare: true } as const];
    trials.aimAt(aims.map((goal) => targetOf(goal, reachable, prepared.graph.name)));
    const objective = objectiveOf(request);
    const seed = base.seed ?? 1;
    trials.expectRuns(runsExpected(ladders));
    const found = await search((phase, requests) => trials.run(phase, requests), ladders, objective, seed);
    const finals = await finalists(trials, objective, found.whole, seed);
    const best = finals[0];
    const runnerUp = finals.at(1);
    const feasible = best.choice.probability === null || best.choice.probability >= 0.5;
    const whatIf = await consequences(trials, objective, best, policies.settings.parseExperiment(base));
    return {
      request, objective, dataset: datasetFacts(prepared), ladders,
      leftOut: slowPolicies(policies, reachable.pages).filter((name) => !ladders.policy.includes(name)),
      feasible, best: best.choice, runnerUp: runnerUp?.choice ?? null,
      difference: runnerUp === undefined ? null : differenceOf(objective, best, runnerUp),
      whatIf, simulatedPages: trials.simulatedPages, runs: trials.all,
    };
  } finally {
    await trials.close();
  }
}

/** Whole runs that a plan comes to, about: the three rounds of the race simulate a twentieth of each candidate. */
function runsExpected({ policy, superstepLimit, pending }: Ladders): number {
  return 20 + policy.length + (policy.length * superstepLimit.length * pending.length) / 20;
}

interface Finalist {
  readonly choice: Choice;
  readonly trials: readonly Trial[];
}

/**
 * The best set-up and the best of another policy (else of another size), on fresh seeds; further ones while none
 * probably meets the goal. Best first, by these seeds alone.
 */
async function finalists(
  trials: Trials, objective: Objective, whole: readonly Trial[], seed: number,
): Promise<Finalist[]> {
  const best = bestOf(objective, whole);
  const others = whole.filter((trial) => trial !== best);
  const rival = others.find(({ setUp }) => setUp.policy !== best.setUp.policy) ??
    others.find(({ setUp }) => setUp.processors !== best.setUp.processors) ?? others.at(0);
  // What failed by little may still be better in other draws; what costs a little more is safer.
  const queue = [best, ...(rival === undefined ? [] : [rival]), ...others.filter((one) => one !== rival)];
  const done: Finalist[] = [];
  for (const { setUp } of queue.slice(0, maxFinalists)) {
    if (done.length >= 2 && done.some(({ choice }) => isProbable(choice))) break;
    done.push(await onFreshSeeds(trials, objective, setUp, seed));
  }
  const means = done.map(({ trials: [first], choice }): Trial => ({
    ...first, isReached: isProbable(choice) && objective.kind === 'cost', seconds: choice.seconds.mean,
    bytes: choice.bytes.mean, rank: choice.rank.mean, progress: choice.progress,
  }));
  const order = ordered({ ...objective, withinSeconds: Infinity }, means);
  const first = bestOf({ ...objective, withinSeconds: Infinity }, means);
  return [first, ...order.filter((one) => one !== first)].map((one) => done[means.indexOf(one)]);
}

function isProbable({ probability }: Choice): boolean {
  return probability === null || probability >= 0.5;
}

async function onFreshSeeds(trials: Trials, objective: Objective, setUp: SetUp, seed: number): Promise<Finalist> {
  const drawn: Trial[] = [];
  for (let count = minSeeds; drawn.length < count; ) {
    const seeds = Array.from({ length: count - drawn.length }, (_, i) => seed + 1 + drawn.length + i);
    const maxSeconds = (objective.kind === 'rank' ? 1 : overtime) * objective.withinSeconds;
    drawn.push(...await trials.run('finalists', seeds.map((one): TrialRequest => ({ setUp, seed: one, maxSeconds }))));
    if (isUndecided(objective, drawn)) count = Math.min(maxSeeds, 2 * count);
  }
  return { trials: drawn, choice: choiceOf(objective, setUp, drawn) };
}

/** Whether the interval of the time contains the limit. */
function isUndecided({ kind, withinSeconds }: Objective, drawn: readonly Trial[]): boolean {
  if (kind === 'rank' || withinSeconds === Infinity) return false;
  const reached = drawn.filter(({ isReached }) => isReached);
  if (reached.length < drawn.length) return reached.length > 0;
  const { low, high } = interval(drawn.map(({ seconds }) => seconds));
  return low! <= withinSeconds && withinSeconds <= high!;
}

function choiceOf(objective: Objective, setUp: SetUp, drawn: readonly Trial[]): Choice {
  const of = (figure: (trial: Trial) => number): Interval => interval(drawn.map(figure));
  return {
    setUp, cost: of((trial) => trialCost(objective, trial)), seconds: of(({ seconds }) => seconds),
    pages: of(({ pages }) => pages), bytes: of(({ bytes }) => bytes), rank: of(({ rank }) => rank),
    progress: Math.min(...drawn.map(({ progress }) => progress)), probability: probabilityFor(objective, drawn),
    limits: drawn[0].limits, runs: drawn.map(({ id }) => id),
  };
}

function probabilityFor({ kind, withinSeconds }: Objective, drawn: readonly Trial[]): number | null {
  if (kind === 'rank') return null;
  const isWhole = drawn.every(({ isReached }) => isReached);
  if (isWhole && withinSeconds < Infinity) return probabilityAtMost(drawn.map(({ seconds }) => seconds), withinSeconds);
  return probabilityOf(drawn.filter((trial) => trial.isReached && trial.seconds <= withinSeconds).length, drawn.length);
}

function differenceOf(
  objective: Objective, { trials: best }: Finalist, { trials: other }: Finalist,
): Interval | null {
  const pairs = best.flatMap((one) => {
    const beside = other.find(({ seed }) => seed === one.seed);
    return beside === undefined ? [] : [[one, beside] as const];
  });
  const value = (trial: Trial): number => (objective.kind === 'rank' ? trial.rank : trialCost(objective, trial));
  const isKnown = objective.kind === 'rank' || pairs.every((pair) => pair.every((trial) => trial.isReached));
  return pairs.length < 2 || !isKnown ? null : interval(pairs.map(([one, beside]) => value(beside) - value(one)));
}

/** Runs the best set-up under other circumstances, with the first of its seeds. */
async function consequences(
  trials: Trials, objective: Objective, { trials: [before], choice }: Finalist, experiment: Experiment,
): Promise<Consequence[]> {
  const { setUp } = choice;
  const { kind, withinSeconds } = objective;
  const needsTime = kind === 'cost' && withinSeconds < Infinity && !isProbable(choice);
  const names = alterations.filter((name) =>
    altered(name, setUp, experiment) !== undefined && (name !== 'moreTime' || needsTime));
  const maxSeconds = kind === 'rank' ? withinSeconds : overtime * withinSeconds;
  const runs = await trials.run('what if', names.map((name): TrialRequest => {
    const { setUp: other, apply } = altered(name, setUp, experiment)!;
    return {
      setUp: other, seed: before.seed, change: apply && { name, apply },
      maxSeconds: name === 'moreTime' ? moreTime * withinSeconds : maxSeconds,
    };
  }));
  return runs.map((after, i): Consequence => ({
    name: names[i], isMet: isMet(objective, after), isReached: after.isReached, cost: trialCost(objective, after),
    seconds: after.seconds, rank: after.rank, progress: after.progress, runs: [before.id, after.id],
  }));
}
