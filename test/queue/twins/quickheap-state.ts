import { assert, xorshift32 } from '../../../src/base/index.ts';
import { nextEntry } from '../../../src/core/queue/entry.ts';

/** A snapshot of a bucket QuickHeap, in the form of its plain twin. */
export interface QuickHeapState {
  readonly buckets: readonly Bucket[];
  readonly splits: readonly Split[];
  /** Ascending. */
  readonly run: readonly number[];
}

export interface Bucket {
  /** The least entry it may hold; the bucket in front of it begins where it ends. */
  low: number;
  entries: number[];
}

/**
 * A split under way: entries [at, ...) of `waiting` go to the buckets first ... first + ways - 1, which are in place
 * already.
 */
export interface Split {
  readonly waiting: number[];
  at: number;
  first: number;
  readonly ways: number;
}

export const MAX_BUCKETS = 256;

/** The last bucket that begins at `entry` or below; the first begins below all. */
export function bucketOf(buckets: readonly Bucket[], entry: number): number {
  let at = 0;
  for (let above = buckets.length; above - at > 1; ) {
    const middle = (at + above) >>> 1;
    if (buckets[middle].low <= entry) at = middle;
    else above = middle;
  }
  return at;
}

/** Only one entry fits between the bucket's bounds. */
export function isConstant(buckets: readonly Bucket[], index: number): boolean {
  return nextEntry(buckets[index].low) >= buckets[index + 1].low;
}

export function leftOf(split: Split): number {
  return split.waiting.length - split.at;
}

/** Throws AssertionError unless the invariants of quickheap-kernel.as.ts hold and the queue has `size` entries. */
export function assertQuickHeap({ buckets, splits, run }: QuickHeapState, size: number): void {
  let total = run.length;
  assert(buckets.length >= 2 && buckets.length <= MAX_BUCKETS, () => `BucketQuickHeap: ${buckets.length} buckets`);
  for (let at = 1; at < run.length; at++) assert(run[at - 1] <= run[at], 'BucketQuickHeap: the run is not sorted');
  const check = (entries: readonly number[], low: number, bound: number, where: string, isLast: boolean): void => {
    total += entries.length;
    assert(
      entries.every((entry) => entry >= low && entry < bound),
      () => `BucketQuickHeap: ${where} holds an entry outside its bounds`,
    );
    const below = isLast || run.length === 0 || entries.every((entry) => entry <= run[0]);
    assert(below, () => `BucketQuickHeap: an entry of ${where} exceeds the least of the run`);
  };
  for (const [index, { low, entries }] of buckets.entries()) {
    const isLast = index === buckets.length - 1;
    const bound = isLast ? Infinity : buckets[index + 1].low;
    assert(low <= bound, () => `BucketQuickHeap: bucket ${index} begins at ${low}, behind its end ${bound}`);
    check(entries, low, bound, `bucket ${index}`, isLast);
  }
  let end = 0;
  for (const split of splits) {
    assert(split.first >= end && split.first + split.ways < buckets.length, 'BucketQuickHeap: two splits overlap');
    end = split.first + split.ways;
    check(split.waiting.slice(split.at), buckets[split.first].low, buckets[end].low, 'a split under way', false);
  }
  assert(total === size, () => `BucketQuickHeap: ${total} entries in its parts, size ${size}`);
}

/** A number in [0, 1). */
export function drawUnit(random: Uint32Array): number {
  random[0] = xorshift32(random[0]);
  return random[0] / 2 ** 32;
}
