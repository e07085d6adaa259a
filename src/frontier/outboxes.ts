import { Outbox, type OutboxState, type Transport } from '../bsp/index.ts';
import { IdIndex, pageGrowth } from '../base/index.ts';

/**
 * What shares a message: all that goes to a processor in a superstep, so many pairs of it, or what one page has to
 * tell.
 */
export interface Exchange {
  readonly exchange: 'bulk' | 'batch' | 'page';
  /** Pairs of a batch. */
  readonly exchangeBatch: number;
}

/** What is kept of a processor's outboxes. */
export interface OutboxesState {
  /** (destination, pairs not yet sent). */
  readonly pairs: readonly (readonly [number, OutboxState])[];
  /** Pages that were sent, where a page is sent once. */
  readonly sentPages: Uint32Array;
}

/** What a processor has to tell others at the end of the superstep. */
export class Outboxes {
  readonly #exchange: Exchange;
  /** By destination; made at first mention, for with many processors most pairs of them never write to each other. */
  readonly #outboxes = new Map<number, Outbox>();
  /** The outbox added to last, and its destination: links of one page mostly lead to few processors. */
  #last: Outbox | undefined;
  #lastTo = -1;
  readonly #sentPages = new IdIndex(pageGrowth);
  /** Pages observed, where each has messages of its own; else 0. */
  #page = 0;

  constructor(exchange: Exchange, saved?: OutboxesState) {
    this.#exchange = exchange;
    if (saved === undefined) return;
    for (const page of saved.sentPages) this.#sentPages.add(page);
    for (const [to, state] of saved.pairs) this.#outboxes.set(to, this.#newOutbox(state));
  }

  /** A copy that can be cloned. Good between pages. */
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

  /** What is added from now on is told by another page. */
  nextPage(): void {
    if (this.#exchange.exchange === 'page') this.#page++;
  }

  /** Tells `to` of a page, with an amount. */
  add(to: number, page: number, amount: number): void {
    if (to !== this.#lastTo || this.#last === undefined) {
      this.#last = this.#of(to);
      this.#lastTo = to;
    }
    this.#last.add(page, amount, this.#page);
  }

  /** Tells `to` of a page, unless that was done before. */
  addOnce(to: number, page: number): void {
    const before = this.#sentPages.count;
    if (this.#sentPages.add(page) === before) this.add(to, page, 0);
  }

  /** Hands everything to the transport. */
  send(from: number, transport: Pick<Transport, 'send'>): void {
    for (const [to, outbox] of this.#outboxes) {
      if (outbox.size > 0) transport.send(from, to, outbox.take());
    }
  }

  #of(to: number): Outbox {
    let outbox = this.#outboxes.get(to);
    if (outbox === undefined) {
      outbox = this.#newOutbox();
      this.#outboxes.set(to, outbox);
    }
    return outbox;
  }

  #newOutbox(saved?: OutboxState): Outbox {
    const { exchange, exchangeBatch } = this.#exchange;
    return new Outbox(exchange === 'batch' ? exchangeBatch : Infinity, saved);
  }
}
