import { Outbox, type OutboxState, type Transport } from '../bsp/index.ts';
import { IdIndex, pageGrowth } from '../base/index.ts';

/**
 * What shares a message: all pairs for a processor in a superstep, a fixed number of them, or those of one page.
 */
export interface Exchange {
  readonly exchange: 'bulk' | 'batch' | 'page';
  /** Pairs per batch. */
  readonly exchangeBatch: number;
}

/** The saved form of a processor's outboxes. */
export interface OutboxesState {
  /** (destination, pairs not yet sent). */
  readonly pairs: readonly (readonly [number, OutboxState])[];
  /** Pages that were sent, if each page is sent only once. */
  readonly sentPages: Uint32Array;
}

/** The pairs that a processor sends to others at the end of the superstep. */
export class Outboxes {
  readonly #exchange: Exchange;
  /** By destination; made on first use, because with many processors most pairs of them never exchange messages. */
  readonly #outboxes = new Map<number, Outbox>();
  /** The outbox added to last, and its destination: links of one page mostly lead to few processors. */
  #last: Outbox | undefined;
  #lastTo = -1;
  readonly #sentPages = new IdIndex(pageGrowth);
  /** Pages observed, if each has its own messages; otherwise 0. */
  #page = 0;

  constructor(exchange: Exchange, saved?: OutboxesState) {
    this.#exchange = exchange;
    if (saved === undefined) return;
    for (const page of saved.sentPages) this.#sentPages.add(page);
    for (const [to, state] of saved.pairs) this.#outboxes.set(to, this.#newOutbox(state));
  }

  /** A copy that can be cloned. Valid only between pages. */
  save(): OutboxesState {
    return { pairs: [...this.#outboxes].map(([to, outbox]) => [to, outbox.copy()]), sentPages: this.#sentPages.ids() };
  }

  /** Bytes stored per page, spare capacity included. */
  get bytes(): number {
    return this.#sentPages.bytes;
  }

  /** Whether nothing is to be sent: always so at a barrier, not always after a roll-back. */
  get isEmpty(): boolean {
    return [...this.#outboxes.values()].every(({ size }) => size === 0);
  }

  /** Sum of the amounts in the outboxes. */
  amount(): number {
    let sum = 0;
    for (const outbox of this.#outboxes.values()) sum += outbox.amount();
    return sum;
  }

  /** What is added from now on comes from another page. */
  nextPage(): void {
    if (this.#exchange.exchange === 'page') this.#page++;
  }

  /** Adds a page for processor `to`, with an amount. */
  add(to: number, page: number, amount: number): void {
    if (to !== this.#lastTo || this.#last === undefined) {
      this.#last = this.#of(to);
      this.#lastTo = to;
    }
    this.#last.add(page, amount, this.#page);
  }

  /** Adds a page for processor `to`, unless it was added before. */
  addOnce(to: number, page: number): void {
    const before = this.#sentPages.count;
    if (this.#sentPages.add(page) === before) this.add(to, page, 0);
  }

  /** Passes everything to the transport. */
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
