import { grown } from '../../../base/index.ts';
import { leastOf, selectTop } from './partition.ts';
import { assertBatch, assertExtraction } from '../preconditions.ts';
import type { IoCounts, PriorityQueue, Slicing } from '../priority-queue.ts';
import { assertSlices, sharesOf, splitBySlice } from './slicing.ts';

export interface SlicedQueueOptions {
  /** T, >= 1. */
  readonly slices: number;
  readonly slicing: Slicing;
  /** An empty queue for slice 0 ... T-1; all of one kind. */
  readonly make: (slice: number) => PriorityQueue;
}

/** One slice, as its owner may see it. */
export interface SliceCounts {
  readonly size: number;
  /** Comparisons made in this slice, by the operation of the whole queue that asked for them. */
  readonly comparisons: { readonly insert: number; readonly extract: number };
}

class Slice implements SliceCounts {
  readonly comparisons = { insert: 0, extract: 0 };
  readonly queue: PriorityQueue;

  constructor(queue: PriorityQueue) {
    this.queue = queue;
  }

  get size(): number {
    return this.queue.size;
  }

  /** Inserts, on behalf of an insertion or of an extraction that took too much. Returns the comparisons. */
  insert(under: 'insert' | 'extract', entries: Float64Array, from: number, to: number): number {
    const start = this.queue.comparisons.insert;
    this.queue.insertMany(entries, from, to);
    const comparisons = this.queue.comparisons.insert - start;
    this.comparisons[under] += comparisons;
    return comparisons;
  }

  /** Returns the comparisons. */
  extract(k: number, into: Float64Array): number {
    const start = this.queue.comparisons.extract;
    this.queue.extractTop(k, into);
    const comparisons = this.queue.comparisons.extract - start;
    this.comparisons.extract += comparisons;
    return comparisons;
  }

  /** The least of entries[from ... to), which this slice gave, at least one; it pays to - from - 1 comparisons. */
  least(entries: Float64Array, from: number, to: number): number {
    this.comparisons.extract += to - from - 1;
    return leastOf(entries, from, to);
  }
}

/**
 * One queue in T slices: each slice is a queue of the entries whose index is hashed to it. Slices share nothing, so
 * that T threads can run T insert-many and extract-many at a time (`slice-workers.ts`); here a single thread does it,
 * and counts the work of each slice, which gives the efficiency X/Y (average over maximum) and the speed-up that
 * threads could have.
 *
 * approximate  each slice gives its k/T greatest. With random assignment about 0.399 sqrt((T-1)/k) of the k greatest
 *              stay behind (`test/queue/twins/missed-fraction.ts`), and leave first at the next extraction.
 * exact        the same, then refined: if all entries that a slice gave lie above the k-th greatest of all, its next
 *              entry may belong to the k greatest too, and the slice gives more. Surplus entries go back.
 *
 * Cost    insert: that of a slice of m/T entries, and no comparison more. Extract, approximate: that of k/T from each
 *         slice. Exact: in addition about 4 comparisons per entry to select, and about sqrt(kT) entries extracted and
 *         reinserted: a slice's part of the k greatest is binomial, with a deviation of about sqrt(k/T). What is asked
 *         for beyond that doubles from round to round, so that k entries all in one slice take lg(k) rounds, O(k lg k).
 *         Below k = T every slice still gives an entry. A CBT takes no less than a block's step, however few are asked
 *         for: exact costs it 1.4 to 1.6 times approximate.
 * Memory  that of the slices, and three batches.
 * Source  Marin, Paredes & Bonacic, WIDM 2008: its text says both "symmetrically partitioned into T slices", which here
 *         is `exact`, and "T queues maintained in parallel", which is `approximate` and what its experiments describe.
 */
