import type { LiveClock } from '../clock.ts';

interface Place {
  isOpen: boolean;
  readyAtUs: number;
  /** Ends the waits of callers, in order of arrival: it is the caller's turn, or too late for it. */
  readonly waiting: ((isTurn: boolean) => void)[];
}

/** After this many new places, idle ones are removed. */
const sweepPlaces = 4096;

/**
 * Admits one at a time to each place (a host, an address), with a rest after each: this enforces politeness on the
 * wire, whatever is requested. The scheduler starts a page only when its host's delay has passed, so its requests do
 * not wait here; hops of a robots.txt, and requests to an address that hosts share, may.
 *
 * Memory   places that are in use or at rest, and some thousands that were.
 */
export class Gate {
  readonly #clock: LiveClock;
  readonly #notBeforeUs: number;
  readonly #places = new Map<string, Place>();
  #sweepAt = sweepPlaces;

  /** @param notBeforeUs nobody is admitted earlier: an earlier process may have been at any place. */
  constructor(clock: LiveClock, notBeforeUs = 0) {
    this.#clock = clock;
    this.#notBeforeUs = notBeforeUs;
  }

  /**
   * Waits for the caller's turn, until `untilUs` at most.
   * @returns true if it is the caller's turn: then `leave` must follow. False at once if the place rests for longer.
   */
  async enter(name: string, untilUs = Infinity): Promise<boolean> {
    const place = this.#placeOf(name);
    const { waiting } = place;
    if (!place.isOpen && waiting.length === 0 && place.readyAtUs <= this.#clock.nowUs) {
      place.isOpen = true;
      return true;
    }
    if (place.readyAtUs > untilUs) return false;
    return new Promise<boolean>((resolve) => {
      let cancel = (): void => undefined;
      const end = (isTurn: boolean): void => {
        cancel();
        resolve(isTurn);
      };
      waiting.push(end);
      if (untilUs < Infinity) {
        cancel = this.#clock.alarm(untilUs, () => {
          waiting.splice(waiting.indexOf(end), 1);
          end(false);
        });
      }
      if (waiting.length === 1 && !place.isOpen) this.#letIn(place);
    });
  }

  /** The caller has finished, and the place rests for `restUs`. */
  leave(name: string, restUs: number): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    place.isOpen = false;
    place.readyAtUs = Math.max(place.readyAtUs, this.#clock.nowUs + restUs);
    if (place.waiting.length > 0) this.#letIn(place);
  }

  /** The place is to rest for `restUs` from now on; callers that are already waiting wait for that too. */
  rest(name: string, restUs: number): void {
    const place = this.#placeOf(name);
    place.readyAtUs = Math.max(place.readyAtUs, this.#clock.nowUs + restUs);
  }

  restUs(name: string): number {
    return Math.max(0, (this.#places.get(name)?.readyAtUs ?? this.#notBeforeUs) - this.#clock.nowUs);
  }

  /** Admits the first waiting caller when the rest is over. */
  #letIn(place: Place): void {
    this.#clock.alarm(place.readyAtUs, () => {
      // The caller may have given up, and another alarm may have admitted another caller.
      if (place.isOpen || place.waiting.length === 0) return;
      if (place.readyAtUs > this.#clock.nowUs) {
        this.#letIn(place);
        return;
      }
      place.isOpen = true;
      place.waiting.shift()?.(true);
    });
  }

  #placeOf(name: string): Place {
    const open = this.#places.get(name);
    if (open !== undefined) return open;
    if (this.#places.size >= this.#sweepAt) {
      const nowUs = this.#clock.nowUs;
      for (const [name, { isOpen, readyAtUs, waiting }] of this.#places) {
        if (!isOpen && waiting.length === 0 && readyAtUs <= nowUs) this.#places.delete(name);
      }
      this.#sweepAt = 2 * this.#places.size + sweepPlaces;
    }
    const place = { isOpen: false, readyAtUs: this.#notBeforeUs, waiting: [] };
    this.#places.set(name, place);
    return place;
  }
}
