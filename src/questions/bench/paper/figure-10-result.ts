import type { LoadedQueue } from '../slices/slice-load.ts';

/** T of the paper's figure. */
export const paperThreads: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

/**
 * How threads go on: each by itself; all together, round by round; or as the product does it, which also splits and
 * copies.
 */
export const modes = ['free-running', 'barrier', 'ThreadedSlices'] as const;

export type Mode = (typeof modes)[number];
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface MeasuredPoint {
  readonly queue: LoadedQueue;
  readonly mode: Mode;
  readonly threads: number;
  /** To take one entry out and put one in, all threads together. */
  readonly nsPerElement: Spread;
  /**
   * T1 / T(T), of neighbours in time. T1 is one thread of the same mode; of ThreadedSlices, a queue without threads.
   */
  readonly speedUp: Spread;
}

/** Comparisons of real slices, one after the other in one thread. */
export interface ModelledPoint {
  readonly queue: LoadedQueue;
  readonly slices: number;
  /** Of a round: what a slice makes in the mean, and the busiest slice of the round, in the mean over rounds. */
  readonly meanOfSlice: number;
  readonly meanOfBusiest: number;
  /** The busiest over all rounds, a round. */
  readonly busiestOverall: number;
  /**
   * One queue's work over that of the busiest: of each round for the barrier, of all rounds for free-running threads.
   */
  readonly speedUp: {
    readonly [mode in 'barrier' | 'free-running']: number;
  };
}

export interface Figure10Case {
  readonly entries: number;
  readonly block: number;
  readonly measured: readonly MeasuredPoint[];
  readonly modelled: readonly ModelledPoint[];
}

export interface Figure10Result {
  readonly cores: number;
  /** Mean number of busy processes over the last minute, before and after. */
  readonly load: { readonly before: number; readonly after: number; };
  readonly rounds: number;
  readonly cases: readonly Figure10Case[];
  /** What was not measured, and why. */
  readonly skipped: readonly string[];
}
