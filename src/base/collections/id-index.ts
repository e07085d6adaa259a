import { grown } from './growable.ts';

/**
 * Numbers u32 ids 0, 1, 2, ... in the order in which they are added: a hash table with open addressing whose slots hold
 * numbers. An id costs 4 to 8 bytes itself (less with slow growth) and 6 to 12 for its slots. Lookups are O(1)
 * expected.
 */
export class IdIndex {
  #ids: Uint32Array<ArrayBuffer> = new Uint32Array(16);
  /** Number + 1 of the id in this slot; 0 if empty. The length is a power of two, at most two thirds full. */
  #slots = new Uint32Array(32);
  #shift = 27;
  #count = 0;
  readonly #growth: number;

  /** @param growth factor by which the array of ids grows when it is full. */
  constructor(growth = 2) {
    this.#growth = growth;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of its arrays, spare capacity included. */
  get bytes(): number {
    return this.#ids.byteLength + this.#slots.byteLength;
  }

  /** The id with this number. */
  idAt(number: number): number {
    return this.#ids[number];
  }

  /** Number of `id`, or -1. */
  find(id: number): number {
    return this.#slots[this.#slotOf(id)] - 1;
  }

  /** Number of `id`, which is added if it is new (the number then equals the previous count). */
  add(id: number): number {
    const slot = this.#slotOf(id);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    this.#ids = grown(this.#ids, this.#count + 1, this.#growth);
    this.#ids[this.#count] = id;
    this.#slots[slot] = ++this.#count;
    if (3 * this.#count > 2 * this.#slots.length) this.#rehash();
    return this.#count - 1;
  }

  /** The slot that holds `id`, or the empty one where it would go. */
  #slotOf(id: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // Fibonacci hashing: ids come in runs, which the high bits of the product spread evenly.
    let slot = Math.imul(id, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const number = slots[slot];
      if (number === 0 || this.#ids[number - 1] === id) return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** The ids, by number; a copy. */
  ids(): Uint32Array<ArrayBuffer> {
    return this.#ids.slice(0, this.#count);
  }

  /** Removes all ids; the capacity stays. */
  clear(): void {
    if (this.#count === 0) return;
    this.#slots.fill(0);
    this.#count = 0;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    this.#shift--;
    for (let number = 0; number < this.#count; number++) this.#slots[this.#slotOf(this.#ids[number])] = number + 1;
  }
}
