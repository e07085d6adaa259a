/** Rows up to this length are sorted by insertion: calling the built-in sort costs more. */
const SHORT = 32;

/** Sorts row[0 ... length) ascending, in place. */
export function sortRow(row: Uint32Array, length: number): void {
  if (length > SHORT) {
    row.subarray(0, length).sort();
    return;
  }
  for (let i = 1; i < length; i++) {
    const value = row[i];
    let at = i;
    for (; at > 0 && row[at - 1] > value; at--) row[at] = row[at - 1];
    row[at] = value;
  }
}

/**
 * The targets of a row as a set: a hash table that is cleared by changing the mark. Memory: 16 to 32 bytes per link of
 * the longest row.
 */
export class RowSet {
  #targets = new Uint32Array(64);
  /** The row that last used a slot. */
  #rows = new Uint32Array(64);
  #row = 0;

  /** Empties the set and makes room for `degree` targets. */
  begin(degree: number): void {
    if (2 * degree > this.#targets.length) {
      const slots = 2 ** Math.ceil(Math.log2(2 * degree));
      this.#targets = new Uint32Array(slots);
      this.#rows = new Uint32Array(slots);
      this.#row = 0;
    }
    if (this.#row === 0xffffffff) {
      this.#rows.fill(0);
      this.#row = 0;
    }
    this.#row++;
  }

  /** Adds a target; false if it was there already. */
  add(target: number): boolean {
    const mask = this.#targets.length - 1;
    // The high bits of the product, because neighbouring targets are common.
    let slot = (Math.imul(target, 0x9e3779b1) >>> 7) & mask;
    while (this.#rows[slot] === this.#row) {
      if (this.#targets[slot] === target) return false;
      slot = (slot + 1) & mask;
    }
    this.#rows[slot] = this.#row;
    this.#targets[slot] = target;
    return true;
  }
}
