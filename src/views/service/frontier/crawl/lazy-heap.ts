import { Heap } from '../../../../core/frontier/index.ts';

/** Bytes of V8's heap, as measured: of an entry, with spare room, and of arrays that had entries. */
const entryBytes = 20;
const arrayBytes = 300;

/** Below so many entries, none are looked for that are out of date. */
const fewEntries = 16;

/**
 * A heap whose entries may be out of date: they leave when they come first, or when there may be more of them than of
 * others.
 *
 * Cost   O(log n) amortised for each entry that was added. Memory   of twice the entries that are not out of date.
 */
export class LazyHeap<T> {
  #heap = new Heap<T>();
  #maxEntries = fewEntries;
  #isUsed = false;

  /** Bytes of V8's heap, about. */
  get bytes(): number {
    return this.#isUsed ? arrayBytes + entryBytes * this.#heap.size : 0;
  }

  get size(): number {
    return this.#heap.size;
  }

  /** @param isCurrent - whether an entry is not out of date; of an item, only those of one rank are. */
  add(item: T, rank: number, isCurrent: (item: T, rank: number) => boolean): void {
    if (this.#heap.size >= this.#maxEntries) this.#drop(isCurrent);
    this.#isUsed = true;
    this.#heap.add(item, rank);
  }

  #drop(isCurrent: (item: T, rank: number) => boolean): void {
    const { items, ranks } = this.#heap;
    const current = new Map<T, number>();
    // An item that has come back to an earlier rank has it twice.
    items.forEach((item, i) => { if (isCurrent(item, ranks[i])) current.set(item, ranks[i]); });
    this.#heap = new Heap();
    for (const [item, rank] of current) this.#heap.add(item, rank);
    this.#maxEntries = Math.max(fewEntries, 2 * this.#heap.size);
  }

  /** The greatest rank; -Infinity if it is empty. */
  get firstRank(): number {
    return this.#heap.firstRank;
  }

  get first(): T | undefined {
    return this.#heap.first;
  }

  take(): T | undefined {
    return this.#heap.take();
  }
}
