/** Shorter runs are sorted by insertion. */
const SHORT_RUN = 8;

/**
 * Sorts keys[0 ... length), greatest first, and returns the comparisons made: at most length lg(length).
 * `scratch` has the same capacity; its contents afterwards are undefined. Bottom-up merge sort (von Neumann, 1945).
 */
export function mergeSort(keys: Float64Array, length: number, scratch: Float64Array): number {
  let comparisons = 0;
  for (let from = 0; from < length; from += SHORT_RUN)
    comparisons += insertionSort(keys, from, Math.min(from + SHORT_RUN, length));
  for (let run = SHORT_RUN; run < length; run *= 2) {
    for (let from = 0; from + run < length; from += 2 * run) {
      // Already in order: one comparison instead of a merge.
      comparisons++;
      if (keys[from + run - 1] >= keys[from + run]) continue;
      comparisons += merge(keys, from, from + run, Math.min(from + 2 * run, length), scratch);
    }
  }
  return comparisons;
}

/** Merges the sorted keys[from ... middle) and keys[middle ... to). */
function merge(keys: Float64Array, from: number, middle: number, to: number, scratch: Float64Array): number {
  scratch.set(keys.subarray(from, middle));
  const count = middle - from;
  let at = from;
  let i = 0;
  let j = middle;
  while (i < count && j < to) keys[at++] = scratch[i] >= keys[j] ? scratch[i++] : keys[j++];
  const comparisons = i + (j - middle);
  while (i < count) keys[at++] = scratch[i++];
  return comparisons;
}

function insertionSort(keys: Float64Array, from: number, to: number): number {
  let comparisons = 0;
  for (let sorted = from + 1; sorted < to; sorted++) {
    const key = keys[sorted];
    let at = sorted;
    while (at > from) {
      comparisons++;
      if (keys[at - 1] >= key) break;
      keys[at] = keys[at - 1];
      at--;
    }
    keys[at] = key;
  }
  return comparisons;
}
