import { RunControl, settleSeeds, simulate } from '../../../core/engine/index.ts';
import type { RunSink } from '../../../core/events/index.ts';
import type { PreparedGraph, WebGraph } from '../../../graphs/graph/index.ts';
import { limitsInWords, type LimitKind, type RunEvents } from '../../../core/measure/index.ts';
import type { ExperimentInput } from '../../../core/settings/index.ts';
import type { RunContext } from '../../study/index.ts';
import type { Outcome } from '../../../core/world/index.ts';
import type { GoalKind, Reachable, Target } from '../goal.ts';

/** One simulation, which ends where all targets are reached. */
export interface TrialTask {
  readonly experiment: ExperimentInput;
  readonly targets: readonly Target[];
}

/** What a trial gathered until the targets were reached, or else until it ended. */
export interface TrialFigures {
  readonly isReached: boolean;
  /** Virtual seconds. */
  readonly seconds: number;
  readonly pages: number;
  readonly bytes: number;
  /** The smallest share of a target that is reached, at most 1; and the same at half of the time. */
  readonly progress: number;
  readonly progressAtHalf: number;
  /** Share of the rank within reach. */
  readonly rank: number;
  readonly hosts: number;
  /** Progress at 64 equal steps of the time, to be drawn. */
  readonly curve: readonly number[];
  /** Virtual seconds after which the shares of pages were fetched at which a race is judged. */
  readonly roundSeconds: readonly number[];
  /** Pages that were simulated, those after the goal included. */
  readonly simulatedPages: number;
  readonly limits: string;
  readonly limitKinds: readonly LimitKind[];
  readonly ended: string;
  readonly replayHash: string;
}

/** Points of a trial's curve. */
export const curvePoints = 64;
/**
 * A race is judged when the pilot had fetched these shares of its pages: of the time, they would be most of the work,
 * since crawls are fast in the beginning. After the last round the survivors run whole.
 */
export const rounds = [1 / 64, 1 / 16, 1 / 4] as const;

/** Runs a trial, in any thread; undefined if the signal ended it. */
export async function runTrial(
  { prepared, ranks, scores, policies, fit }: RunContext, { experiment, targets }: TrialTask, signal?: AbortSignal,
): Promise<TrialFigures | undefined> {
  const control = new RunControl();
  const watch = new GoalWatch(prepared.graph, ranks, targets, control);
  const { run: { summary, replayHash }, events } = await simulate(prepared, { ...experiment, statistics: 'off' }, {
    ranks, scores, policies, fit, signal, control, sinks: [watch],
  });
  if (signal?.aborted === true) return undefined;
  const { ended, limits, pagesFetched, bytes, virtualSeconds, rankGathered } = summary;
  const reached = reachedAt(prepared.graph, ranks, events, targets);
  const seconds = reached?.seconds ?? virtualSeconds;
  const pages = reached?.pages ?? pagesFetched;
  const curve = curveOf(prepared.graph, ranks, { events, targets, seconds });
  return {
    isReached: reached !== undefined, seconds, pages, bytes: pagesFetched === 0 ? 0 : (bytes * pages) / pagesFetched,
    progress: curve[curvePoints - 1], progressAtHalf: curve[curvePoints / 2 - 1], rank: rankGathered.ofReachable,
    hosts: summary.hosts.fetched, curve,
    roundSeconds: rounds.map((share) => secondsTo(events, Math.ceil(share * pages))),
    simulatedPages: pagesFetched, limits: limitsInWords(limits),
    limitKinds: limits.named, ended, replayHash,
  };
}

/** When so many pages were fetched; 0 if none was. */
function secondsTo({ times }: Pick<RunEvents, 'times'>, pages: number): number {
  return pages === 0 ? 0 : times[2 * pages - 1] / 1e6;
}

