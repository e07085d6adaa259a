import { DrawStream } from '../../base/index.ts';

export type AttemptFault = 'refused' | 'timeout' | 'hang' | 'serverError';

/** Transient failures: at most one per attempt, drawn by (page, attempt). */
export class AttemptFaults {
  readonly #faults: readonly { readonly fault: AttemptFault; readonly below: number }[];
  readonly #draws: DrawStream;
  readonly #retryAfterShare: number;
  readonly #retryAfterDraws: DrawStream;

  /** @param shares of all attempts; their sum is at most 1. */
  constructor(shares: Readonly<Record<AttemptFault, number>>, retryAfterShare: number, seed: number) {
    let below = 0;
    this.#faults = (['refused', 'timeout', 'hang', 'serverError'] as const).map((fault) => ({
      fault, below: (below += shares[fault]),
    }));
    this.#draws = new DrawStream(seed, 'attempt fault');
    this.#retryAfterShare = retryAfterShare;
    this.#retryAfterDraws = new DrawStream(seed, 'retry after');
  }

  /** @param factor by which the host fails more often than others. */
  faultOf(page: number, attempt: number, factor = 1): AttemptFault | undefined {
    const draw = this.#draws.uniform(page, attempt);
    return this.#faults.find(({ below }) => draw < below * factor)?.fault;
  }

  /** Whether the server error of this attempt says when to retry. */
  saysRetryAfter(page: number, attempt: number): boolean {
    return this.#retryAfterDraws.uniform(page, attempt) < this.#retryAfterShare;
  }
}
