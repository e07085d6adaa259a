/**
 * AssemblyScript. What cbt-kernel.as.ts does with sorted blocks: match, merge, sort; and the count of comparisons.
 * `sort-descending.ts` and the end of `sorted-cbt.ts` in `test/queue/twins/` are the same in TypeScript. Nothing here
 * checks its arguments.
 */

import { Pool } from './cbt-memory.as';

/** Below this many, sorting by digits costs more than it saves. */
const radixFrom: u32 = 64;
/** From this many on, digits have 11 bits, otherwise 8: two digits then leave few neighbours out of order. */
const wideDigitsFrom: u32 = 6000;

/** Digit counts of the radix sort. */
const digitCounts = memory.data(4 * 2048, 64);

/** Comparisons of two entries since `startCounting`. */
let comparisons: u64 = 0;

export function startCounting(): void {
  comparisons = 0;
}

export function counted(): f64 {
  return <f64>comparisons;
}

/** Whether the least entry of the first block is below the least of the second. */
export function hasLesserLeast(one: usize, two: usize, size: u32): bool {
  const last = (<usize>size - 1) << 3;
  comparisons++;
  return load<u64>(one + last) < load<u64>(two + last);
}

/** Moves the R greatest of both blocks to the block at the first slot, the rest to the other. Both stay sorted. */
export function keepGreatest(pool: Pool, keeperSlot: usize, otherSlot: usize): void {
  const size = pool.blockSize;
  const bytes = <usize>size << 3;
  const keeper = <usize>load<u32>(keeperSlot);
  const other = <usize>load<u32>(otherSlot);
  comparisons++;
  if (load<u64>(keeper + bytes - 8) >= load<u64>(other)) return;
  // Bisection finds how many of its entries the keeper retains: not all.
  let own: u32 = 0;
  let most = size - 1;
  while (own < most) {
    const middle = (own + most) >> 1;
    comparisons++;
    if (load<u64>(keeper + (<usize>middle << 3)) >= load<u64>(other + (<usize>(size - 1 - middle) << 3)))
      own = middle + 1;
    else most = middle;
  }
  // At most half may change sides: otherwise the blocks do, and those that were to stay.
  if (own < size - own) {
    store<u32>(keeperSlot, <u32>other);
    store<u32>(otherSlot, <u32>keeper);
    exchange(other, keeper, bytes, <usize>own << 3, pool.scratch);
  } else {
    exchange(keeper, other, bytes, <usize>(size - own) << 3, pool.scratch);
  }
}

/**
 * Exchanges the last `moved` bytes of the keeper with the first `moved` of the other, both sorted before and after. The
 * keeper is merged from the back and the other from the front, at once: two chains that do not wait for each other, and
 * no branch that depends on an entry.
 */
function exchange(keeper: usize, other: usize, bytes: usize, moved: usize, scratch: usize): void {
  // What falls and what rises is copied out of the way.
  const fallen = scratch;
  const risen = scratch + moved;
  memory.copy(fallen, keeper + bytes - moved, moved);
  memory.copy(risen, other, moved);
  // The keeper: i stays, j rises. The other: p falls, q stays. A writer meets the reader of what stays only when all is
  // in place.
  let i = keeper + bytes - moved;
  let j = risen + moved;
  let low = keeper + bytes;
  let p = fallen;
  let q = other + moved;
  let high = other;
  const end = other + bytes;
  let steps: u64 = 0;
  while (i > keeper && j > risen && p < risen && q < end) {
    const a = load<u64>(i - 8);
    const b = load<u64>(j - 8);
    const last = <usize>(a < b) << 3;
    low -= 8;
    store<u64>(low, last ? a : b);
    i -= last;
    j -= 8 - last;
    const c = load<u64>(p);
    const d = load<u64>(q);
    const first = <usize>(c >= d) << 3;
    store<u64>(high, first ? c : d);
    high += 8;
    p += first;
    q += 8 - first;
    steps += 2;
  }
  // One of the two may not be finished yet.
  while (i > keeper && j > risen) {
    const a = load<u64>(i - 8);
    const b = load<u64>(j - 8);
    const last = <usize>(a < b) << 3;
    low -= 8;
    store<u64>(low, last ? a : b);
    i -= last;
    j -= 8 - last;
    steps++;
  }
  memory.copy(keeper, risen, j - risen);
  while (p < risen && q < end) {
    const c = load<u64>(p);
    const d = load<u64>(q);
    const first = <usize>(c >= d) << 3;
    store<u64>(high, first ? c : d);
    high += 8;
    p += first;
    q += 8 - first;
    steps++;
  }
  memory.copy(high, p, risen - p);
  comparisons += steps;
}

/**
 * How many of the `wanted` greatest of a full block and a sorted run are the block's. Equal entries are taken from the
 * block.
 */
