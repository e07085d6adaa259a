import { assertBatch, assertExtraction, partition, type PriorityQueue } from '../../../core/queue/index.ts';
import { assert, DrawStream, grown, xorshift32 } from '../../../base/index.ts';

/**
 * The randomised QuickHeap of the literature, a yardstick: a quicksort, greatest first, that has stopped as early as
 * the extractions allowed. The product's (`test/queue/twins/bucket-quickheap.ts`) keeps its chunks in buckets and
 * draws no coins.
 *
 * Entries stand at positions first ... first+size-1 (position x in cell x & mask of a circular array). On the stack are
 * the positions of the pivots found so far, outermost (smallest) at the bottom: pivots[1] > pivots[2] > ... Everything
 * before a pivot's position is >= it, everything after it is <= it; between two pivots is a chunk in no order.
 * pivots[0] is the fictitious pivot first+size: it has a position, the end, but no key.
 *
 * The pivots are the left spine of a random binary search tree, and insertion keeps it random: an entry that comes to a
 * prefix of s entries becomes its root with probability 1/(s+1), and then the pivots inside are forgotten, to be drawn
 * anew by the next extraction. Without that rule rising keys cost O(m): "insert two above the top, extract one", 8000
 * times over, grows 5,710 pivots and 1,899 comparisons an operation; with it some 25 and 22.
 *
 * Cost    expected amortised, over the queue's own coins, for any input: O(lg(m/R)) comparisons to insert, one a pivot
 *         passed; O(R lg(m/R)) to extract R. A single batch can cost O(m): the first, and one that finds the outer
 *         pivots forgotten.
 * Memory  8 bytes an entry, up to twice that after growth; 4 a pivot.
 * Source  Marin, Paredes & Bonacic, WIDM 2008, figures 4 and 5 (corrected: core/queue/README.md); the insertion rule of
 *         Navarro, Paredes, Poblete & Sanders, "Stronger Quickheaps", IJFCS 22(4), 2011. QuickHeap: Navarro & Paredes,
 *         Algorithmica, 2010.
 */
