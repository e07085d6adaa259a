import type { Web } from '../../../src/live/index.ts';
import type { Machine } from './machines.ts';

/** The clock of a session, by that of its machine: microseconds since the crawl began, from `beginUs` on. */
export class SessionClock implements Pick<Web['clock'], 'nowUs' | 'alarm'> {
  readonly #machine: Machine;
  readonly #beginUs: number;
  readonly #originMs: number;

  constructor(machine: Machine, beginUs: number) {
    this.#machine = machine;
    this.#beginUs = beginUs;
    this.#originMs = machine.nowMs;
  }

  get nowUs(): number {
    return this.#beginUs + Math.floor(1000 * (this.#machine.nowMs - this.#originMs));
  }

  alarm(atUs: number, ring: () => void): () => void {
    let cancel = (): void => undefined;
    const wait = (): void => {
      if (this.nowUs >= atUs) ring();
      else cancel = this.#machine.timer(Math.max(0.001, (atUs - this.nowUs) / 1000), wait);
    };
    wait();
    return () => { cancel(); };
  }
}
