/** A set of small unsigned integers that grows as needed: one bit each. */
export class BitSet {
  #words: Uint32Array;

  /** @param words the words of another set, which are copied. */
  constructor(words?: Uint32Array) {
    this.#words = words?.slice() ?? new Uint32Array(16);
  }

  /** A copy of its bits, 32 elements per word. */
  get words(): Uint32Array {
    return this.#words.slice();
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  has(element: number): boolean {
    const word = element >>> 5;
    return word < this.#words.length && (this.#words[word] >>> (element & 31) & 1) === 1;
  }

  /** Adds `element`; false when it was there already. */
  add(element: number): boolean {
    if (this.has(element)) return false;
    const word = element >>> 5;
    if (word >= this.#words.length) {
      const larger = new Uint32Array(Math.max(word + 1, 2 * this.#words.length, 16));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[word] |= 1 << (element & 31);
    return true;
  }
}
