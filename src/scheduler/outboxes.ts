import { Outbox, type Pairs, type Transport } from '../bsp/index.ts';
import { IdIndex } from '../std/index.ts';
import { pageGrowth } from './page-index.ts';

/** What is kept of a processor's outboxes. */
export interface OutboxesState {
  /** (destination, pairs not yet sent). */
  readonly pairs: readonly (readonly [number, Pairs])[];
  /** Pages that were sent, where a page is sent once. */
  readonly sentPages: Uint32Array;
}

/** What a processor has to tell others at the end of the superstep. */
export class Outboxes {
  /** By destination; made at first mention, for with many processors most pairs of them never write to each other. */
  readonly #outboxes = new Map<number, Outbox>();
  /** The outbox added to last, and its destination: links of one page mostly lead to few processors. */
  #last: Outbox | undefined;
  #lastTo = -1;
  readonly #sentPages = new IdIndex(pageGrowth);

  constructor(saved?: OutboxesState) {
    if (saved === undefined) return;
    for (const page of saved.sentPages) this.#sentPages.add(page);
    for (const [to, { pages, amounts }] of saved.pairs) pages.forEach((page, i) => this.#of(to).add(page, amounts[i]));
  }

  /** A copy that can be cloned. */
  save(): OutboxesState {
    return { pairs: [...this.#outboxes].map(([to, outbox]) => [to, outbox.copy()]), sentPages: this.#sentPages.ids() };
  }

  /** Bytes of what is kept by page, spare room included. */
  get bytes(): number {
    return this.#sentPages.bytes;
  }

  /** Sum of the amounts held. */
  amount(): number {
    let sum = 0;
    for (const outbox of this.#outboxes.values()) sum += outbox.amount();
    return sum;
  }

  /** Tells `to` of a page, with an amount. */
  add(to: number, page: number, amount: number): void {
    if (to !== this.#lastTo || this.#last === undefined) {
      this.#last = this.#of(to);
      this.#lastTo = to;
    }
    this.#last.add(page, amount);
  }

  /** Tells `to` of a page, unless that was done before. */
  addOnce(to: number, page: number): void {
    const before = this.#sentPages.count;
    if (this.#sentPages.add(page) === before) this.add(to, page, 0);
  }

  /** Hands everything to the transport. */
  send(from: number, transport: Transport): void {
    for (const [to, outbox] of this.#outboxes) {
      if (outbox.size > 0) transport.send(from, to, outbox.take());
    }
  }

  #of(to: number): Outbox {
    let outbox = this.#outboxes.get(to);
    if (outbox === undefined) {
      outbox = new Outbox();
      this.#outboxes.set(to, outbox);
    }
    return outbox;
  }
}
