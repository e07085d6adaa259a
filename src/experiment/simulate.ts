import type { WebGraph } from '../graph/index.ts';
import type { RunResult } from '../measure/index.ts';
import type { ExperimentInput, SettledExperiment } from './schema.ts';

/** Told at every barrier. */
export interface Progress {
  readonly superstep: number;
  readonly pagesFetched: number;
  /** Pages the run can fetch: the page limit or the pages reachable. */
  readonly pagesExpected: number;
  readonly virtualSeconds: number;
}

export interface SimulateOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Aborted, the run ends at the next barrier, with what it has. */
  readonly signal?: AbortSignal;
  /** True PageRank of the whole graph (damping 0.85), if the caller has it; computed otherwise. */
  readonly ranks?: Float64Array;
}

export declare function simulate(
  graph: WebGraph,
  input: ExperimentInput,
  options?: SimulateOptions,
): Promise<RunResult<SettledExperiment>>;
