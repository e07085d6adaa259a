/**
 * Entries per Map. V8's Map holds 2^24, counting deleted ones until it rehashes, which it does once they are half of
 * its capacity: 2^23 always fit.
 */
const MAX_MAP_ENTRIES = 2 ** 23;

/**
 * A Map without a limit on entries, where the engine's own throws a RangeError: another Map is added whenever the last
 * one is full.
 *
 * Cost     as a Map up to 2^23 entries, plus a lookup for each further 2^23. Iteration goes Map by Map, in
 *          insertion order within each: if nothing is deleted, that is insertion order overall.
 */
export class LargeMap<K, V> implements ReadonlyMap<K, V> {
  readonly #most: number;
  /** Maps that have been full; the last Map is not among them. */
  readonly #earlier: Map<K, V>[] = [];
  #last = new Map<K, V>();

  /** @param most maximum entries per Map. */
  constructor(entries: Iterable<readonly [K, V]> = [], most = MAX_MAP_ENTRIES) {
    this.#most = most;
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.#earlier.reduce((sum, { size }) => sum + size, this.#last.size);
  }

  get(key: K): V | undefined {
    return this.#earlier.length === 0 ? this.#last.get(key) : this.#holderOf(key)?.get(key);
  }

  has(key: K): boolean {
    return this.#holderOf(key) !== undefined;
  }

  set(key: K, value: V): this {
    const holder = this.#earlier.length === 0 && this.#last.size < this.#most ? this.#last : this.#holderOf(key);
    if (holder !== undefined) {
      holder.set(key, value);
      return this;
    }
    if (this.#last.size >= this.#most) {
      this.#earlier.push(this.#last);
      this.#last = new Map();
    }
    this.#last.set(key, value);
    return this;
  }

  delete(key: K): boolean {
    return this.#holderOf(key)?.delete(key) ?? false;
  }

  clear(): void {
    this.#earlier.length = 0;
    this.#last.clear();
  }

  #holderOf(key: K): Map<K, V> | undefined {
    return this.#last.has(key) ? this.#last : this.#earlier.find((map) => map.has(key));
  }

  *entries(): MapIterator<[K, V]> {
    for (const map of [...this.#earlier, this.#last]) yield* map;
  }

  *keys(): MapIterator<K> {
    for (const map of [...this.#earlier, this.#last]) yield* map.keys();
  }

  *values(): MapIterator<V> {
    for (const map of [...this.#earlier, this.#last]) yield* map.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(callback: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) callback(value, key, this);
  }
}

/** A Set of any number of elements, as LargeMap is a Map. */
export class LargeSet<K> {
  readonly #map: LargeMap<K, true>;

  /** @param most maximum elements per underlying Map. */
  constructor(most = MAX_MAP_ENTRIES) {
    this.#map = new LargeMap<K, true>([], most);
  }

  get size(): number {
    return this.#map.size;
  }

  has(element: K): boolean {
    return this.#map.has(element);
  }

  add(element: K): this {
    this.#map.set(element, true);
    return this;
  }

  delete(element: K): boolean {
    return this.#map.delete(element);
  }
}
