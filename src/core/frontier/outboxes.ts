import { Outbox, type OutboxState, type Transport } from '../bsp/index.ts';
import { RecentIds } from '../../base/index.ts';

/** The pairs that share a message: all for a processor in a superstep, a fixed number of them, or a page's. */
export interface Exchange {
  readonly exchange: 'bulk' | 'batch' | 'page';
  /** Pairs per batch. */
  readonly exchangeBatch: number;
  /**
   * Pages that are remembered as sent, where each is sent only once; all unless it is set. Another one may be sent
   * again: then its processor knows it already, and nothing changes there.
   */
  readonly maxSentPages?: number | undefined;
}

/** The saved form of a processor's outboxes. */
export interface OutboxesState {
  /** (destination, pairs not yet sent). */
  readonly pairs: readonly (readonly [number, OutboxState])[];
  /** Pages that are remembered as sent, the last one last. */
  readonly sentPages: Uint32Array;
}

/** The pairs that a processor sends to others at the end of the superstep. */
export class Outboxes {
  readonly #outbox: Outbox;
  readonly #isByPage: boolean;
  readonly #sentPages: RecentIds;
  /** Pages observed, if each has its own messages; otherwise 0. */
  #page = 0;

  constructor({ exchange, exchangeBatch, maxSentPages = Infinity }: Exchange, saved?: OutboxesState) {
    this.#sentPages = new RecentIds(maxSentPages);
    this.#outbox = new Outbox(exchange === 'batch' ? exchangeBatch : Infinity);
    this.#isByPage = exchange === 'page';
    if (saved === undefined) return;
    for (const page of saved.sentPages) this.#sentPages.add(page);
    this.#outbox.restore(saved.pairs);
  }

  /** A copy that can be cloned. Valid only between pages. */
  save(): OutboxesState {
    return { pairs: this.#outbox.copy(), sentPages: this.#sentPages.ids() };
  }

  /** Bytes stored per page, spare capacity included. */
  get bytes(): number {
    return this.#sentPages.bytes;
  }

  /** Whether nothing is to be sent: always so at a barrier, not always after a roll-back. */
  get isEmpty(): boolean {
    return this.#outbox.size === 0;
  }

  /** Sum of the amounts to be sent. */
  amount(): number {
    return this.#outbox.amount();
  }

  /** What is added from now on comes from another page. */
  nextPage(): void {
    if (this.#isByPage) this.#page++;
  }

  /** Adds a page for processor `to`, with an amount. */
  add(to: number, page: number, amount: number): void {
    this.#outbox.add(to, page, amount, this.#page);
  }

  /** Adds a page for processor `to`, unless it is remembered as sent. */
  addOnce(to: number, page: number): void {
    if (this.#sentPages.add(page)) this.add(to, page, 0);
  }

  /** Passes everything to the transport. */
  send(from: number, transport: Pick<Transport, 'send'>): void {
    this.#outbox.take((to, pairs) => { transport.send(from, to, pairs); });
  }
}
