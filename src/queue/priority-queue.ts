/**
 * The priority queue of a processor: entries go in many at a time and leave as the exact top k.
 * Entries are packed Float64s (`entry.ts`): the greatest leaves first.
 *
 * | kind        | insertMany(M), key comparisons   | extractTop(k), key comparisons        | worst batch        | use |
 * |-------------|----------------------------------|---------------------------------------|--------------------|-----|
 * | binary-heap | O(1) expected, lg m worst, a key | 2 lg m a key                          | k lg m             | small queues, the yardstick |
 * | cbt         | O(R lg m) a block of R           | O(R lg(m/R)) each R keys or part of R | the same           | even work per batch |
 * | quickheap   | at most 8 a key, + O(lg(m/F)) splits  | lg F a key, + O(lg(m/F)) splits       | O(F lg F), or O(M) | fewest comparisons |
 *
 * (m entries in the queue, R the block size, F = max(1.5 R, 1024); O(M) where one call brought far more than R.) No
 * change-key: a page whose key rose is inserted again and the stale entry is dropped by the caller when it leaves.
 *
 * Measured, m = 2^17, uniform keys, R out and R in, comparisons an entry for both together, R = 16, 128 and 1024:
 * binary-heap 39, 36, 35; cbt 24, 19, 18; quickheap 15, 16, 18 (`hold` of `test/queue/comparisons.test.ts`, which runs
 * m = 2^14).
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
  /** Of a queue in secondary memory: what it read and wrote so far. */
  readonly io?: IoCounts;
  /** Inserts entries[from ... to). The array stays the caller's. */
  insertMany(entries: Float64Array, from: number, to: number): void;
  /** Writes the min(k, size) greatest entries to `into` from position 0, removes them, and returns their number. */
  extractTop(k: number, into: Float64Array): number;
  /** Throws AssertionError unless every structural invariant holds. O(size). */
  checkInvariants(): void;
  /**
   * Gives memory and files back; once more does nothing. The queue must not be used again, and its entries are lost.
   */
  dispose(): void;
}

/** Calls that moved bytes to or from files, and the bytes. */
export interface IoCounts {
  readonly reads: number;
  readonly writes: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

export const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;
export type QueueKind = (typeof queueKinds)[number];

/** Whether a queue in slices returns the k greatest, or the k/T greatest of each slice (`sliced-queue.ts`). */
export const slicings = ['exact', 'approximate'] as const;
export type Slicing = (typeof slicings)[number];

/** What a queue is made of. */
export interface QueueOptions {
  /** The structure; the table of `PriorityQueue` says what each costs. */
  readonly kind: QueueKind;
  /**
   * R: keys of a CBT's block, in [1, 2^22]; entries that a QuickHeap can expect to come and go at a time, a hint. Of T
   * slices, ceil(R/T) each. A binary heap ignores it.
   */
  readonly block: number;
  /** Of whatever a queue draws: today a paged QuickHeap's samples. It changes counts, never what leaves the queue. */
  readonly seed: number;
  /**
   * Sort by comparisons alone, true by default. False is faster, and its counts may not be held against those of other
   * queues. Queues in files do so always.
   */
  readonly compareOnly?: boolean;
  /** T, 1 by default: one queue, or T of its kind, with the indices hashed to them. */
  readonly slices?: number;
  /** Of more than one slice; exact by default. */
  readonly slicing?: Slicing;
  /**
   * Bytes of memory for entries, shared by the slices; the others are in files. 0, the default: all of them in memory.
   * Of a CBT or a QuickHeap, and at least `leastQueueMemoryBytes`.
   */
  readonly memoryBytes?: number;
  /**
   * Where memory is bounded, the file to make; of more than one slice, `path`-0 and so on. Whoever made its folder
   * removes it.
   */
  readonly path?: string;
}
