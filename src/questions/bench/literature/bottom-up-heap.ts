import { assertBatch, assertExtraction, siftUp, type PriorityQueue } from '../../../core/queue/index.ts';
import { assert, grown } from '../../../base/index.ts';

/**
 * The binary heap that makes little more than lg m comparisons an extraction: the hole goes down to a leaf along the
 * greater children, one comparison a level, and the last entry rises from there (Wegener, "Bottom-up heapsort", TCS
 * 118, 1993; libstdc++'s std::priority_queue does the same). A yardstick beside the product's binary heap, which makes
 * two comparisons a level as in the textbooks: what beats one need not beat the other. No queue of the product.
 */
export class BottomUpHeap implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  #entries = new Float64Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get structure(): { unit: 'levels'; count: number } {
    return { unit: 'levels', count: 32 - Math.clz32(this.#size) };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.#entries = grown(this.#entries, this.#size + to - from);
    for (let i = from; i < to; i++) this.comparisons.insert += siftUp(this.#entries, this.#size++, entries[i]);
  }

  extractTop(k: number, into: Float64Array): number {
    const entries = this.#entries;
    const leaving = assertExtraction(k, this.#size, into);
    for (let i = 0; i < leaving; i++) {
      into[i] = entries[0];
      const last = entries[--this.#size];
      let hole = 0;
      let comparisons = 0;
      for (let child = 1; child < this.#size; child = 2 * hole + 1) {
        if (child + 1 < this.#size) {
          comparisons++;
          if (entries[child + 1] > entries[child]) child++;
        }
        entries[hole] = entries[child];
        hole = child;
      }
      this.comparisons.extract += comparisons + siftUp(entries, hole, last);
    }
    return leaving;
  }

  checkInvariants(): void {
    for (let at = 1; at < this.#size; at++) {
      const parent = (at - 1) >>> 1;
      assert(
        this.#entries[parent] >= this.#entries[at],
        () => `bottom-up heap: the entry at ${at} is above its parent`,
      );
    }
  }

  dispose(): void {
    // Its array is the collector's.
  }
}
