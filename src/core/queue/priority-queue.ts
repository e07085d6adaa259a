/**
 * The priority queue of a processor: entries are inserted in batches and extracted as the exact top k.
 * Entries are packed Float64s (`entry.ts`): the greatest leaves first.
 *
 * | kind        | insertMany(M), key comparisons   | extractTop(k), key comparisons        | worst batch        | use |
 * |-------------|----------------------------------|---------------------------------------|--------------------|-----|
 * | binary-heap | O(1) expected, lg m worst, a key | 2 lg m a key                          | k lg m             | small
 * queues, the yardstick | | cbt         | O(R lg m) a block of R           | O(R lg(m/R)) each R keys or part of R |
 * the same           | even work per batch | | quickheap   | at most 8 a key, + O(lg(m/F)) splits  | lg F a key, +
 * O(lg(m/F)) splits       | O(F lg F), or O(M) | fewest comparisons |
 *
 * (m entries in the queue, R the block size, F = max(1.5 R, 1024); O(M) if one call inserted far more than R.) No
 * change-key: a page whose key rose is inserted again and the stale entry is dropped by the caller when it leaves.
 *
 * Measured, m = 2^17, uniform keys, R out and R in, comparisons per entry for both together, R = 16, 128 and 1024:
 * binary-heap 39, 36, 35; cbt 24, 19, 18; quickheap 15, 16, 18 (`hold` of `test/queue/comparisons.test.ts`, which runs
 * m = 2^14).
 *
 * `sliced-queue.ts` makes T queues of any kind into one; only in its approximate mode is the first promise weaker.
 *
 * Promised: the k greatest entries exactly, each as often as it was inserted, in no particular order.
 * Not promised: the order inside an extracted batch; which comparisons are made (only that they are counted).
 */
export interface PriorityQueue {
  /** Number of entries. */
  readonly size: number;
  /** Comparisons of two keys made so far. */
  readonly comparisons: { readonly insert: number; readonly extract: number };
  /** The size of the structure now: blocks of the CBT, pivots of the QuickHeap, levels of the binary heap. */
  readonly structure: { readonly unit: 'levels' | 'blocks' | 'pivots'; readonly count: number };
  /** Reads and writes of a queue in secondary memory. */
  readonly io?: IoCounts | undefined;
  /** Inserts entries[from ... to). The array still belongs to the caller. */
  insertMany(entries: Float64Array, from: number, to: number): void;
  /** Writes the min(k, size) greatest entries to `into` from position 0, removes them, and returns their number. */
  extractTop(k: number, into: Float64Array): number;
  /** Throws AssertionError unless every structural invariant holds. O(size). */
  checkInvariants(): void;
  /** Releases memory and files, with the entries. The queue must not be used again; a second call does nothing. */
  dispose(): void;
}

/** Reads and writes of files, and their bytes. */
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

/** Structure, size and place of a queue. */
export interface QueueOptions {
  /** The structure; the table of `PriorityQueue` states the cost of each. */
  readonly kind: QueueKind;
  /**
   * R: keys of a CBT's block, in [1, 2^22]; the number of entries that come and go at a time, as a hint to a QuickHeap.
   * With T slices, ceil(R/T) each. A binary heap ignores it.
   */
  readonly block: number;
  /** Seed of the queue's draws: today a paged QuickHeap's samples. It changes counts, never the extracted entries. */
  readonly seed: number;
  /** Sort by comparisons alone, true by default. False is faster; its counts do not compare with other queues. */
  readonly compareOnly?: boolean;
  /** T, 1 by default: one queue, or T of its kind, with the indices hashed to them. */
  readonly slices?: number;
  /** How several slices extract; exact by default. */
  readonly slicing?: Slicing;
  /**
   * Bytes of memory for entries, shared by the slices; the others are in files. 0, the default: all of them in memory.
   * Only for a CBT or a QuickHeap, and at least `leastQueueMemoryBytes`.
   */
  readonly memoryBytes?: number;
  /** The file to create if memory is bounded; for several slices, `path`-0 and so on. The caller removes its folder. */
  readonly path?: string;
}
