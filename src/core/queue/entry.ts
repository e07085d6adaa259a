/**
 * A queue entry is one Float64: the u32 key in the high half of its bits, the complement of the u32 index in the low
 * half. Positive floats order as their bits do, so a single `>` compares (key, then ascending index): a total order
 * with no ties to break. Keys stay below 0x7ff00000, because from there on the bits would read as infinity or NaN.
 */

/** Keys are integers in [0, keyLimit). */
export const keyLimit = 0x7ff00000;

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);
const high = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;
const low = 1 - high;

/**
 * The entry of page `index` with `key`; the greater entry leaves first, and of equal keys the smaller index.
 *
 * @param key - an integer in [0, keyLimit).
 * @param index - an integer below 2^32.
 * @returns the entry.
 */
export function packEntry(key: number, index: number): number {
  halves[high] = key;
  halves[low] = ~index;
  return float[0];
}

/**
 * The key of an entry.
 *
 * @param entry - an entry made by `packEntry`.
 * @returns its key.
 */
export function entryKey(entry: number): number {
  float[0] = entry;
  return halves[high];
}

/**
 * The index of an entry.
 *
 * @param entry - an entry made by `packEntry`.
 * @returns its index.
 */
export function entryIndex(entry: number): number {
  float[0] = entry;
  return ~halves[low] >>> 0;
}

const bits = new BigUint64Array(float.buffer);

/** The least entry greater than `entry`. */
export function nextEntry(entry: number): number {
  float[0] = entry;
  bits[0]++;
  return float[0];
}

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/**
 * The key of a score: the bits of `Math.fround(score)`, which increase with the score.
 *
 * @param score - at least 0, and finite.
 * @returns an integer in [0, keyLimit).
 */
export function keyOfScore(score: number): number {
  single[0] = score;
  return singleBits[0];
}
