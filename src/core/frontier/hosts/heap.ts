/**
 * Items by rank, the greatest first: a binary heap (Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964). Ties leave
 * in any order.
 *
 * Cost   O(log n) each.
 */
export abstract class RankedHeap<T> {
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

  /** The items in the order of `ranks`, which means nothing. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** The ranks, in no particular order. */
  get ranks(): readonly number[] {
    return this.#ranks;
  }

  add(item: T, rank: number): void {
    const place = this.#items.length;
    this.#items.push(item);
    this.#ranks.push(rank);
    this.#rise(place, item, rank);
    this.firstRank = this.#ranks[0];
  }

  /** Removes and returns the item of the greatest rank. */
  take(): T | undefined {
    const first = this.first;
    if (first !== undefined) this.removeAt(0);
    return first;
  }

  /** Gives the item at a place another rank. */
  protected changeAt(place: number, rank: number): void {
    const item = this.#items[place];
    if (rank > this.#ranks[place]) this.#rise(place, item, rank);
    else this.#sink(place, item, rank);
    this.firstRank = this.#ranks[0];
  }

  protected removeAt(place: number): void {
    const items = this.#items;
    const ranks = this.#ranks;
    const last = items.pop()!;
    const lastRank = ranks.pop()!;
    if (place < items.length) {
      if (lastRank > ranks[place]) this.#rise(place, last, lastRank);
      else this.#sink(place, last, lastRank);
    }
    this.firstRank = items.length === 0 ? -Infinity : ranks[0];
  }

  /** An item is at a place now. */
  protected abstract moved(item: T, place: number): void;

  /** Puts the item into the hole, or moves the hole up to an ancestor's place first. */
  #rise(hole: number, item: T, rank: number): void {
    const items = this.#items;
    const ranks = this.#ranks;
    while (hole > 0) {
      const parent = (hole - 1) >>> 1;
      if (ranks[parent] >= rank) break;
      items[hole] = items[parent];
      ranks[hole] = ranks[parent];
      this.moved(items[hole], hole);
      hole = parent;
    }
    items[hole] = item;
    ranks[hole] = rank;
    this.moved(item, hole);
  }

  /** Puts the item into the hole, or moves the hole down to a descendant's place first. */
  #sink(hole: number, item: T, rank: number): void {
    const items = this.#items;
    const ranks = this.#ranks;
    const size = items.length;
    for (let child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && ranks[child + 1] > ranks[child]) child++;
      if (ranks[child] <= rank) break;
      items[hole] = items[child];
      ranks[hole] = ranks[child];
      this.moved(items[hole], hole);
      hole = child;
    }
    items[hole] = item;
    ranks[hole] = rank;
    this.moved(item, hole);
  }
}

/** A heap of anything, which leaves it as the first alone. */
export class Heap<T> extends RankedHeap<T> {
  protected override moved(): void {
    // Nobody asks for a place.
  }
}

/** An item that knows its place, in at most one heap at a time. */
export interface Placed {
  heapPlace: number;
}

/** A heap whose items know their places. */
export class PlacedHeap<T extends Placed> extends RankedHeap<T> {
  /** Gives an item in the heap another rank. */
  change(item: T, rank: number): void {
    this.changeAt(item.heapPlace, rank);
  }

  /** Removes an item in the heap. */
  remove(item: T): void {
    this.removeAt(item.heapPlace);
  }

  protected override moved(item: T, place: number): void {
    item.heapPlace = place;
  }
}
