import type { PreparedGraph, WebGraph } from '../../graph/index.ts';
import type { RunJson } from '../../measure/index.ts';
import type { GivenScores } from '../../engine/index.ts';
import type { PolicyDefinition } from '../../policy/index.ts';
import type { Experiment, PolicyOrigin, SettledExperiment } from '../../settings/index.ts';
import { simulate } from '../../engine/index.ts';

/** What all runs of a study share; its arrays lie in shared memory. */
export interface StudyContext {
  readonly prepared: PreparedGraph;
  /** True PageRank of every page. */
  readonly ranks: Float64Array;
  readonly scores: GivenScores | undefined;
  /** Policies of the user's that runs may name. */
  readonly policies: readonly PolicyDefinition[];
}

/** The context as a thread is given it: what is prepared stays in its thread. */
export interface ClonedContext extends Omit<StudyContext, 'prepared' | 'policies'> {
  readonly graph: WebGraph;
  /** Functions are not cloned: each thread loads them. */
  readonly policyFiles: readonly PolicyOrigin[];
}

/**
 * What is kept of a run: its `run.json` without what it took of the machine, which differs from time to time, and
 * without what it says of the graph, which is the same in all; and its curve.
 */
export interface StudyRun {
  readonly run: Omit<RunJson<SettledExperiment>, 'dataset' | 'memory'>;
  readonly curve: RunCurve;
}

/**
 * How the PageRank came in: after so many pages, at this virtual time, cum(k). Equally far apart in pages, the last
 * page among them.
 */
export interface RunCurve {
  readonly pages: readonly number[];
  readonly seconds: readonly number[];
  readonly rank: readonly number[];
}

const maxPoints = 200;

/** One run of a study, in whatever thread; undefined where the signal ended it. */
export async function runOne(
  { prepared, ranks, scores, policies }: StudyContext, experiment: Experiment, signal?: AbortSignal,
): Promise<StudyRun | undefined> {
  const { run, events, curves } = await simulate(prepared, experiment, { ranks, scores, policies, signal });
  if (run.summary.ended === 'interrupted') return undefined;
  const { version, experiment: settled, replayHash, summary } = run;
  const curve = curveOf(curves.cumulativeRank, (i) => events.times[2 * i + 1] / 1e6);
  return { run: { version, experiment: settled, replayHash, summary }, curve };
}

/** @param rank cum(k) at index k-1. */
function curveOf(rank: Float64Array, secondsAt: (i: number) => number): RunCurve {
  const points = Math.min(maxPoints, rank.length);
  const pages = Array.from({ length: points }, (_, i) => Math.round(((i + 1) * rank.length) / points));
  // Six digits draw any line: the file stays small.
  const short = (value: number): number => Number(value.toPrecision(6));
  return { pages, seconds: pages.map((k) => short(secondsAt(k - 1))), rank: pages.map((k) => short(rank[k - 1])) };
}
