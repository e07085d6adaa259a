import { assert } from '../../base/index.ts';

/** A link at one moment: what waits and what flows, each in its order. */
export interface FluidLinkState<T> {
  readonly nowUs: number;
  readonly waiting: readonly Flow<T>[];
  readonly flowing: readonly Flow<T>[];
}

export interface Flow<T> {
  readonly what: T;
  readonly beginsAtUs: number;
  /** Maximum rate of the sender, bytes per microsecond. */
  readonly most: number;
  bytesLeft: number;
  rate: number;
}

/** Moments up to this long after a whole microsecond round down to it: more than floating-point error. */
const ROUNDING_US = 1e-3;

/**
 * A link that its downloads share max-min fairly at every moment: none gets more than its sender provides, and the
 * others share what one leaves (water-filling; Bertsekas & Gallager, "Data Networks", 2nd ed., section 6.5.2). Rates
 * change when a download begins or ends, at exact moments; reported times are rounded up to whole microseconds. Cost:
 * O(downloads flowing) per event.
 */
export class FluidLink<T> {
  readonly #bytesPerUs: number;
  /** Downloads whose bytes do not flow yet, ordered so that the first to begin is last. */
  readonly #waiting: Flow<T>[] = [];
  /** Sorted by `most`. */
  readonly #flowing: Flow<T>[] = [];
  #nowUs = 0;
  #next: { readonly endsAtUs: number; readonly flow: Flow<T> | undefined } = { endsAtUs: Infinity, flow: undefined };

  /** @param bytesPerUs Infinity for no limit. */
  constructor(bytesPerUs: number) {
    this.#bytesPerUs = bytesPerUs;
  }

  /** Copies of its flows, of downloads as `of` says them. */
  save<S>(of: (what: T) => S): FluidLinkState<S> {
    const copies = (flows: readonly Flow<T>[]): Flow<S>[] => flows.map((flow) => ({ ...flow, what: of(flow.what) }));
    return { nowUs: this.#nowUs, waiting: copies(this.#waiting), flowing: copies(this.#flowing) };
  }

  /** Takes up what `save` gave; nothing may have been added before. */
  restore<S>({ nowUs, waiting, flowing }: FluidLinkState<S>, of: (saved: S) => T): void {
    this.#nowUs = nowUs;
    for (const flow of waiting) this.#waiting.push({ ...flow, what: of(flow.what) });
    for (const flow of flowing) this.#flowing.push({ ...flow, what: of(flow.what) });
    this.#share();
  }

  /** @param most maximum rate of the sender, bytes per microsecond; Infinity for no limit. */
  add(what: T, beginsAtUs: number, bytes: number, most: number): void {
    let position = this.#waiting.length;
    while (position > 0 && this.#waiting[position - 1].beginsAtUs <= beginsAtUs) position--;
    this.#waiting.splice(position, 0, { what, beginsAtUs, most, bytesLeft: bytes, rate: 0 });
  }

  /** The microsecond of the next event; Infinity if nothing flows or will flow. */
  get nextUs(): number {
    return Math.ceil(Math.min(this.#beginsAtUs, this.#next.endsAtUs) - ROUNDING_US);
  }

  /** Everything that flows or will flow. */
  get downloads(): T[] {
    return [...this.#waiting, ...this.#flowing].map(({ what }) => what);
  }

  /** Processes the next event. Returns the download that ended at `nextUs`, or undefined if one began. */
  step(): T | undefined {
    if (this.#beginsAtUs <= this.#next.endsAtUs) {
      const flow = this.#waiting.pop();
      assert(flow !== undefined, 'nothing is to happen on the link');
      this.#advance(flow.beginsAtUs);
      let position = this.#flowing.length;
      while (position > 0 && this.#flowing[position - 1].most > flow.most) position--;
      this.#flowing.splice(position, 0, flow);
      this.#share();
      return undefined;
    }
    const { endsAtUs, flow } = this.#next;
    assert(flow !== undefined, 'a download that ends flows');
    this.#advance(endsAtUs);
    this.#flowing.splice(this.#flowing.indexOf(flow), 1);
    this.#share();
    return flow.what;
  }

  get #beginsAtUs(): number {
    return this.#waiting.at(-1)?.beginsAtUs ?? Infinity;
  }

  #advance(toUs: number): void {
    const us = toUs - this.#nowUs;
    if (us <= 0) return;
    for (const flow of this.#flowing) flow.bytesLeft = Math.max(0, flow.bytesLeft - flow.rate * us);
    this.#nowUs = toUs;
  }

  /** Gives each download, slowest sender first, an even share of the rest; finds the first to end. */
  #share(): void {
    let capacity = this.#bytesPerUs;
    this.#next = { endsAtUs: Infinity, flow: undefined };
    this.#flowing.forEach((flow, i) => {
      flow.rate = Math.min(flow.most, capacity / (this.#flowing.length - i));
      if (flow.rate < Infinity) capacity -= flow.rate;
      const endsAtUs = this.#nowUs + flow.bytesLeft / flow.rate;
      if (endsAtUs < this.#next.endsAtUs) this.#next = { endsAtUs, flow };
    });
  }
}