/** Counts what a crawl gathers. */
class Gathered {
  readonly amounts: Record<GoalKind, number> = { rank: 0, pages: 0, hosts: 0 };
  #hosts: Uint8Array;
  readonly #graph: WebGraph;
  readonly #ranks: Float64Array;

  constructor(graph: WebGraph, ranks: Float64Array) {
    this.#graph = graph;
    this.#ranks = ranks;
    this.#hosts = new Uint8Array(graph.hosts.count);
  }

  add(page: number): void {
    const host = this.#graph.hosts.ofPage[page];
    this.amounts.rank += this.#ranks[page];
    this.amounts.pages++;
    if (this.#hosts[host] === 1) return;
    this.#hosts[host] = 1;
    this.amounts.hosts++;
  }

  /** The smallest share of a target that is reached, at most 1. */
  progress(targets: readonly Target[]): number {
    return targets.reduce((least, { kind, amount }) => Math.min(least, this.amounts[kind] / amount), 1);
  }

  copy(): Gathered {
    const copy = new Gathered(this.#graph, this.#ranks);
    Object.assign(copy.amounts, this.amounts);
    copy.#hosts = this.#hosts.slice();
    return copy;
  }
}

/**
 * Ends a run at the barrier after the one at which the targets are reached: downloads that end at a barrier belong to
 * the next superstep.
 */
class GoalWatch implements RunSink {
  readonly #control: RunControl;
  readonly #targets: readonly Target[];
  #gathered: Gathered;
  #saved: Gathered;
  #isReached = false;

  constructor(graph: WebGraph, ranks: Float64Array, targets: readonly Target[], control: RunControl) {
    this.#control = control;
    this.#targets = targets;
    this.#gathered = new Gathered(graph, ranks);
    this.#saved = this.#gathered;
  }

  outcome(_processor: number, { kind, page }: Outcome): void {
    if (kind === 'fetched') this.#gathered.add(page);
  }

  superstep(): void {
    if (this.#isReached) this.#control.stop();
    this.#isReached = this.#gathered.progress(this.#targets) >= 1;
  }

  checkpoint(): void {
    this.#saved = this.#gathered.copy();
  }

  rolledBack(): void {
    this.#gathered = this.#saved.copy();
    this.#isReached = false;
  }
}

/** When, and after how many pages, the targets were reached; undefined if they were not. */
function reachedAt(
  graph: WebGraph, ranks: Float64Array, { order, times }: Pick<RunEvents, 'order' | 'times'>,
  targets: readonly Target[],
): { readonly seconds: number; readonly pages: number } | undefined {
  const gathered = new Gathered(graph, ranks);
  for (let i = 0; i < order.length; i++) {
    gathered.add(order[i]);
    if (gathered.progress(targets) >= 1) return { seconds: times[2 * i + 1] / 1e6, pages: i + 1 };
  }
  return undefined;
}

function curveOf(
  graph: WebGraph, ranks: Float64Array,
  { events: { order, times }, targets, seconds }: {
    readonly events: Pick<RunEvents, 'order' | 'times'>; readonly targets: readonly Target[]; readonly seconds: number;
  },
): number[] {
  const gathered = new Gathered(graph, ranks);
  const curve: number[] = [];
  for (let step = 1, i = 0; step <= curvePoints; step++) {
    const untilUs = (1e6 * seconds * step) / curvePoints;
    for (; i < order.length && times[2 * i + 1] <= untilUs + 0.5; i++) gathered.add(order[i]);
    curve.push(gathered.progress(targets));
  }
  return curve;
}

/** What is within reach of the seed pages of an experiment. */
export function reachableOf(
  prepared: PreparedGraph, ranks: Float64Array, experiment: { readonly seedPages?: number[] | undefined },
): Reachable {
  const { reachable } = settleSeeds(prepared, experiment);
  const gathered = new Gathered(prepared.graph, ranks);
  for (let page = 0; page < reachable.length; page++) if (reachable[page] === 1) gathered.add(page);
  return gathered.amounts;
}
