import { grown } from '../../base/index.ts';
import type { IoCounts, PriorityQueue } from './priority-queue.ts';

/** All operations on a queue since it was empty. */
export interface QueueLog {
  /** Batches inserted, one after the other. */
  readonly inserted: Float64Array;
  /** The size of each batch, and of each extraction the k that was asked for, negative, in their order. */
  readonly steps: Float64Array;
}

/**
 * A queue that logs its operations. A queue that repeats them has the same structure, and makes the same comparisons
 * later. Costs 8 bytes per entry inserted and extracted, and per call.
 */
export class LoggedQueue implements PriorityQueue {
  readonly #queue: PriorityQueue;
  readonly #inserted = new Numbers();
  readonly #extracted = new Numbers();
  readonly #steps = new Numbers();

  constructor(queue: PriorityQueue) {
    this.#queue = queue;
  }

  get size(): number {
    return this.#queue.size;
  }

  get comparisons(): PriorityQueue['comparisons'] {
    return this.#queue.comparisons;
  }

  get structure(): PriorityQueue['structure'] {
    return this.#queue.structure;
  }

  get io(): IoCounts | undefined {
    return this.#queue.io;
  }

  /** A copy of its operations. */
  log(): QueueLog {
    return { inserted: this.#inserted.copy(), steps: this.#steps.copy() };
  }

  /** The entries in it, ascending. Cost  O(N lg N) in all N that were inserted. */
  entries(): Float64Array {
    const [inserted, extracted] = [this.#inserted.copy().sort(), this.#extracted.copy().sort()];
    let size = 0;
    for (let i = 0, j = 0; i < inserted.length; i++) {
      if (inserted[i] === extracted[j]) j++;
      else inserted[size++] = inserted[i];
    }
    return inserted.slice(0, size);
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    this.#queue.insertMany(entries, from, to);
    this.#inserted.add(entries.subarray(from, to));
    this.#steps.add([to - from]);
  }

  extractTop(k: number, into: Float64Array): number {
    const count = this.#queue.extractTop(k, into);
    this.#extracted.add(into.subarray(0, count));
    if (k > 0) this.#steps.add([-k]);
    return count;
  }

  checkInvariants(): void {
    this.#queue.checkInvariants();
  }

  dispose(): void {
    this.#queue.dispose();
  }
}

/** Repeats the operations of another queue on an empty one. */
export function repeat({ inserted, steps }: QueueLog, queue: PriorityQueue): void {
  let at = 0;
  let into = new Float64Array(0);
  for (const step of steps) {
    if (step < 0) {
      into = grown(into, Math.min(-step, queue.size));
      queue.extractTop(-step, into);
    } else queue.insertMany(inserted, at, at += step);
  }
}

/** A growing array of numbers. */
class Numbers {
  #numbers = new Float64Array(0);
  #count = 0;

  add(more: ArrayLike<number>): void {
    this.#numbers = grown(this.#numbers, this.#count + more.length);
    this.#numbers.set(more, this.#count);
    this.#count += more.length;
  }

  copy(): Float64Array {
    return this.#numbers.slice(0, this.#count);
  }
}
