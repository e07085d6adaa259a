import { grown } from '../std/index.ts';

/** Pairs (page, amount) from one processor to another, in order of first mention; in each message, a page once. */
export interface Pairs {
  readonly pages: Uint32Array;
  readonly amounts: Float64Array;
  /** Messages that the pairs make, at least one. */
  readonly messages: number;
}

/** An outbox as it stands. */
export interface OutboxState extends Pairs {
  /** Pairs at the end, in the message to which more may be added. */
  readonly open: number;
}

/**
 * Collects the pairs of one superstep for one destination. A page mentioned again while its message is open has its amounts added up; once
 * the message is sealed, the page takes a pair of the next.
 */
export class Outbox {
  readonly #pairsMost: number;
  #pages = new Uint32Array(16);
  #amounts = new Float64Array(16);
  #size = 0;
  #messages = 0;
  /** Position of each page of the open message, and the group that the message is for. */
  readonly #position = new Map<number, number>();
  #group = 0;

  /** @param pairsMost of a message; a full one is sealed. */
  constructor(pairsMost = Infinity, saved?: OutboxState) {
    this.#pairsMost = pairsMost;
    if (saved === undefined) return;
    this.#pages = saved.pages.slice();
    this.#amounts = saved.amounts.slice();
    this.#size = saved.pages.length;
    this.#messages = saved.messages;
    for (let i = this.#size - saved.open; i < this.#size; i++) this.#position.set(this.#pages[i], i);
  }

  /** Number of pairs after combining. */
  get size(): number {
    return this.#size;
  }

  /** @param group pairs of different groups do not share a message. */
  add(page: number, amount: number, group = 0): void {
    if (this.#messages === 0 || group !== this.#group || this.#position.size === this.#pairsMost) {
      this.#position.clear();
      this.#messages++;
      this.#group = group;
    }
    const known = this.#position.get(page);
    if (known !== undefined) {
      this.#amounts[known] += amount;
      return;
    }
    const position = this.#size++;
    this.#pages = grown(this.#pages, this.#size);
    this.#amounts = grown(this.#amounts, this.#size);
    this.#pages[position] = page;
    this.#amounts[position] = amount;
    this.#position.set(page, position);
  }

  /** Sum of the amounts held; exact while they are integers and the sum stays below 2^53. */
  amount(): number {
    let sum = 0;
    for (let i = 0; i < this.#size; i++) sum += this.#amounts[i];
    return sum;
  }

  /** The pairs collected, as copies. */
  copy(): OutboxState {
    return {
      pages: this.#pages.slice(0, this.#size), amounts: this.#amounts.slice(0, this.#size),
      messages: this.#messages, open: this.#position.size,
    };
  }

  /** The same; the outbox is empty afterwards. */
  take(): Pairs {
    const pairs = this.copy();
    this.#size = 0;
    this.#messages = 0;
    this.#position.clear();
    return pairs;
  }
}
