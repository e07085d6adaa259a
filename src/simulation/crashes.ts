import { DrawStream, log } from '../base/index.ts';

/**
 * When processors crash: a Poisson process each, by keyed draws, so that neither the crawl nor what it did before
 * changes the moments. O(crashes so far) a question.
 */
export class Crashes {
  readonly #meanUs: number;
  readonly #draws: DrawStream;

  /** @param meanUs mean time between crashes of a processor; 0 for none. */
  constructor(meanUs: number, seed: number) {
    this.#meanUs = meanUs;
    this.#draws = new DrawStream(seed, 'processor crash');
  }

  /** The first crash of `processor` after `sinceUs`, integer microseconds; Infinity where there is none. */
  nextUs(processor: number, sinceUs: number): number {
    if (this.#meanUs === 0) return Infinity;
    let atUs = 0;
    for (let crash = 0; atUs <= sinceUs; crash++) {
      atUs += Math.max(1, Math.round(-this.#meanUs * log(this.#draws.uniform(processor, crash))));
    }
    return atUs;
  }
}
