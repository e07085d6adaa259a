import { threadModule } from '../../base/threads/index.ts';
import type { PreparedGraph, WebGraph } from '../../graph/index.ts';
import type { RunJson } from '../../measure/index.ts';
import type { GivenScores } from '../../engine/index.ts';
import type { PolicyDefinition } from '../../policy/index.ts';
import type { Experiment, PolicyOrigin, SettledExperiment } from '../../settings/index.ts';
import { simulate, type SimulateOptions } from '../../engine/index.ts';
import type { RunWork } from './run-pool.ts';

/** What all runs of a study share; its arrays are in shared memory. */
export interface StudyContext {
  readonly prepared: PreparedGraph;
  /** True PageRank of every page. */
  readonly ranks: Float64Array;
  readonly scores: GivenScores | undefined;
  /** What is known of single hosts and pages, where the network was fitted to a crawl. */
  readonly fit: SimulateOptions['fit'];
  /** The user's policies that runs may name. */
  readonly policies: readonly PolicyDefinition[];
}

/** The context as sent to a thread, which prepares its own graph. */
export interface ClonedContext extends Omit<StudyContext, 'prepared' | 'policies'> {
  readonly graph: WebGraph;
  /** Functions cannot be cloned: each thread loads them. */
  readonly policyFiles: readonly PolicyOrigin[];
}

/**
 * The stored form of a run: its `run.json` without what it took of the machine, which varies, and without the facts of
 * the graph, which are the same in all runs; and its curve.
 */
export interface StudyRun {
  readonly run: Omit<RunJson<SettledExperiment>, 'dataset' | 'memory'>;
  readonly curve: RunCurve;
}

/**
 * How the PageRank accumulated: after so many pages, at this virtual time, cum(k). Equally spaced in pages, including
 * the last page.
 */
export interface RunCurve {
  readonly pages: readonly number[];
  readonly seconds: readonly number[];
  readonly rank: readonly number[];
}

const maxPoints = 200;

/** One run of a study, in any thread; undefined if the signal ended it. */
export async function runOne(
  { prepared, ranks, scores, policies, fit }: StudyContext, experiment: Experiment, signal?: AbortSignal,
): Promise<StudyRun | undefined> {
  const { run, events, curves } = await simulate(prepared, experiment, { ranks, scores, policies, fit, signal });
  if (run.summary.ended === 'interrupted') return undefined;
  const { version, experiment: settled, replayHash, summary } = run;
  const curve = curveOf(curves.cumulativeRank, (i) => events.times[2 * i + 1] / 1e6);
  return { run: { version, experiment: settled, replayHash, summary }, curve };
}

/** The runs of a study over one context. */
export function studyWork(context: StudyContext): RunWork<Experiment, StudyRun> {
  const { prepared: { graph }, policies, ...shared } = context;
  const policyFiles = policies.flatMap(({ origin }) => origin ?? []);
  const data: ClonedContext = { graph, policyFiles, ...shared };
  return {
    here: (experiment, signal) => runOne(context, experiment, signal), name: "the study's threads",
    module: threadModule(import.meta.url, 'worker'), data,
  };
}

/** @param rank cum(k) at index k-1. */
function curveOf(rank: Float64Array, secondsAt: (i: number) => number): RunCurve {
  const points = Math.min(maxPoints, rank.length);
  const pages = Array.from({ length: points }, (_, i) => Math.round(((i + 1) * rank.length) / points));
  // Six digits are enough to draw a line, and the file stays small.
  const short = (value: number): number => Number(value.toPrecision(6));
  return { pages, seconds: pages.map((k) => short(secondsAt(k - 1))), rank: pages.map((k) => short(rank[k - 1])) };
}
