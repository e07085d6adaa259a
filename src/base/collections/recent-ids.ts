import { pageGrowth } from './page-index.ts';
import { IdIndex } from './id-index.ts';

/**
 * The u32 ids that were added last: two IdIndexes, of which the older one is dropped when the newer one is full. At
 * least the last half of `maxIds` different ids are known, and fewer than `maxIds`. Which ones depends on what was
 * added alone: adding `ids()` to an empty one makes it the same again.
 *
 * Memory  10 to 20 bytes per id.
 * Cost    O(1) expected to add one.
 */
export class RecentIds {
  /** Ids of each of the two. */
  readonly #most: number;
  #older = new IdIndex(pageGrowth);
  #newer = new IdIndex(pageGrowth);

  /** @param maxIds 2 or more; Infinity if none is to be dropped. */
  constructor(maxIds: number) {
    this.#most = Math.floor(maxIds / 2);
  }

  /** Ids that it knows; those added to both count twice. */
  get count(): number {
    return this.#older.count + this.#newer.count;
  }

  /** Bytes of its arrays, spare capacity included. */
  get bytes(): number {
    return this.#older.bytes + this.#newer.bytes;
  }

  /** Adds an id. @returns whether it was not known. */
  add(id: number): boolean {
    const count = this.#newer.count;
    if (this.#newer.add(id) < count) return false;
    const isNew = this.#older.find(id) < 0;
    if (this.#newer.count === this.#most) {
      [this.#older, this.#newer] = [this.#newer, this.#older];
      this.#newer.clear();
    }
    return isNew;
  }

  /** The ids in the order in which they were added last; a copy. */
  ids(): Uint32Array<ArrayBuffer> {
    const ids = new Uint32Array(this.count);
    ids.set(this.#older.ids());
    ids.set(this.#newer.ids(), this.#older.count);
    return ids;
  }
}
