/**
 * Items by rank, the greatest first: a binary heap (Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964). Ties leave
 * in any order.
 *
 * Cost   add and take O(log n), raise and remove O(n) to find the item.
 */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #ranks: number[] = [];
  /** The greatest rank; -Infinity if empty. A field, because it is read far more often than it changes. */
  firstRank = -Infinity;

  get size(): number {
    return this.#items.length;
  }

  /** The item of the greatest rank. */
  get first(): T | undefined {
    return this.#items[0];
  }

  /** In no particular order, that of `ranks`. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** In no particular order. */
  get ranks(): readonly number[] {
    return this.#ranks;
  }

  add(item: T, rank: number): void {
    const position = this.#items.length;
    this.#items.push(item);
    this.#ranks.push(rank);
    this.#rise(position, item, rank);
  }

  /** Removes and returns the item of the greatest rank. */
  take(): T | undefined {
    const items = this.#items;
    const ranks = this.#ranks;
    const last = items.pop();
    const lastRank = ranks.pop();
    if (lastRank === undefined || items.length === 0) {
      this.firstRank = -Infinity;
      return last;
    }
    const first = items[0];
    const size = items.length;
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && ranks[child + 1] > ranks[child]) child++;
      if (ranks[child] <= lastRank) break;
      items[hole] = items[child];
      ranks[hole] = ranks[child];
      hole = child;
    }
    items[hole] = last!;
    ranks[hole] = lastRank;
    this.firstRank = ranks[0];
    return first;
  }

  /** Raises the rank of an item in the heap; the new rank is not less than the old one. */
  raise(item: T, rank: number): void {
    this.#rise(this.#items.indexOf(item), item, rank);
  }

  /** Removes an item in the heap. */
  remove(item: T): void {
    this.#rise(this.#items.indexOf(item), item, Infinity);
    this.take();
  }

  /** Puts the item into the hole, or moves the hole up to an ancestor's place first. */
  #rise(hole: number, item: T, rank: number): void {
    const items = this.#items;
    const ranks = this.#ranks;
    while (hole > 0) {
      const parent = (hole - 1) >>> 1;
      if (ranks[parent] >= rank) break;
      items[hole] = items[parent];
      ranks[hole] = ranks[parent];
      hole = parent;
    }
    items[hole] = item;
    ranks[hole] = rank;
    this.firstRank = ranks[0];
  }
}
