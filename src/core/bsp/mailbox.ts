import { grown, IdIndex } from '../../base/index.ts';

/** Pairs (page, amount) from one processor to another, in order of first mention; a page once per message. */
export interface Pairs {
  /** Only `size` elements from `first` on are meant; the arrays have others. */
  readonly pages: Uint32Array;
  readonly amounts: Float64Array;
  readonly first: number;
  readonly size: number;
  /** Number of messages that carry the pairs, at least one. */
  readonly messages: number;
  /** Sum of the amounts, of pairs that another machine receives: the arrays are empty here. */
  readonly amount?: number | undefined;
}

/** Sum of the amounts; exact while they are integers and the sum stays below 2^53. */
export function amountOf({ amounts, first, size, amount }: Pairs): number {
  if (amount !== undefined) return amount;
  let sum = 0;
  for (let i = first; i < first + size; i++) sum += amounts[i];
  return sum;
}

/** The pairs for one destination, as copies. */
export interface OutboxState extends Omit<Pairs, 'first' | 'amount'> {
  /** Number of pairs at the end that form the open message. */
  readonly open: number;
}

/** What is collected for one destination. */
interface Destination {
  size: number;
  messages: number;
  /** Pairs of the open message, which is the last one, and the group that it belongs to. */
  open: number;
  group: number;
  /** Position of its pairs among the taken pairs. */
  first: number;
}

/**
 * Collects the pairs that a processor has for others in one superstep. Amounts for the same page are added up while its
 * message is open; once the message is sealed, the page takes a pair in the next one. A page belongs to one
 * destination.
 *
 * Memory  24 bytes per pair, twelve per pair taken, and an object for each destination of a superstep: with many
 *         processors most pairs of them seldom exchange messages.
 */
export class Outbox {
  readonly #maxPairs: number;
  /** The pairs in order of first mention: destination, its message, page and amount. */
  #to = new Uint32Array(0);
  #message = new Uint32Array(0);
  #pages = new Uint32Array(0);
  #amounts = new Float64Array(0);
  #size = 0;
  /** Pages, numbered, and the last position of each. */
  readonly #index = new IdIndex();
  #lastOf = new Uint32Array(0);
  /** Destinations of this superstep, numbered, and the collection of each; later supersteps reuse the objects. */
  readonly #destinations = new IdIndex();
  readonly #collected: Destination[] = [];
  /** The last destination: links of a page mostly lead to few processors. */
  #current: Destination | undefined;
  #currentTo = -1;
  /** The last taken pairs, sorted by destination. */
  #takenPages = new Uint32Array(0);
  #takenAmounts = new Float64Array(0);

  /** @param maxPairs per message; a full one is sealed. */
  constructor(maxPairs = Infinity) {
    this.#maxPairs = maxPairs;
  }

  /** Number of pairs after combining. */
  get size(): number {
    return this.#size;
  }

  /** @param group pairs of different groups do not share a message. */
  add(to: number, page: number, amount: number, group = 0): void {
    if (to !== this.#currentTo || this.#current === undefined) {
      this.#current = this.#of(to);
      this.#currentTo = to;
    }
    const destination = this.#current;
    if (destination.messages === 0 || group !== destination.group || destination.open === this.#maxPairs) {
      destination.messages++;
      destination.open = 0;
      destination.group = group;
    }
    const pages = this.#index.count;
    const number = this.#index.add(page);
    if (number < pages && this.#message[this.#lastOf[number]] === destination.messages) {
      this.#amounts[this.#lastOf[number]] += amount;
      return;
    }
    destination.open++;
    this.#push(destination, to, page, amount, number);
  }

  #push(destination: Destination, to: number, page: number, amount: number, number: number): void {
    const position = this.#size++;
    if (position === this.#pages.length) {
      this.#to = grown(this.#to, this.#size);
      this.#message = grown(this.#message, this.#size);
      this.#pages = grown(this.#pages, this.#size);
      this.#amounts = grown(this.#amounts, this.#size);
      this.#lastOf = grown(this.#lastOf, this.#size);
    }
    this.#to[position] = to;
    this.#message[position] = destination.messages;
    this.#pages[position] = page;
    this.#amounts[position] = amount;
    this.#lastOf[number] = position;
    destination.size++;
  }

  #of(to: number): Destination {
    const count = this.#destinations.count;
    const number = this.#destinations.add(to);
    if (number < count) return this.#collected[number];
    const destination = (this.#collected[number] ??= { size: 0, messages: 0, open: 0, group: 0, first: 0 });
    destination.size = destination.messages = destination.open = destination.group = 0;
    return destination;
  }

  /** Sum of the amounts; exact while they are integers and the sum stays below 2^53. */
  amount(): number {
    let sum = 0;
    for (let i = 0; i < this.#size; i++) sum += this.#amounts[i];
    return sum;
  }

  /** The pairs collected, as copies: (destination, pairs). */
  copy(): (readonly [number, OutboxState])[] {
    return Array.from(this.#destinations.ids(), (to, number) => {
      const { size, messages, open } = this.#collected[number];
      const positions = Array.from(this.#to.subarray(0, this.#size).keys()).filter((i) => this.#to[i] === to);
      return [to, {
        pages: Uint32Array.from(positions, (i) => this.#pages[i]),
        amounts: Float64Array.from(positions, (i) => this.#amounts[i]), size, messages, open,
      }];
    });
  }

  /** Takes up what `copy` gave; nothing may have been added before. */
  restore(saved: readonly (readonly [number, OutboxState])[]): void {
    for (const [to, { pages, amounts, size, messages, open }] of saved) {
      const destination = this.#of(to);
      for (let i = 0; i < size; i++) {
        // Sealed messages are as one: nothing is added to them.
        destination.messages = i < size - open ? 0 : messages;
        this.#push(destination, to, pages[i], amounts[i], this.#index.add(pages[i]));
      }
      destination.messages = messages;
      destination.open = open;
    }
  }

  /** Empties the outbox into `take`, destination by destination. The arrays are valid until the next call. */
  take(take: (to: number, pairs: Pairs) => void): void {
    if (this.#size === 0) return;
    const pages = (this.#takenPages = grown(this.#takenPages, this.#size));
    const amounts = (this.#takenAmounts = grown(this.#takenAmounts, this.#size));
    let end = 0;
    for (let number = 0; number < this.#destinations.count; number++) {
      this.#collected[number].first = end;
      end += this.#collected[number].size;
    }
    let to = -1;
    let destination: Destination | undefined;
    for (let i = 0; i < this.#size; i++) {
      if (destination === undefined || this.#to[i] !== to) destination = this.#of(to = this.#to[i]);
      pages[destination.first] = this.#pages[i];
      amounts[destination.first++] = this.#amounts[i];
    }
    for (let number = 0; number < this.#destinations.count; number++) {
      const { first, size, messages } = this.#collected[number];
      take(this.#destinations.idAt(number), { pages, amounts, first: first - size, size, messages });
    }
    this.#destinations.clear();
    this.#current = undefined;
    this.#index.clear();
    this.#size = 0;
  }
}
