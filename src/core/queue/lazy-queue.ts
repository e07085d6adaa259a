import { assert } from '../../base/index.ts';
import type { IoCounts, PriorityQueue } from './priority-queue.ts';

const noComparisons = { insert: 0, extract: 0 };
const noStructure = { unit: 'levels', count: 0 } as const;

/** A queue that is made at its first entry: many processors of a large crawl never have one. */
export class LazyQueue implements PriorityQueue {
  readonly #make: () => PriorityQueue;
  #queue: PriorityQueue | undefined;
  #isDisposed = false;

  /** @param make called once at most; what it throws, the first insertion throws. */
  constructor(make: () => PriorityQueue) {
    this.#make = make;
  }

  get size(): number {
    return this.#queue === undefined ? 0 : this.#queue.size;
  }

  get comparisons(): PriorityQueue['comparisons'] {
    return this.#queue === undefined ? noComparisons : this.#queue.comparisons;
  }

  get structure(): PriorityQueue['structure'] {
    return this.#queue === undefined ? noStructure : this.#queue.structure;
  }

  get io(): IoCounts | undefined {
    return this.#queue?.io;
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assert(!this.#isDisposed, 'a queue is used after dispose()');
    if (from === to && this.#queue === undefined) return;
    this.#queue ??= this.#make();
    this.#queue.insertMany(entries, from, to);
  }

  extractTop(k: number, into: Float64Array): number {
    return this.#queue === undefined ? 0 : this.#queue.extractTop(k, into);
  }

  checkInvariants(): void {
    this.#queue?.checkInvariants();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#queue?.dispose();
  }
}
