import { setImmediate as turn } from 'node:timers/promises';
import TinyQueue from 'tinyqueue';
import { DrawStream } from '../../../src/base/index.ts';

interface Event {
  readonly atMs: number;
  /** Of those at the same time, the first that was scheduled comes first. */
  readonly order: number;
  readonly happen: () => void;
}

/** The time of a case: it passes only between events, so that no case depends on the speed of the machine. */
export class VirtualTime {
  nowMs = 0;
  readonly #events = new TinyQueue<Event>([], (a, b) => a.atMs - b.atMs || a.order - b.order);
  #scheduled = 0;

  after(ms: number, happen: () => void): void {
    this.#events.push({ atMs: this.nowMs + ms, order: this.#scheduled++, happen });
  }

  /**
   * Lets one event after another happen, and whatever it sets off in this process, until `isOver`.
   * @param maxMs after this time something hangs.
   * @returns whether it is over.
   */
  async pass(isOver: () => boolean, maxMs: number): Promise<boolean> {
    for (;;) {
      // All that the last event has set off is done then: nothing here waits for anything but events, and the loop of a
      // simulation for a turn at each barrier.
      for (let turns = 0; turns < 3; turns++) await turn();
      if (isOver()) return true;
      const event = this.#events.pop();
      if (event === undefined || event.atMs > maxMs) return false;
      this.nowMs = event.atMs;
      event.happen();
    }
  }
}

/** Draws of a case, one after another, by name: a new name changes no other. */
export class Draws {
  readonly #seed: number;
  readonly #streams = new Map<string, { readonly stream: DrawStream; drawn: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  uniform(name: string): number {
    let own = this.#streams.get(name);
    if (own === undefined) {
      own = { stream: new DrawStream(this.#seed, `cluster ${name}`), drawn: 0 };
      this.#streams.set(name, own);
    }
    return own.stream.uniform(own.drawn++);
  }

  chance(name: string, probability: number): boolean {
    return this.uniform(name) < probability;
  }

  /** An integer from `least` to `most`. */
  int(name: string, least: number, most: number): number {
    return least + Math.floor(this.uniform(name) * (most - least + 1));
  }

  of<T>(name: string, choices: readonly T[]): T {
    return choices[this.int(name, 0, choices.length - 1)];
  }

  /** Waiting times of this mean, without memory; most are shorter. */
  between(name: string, meanMs: number): number {
    // Squares: no logarithm, whose last bit may differ between engines.
    const share = this.uniform(name);
    return 3 * meanMs * share * share;
  }
}
