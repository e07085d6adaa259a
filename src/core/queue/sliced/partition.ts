/**
 * Partition and selection in place, greatest first, over keys[from ... to).
 *
 * Duplicates  may be many: both scans of `partition` stop at keys equal to the pivot, so equal keys split evenly.
 * Counts      are of comparisons between two keys, exact, and returned or stated; comparing positions is free.
 * Errors      none here: the queues check their arguments once. Bad bounds give wrong results silently.
 * Sources     Hoare, "Algorithm 65: Find", CACM 4(7), 1961; the linear worst case by the median of medians of Blum,
 *             Floyd, Pratt, Rivest & Tarjan, "Time Bounds for Selection", JCSS 7, 1973.
 */

/** The mask for arrays that do not wrap around. */
const STRAIGHT = -1;

/** Below this length the middle key is as good a pivot as a sampled one. */
const SAMPLE_LENGTH = 8;

/** Keys a selection may scan, as a multiple of its length, before it stops trusting sampled pivots. Usual need: 3. */
const SCANS_BEFORE_GUARANTEE = 8;

/**
 * Moves the key at `pivotAt` to the position p it has in descending order and returns p: keys[from ... p) are >= it,
 * keys[p+1 ... to) are <= it. Position x lives in keys[x & mask].
 *
 * Cost  exactly to - from - 1 comparisons: every other key meets the pivot once. O(to - from) time.
 */
export function partition(keys: Float64Array, mask: number, from: number, to: number, pivotAt: number): number {
  const pivot = keys[pivotAt & mask];
  keys[pivotAt & mask] = keys[from & mask];
  let low = from + 1;
  let right = to - 1;
  for (;;) {
    while (low <= right && keys[low & mask] > pivot) low++;
    // Stops short of `left`, whose key is known not to exceed the pivot: comparing it again would be one too many.
    while (low < right && keys[right & mask] < pivot) right--;
    if (low >= right) break;
    const key = keys[low & mask];
    keys[low & mask] = keys[right & mask];
    keys[right & mask] = key;
    low++;
    right--;
  }
  const position = low - 1;
  keys[from & mask] = keys[position & mask];
  keys[position & mask] = pivot;
  return position;
}

/**
 * Moves the n greatest of keys[from ... to) to the front, the least of them to position from + n - 1.
 * 1 <= n <= to - from. Returns the comparisons made.
 *
 * Cost  about 2.8 comparisons per key expected on random input (median of three), O(to - from) always: after
 *       `scansBeforeGuarantee` scans' worth of keys the pivots become medians of medians.
 */
export function selectTop(keys: Float64Array, from: number, to: number, n: number): number {
  const target = from + n - 1;
  let scansLeft = SCANS_BEFORE_GUARANTEE * (to - from);
  let comparisons = 0;
  while (to - from > 1) {
    const length = to - from;
    let pivotAt = from + (length >>> 1);
    if (length >= SAMPLE_LENGTH && scansLeft > 0) {
      const stride = (length - 1) >>> 1;
      comparisons += sortStrided(keys, from, stride, 3);
      pivotAt = from + stride;
    } else if (length >= SAMPLE_LENGTH) {
      const medians = Math.floor(length / 5);
      comparisons += gatherMedians(keys, from, medians);
      const middle = (medians + 1) >>> 1;
      comparisons += selectTop(keys, from, from + medians, middle);
      pivotAt = from + middle - 1;
    }
    const position = partition(keys, STRAIGHT, from, to, pivotAt);
    comparisons += length - 1;
    scansLeft -= length;
    if (position === target) break;
    if (position < target) from = position + 1;
    else to = position;
  }
  return comparisons;
}

/** Moves the keys greater than `bound` to the front; returns their number. Cost: to - from comparisons. */
export function gatherGreater(keys: Float64Array, from: number, to: number, bound: number): number {
  let end = from;
  for (let at = from; at < to; at++) {
    const key = keys[at];
    if (key > bound) {
      keys[at] = keys[end];
      keys[end++] = key;
    }
  }
  return end - from;
}

/** The least of keys[from ... to), which is not empty. Cost: exactly to - from - 1 comparisons. */
export function leastOf(keys: Float64Array, from: number, to: number): number {
  let least = keys[from];
  for (let at = from + 1; at < to; at++) if (keys[at] < least) least = keys[at];
  return least;
}

/** Moves the median of each of `groups` groups of five to the front. Returns the comparisons made. */
function gatherMedians(keys: Float64Array, from: number, groups: number): number {
  let comparisons = 0;
  for (let group = 0; group < groups; group++) {
    const first = from + 5 * group;
    comparisons += sortStrided(keys, first, 1, 5);
    const median = keys[first + 2];
    keys[first + 2] = keys[from + group];
    keys[from + group] = median;
  }
  return comparisons;
}

/** Sorts `count` keys, `stride` apart, greatest first, by insertion. Returns the comparisons made. For 3 or 5 keys. */
function sortStrided(keys: Float64Array, from: number, stride: number, count: number): number {
  let comparisons = 0;
  for (let sorted = 1; sorted < count; sorted++) {
    const key = keys[from + sorted * stride];
    let rank = sorted;
    while (rank > 0) {
      const value = keys[from + (rank - 1) * stride];
      comparisons++;
      if (value >= key) break;
      keys[from + rank * stride] = value;
      rank--;
    }
    keys[from + rank * stride] = key;
  }
  return comparisons;
}
