/** A setting of a processor that can be changed while it is working, and its new value. */
export type Steer =
  | { readonly setting: 'robots' | 'paused'; readonly value: number }
  /** The delay of a host in milliseconds, which only rises; whether it is blocked: 1. */
  | { readonly setting: 'hostDelayMs' | 'hostBlocked'; readonly value: number; readonly host: number };

/** A change asked for, and how many outcomes of the superstep are observed before it. */
export type Asked = Steer & { readonly observed: number };

/**
 * The settings of a processor that may change while it is working. A change waits until the processor applies it,
 * between two outcomes; its position is recorded, so that it can be repeated at the same place.
 */
export class Steering {
  robots: number;
  isPaused = false;
  /** Called when something was changed. */
  isSteered = false;
  /** Number of observed outcomes at which the next change is due; Infinity if none is waiting. */
  nextAt = Infinity;
  #asked: Asked[] = [];

  constructor(robots: number) {
    this.robots = robots;
  }

  /** Maximum number of open downloads. */
  get slots(): number {
    return this.isPaused ? 0 : this.robots;
  }

  /** Whether a change waits to be applied. */
  get isAsked(): boolean {
    return this.nextAt < Infinity;
  }

  ask(change: Asked): void {
    this.#asked.push(change);
    this.nextAt = Math.min(this.nextAt, change.observed);
  }

  /**
   * Applies the changes that are due after so many outcomes, in the order of the requests. It returns changes of hosts,
   * which the caller applies.
   */
  take(observed: number): readonly Asked[] {
    const due = this.#asked.filter((change) => change.observed <= observed);
    this.#asked = this.#asked.filter((change) => change.observed > observed);
    this.nextAt = Math.min(Infinity, ...this.#asked.map((change) => change.observed));
    this.isSteered ||= due.length > 0;
    for (const { setting, value } of due) {
      if (setting === 'robots') this.robots = value;
      else if (setting === 'paused') this.isPaused = value === 1;
    }
    return due;
  }
}
