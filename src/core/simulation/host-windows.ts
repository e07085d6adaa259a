import { DrawStream } from '../../base/index.ts';

/**
 * Times at which a host is down or slow. Virtual time is cut into windows of equal length, with a different offset per
 * host, and in each window a draw keyed by (host, window number) decides whether the host is affected: a function of
 * time alone, whatever the crawl does. O(1).
 */
export class HostWindows {
  readonly #share: number;
  readonly #lengthUs: number;
  readonly #phases: DrawStream;
  readonly #strikes: DrawStream;

  /** @param share of a host's windows that are affected. */
  constructor(share: number, lengthUs: number, seed: number, name: string) {
    this.#share = share;
    this.#lengthUs = lengthUs;
    this.#phases = new DrawStream(seed, `${name} phase`);
    this.#strikes = new DrawStream(seed, name);
  }

  isStruck(host: number, nowUs: number): boolean {
    const window = Math.floor(nowUs / this.#lengthUs + this.#phases.uniform(host));
    return this.#strikes.uniform(host, window) < this.#share;
  }
}
