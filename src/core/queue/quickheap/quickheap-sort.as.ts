import { countScratch, otherScratch } from './chunk-pool.as';
import { Queue } from './quickheap-buckets.as';

/** Sorting for the bucket QuickHeap. Comparisons of two keys are added to the queue's count. */

/**
 * Merge sort, bottom up, of parts as equal as can be: where the parts are powers of two, the last merge may be of a
 * long one and a very short. `other` has room for n keys, n <= 2^22.
 */
export function mergeSort(queue: Queue, keys: usize, n: u32, other: usize): void {
  if (n < 2) return;
  let from = keys;
  let to = other;
  let comparisons: u32 = 0;
  // In 2^level parts, part i begins at n i / 2^level.
  for (let level: u64 = 32 - clz(n - 1); level > 0; level--) {
    for (let part: u64 = 0; part < <u64>1 << level; part += 2) {
      const start = <usize>((<u64>n * part) >> level) << 3;
      let left = from + start;
      const leftEnd = from + (<usize>((<u64>n * (part + 1)) >> level) << 3);
      let right = leftEnd;
      const rightEnd = from + (<usize>((<u64>n * (part + 2)) >> level) << 3);
      let out = to + start;
      const begin = out;
      while (left < leftEnd && right < rightEnd) {
        const a = load<u64>(left);
        const b = load<u64>(right);
        const takesRight = <usize>(b < a);
        store<u64>(out, takesRight ? b : a);
        right += takesRight << 3;
        left += 8 - (takesRight << 3);
        out += 8;
      }
      comparisons += <u32>((out - begin) >> 3);
      // Short mostly: a loop is faster than memory.copy.
      for (; left < leftEnd; left += 8, out += 8) store<u64>(out, load<u64>(left));
      for (; right < rightEnd; right += 8, out += 8) store<u64>(out, load<u64>(right));
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
  if (from !== keys) memory.copy(keys, from, <usize>n << 3);
  queue.comparisons += <f64>comparisons;
}

/** Insertion sort; gives up, and returns false, after `patience` moves. */
function insertionSort(queue: Queue, keys: usize, n: u32, patience: u32): bool {
  const end = keys + (<usize>n << 3);
  let comparisons: u32 = 0;
  let moves: u32 = 0;
  for (let at = keys + 8; at < end; at += 8) {
    const key = load<u64>(at);
    let hole = at;
    while (hole > keys) {
      const before = load<u64>(hole - 8);
      comparisons++;
      if (before <= key) break;
      store<u64>(hole, before);
      hole -= 8;
      moves++;
    }
    store<u64>(hole, key);
    if (moves > patience) break;
  }
  queue.comparisons += <f64>comparisons;
  return moves <= patience;
}

/**
 * Sorts n keys in place. Two passes of radix sort over the highest bits in which they differ, then insertion sort:
 * about one comparison a key. Keys so uneven that insertion sort would take long are radix sorted by all their bytes.
 */
export function sort(queue: Queue, keys: usize, n: u32): void {
  const other = otherScratch();
  if (queue.compareOnly) return mergeSort(queue, keys, n, other);
  if (n <= 32) {
    insertionSort(queue, keys, n, u32.MAX_VALUE);
    return;
  }
  const end = keys + (<usize>n << 3);
  const first = load<u64>(keys);
  let differing: u64 = 0;
  for (let at = keys; at < end; at += 8) differing |= load<u64>(at) ^ first;
  if (differing === 0) return;
  const digit: u64 = n < 6000 ? 8 : 11;
  const bits: u64 = 64 - clz(differing);
  const shift: u64 = bits > 2 * digit ? bits - 2 * digit : 0;
  const shiftHigh = shift + digit;
  const mask: u64 = (1 << digit) - 1;
  const places = countScratch();
  const placesHigh = places + 16384;
  const bytes: usize = (<usize>4) << <usize>digit;
  memory.fill(places, 0, bytes);
  memory.fill(placesHigh, 0, bytes);
  for (let at = keys; at < end; at += 8) {
    const key = load<u64>(at);
    const place = places + (<usize>((key >> shift) & mask) << 2);
    const placeHigh = placesHigh + (<usize>((key >> shiftHigh) & mask) << 2);
    store<u32>(place, load<u32>(place) + 8);
    store<u32>(placeHigh, load<u32>(placeHigh) + 8);
  }
  let next = <u32>other;
  let nextHigh = <u32>keys;
  for (let at: usize = 0; at < bytes; at += 4) {
    const count = load<u32>(places + at);
    store<u32>(places + at, next);
    next += count;
    const countHigh = load<u32>(placesHigh + at);
    store<u32>(placesHigh + at, nextHigh);
    nextHigh += countHigh;
  }
  scatter(keys, end, places, shift, mask);
  scatter(other, other + (end - keys), placesHigh, shiftHigh, mask);
  if (shift > 0 && !insertionSort(queue, keys, n, 2 * n)) sortByBytes(keys, n, other, differing);
}

/** Radix sort over the bytes with a bit of `differing`, in which some keys differ: eight passes at most. */
function sortByBytes(keys: usize, n: u32, other: usize, differing: u64): void {
  const places = countScratch();
  let from = keys;
  let to = other;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    if (((differing >> shift) & 255) === 0) continue;
    const end = from + (<usize>n << 3);
    memory.fill(places, 0, 1024);
    for (let at = from; at < end; at += 8) {
      const place = places + (<usize>((load<u64>(at) >> shift) & 255) << 2);
      store<u32>(place, load<u32>(place) + 8);
    }
    let next = <u32>to;
    for (let place = places; place < places + 1024; place += 4) {
      const count = load<u32>(place);
      store<u32>(place, next);
      next += count;
    }
    scatter(from, end, places, shift, 255);
    const swapped = from;
    from = to;
    to = swapped;
  }
  if (from !== keys) memory.copy(keys, from, <usize>n << 3);
}

// @ts-ignore: decorator
@inline function scatter(from: usize, end: usize, places: usize, shift: u64, mask: u64): void {
  for (; from < end; from += 8) {
    const key = load<u64>(from);
    const place = places + (<usize>((key >> shift) & mask) << 2);
    const to: usize = load<u32>(place);
    store<u32>(place, <u32>(to + 8));
    store<u64>(to, key);
  }
}
