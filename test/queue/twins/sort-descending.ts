/**
 * Sorting a block, greatest first. The twin of the sorts in cbt-kernel.as.ts: same comparisons, which are counted and
 * returned; only comparisons of two keys count, not digits.
 *
 * Costs are in key comparisons for n keys. None of these checks its arguments.
 */

/** Below this many, sorting by digits costs more than it saves. */
const RADIX_FROM = 64;
/** From this many on, digits have 11 bits, otherwise 8: two digits then leave few neighbours out of order. */
const WIDE_DIGITS_FROM = 6000;

/**
 * Sorts keys[0 ... n): by the two highest digits that differ, and then by insertion, which has little to do; if it
 * needs more than n moves, by all digits. Keys must be Float64s >= 0. Cost: 0 to 2n.
 */
export function sortByDigits(keys: Float64Array, n: number): number {
  if (n < RADIX_FROM) return mergeSort(keys, n);
  const words = new Uint32Array(keys.buffer, keys.byteOffset, 2 * n);
  let [differsLow, differsHigh] = [0, 0];
  for (let at = 0; at < n; at++) {
    differsLow |= words[2 * at + low] ^ words[low];
    differsHigh |= words[2 * at + high] ^ words[high];
  }
  const bits = differsHigh === 0 ? 32 - Math.clz32(differsLow) : 64 - Math.clz32(differsHigh);
  const digit = n < WIDE_DIGITS_FROM ? 8 : 11;
  const from = Math.max(0, bits - 2 * digit);
  const before = keys.slice(0, n);
  radixSort(keys, n, from, bits, digit);
  if (from === 0) return 0;
  const { done, comparisons } = finishSorting(keys, n);
  if (!done) {
    keys.set(before);
    radixSort(keys, n, 0, bits, digit);
  }
  return comparisons;
}

/** Which half of a Float64 holds its low bits. */
const low = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;
const high = 1 - low;

/** Sorts keys[0 ... n) by bits from ... to-1, stably, one digit per pass, the lowest first. */
function radixSort(keys: Float64Array, n: number, from: number, to: number, digit: number): void {
  const mask = (1 << digit) - 1;
  const words = new Uint32Array(keys.buffer, keys.byteOffset, 2 * n);
  const digitAt = (at: number, shift: number): number => {
    const greater = words[2 * at + high];
    if (shift >= 32) return (greater >>> (shift - 32)) & mask;
    const lesser = words[2 * at + low] >>> shift;
    return (shift === 0 ? lesser : lesser | (greater << (32 - shift))) & mask;
  };
  const target = new Float64Array(n);
  const starts = new Uint32Array(mask + 1);
  for (let shift = from; shift < to; shift += digit) {
    starts.fill(0);
    for (let at = 0; at < n; at++) starts[digitAt(at, shift)]++;
    for (let value = mask, start = 0; value >= 0; value--) {
      const length = starts[value];
      starts[value] = start;
      start += length;
    }
    for (let at = 0; at < n; at++) target[starts[digitAt(at, shift)]++] = keys[at];
    keys.set(target);
  }
}

/** Insertion sort that gives up when it would move more than n keys. Cost: at most 2n. */
function finishSorting(keys: Float64Array, n: number): { done: boolean; comparisons: number } {
  let comparisons = 0;
  let moves = n;
  for (let at = 1; at < n; at++) {
    const key = keys[at];
    let hole = at;
    while (hole > 0) {
      const before = keys[hole - 1];
      comparisons++;
      if (before >= key) break;
      if (moves === 0) return { done: false, comparisons };
      moves--;
      keys[hole--] = before;
    }
    keys[hole] = key;
  }
  return { done: true, comparisons };
}

/** Merge sort of keys[0 ... n) from the bottom up: runs of 1, 2, 4, ... Cost: at most n ceil(lg n). */
export function mergeSort(keys: Float64Array, n: number): number {
  let comparisons = 0;
  const target = new Float64Array(n);
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      comparisons += merge(keys, start, middle, keys, middle, Math.min(middle + width, n), target, start);
    }
    keys.set(target);
  }
  return comparisons;
}

/**
 * Merges one[oneFrom ... oneTo) and two[twoFrom ... twoTo), both sorted, to target[at ...). Cost: at most one
 * comparison per key merged.
 */
export function merge(
  one: Float64Array, oneFrom: number, oneTo: number, two: Float64Array, twoFrom: number, twoTo: number,
  target: Float64Array, at: number,
): number {
  let comparisons = 0;
  while (oneFrom < oneTo && twoFrom < twoTo) {
    const a = one[oneFrom];
    const b = two[twoFrom];
    comparisons++;
    if (a >= b) {
      target[at++] = a;
      oneFrom++;
    } else {
      target[at++] = b;
      twoFrom++;
    }
  }
  while (oneFrom < oneTo) target[at++] = one[oneFrom++];
  while (twoFrom < twoTo) target[at++] = two[twoFrom++];
  return comparisons;
}
