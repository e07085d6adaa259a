import { grown, IdIndex } from '../base/index.ts';

/** Pairs (page, amount) from one processor to another, in order of first mention; a page once per message. */
export interface Pairs {
  /** Only the first `size` elements are used; the arrays may be longer. */
  readonly pages: Uint32Array;
  readonly amounts: Float64Array;
  readonly size: number;
  /** Number of messages that carry the pairs, at least one. */
  readonly messages: number;
}

/** The state of an outbox. */
export interface OutboxState extends Pairs {
  /** Number of pairs at the end that form the open message. */
  readonly open: number;
}

/**
 * Collects the pairs of one superstep for one destination. Amounts for the same page are added up while its message is
 * open; once the message is sealed, the page takes a pair in the next one.
 */
export class Outbox {
  readonly #maxPairs: number;
  #pages: Uint32Array<ArrayBuffer> = new Uint32Array(16);
  #amounts: Float64Array<ArrayBuffer> = new Float64Array(16);
  #size = 0;
  #messages = 0;
  /**
   * The arrays of the pairs taken last, which have been read by the time pairs are taken again: small arrays are
   * expensive to allocate.
   */
  #spare: { readonly pages: Uint32Array<ArrayBuffer>; readonly amounts: Float64Array<ArrayBuffer> } = {
    pages: new Uint32Array(16), amounts: new Float64Array(16),
  };
  /** The pages of the open message, whose pairs are at the end; and the group that it belongs to. */
  readonly #open = new IdIndex();
  #group = 0;

  /** @param maxPairs per message; a full one is sealed. */
  constructor(maxPairs = Infinity, saved?: OutboxState) {
    this.#maxPairs = maxPairs;
    if (saved === undefined) return;
    this.#pages = saved.pages.slice();
    this.#amounts = saved.amounts.slice();
    this.#size = saved.size;
    this.#messages = saved.messages;
    for (let i = this.#size - saved.open; i < this.#size; i++) this.#open.add(this.#pages[i]);
  }

  /** Number of pairs after combining. */
  get size(): number {
    return this.#size;
  }

  /** @param group pairs of different groups do not share a message. */
  add(page: number, amount: number, group = 0): void {
    if (this.#messages === 0 || group !== this.#group || this.#open.count === this.#maxPairs) {
      this.#open.clear();
      this.#messages++;
      this.#group = group;
    }
    const open = this.#open.count;
    const number = this.#open.add(page);
    if (number < open) {
      this.#amounts[this.#size - open + number] += amount;
      return;
    }
    const position = this.#size++;
    if (this.#size > this.#pages.length) {
      this.#pages = grown(this.#pages, this.#size);
      this.#amounts = grown(this.#amounts, this.#size);
    }
    this.#pages[position] = page;
    this.#amounts[position] = amount;
  }

  /** Sum of the amounts; exact while they are integers and the sum stays below 2^53. */
  amount(): number {
    let sum = 0;
    for (let i = 0; i < this.#size; i++) sum += this.#amounts[i];
    return sum;
  }

  /** The pairs collected, as copies. */
  copy(): OutboxState {
    return {
      pages: this.#pages.slice(0, this.#size), amounts: this.#amounts.slice(0, this.#size), size: this.#size,
      messages: this.#messages, open: this.#open.count,
    };
  }

  /** Empties the outbox and returns its pairs, in its own arrays: valid until pairs are taken again. */
  take(): Pairs {
    const pairs = { pages: this.#pages, amounts: this.#amounts, size: this.#size, messages: this.#messages };
    this.#pages = this.#spare.pages;
    this.#amounts = this.#spare.amounts;
    this.#spare = pairs;
    this.#size = 0;
    this.#messages = 0;
    this.#open.clear();
    return pairs;
  }
}
