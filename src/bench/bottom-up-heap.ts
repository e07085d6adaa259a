import { grown } from '../std/index.ts';
import type { BatchQueue } from './contenders.ts';

/**
 * The binary heap that makes little more than lg m comparisons an extraction: the hole goes down to a leaf along the greater
 * children, one comparison a level, and the last entry rises from there (Wegener, "Bottom-up heapsort", TCS 118, 1993; libstdc++'s
 * std::priority_queue does the same). A yardstick beside the product's binary heap, which makes two comparisons a level as in the
 * textbooks: what beats one need not beat the other. No queue of the product.
 */
export class BottomUpHeap implements BatchQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  #entries = new Float64Array(64);
  #size = 0;

  insertMany(entries: Float64Array, from: number, to: number): void {
    this.#entries = grown(this.#entries, this.#size + to - from);
    for (let i = from; i < to; i++) this.comparisons.insert += this.#rise(this.#size++, entries[i]);
  }

  extractTop(k: number, into: Float64Array): number {
    const entries = this.#entries;
    const leaving = Math.min(k, this.#size);
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
      this.comparisons.extract += comparisons + this.#rise(hole, last);
    }
    return leaving;
  }

  /** Lets `entry` rise from the hole at `position`; returns the comparisons. */
  #rise(position: number, entry: number): number {
    const entries = this.#entries;
    let comparisons = 0;
    while (position > 0) {
      const parent = (position - 1) >>> 1;
      comparisons++;
      if (entries[parent] >= entry) break;
      entries[position] = entries[parent];
      position = parent;
    }
    entries[position] = entry;
    return comparisons;
  }
}
