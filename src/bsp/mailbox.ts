import { grown } from '../std/index.ts';

/** Pairs (page, amount) from one processor to another, each page once, in order of first mention. */
export interface Pairs {
  readonly pages: Uint32Array;
  readonly amounts: Float64Array;
}

/** Collects the pairs of one superstep for one destination, adding up the amounts of a page mentioned again. */
export class Outbox {
  #pages = new Uint32Array(16);
  #amounts = new Float64Array(16);
  readonly #position = new Map<number, number>();

  /** Number of pairs after combining. */
  get size(): number {
    return this.#position.size;
  }

  add(page: number, amount: number): void {
    const known = this.#position.get(page);
    if (known !== undefined) {
      this.#amounts[known] += amount;
      return;
    }
    const position = this.#position.size;
    this.#pages = grown(this.#pages, position + 1);
    this.#amounts = grown(this.#amounts, position + 1);
    this.#pages[position] = page;
    this.#amounts[position] = amount;
    this.#position.set(page, position);
  }

  /** Sum of the amounts held; exact while they are integers and the sum stays below 2^53. */
  amount(): number {
    let sum = 0;
    for (let i = 0; i < this.size; i++) sum += this.#amounts[i];
    return sum;
  }

  /** The pairs collected, as copies. */
  copy(): Pairs {
    return { pages: this.#pages.slice(0, this.size), amounts: this.#amounts.slice(0, this.size) };
  }

  /** The same; the outbox is empty afterwards. */
  take(): Pairs {
    const pairs = this.copy();
    this.#position.clear();
    return pairs;
  }
}
