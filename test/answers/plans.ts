import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, type WebGraph } from '../../src/graphs/graph/index.ts';
import {
  laddersOf, machineHours, makePlan, ordered, parseGoal, Trials, trialCost, type Ladders, type Objective,
  type PlanRequest, type SetUp,
} from '../../src/questions/plan/index.ts';
import { targetOf } from '../../src/questions/plan/goal.ts';
import { shippedPolicies } from '../../src/core/policy/index.ts';

/** A plan beside a search of everything. */
export interface PlanBeside {
  readonly graph: string;
  readonly settings: number;
  /** Cost of the set-up that the plan chose, and the least cost of any, under the same seed: machine-hours. */
  readonly planned: number;
  readonly least: number;
  readonly plannedSetUp: SetUp;
  readonly leastSetUp: SetUp;
  /** Pages simulated by the whole plan (finalists, what-ifs and bounds included), and by the search of everything. */
  readonly plannedPages: number;
  readonly allPages: number;
}

/** 384 settings: eight policies, four numbers of machines, four of robots, three R_x. */
export const wholeGrid: Partial<Ladders> = {
  policy: [
    'opic', 'breadth-first', 'backlink-count', 'round-robin', 'larger-sites-first', 'random', 'compass', 'opic-window',
  ],
  processors: [1, 2, 4, 8], robots: [4, 8, 16, 32], superstepLimit: [undefined, 100, 1000], pending: [undefined],
};

/** Runs both, each with an empty cache. */
export async function planBeside(
  graph: WebGraph, goal: string, values: Partial<Ladders>, workers?: number,
): Promise<PlanBeside> {
  const request: PlanRequest = {
    goals: [parseGoal(goal)], withinSeconds: Infinity, machines: Math.max(...values.processors!),
    robots: Math.max(...values.robots!), prices: machineHours, base: {},
    values: { partition: ['host-hash'], exchange: ['bulk'], ...values },
  };
  const prepared = prepare(graph);
  const cache = await mkdtemp(join(tmpdir(), 'plans-'));
  const objective: Objective = { kind: 'cost', withinSeconds: Infinity, prices: machineHours };
  const options = { cache: join(cache, 'plan'), workers };
  try {
    const plan = await makePlan(prepared, request, shippedPolicies, options);
    const trials = await Trials.open(prepared, {}, shippedPolicies, { ...options, cache: join(cache, 'all') });
    try {
      trials.aimAt(request.goals.map((one) => targetOf(one, trials.reachable, graph.name)));
      const ladders = laddersOf({ ...request, policies: shippedPolicies, pages: graph.pages });
      const requests = everySetUp(ladders).map((setUp) => ({ setUp, seed: 1, maxSeconds: Infinity }));
      const all = await trials.run('all', requests);
      const [least] = ordered(objective, all);
      const planned = all.find(({ setUp }) => JSON.stringify(setUp) === JSON.stringify(plan.best.setUp))!;
      return {
        graph: graph.name, settings: all.length, planned: trialCost(objective, planned),
        least: trialCost(objective, least), plannedSetUp: planned.setUp, leastSetUp: least.setUp,
        plannedPages: plan.simulatedPages, allPages: trials.simulatedPages,
      };
    } finally {
      await trials.close();
    }
  } finally {
    await rm(cache, { recursive: true });
  }
}

function everySetUp(ladders: Ladders): SetUp[] {
  const { policy, processors, robots, superstepLimit, pending, partition, exchange } = ladders;
  return policy.flatMap((a) => processors.flatMap((b) => robots.flatMap((c) => superstepLimit.flatMap((d) =>
    pending.flatMap((e) => partition.flatMap((f) => exchange.map((g): SetUp => ({
      policy: a, processors: b, robots: c, superstepLimit: d, pending: e, partition: f, exchange: g,
    }))))))));
}

export function planBesideText(one: PlanBeside): string {
  const { graph, settings, planned, least, plannedSetUp, leastSetUp, plannedPages, allPages } = one;
  const named = ({ policy, processors, robots, superstepLimit }: SetUp): string =>
    `${policy}, ${processors} x ${robots} robots, R_x ${superstepLimit ?? 'by rule'}`;
  return [
    `${graph}: ${settings} settings, ${allPages.toLocaleString('en-US')} pages simulated; the plan ` +
      `${plannedPages.toLocaleString('en-US')} (${((100 * plannedPages) / allPages).toFixed(1)} %)`,
    `  planned ${planned.toFixed(5)} machine-hours (${named(plannedSetUp)}), least ${least.toFixed(5)} ` +
      `(${named(leastSetUp)}): ${(planned / least).toFixed(4)} of it`,
  ].join('\n');
}
