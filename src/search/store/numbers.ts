/** Numbers below 2^32 that are appended. */
export class Numbers {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(2 * this.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  array(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Where the values of each key begin in the order of keys, which are below `count`; then where the last ends. */
export function startsOfKeys(keys: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (const key of keys) starts[key + 1]++;
  for (let key = 0; key < count; key++) starts[key + 1] += starts[key];
  return starts;
}
