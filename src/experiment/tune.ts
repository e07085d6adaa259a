import type { WebGraph } from '../graph/index.ts';
import type { ExperimentInput } from './schema.ts';

/** One value of R_x tried: mean errors over supersteps (0 ... 1), and what the crawl was like. */
export interface SweepRow {
  readonly r: number;
  readonly stale: number;
  readonly prefix: number;
  readonly state: number;
  readonly area: number;
  readonly supersteps: number;
  /** Pairs sent in the whole run. */
  readonly pairs: number;
  /** mean(X)/mean(Y) of pages. */
  readonly balance: number;
}

export interface TuneResult {
  readonly graph: string;
  readonly processors: number;
  readonly epsilon: number;
  /** R_x, or null where none qualifies; then `reason` says why. */
  readonly superstepLimit: number | null;
  readonly reason?: string;
  /** By rising r. */
  readonly sweep: readonly SweepRow[];
}

export interface TuneOptions {
  /** 0.05 by default. */
  readonly epsilon?: number;
  /** Worker threads; the result does not depend on them. 1 = in this thread. All cores by default. */
  readonly threads?: number;
  readonly onProgress?: (done: number, expected: number) => void;
  readonly signal?: AbortSignal;
}

/** Finds R_x for each number of processors, over one pool of workers. */
export declare function tune(
  graph: WebGraph,
  input: ExperimentInput,
  processors: readonly number[],
  options?: TuneOptions,
): Promise<TuneResult[]>;