export class SlicedQueue implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  readonly #slices: readonly Slice[];
  readonly #slicing: Slicing;
  /** What one slice gave, or a batch split by slice. */
  #batch = new Float64Array(16);
  /** What all slices gave; those that leave first. */
  #gathered = new Float64Array(16);
  /** Entries that were extracted and must be reinserted. */
  #rejected = new Float64Array(16);
  readonly #starts: Uint32Array;

  constructor({ slices, slicing, make }: SlicedQueueOptions) {
    assertSlices(slices);
    this.#slices = Array.from({ length: slices }, (_, slice) => new Slice(make(slice)));
    this.#slicing = slicing;
    this.#starts = new Uint32Array(slices + 1);
  }

  /** The slices in order. Their comparisons sum to the queue's, without the selection among what they gave. */
  get slices(): readonly SliceCounts[] {
    return this.#slices;
  }

  get size(): number {
    return this.#slices.reduce((sum, slice) => sum + slice.size, 0);
  }

  get structure(): PriorityQueue['structure'] {
    const { unit } = this.#slices[0].queue.structure;
    return { unit, count: this.#slices.reduce((sum, { queue }) => sum + queue.structure.count, 0) };
  }

  /** The sums of the slices'; zeros where they are in memory. */
  get io(): IoCounts {
    const sum = { reads: 0, writes: 0, bytesRead: 0, bytesWritten: 0 };
    for (const { queue: { io } } of this.#slices) {
      if (io === undefined) continue;
      for (const count of Object.keys(sum) as (keyof IoCounts)[]) sum[count] += io[count];
    }
    return sum;
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.comparisons.insert += this.#insert('insert', entries, from, to);
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.size, into);
    if (leaving === 0) return 0;
    this.#gathered = grown(this.#gathered, leaving);
    const shares = sharesOf(leaving, this.#slices.map(({ size }) => size));
    let gathered = 0;
    shares.forEach((share, slice) => {
      this.#take(slice, share, gathered);
      gathered += share;
    });
    if (this.#slicing === 'exact') this.#refine(leaving, shares);
    into.set(this.#gathered.subarray(0, leaving));
    return leaving;
  }

  /** Puts entries into their slices. Returns the comparisons. */
  #insert(under: 'insert' | 'extract', entries: Float64Array, from: number, to: number): number {
    const starts = this.#starts;
    const split = (this.#batch = grown(this.#batch, to - from));
    splitBySlice(entries, from, to, this.#slices.length, split, starts);
    return this.#slices.reduce((sum, slice, s) => sum + slice.insert(under, split, starts[s], starts[s + 1]), 0);
  }

  /** Moves the `count` greatest of a slice to #given from `at` on, where there is room. */
  #take(slice: number, count: number, at: number): void {
    if (count === 0) return;
    this.#batch = grown(this.#batch, count);
    this.comparisons.extract += this.#slices[slice].extract(count, this.#batch);
    this.#gathered.set(this.#batch.subarray(0, count), at);
  }

  /** Given `taken` of each slice, `leaving` in all, exchanges them until they are the greatest of the queue. */
  #refine(leaving: number, counts: number[]): void {
    const steps = counts.map(() => Math.ceil(Math.sqrt(leaving / counts.length)));
    // The least entry that each slice gave, and the least leaving entry.
    const least = this.#leastGathered(counts);
    let bound = this.#leastOf(least, counts);
    let rejected = 0;
    for (;;) {
      let gathered = leaving;
      this.#slices.forEach((slice, s) => {
        if (slice.size === 0) return;
        if (counts[s] > 0) {
          this.comparisons.extract++;
          // Nothing it still holds is above what it gave last. It stays so: the bound only rises.
          if (least[s] <= bound) return;
        }
        // taken < leaving: were all those leaving this slice's, the least of them would be the bound.
        const step = Math.min(steps[s], slice.size, leaving - counts[s]);
        this.#gathered = grown(this.#gathered, gathered + step);
        this.#take(s, step, gathered);
        least[s] = this.#leastOfSlice(s, gathered, gathered + step);
        gathered += step;
        counts[s] += step;
        steps[s] *= 2;
      });
      if (gathered === leaving) break;
      this.comparisons.extract += selectTop(this.#gathered, 0, gathered, leaving);
      bound = this.#gathered[leaving - 1];
      this.#rejected = grown(this.#rejected, rejected + gathered - leaving);
      this.#rejected.set(this.#gathered.subarray(leaving, gathered), rejected);
      rejected += gathered - leaving;
    }
    this.comparisons.extract += this.#insert('extract', this.#rejected, 0, rejected);
  }

  /** The least entry that each slice gave, `counts` of each, one slice after the other; no meaning for none. */
  #leastGathered(counts: readonly number[]): number[] {
    let at = 0;
    return counts.map((count, slice) => (count === 0 ? NaN : this.#leastOfSlice(slice, at, (at += count))));
  }

  /** The least of the slices' least ones, where they gave any. */
  #leastOf(least: readonly number[], counts: readonly number[]): number {
    return least.filter((_, slice) => counts[slice] > 0).reduce((bound, entry) => {
      this.comparisons.extract++;
      return entry < bound ? entry : bound;
    });
  }

  #leastOfSlice(slice: number, from: number, to: number): number {
    this.comparisons.extract += to - from - 1;
    return this.#slices[slice].least(this.#gathered, from, to);
  }

  checkInvariants(): void {
    for (const { queue } of this.#slices) queue.checkInvariants();
  }

  dispose(): void {
    for (const { queue } of this.#slices) queue.dispose();
  }
}
