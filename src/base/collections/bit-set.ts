/** A set of small unsigned integers that grows as needed: one bit each. */
export class BitSet {
  #words = new Uint32Array(16);

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
      const larger = new Uint32Array(Math.max(word + 1, 2 * this.#words.length));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[word] |= 1 << (element & 31);
    return true;
  }
}
