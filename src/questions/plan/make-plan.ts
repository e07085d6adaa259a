import type { PreparedGraph } from '../../graphs/graph/index.ts';
import type { DatasetFacts, Interval } from '../../core/measure/index.ts';
import { datasetFacts } from '../../core/engine/index.ts';
import type { PolicyRegistry } from '../../core/policy/index.ts';
import type { Experiment, ExperimentInput } from '../../core/settings/index.ts';
import type { Prices } from './cost.ts';
import { targetOf, type Goal } from './goal.ts';
import { differenceOf, finalists, isProbable, overtime, type Choice, type Finalist } from './finals/finalists.ts';
import { laddersOf, slowPolicies, type Ladders, type Variable } from './ladders.ts';
import { isMet, objectiveOf, trialCost, type Objective } from './objective.ts';
import { search, type RunTrials } from './search.ts';
import {
  Trials, TrialsTakenBack, type Trial, type TrialRequest, type TrialsOptions,
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
  /** The run without the change and the run with it. */
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

/** How much longer a crawl that misses its goal may go on, to find the time that it needs. */
const moreTime = 10;

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
    const run: RunTrials = (phase, requests) => trials.run(phase, requests);
    const candidates = await search(run, ladders, objective, seed);
    const finals = await finalists(run, objective, candidates.whole, seed);
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

/** Runs the best set-up under other circumstances, with the first of its seeds. */
async function consequences(
  trials: Trials, objective: Objective, { trials: [trial], choice }: Finalist, experiment: Experiment,
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
      setUp: other, seed: trial.seed, change: apply && { name, apply },
      maxSeconds: name === 'moreTime' ? moreTime * withinSeconds : maxSeconds,
    };
  }));
  return runs.map((after, i): Consequence => ({
    name: names[i], isMet: isMet(objective, after), isReached: after.isReached, cost: trialCost(objective, after),
    seconds: after.seconds, rank: after.rank, progress: after.progress, runs: [trial.id, after.id],
  }));
}
