import { grown } from '../../base/index.ts';

/** Numbers below 2^32 that are appended. */
export class Numbers {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) this.#values = grown(this.#values, this.length + 1);
    this.#values[this.length++] = value;
  }

  array(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}

/** The beginnings of the values of each key in the order of keys, all below `count`, and the end of the last. */
export function startsOfKeys(keys: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (const key of keys) starts[key + 1]++;
  for (let key = 0; key < count; key++) starts[key + 1] += starts[key];
  return starts;
}

/** The places of keys by their values: the places of value v go from `starts[v]` to `starts[v + 1]`. */
export interface Grouped {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
}

/** Groups keys below `count`; the places of a value ascend. O(keys + count). */
export function grouped(keys: Uint32Array, count: number): Grouped {
  const starts = startsOfKeys(keys, count);
  const next = starts.slice();
  const places = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place++) places[next[keys[place]]++] = place;
  return { starts, places };
}
