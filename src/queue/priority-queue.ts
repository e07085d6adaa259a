/**
 * The priority queue of a processor: entries go in many at a time and leave as the exact top k.
 * Entries are packed Float64s (`entry.ts`): the greatest leaves first.
 *
 * | kind        | insertMany(M), key comparisons    | extractTop(k), key comparisons        | worst batch | use |
 * |-------------|-----------------------------------|---------------------------------------|-------------|-----|
 * | binary-heap | O(1) expected, lg m worst, a key  | 2 lg m a key                          | k lg m      | small queues, the yardstick |
 * | cbt         | O(R lg(m/R)) a block of R         | O(R lg(m/R)) each R keys or part of R | the same    | even work per batch, secondary memory |
 * | quickheap   | O(lg(m/R)) a key, expected amortised | O(R lg(m/R)), expected amortised   | O(m)        | fewest comparisons |
 *
 * (m entries in the queue, R the block size.) No change-key: a page whose key rose is inserted again and the stale entry
 * is dropped by the caller when it leaves.
 *
 * Measured, m = 2^17, uniform keys, R out and R in, comparisons an entry for both together:
 * binary-heap 36; cbt 70 (R = 16), 66 (128), 51 (1024); quickheap 27, 24, 20 (means over seeds).
 *
 * `sliced-queue.ts` makes T queues of any kind into one; in its approximate mode alone the first promise is weaker.
 *
 * Promised: the k greatest entries exactly, each as often as it was inserted, in no particular order.
 * Not promised: the order inside an extracted batch; which comparisons are made (only that they are counted).
 */
export interface PriorityQueue {
  /** Entries held. */
  readonly size: number;
  /** Comparisons of two keys made so far. */
  readonly comparisons: { readonly insert: number; readonly extract: number };
  /** What the structure looks like now: blocks of the CBT, pivots of the QuickHeap, levels of the binary heap. */
  readonly structure: { readonly unit: 'levels' | 'blocks' | 'pivots'; readonly count: number };
  /** Inserts entries[from ... to). The array stays the caller's. */
  insertMany(entries: Float64Array, from: number, to: number): void;
  /** Writes the min(k, size) greatest entries to `into` from position 0, removes them, and returns their number. */
  extractTop(k: number, into: Float64Array): number;
  /** Throws AssertionError unless every structural invariant holds. O(size). */
  checkInvariants(): void;
}

export const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;
export type QueueKind = (typeof queueKinds)[number];

/** Whether a queue in slices returns the k greatest, or the k/T greatest of each slice (`sliced-queue.ts`). */
export const slicings = ['exact', 'approximate'] as const;
export type Slicing = (typeof slicings)[number];

export interface QueueOptions {
  readonly kind: QueueKind;
  /** Keys a CBT block holds (the paper's R), >= 1; of T slices' blocks, ceil(R/T). The others ignore it. */
  readonly block: number;
  /** Seed of the QuickHeap's coins and pivots; it changes counts, never what leaves the queue. */
  readonly seed: number;
  /** T, 1 by default: one queue, or T of its kind, with the indices hashed to them. */
  readonly slices?: number;
  /** Of more than one slice; exact by default. */
  readonly slicing?: Slicing;
}
