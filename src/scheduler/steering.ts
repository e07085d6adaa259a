/** Settings of a processor that can be changed while it works. */
export type SteeredSetting = 'robots' | 'paused';

interface Asked {
  readonly setting: SteeredSetting;
  readonly value: number;
  /** Outcomes of the superstep that are observed before it. */
  readonly observed: number;
}

/**
 * What may be changed of a processor while it works. A change waits until the processor takes it, between two outcomes;
 * which ones is recorded, so that it can be made again at the same place.
 */
export class Steering {
  robots: number;
  isPaused = false;
  /** Something was changed. */
  isSteered = false;
  /** Outcomes observed at which the next change is due; Infinity where none waits. */
  nextAt = Infinity;
  #asked: Asked[] = [];

  constructor(robots: number) {
    this.robots = robots;
  }

  /** Downloads that may be open. */
  get slots(): number {
    return this.isPaused ? 0 : this.robots;
  }

  ask(change: Asked): void {
    this.#asked.push(change);
    this.nextAt = Math.min(this.nextAt, change.observed);
  }

  /** Makes the changes that are due after so many outcomes, in the order in which they were asked for. */
  take(observed: number): readonly Asked[] {
    const due = this.#asked.filter((change) => change.observed <= observed);
    this.#asked = this.#asked.filter((change) => change.observed > observed);
    this.nextAt = Math.min(Infinity, ...this.#asked.map((change) => change.observed));
    this.isSteered ||= due.length > 0;
    for (const { setting, value } of due) {
      if (setting === 'robots') this.robots = value;
      else this.isPaused = value === 1;
    }
    return due;
  }
}
