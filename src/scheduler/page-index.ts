import { grown } from '../std/index.ts';

/** Arrays with an element a page grow by this factor: millions of pages are worth some more copies. */
export const pageGrowth = 1.125;

/**
 * Numbers page ids 0, 1, 2, ... in the order in which they are added: a hash table with open addressing whose slots hold
 * numbers, so that a page costs 4 to 4.5 bytes for its id and 6 to 12 for its slots. Lookups are O(1) expected.
 */
export class PageIndex {
  #pages = new Uint32Array(64);
  /** Number + 1 of the page whose hash leads here; 0 where empty. Length is a power of two, at most two thirds full. */
  #slots = new Uint32Array(256);
  #shift = 24;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Bytes of its arrays, spare room included. */
  get bytes(): number {
    return this.#pages.byteLength + this.#slots.byteLength;
  }

  /** Page id that has `number`. */
  pageAt(number: number): number {
    return this.#pages[number];
  }

  /** Number of `page`, or -1. */
  find(page: number): number {
    return this.#slots[this.#slotOf(page)] - 1;
  }

  /** Number of `page`, which is added where it is new (then the number equals the former count). */
  add(page: number): number {
    const slot = this.#slotOf(page);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    this.#pages = grown(this.#pages, this.#count + 1, pageGrowth);
    this.#pages[this.#count] = page;
    this.#slots[slot] = ++this.#count;
    if (3 * this.#count > 2 * this.#slots.length) this.#rehash();
    return this.#count - 1;
  }

  /** The slot that holds `page`, or the empty one where it would go. */
  #slotOf(page: number): number {
    const mask = this.#slots.length - 1;
    // Fibonacci hashing: page ids come in runs, which the high bits of the product spread evenly.
    let slot = Math.imul(page, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const number = this.#slots[slot];
      if (number === 0 || this.#pages[number - 1] === page) return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** Ids of the pages, by number; a copy. */
  pages(): Uint32Array {
    return this.#pages.slice(0, this.#count);
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    this.#shift--;
    for (let number = 0; number < this.#count; number++) this.#slots[this.#slotOf(this.#pages[number])] = number + 1;
  }
}