export function shareOfFirst(block: usize, run: usize, runCount: u32, wanted: u32): u32 {
  let low = wanted > runCount ? wanted - runCount : 0;
  let high = wanted;
  while (low < high) {
    const middle = (low + high) >> 1;
    comparisons++;
    if (load<u64>(block + (<usize>middle << 3)) >= load<u64>(run + (<usize>(wanted - 1 - middle) << 3)))
      low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two sorted runs become one, at `to`, which overlaps neither. */
export function merge(one: usize, oneCount: u32, two: usize, twoCount: u32, to: usize): void {
  const oneEnd = one + (<usize>oneCount << 3);
  const twoEnd = two + (<usize>twoCount << 3);
  while (one < oneEnd && two < twoEnd) {
    const a = load<u64>(one);
    const b = load<u64>(two);
    const first = <usize>(a >= b) << 3;
    store<u64>(to, first ? a : b);
    to += 8;
    one += first;
    two += 8 - first;
    comparisons++;
  }
  memory.copy(to, one, oneEnd - one);
  memory.copy(to + (oneEnd - one), two, twoEnd - two);
}

/**
 * Sorts count <= R entries, greatest first, from `from` to `to`: by the two highest digits that differ, and then by
 * insertion, which has little to do; if it needs more than `count` moves, by all digits. In comparison-only mode: merge
 * sort.
 */
export function sort(pool: Pool, from: usize, count: u32, to: usize, compareOnly: bool): void {
  const scratch = pool.scratch;
  if (compareOnly || count < radixFrom) {
    mergeSort(from, count, to, scratch);
    return;
  }
  const first = load<u64>(from);
  let differing: u64 = 0;
  const end = from + (<usize>count << 3);
  for (let at = from; at < end; at += 8) differing |= load<u64>(at) ^ first;
  const bits = 64 - <u32>clz(differing);
  const digit: u32 = count < wideDigitsFrom ? 8 : 11;
  const low: u32 = bits > 2 * digit ? bits - 2 * digit : 0;
  radixSort(from, count, to, scratch, low, bits, digit);
  if (low > 0 && !finishSorting(to, count)) radixSort(from, count, to, scratch, 0, bits, digit);
}

/** Sorts by bits low ... high-1, stably, greatest first, one digit per pass, the lowest first. */
function radixSort(from: usize, count: u32, to: usize, scratch: usize, low: u32, high: u32, digit: u32): void {
  const bytes = <usize>count << 3;
  const mask: u64 = (<u64>1 << digit) - 1;
  const countsEnd = digitCounts + ((<usize>mask + 1) << 2);
  let passes = (high - low + digit - 1) / digit;
  if (passes == 0) memory.copy(to, from, bytes);
  for (let shift: u64 = low; passes > 0; shift += digit) {
    passes--;
    const target = (passes & 1) == 0 ? to : scratch;
    const end = from + bytes;
    memory.fill(digitCounts, 0, (<usize>mask + 1) << 2);
    for (let at = from; at < end; at += 8) {
      const cell = digitCounts + (<usize>((load<u64>(at) >> shift) & mask) << 2);
      store<u32>(cell, load<u32>(cell) + 8);
    }
    // Counts become addresses, the greatest digit first.
    let address = <u32>target;
    for (let cell = countsEnd; cell > digitCounts; ) {
      cell -= 4;
      const length = load<u32>(cell);
      store<u32>(cell, address);
      address += length;
    }
    for (let at = from; at < end; at += 8) {
      const entry = load<u64>(at);
      const cell = digitCounts + (<usize>((entry >> shift) & mask) << 2);
      const place = load<u32>(cell);
      store<u32>(cell, place + 8);
      store<u64>(<usize>place, entry);
    }
    from = target;
  }
}

/** Insertion sort that gives up, false, when it would move more than `count` entries. */
function finishSorting(run: usize, count: u32): bool {
  const end = run + (<usize>count << 3);
  let moves = count;
  for (let at = run + 8; at < end; at += 8) {
    const entry = load<u64>(at);
    let hole = at;
    while (hole > run) {
      const before = load<u64>(hole - 8);
      comparisons++;
      if (before >= entry) break;
      if (moves == 0) return false;
      moves--;
      store<u64>(hole, before);
      hole -= 8;
    }
    store<u64>(hole, entry);
  }
  return true;
}

/** Merge sort from the bottom up: runs of 1, 2, 4, ... */
function mergeSort(from: usize, count: u32, to: usize, scratch: usize): void {
  const bytes = <usize>count << 3;
  const passes: u32 = count > 1 ? 32 - clz(count - 1) : 0;
  let source = (passes & 1) == 0 ? to : scratch;
  let target = (passes & 1) == 0 ? scratch : to;
  memory.copy(source, from, bytes);
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let start: u32 = 0; start < count; start += 2 * width) {
      const middle = min<u32>(start + width, count);
      const end = min<u32>(start + 2 * width, count);
      merge(
        source + (<usize>start << 3), middle - start, source + (<usize>middle << 3), end - middle,
        target + (<usize>start << 3),
      );
    }
    const swapped = source;
    source = target;
    target = swapped;
  }
}
