import { DrawStream, log } from '../../base/index.ts';

/**
 * When processors crash: one Poisson process per processor, by keyed draws, so that nothing that the crawl does changes
 * the moments. O(crashes so far) per call.
 */
export class Crashes {
  readonly #meanUs: number;
  readonly #draws: DrawStream;

  /** @param meanUs mean time between crashes of a processor; 0 for none. */
  constructor(meanUs: number, seed: number) {
    this.#meanUs = meanUs;
    this.#draws = new DrawStream(seed, 'processor crash');
  }

  /** The first crash of `processor` after `sinceUs`, integer microseconds; Infinity if there is none. */
  nextUs(processor: number, sinceUs: number): number {
    if (this.#meanUs === 0) return Infinity;
    let atUs = 0;
    for (let crash = 0; atUs <= sinceUs; crash++) {
      atUs += Math.max(1, Math.round(-this.#meanUs * log(this.#draws.uniform(processor, crash))));
    }
    return atUs;
  }
}
