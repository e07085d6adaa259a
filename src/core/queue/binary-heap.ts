import { assert, grown } from '../../base/index.ts';
import { assertBatch, assertExtraction } from './preconditions.ts';
import type { PriorityQueue } from './priority-queue.ts';

/**
 * Implicit binary heap: the parent of position i is (i - 1) >> 1, and no entry is greater than its parent.
 *
 * The yardstick: every entry is sifted individually, without any gain from batching.
 *
 * Cost    insert: 1 to lg m comparisons, 2.6 expected for keys in random order. Extract: at most 2 lg m, and close to
 *         it, since the entry moved to the root comes from the bottom and falls back there.
 * Memory  8 bytes per entry, up to twice that after growth.
 * Source  Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964.
 */
export class BinaryHeap implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  #heap = new Float64Array(16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get structure(): { unit: 'levels'; count: number } {
    return { unit: 'levels', count: 32 - Math.clz32(this.#size) };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    const heap = (this.#heap = grown(this.#heap, this.#size + to - from));
    let comparisons = 0;
    for (let at = from; at < to; at++) comparisons += siftUp(heap, this.#size++, entries[at]);
    this.comparisons.insert += comparisons;
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.#size, into);
    const heap = this.#heap;
    let comparisons = 0;
    for (let at = 0; at < leaving; at++) {
      into[at] = heap[0];
      const last = --this.#size;
      if (last > 0) comparisons += siftDown(heap, last, heap[last]);
    }
    this.comparisons.extract += comparisons;
    return leaving;
  }

  dispose(): void {
    // Its array is left to the garbage collector.
  }

  checkInvariants(): void {
    const heap = this.#heap;
    assert(this.#size <= heap.length, () => `binary heap: ${this.#size} entries in an array of ${heap.length}`);
    for (let at = 1; at < this.#size; at++) {
      const parent = (at - 1) >>> 1;
      assert(heap[parent] >= heap[at], () => `binary heap: the entry at ${at} is greater than its parent at ${parent}`);
    }
  }
}

/** Puts `entry` into the hole or above it, and moves smaller ancestors down. Returns the comparisons. */
export function siftUp(heap: Float64Array, hole: number, entry: number): number {
  let comparisons = 0;
  while (hole > 0) {
    const parent = (hole - 1) >>> 1;
    const above = heap[parent];
    comparisons++;
    if (above >= entry) break;
    heap[hole] = above;
    hole = parent;
  }
  heap[hole] = entry;
  return comparisons;
}

/** Puts `entry` into the hole at the root or below it, and moves greater children up. Returns the comparisons. */
export function siftDown(heap: Float64Array, size: number, entry: number): number {
  let comparisons = 0;
  let hole = 0;
  for (let child = 1; child < size; child = 2 * hole + 1) {
    let greatest = heap[child];
    if (child + 1 < size) {
      const right = heap[child + 1];
      comparisons++;
      if (right > greatest) {
        greatest = right;
        child++;
      }
    }
    comparisons++;
    if (entry >= greatest) break;
    heap[hole] = greatest;
    hole = child;
  }
  heap[hole] = entry;
  return comparisons;
}
