import { grown, IdIndex } from '../std/index.ts';

/** Pairs (page, amount) from one processor to another, each page once, in order of first mention. */
export interface Pairs {
  readonly pages: Uint32Array;
  readonly amounts: Float64Array;
}

/** Collects the pairs of one superstep for one destination, adding up the amounts of a page mentioned again. */
export class Outbox {
  /** Its numbers are positions of pairs. */
  readonly #pages = new IdIndex();
  #amounts = new Float64Array(16);

  /** Number of pairs after combining. */
  get size(): number {
    return this.#pages.count;
  }

  add(page: number, amount: number): void {
    const size = this.#pages.count;
    const position = this.#pages.add(page);
    if (position < size) {
      this.#amounts[position] += amount;
      return;
    }
    if (size === this.#amounts.length) this.#amounts = grown(this.#amounts, size + 1);
    this.#amounts[position] = amount;
  }

  /** Sum of the amounts held; exact while they are integers and the sum stays below 2^53. */
  amount(): number {
    let sum = 0;
    for (let i = 0; i < this.size; i++) sum += this.#amounts[i];
    return sum;
  }

  /** The pairs collected, as copies. */
  copy(): Pairs {
    return { pages: this.#pages.ids(), amounts: this.#amounts.slice(0, this.size) };
  }

  /** The same; the outbox is empty afterwards. */
  take(): Pairs {
    const pairs = this.copy();
    this.#pages.clear();
    return pairs;
  }
}
