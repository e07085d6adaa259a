export interface SolveOptions {
  /** Probability of following a link; in [0, 1). 0.85 by default. */
  readonly damping?: number | undefined;
  /** Maximum `l1ErrorBound`; in [1e-14, 1]. 1e-9 by default. */
  readonly tolerance?: number | undefined;
  /**
   * Distribution of rank from teleports and dangling pages: a weight >= 0 for each page. Even by default. (Boldi,
   * Santini & Vigna 2009 call this strongly preferential.)
   */
  readonly preference?: Float64Array | undefined;
  /**
   * Starting point: ranks of an earlier solve, or any numbers >= 0, one per page; by default the preference. The
   * closer, the fewer sweeps.
   */
  readonly start?: Float64Array | undefined;
  /**
   * Called after each sweep, with the number of sweeps so far and an L1 change, which falls roughly as the error does.
   */
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
