export interface SolveOptions {
  /** Probability of following a link; in [0, 1). 0.85 by default. */
  readonly damping?: number | undefined;
  /** What `l1ErrorBound` must not exceed; in [1e-14, 1]. 1e-9 by default. */
  readonly tolerance?: number | undefined;
  /**
   * Where rank goes that follows no link, by teleport or from dangling pages: a weight >= 0 for each page, in
   * proportion. Even by default. (Boldi, Santini & Vigna 2009 call this strongly preferential.)
   */
  readonly preference?: Float64Array | undefined;
  /**
   * Where to begin: ranks of an earlier solve, or any numbers >= 0, one a page. The nearer, the fewer sweeps. Else the
   * preference.
   */
  readonly start?: Float64Array | undefined;
  /** Called after each sweep, with the number of sweeps so far and an L1 change: falls roughly as the error does. */
  readonly onSweep?: ((sweeps: number, change: number) => void) | undefined;
}

export interface PageRank {
  /** Rank of each page: probabilities, which sum to 1. */
  readonly ranks: Float64Array;
  /** Sweeps that made the ranks; steps of power iteration that only measured the bound are not counted. */
  readonly iterations: number;
  /** Certified: the L1 distance of `ranks` from the true ranks is at most this. */
  readonly l1ErrorBound: number;
}
