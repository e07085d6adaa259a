import type { LiveClock } from '../clock.ts';

interface Place {
  isOpen: boolean;
  readyAtUs: number;
  /** Those who wait for their turn, the first come first. */
  readonly waiting: Waiting[];
}

interface Waiting {
  /** Ends the wait: it is the turn of whoever waits, or it is too late for that. */
  readonly end: (isTurn: boolean) => void;
}

/** Places are looked over for forgotten ones when so many have been added. */
const sweepPlaces = 4096;

/**
 * One at a time at each place (a host, an address), and a rest after each: what makes politeness hold on the wire
 * whatever is asked for. The scheduler asks when a host's delay has passed, so that its requests do not wait here; hops
 * of a robots.txt, and requests to an address that hosts share, may.
 *
 * Memory: places that are in use, or rest, and some thousands that did.
 */
export class Gate {
  readonly #clock: LiveClock;
  readonly #places = new Map<string, Place>();
  #sweepAt = sweepPlaces;

  constructor(clock: LiveClock) {
    this.#clock = clock;
  }

  /**
   * Waits for the caller's turn, until `untilUs` at most.
   * @returns whether it is the caller's turn: then `leave` must follow. False at once where the place rests for longer
   * than that.
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
      const one: Waiting = {
        end: (isTurn) => {
          cancel();
          resolve(isTurn);
        },
      };
      waiting.push(one);
      if (untilUs < Infinity) {
        cancel = this.#clock.alarm(untilUs, () => {
          waiting.splice(waiting.indexOf(one), 1);
          one.end(false);
        });
      }
      if (waiting.length === 1 && !place.isOpen) this.#letIn(place);
    });
  }

  /** The caller is done, and the place rests for `restUs`. */
  leave(name: string, restUs: number): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    place.isOpen = false;
    place.readyAtUs = Math.max(place.readyAtUs, this.#clock.nowUs + restUs);
    if (place.waiting.length > 0) this.#letIn(place);
  }

  /** It has turned out that the place is to rest for `restUs` from now on: those who wait already wait for that too. */
  rest(name: string, restUs: number): void {
    const place = this.#placeOf(name);
    place.readyAtUs = Math.max(place.readyAtUs, this.#clock.nowUs + restUs);
  }

  /** How long the place rests from now on, microseconds. */
  restUs(name: string): number {
    return Math.max(0, (this.#places.get(name)?.readyAtUs ?? 0) - this.#clock.nowUs);
  }

  /** Lets the first who waits in when the rest is over. */
  #letIn(place: Place): void {
    this.#clock.alarm(place.readyAtUs, () => {
      // Whoever waited may have given up, and another may have been let in by an alarm of its own.
      if (place.isOpen || place.waiting.length === 0) return;
      if (place.readyAtUs > this.#clock.nowUs) {
        this.#letIn(place);
        return;
      }
      place.isOpen = true;
      place.waiting.shift()?.end(true);
    });
  }

  #placeOf(name: string): Place {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    if (this.#places.size >= this.#sweepAt) {
      const nowUs = this.#clock.nowUs;
      for (const [name, { isOpen, readyAtUs, waiting }] of this.#places) {
        if (!isOpen && waiting.length === 0 && readyAtUs <= nowUs) this.#places.delete(name);
      }
      this.#sweepAt = 2 * this.#places.size + sweepPlaces;
    }
    const place = { isOpen: false, readyAtUs: 0, waiting: [] };
    this.#places.set(name, place);
    return place;
  }
}
