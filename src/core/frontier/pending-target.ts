import type { SuperstepCounts } from './counts.ts';

/** How many jobs a processor should have pending. */
export class PendingTarget {
  /** The target of the current superstep. */
  jobs: number;
  readonly #next: (jobs: number, counts: SuperstepCounts) => number;

  /**
   * @param jobs of the first superstep.
   * @param next the target that follows from the last one and the counts of its superstep; by default the same.
   */
  constructor(jobs: number, next: (jobs: number, counts: SuperstepCounts) => number = (same) => same) {
    this.jobs = jobs;
    this.#next = next;
  }

  /** A superstep has ended with these counts. */
  follow(counts: SuperstepCounts): void {
    this.jobs = this.#next(this.jobs, counts);
  }
}