export class RandomisedQuickHeap implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  #keys = new Float64Array(16);
  #first = 0;
  #pivots = new Uint32Array(64);
  /** Pivots on the stack, the fictitious one included: >= 1. */
  #depth = 1;
  readonly #random: Uint32Array;

  /** @param seed of the coins and pivots, an integer in [0, 2^53). */
  constructor(seed: number) {
    assert(Number.isSafeInteger(seed) && seed >= 0, () => `QuickHeap: seed ${seed}; must be an integer in [0, 2^53)`);
    // Zero is the one state xorshift never leaves.
    this.#random = Uint32Array.of(new DrawStream(seed, 'quickheap').uint32(0) || 1);
  }

  get size(): number {
    return this.#pivots[0] - this.#first;
  }

  get structure(): { unit: 'pivots'; count: number } {
    return { unit: 'pivots', count: this.#depth - 1 };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.#reserve(this.size + to - from);
    const keys = this.#keys;
    const mask = keys.length - 1;
    let comparisons = 0;
    for (let at = from; at < to; at++) {
      const level = insertEntry(keys, mask, this.#first, this.#pivots, this.#depth, this.#random, entries[at]);
      if (level < 0) {
        this.#depth = -level;
        comparisons += -level - 1;
      } else {
        comparisons += Math.min(level, this.#depth - 1);
      }
    }
    this.comparisons.insert += comparisons;
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.size, into);
    if (leaving === 0) return 0;
    const keys = this.#keys;
    const mask = keys.length - 1;
    const end = this.#first + leaving;

    // Everything up to a pivot before `end` leaves, and the pivot with it. The fictitious pivot is never before `end`.
    let from = this.#first;
    while (this.#pivots[this.#depth - 1] < end) from = this.#pivots[--this.#depth] + 1;

    // The rest comes out of the chunk [from, to): split it until one pivot, found or new, stands right before or at
    // `end`.
    let to = this.#pivots[this.#depth - 1];
    let comparisons = 0;
    while (from < end && end < to) {
      const position = partition(keys, mask, from, to, from + drawBelow(this.#random, to - from));
      comparisons += to - from - 1;
      if (position < end) {
        from = position + 1;
      } else {
        this.#pivots = grown(this.#pivots, this.#depth + 1);
        this.#pivots[this.#depth++] = position;
        to = position;
      }
    }
    this.comparisons.extract += comparisons;

    const start = this.#first & mask;
    const straight = Math.min(leaving, keys.length - start);
    into.set(keys.subarray(start, start + straight));
    into.set(keys.subarray(0, leaving - straight), straight);
    this.#first = end;
    if (end > mask) this.#shiftPositions(-keys.length);
    return leaving;
  }

  /** Makes room for `size` entries: a power of two of cells, the entries moved to its beginning. */
  #reserve(size: number): void {
    const keys = this.#keys;
    if (size <= keys.length) return;
    let capacity = 2 * keys.length;
    while (capacity < size) capacity *= 2;
    const larger = new Float64Array(capacity);
    larger.set(keys.subarray(this.#first));
    larger.set(keys.subarray(0, this.#first), keys.length - this.#first);
    this.#keys = larger;
    this.#shiftPositions(-this.#first);
  }

  #shiftPositions(by: number): void {
    this.#first += by;
    for (let level = 0; level < this.#depth; level++) this.#pivots[level] += by;
  }

  dispose(): void {
    // Its arrays are the collector's.
  }

  checkInvariants(): void {
    const keys = this.#keys;
    const mask = keys.length - 1;
    const pivots = this.#pivots;
    assert(this.size >= 0 && this.size <= keys.length, () => `QuickHeap: ${this.size} entries in ${keys.length} cells`);
    assert(this.#first >= 0 && this.#first <= mask, () => `QuickHeap: first position ${this.#first} outside the array`);
    for (let level = 1; level < this.#depth; level++) {
      const at = pivots[level];
      const outer = pivots[level - 1];
      assert(
        at >= this.#first && at < outer,
        () => `QuickHeap: pivot ${level} at ${at}, must be in [${this.#first}, ${outer})`,
      );
      const pivot = keys[at & mask];
      const inner = level + 1 < this.#depth ? pivots[level + 1] : this.#first;
      for (let place = inner; place < at; place++) {
        assert(
          keys[place & mask] >= pivot,
          () => `QuickHeap: the entry at ${place} is less than the pivot at ${at} after it`,
        );
      }
      // The outer pivot is the next round's: only what lies between is less known.
      for (let after = at + 1; after < outer; after++) {
        assert(
          keys[after & mask] <= pivot,
          () => `QuickHeap: the entry at ${after} exceeds the pivot at ${at} before it`,
        );
      }
    }
  }
}

/**
 * Inserts `entry` behind the last entry, at the fictitious pivot's position, which must be a free cell. It walks from
 * the outermost pivot inwards; to pass one, that pivot and the first entry of the chunk after it move up by a cell
 * each.
 *
 * Returns the level at which the entry stayed: it lies between pivots level-1 and level. Negative when the coin fell:
 * the pivots from -level on are void, and the caller drops them. `depth` counts the fictitious pivot.
 */
export function insertEntry(
  keys: Float64Array, mask: number, first: number, pivots: Uint32Array, depth: number, random: Uint32Array,
  entry: number,
): number {
  let hole = pivots[0]++;
  let level = 1;
  while (level < depth) {
    // The prefix of this level: positions first ... hole-1, its pivot included, the new entry not.
    if (drawBelow(random, hole - first + 1) === 0) {
      keys[hole & mask] = entry;
      return -level;
    }
    const at = pivots[level];
    const pivot = keys[at & mask];
    if (entry <= pivot) break;
    keys[hole & mask] = keys[(at + 1) & mask];
    keys[(at + 1) & mask] = pivot;
    hole = at;
    pivots[level] = at + 1;
    level++;
  }
  keys[hole & mask] = entry;
  return level;
}

/** An integer in [0, bound), bound <= 2^31; bias below bound / 2^32. */
function drawBelow(random: Uint32Array, bound: number): number {
  random[0] = xorshift32(random[0]);
  return Math.floor((random[0] / 2 ** 32) * bound);
}
