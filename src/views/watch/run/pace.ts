import { InputError } from '../../../base/index.ts';
import { maxPace, minPace } from '../contract.ts';

/** A wait is cut into pieces of this length, so that its end is noticed soon. */
const PIECE_MS = 100;

export interface PaceOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Whether the run needs no pauses any more. */
  readonly isOver: () => boolean;
}

/** A simulation slowed for someone who looks on: so many supersteps per second of the clock on the wall. */
export class Pace {
  readonly #options: PaceOptions;
  #rate: number | null = null;
  #lastMs = -Infinity;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Supersteps per second; null: full speed. */
  get rate(): number | null {
    return this.#rate;
  }

  /** @throws InputError for a rate that nobody can look at: the run would wait for ever, or not at all. */
  set rate(rate: number | null) {
    if (rate !== null && !(rate >= minPace && rate <= maxPace))
      throw new InputError(`maxSuperstepsPerSecond: ${rate} is not a number from ${minPace} to ${maxPace}`, {
        field: 'maxSuperstepsPerSecond',
      });
    this.#rate = rate;
  }

  /** Waits at a barrier. A rate that changes meanwhile holds at once. */
  readonly wait = async (): Promise<void> => {
    const { now, sleep, isOver } = this.#options;
    for (;;) {
      const leftMs = this.#rate === null || isOver() ? 0 : this.#lastMs + 1000 / this.#rate - now();
      if (leftMs <= 0) break;
      await sleep(Math.min(PIECE_MS, leftMs));
    }
    this.#lastMs = now();
  };
}
