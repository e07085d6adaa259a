import { threadModule } from '../../../base/threads/index.ts';
import type { RunJson } from '../../../core/measure/index.ts';
import type { Experiment, SettledExperiment } from '../../../core/settings/index.ts';
import { simulate } from '../../../core/engine/index.ts';
import { clonedContext, type RunContext } from './run-context.ts';
import type { RunScript, RunWork } from './run-pool.ts';

/**
 * The stored form of a run: its `run.json` without what it took of the machine, which varies, and without the facts of
 * the graph, which are the same in all runs; and its curve.
 */
export interface StudyRun {
  readonly run: Omit<RunJson<SettledExperiment>, 'dataset' | 'memory'>;
  readonly curve: RunCurve;
  /** The order in which pages were fetched, as `orderText` writes it; only if the task has `withOrder`. */
  readonly order?: string;
}

/** A run as it is asked for. */
export interface StudyTask {
  readonly experiment: Experiment;
  /** Whether the stored run has the order of its pages. */
  readonly withOrder: boolean;
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

/** Points of a curve at most. */
export const maxPoints = 200;

/** One run of a study, in any thread; undefined if the signal ended it. */
export async function runOne(
  { prepared, ranks, scores, policies, fit }: RunContext, { experiment, withOrder }: StudyTask, signal?: AbortSignal,
): Promise<StudyRun | undefined> {
  const { run, events, curves } = await simulate(prepared, experiment, { ranks, scores, policies, fit, signal });
  if (run.summary.ended === 'interrupted') return undefined;
  const { version, experiment: settled, replayHash, summary } = run;
  const curve = curveOf(curves.cumulativeRank, (i) => events.times[2 * i + 1] / 1e6);
  return {
    run: { version, experiment: settled, replayHash, summary }, curve,
    ...(withOrder && { order: orderText(events.order) }),
  };
}

export const studyScript: RunScript = {
  kind: 'study', name: "the study's threads", module: threadModule(import.meta.url, 'worker'),
};

/** The runs of a study over one context. @param reader - as of `RunWork`. */
export function studyWork(
  context: RunContext, reader: RunWork<StudyTask, StudyRun>['read'],
): RunWork<StudyTask, StudyRun> {
  const here: RunWork<StudyTask, StudyRun>['here'] = (task, signal) => runOne(context, task, signal);
  return { ...studyScript, here, data: clonedContext(context), read: reader };
}

/** Page numbers as text, in files of the cache and on their way from other machines: little-endian, in base64. */
export function orderText(order: Uint32Array): string {
  const bytes = Buffer.alloc(4 * order.length);
  order.forEach((page, i) => bytes.writeUInt32LE(page, 4 * i));
  return bytes.toString('base64');
}

/** The page numbers that `orderText` wrote. */
export function orderFrom(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64');
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
}

/** @param rank cum(k) at index k-1. */
function curveOf(rank: Float64Array, secondsAt: (i: number) => number): RunCurve {
  const points = Math.min(maxPoints, rank.length);
  const pages = Array.from({ length: points }, (_, i) => Math.round(((i + 1) * rank.length) / points));
  // Six digits are enough to draw a line, and the file stays small.
  const short = (value: number): number => Number(value.toPrecision(6));
  return { pages, seconds: pages.map((k) => short(secondsAt(k - 1))), rank: pages.map((k) => short(rank[k - 1])) };
}
