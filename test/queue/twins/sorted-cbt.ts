import { grown } from '../../../src/base/index.ts';
import { assertCbt, type CbtState } from '../../../src/core/queue/cbt/cbt-state.ts';
import { assertBatch, assertBlockSize, assertExtraction } from '../../../src/core/queue/preconditions.ts';
import type { PriorityQueue } from '../../../src/core/queue/index.ts';
import { merge, mergeSort, sortByDigits } from './sort-descending.ts';

/** The block of a free item. */
const noBlock = new Float64Array(0);

/**
 * CBT over sorted blocks, in TypeScript: the twin of `cbt-kernel.as.ts`, which documents definition, invariants and
 * costs. It makes the same comparisons in the same order and has the same structure after every step. The tests compare
 * the kernel with it.
 *
 * Memory  8 bytes per entry, + about 150 per block: small blocks are expensive here.
 */
export class SortedCbt implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };

  readonly #blockSize: number;
  readonly #sort: (keys: Float64Array, n: number) => number;
  #size = 0;
  /** N, the hole included. */
  #count = 0;
  /** The champion's item after its block has left, or -1. */
  #hole = -1;
  /** The item that wins at a position: 1 ... 2N-1. */
  #winner = new Uint32Array(16);
  /** By item. Free items wait in #freeItems, last out first. */
  #leaf = new Uint32Array(8);
  readonly #block: Float64Array[] = [];
  readonly #freeItems: number[] = [];
  /** Fewer than R entries, unrelated to the order of the tree; sorted if #restSorted. */
  #rest: Float64Array;
  #restCount = 0;
  #restSorted = false;
  readonly #scratch: Float64Array;

  /**
   * @param blockSize entries a block holds (the paper's R), an integer in [1, blockSizeLimit].
   * @param options.compareOnly sorts chunks by counted comparisons instead of by digits.
   */
  constructor(blockSize: number, options: { compareOnly?: boolean } = {}) {
    assertBlockSize(blockSize);
    this.#blockSize = blockSize;
    this.#sort = options.compareOnly === true ? mergeSort : sortByDigits;
    this.#rest = new Float64Array(blockSize);
    this.#scratch = new Float64Array(2 * blockSize);
  }

  get size(): number {
    return this.#size;
  }

  get structure(): { unit: 'blocks'; count: number } {
    return { unit: 'blocks', count: this.#count - (this.#hole === -1 ? 0 : 1) };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.#size += to - from;
    while (from < to) {
      const part = Math.min(to - from, this.#blockSize - this.#restCount);
      this.#rest.set(entries.subarray(from, from + part), this.#restCount);
      this.#restCount += part;
      this.#restSorted = false;
      from += part;
      if (this.#restCount === this.#blockSize) {
        const chunk = this.#rest;
        this.#rest = new Float64Array(this.#blockSize);
        this.#restCount = 0;
        this.comparisons.insert += this.#sort(chunk, this.#blockSize) + this.#insertChunk(chunk);
      }
    }
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.#size, into);
    for (let left = 0; left < leaving; ) {
      const step = Math.min(leaving - left, this.#blockSize);
      this.comparisons.extract += this.#extractStep(step, into, left);
      left += step;
    }
    this.#size -= leaving;
    return leaving;
  }

  /**
   * The sorted chunk becomes a block: on the hole's leaf if there is one, otherwise on a new leaf. Returns the
   * comparisons.
   */
  #insertChunk(chunk: Float64Array): number {
    if (this.#hole !== -1) {
      const item = this.#hole;
      this.#hole = -1;
      this.#block[item] = chunk;
      return this.#replay(this.#leaf[item]);
    }
    const count = this.#count;
    const leaf = 2 * count + 1;
    // An item for the chunk, which collects the entries displaced from the blocks on its way.
    const item = this.#freeItems.pop() ?? this.#block.length;
    this.#block[item] = chunk;
    this.#winner = grown(this.#winner, 2 * count + 2);
    this.#leaf = grown(this.#leaf, item + 1);
    // From the root to the parent of the new leaf; each block on the way keeps the R greatest of itself and the chunk.
    let comparisons = 0;
    let last = -1;
    for (let shift = 31 - Math.clz32(leaf); shift >= 1 && count > 0; shift--) {
      const keeper = this.#winner[leaf >>> shift];
      if (keeper !== last) comparisons += this.#keepGreatest(keeper, item);
      last = keeper;
    }
    if (count === 0) {
      this.#seat(item, 1);
    } else {
      // The first leaf becomes an inner position. Its block still wins there: the chunk is what fell off it.
      this.#seat(this.#winner[count], leaf - 1);
      this.#seat(item, leaf);
    }
    this.#count++;
    return comparisons;
  }

  /** Moves the `step` <= R greatest out: they are among the champion's and the rest. Returns the comparisons. */
  #extractStep(step: number, into: Float64Array, at: number): number {
    const size = this.#blockSize;
    const rest = this.#rest;
    let comparisons = this.#hole === -1 ? 0 : this.#closeHole();
    if (this.#restCount > 0 && !this.#restSorted) {
      comparisons += this.#sort(rest, this.#restCount);
      this.#restSorted = true;
    }
    const restCount = this.#restCount;
    const champion = this.#winner[1];
    const block = this.#block[champion];
    // How many of the step greatest are the block's. Equal entries are taken from the block.
    let fromBlock = this.#count === 0 ? 0 : Math.max(0, step - restCount);
    for (let high = this.#count === 0 || restCount === 0 ? fromBlock : step; fromBlock < high; ) {
      const middle = (fromBlock + high) >>> 1;
      comparisons++;
      if (block[middle] >= rest[step - 1 - middle]) fromBlock = middle + 1;
      else high = middle;
    }
    const fromRest = step - fromBlock;
    into.set(rest.subarray(0, fromRest), at + fromBlock);
    if (fromBlock === 0) {
      rest.copyWithin(0, fromRest, restCount);
      this.#restCount -= fromRest;
      return comparisons;
    }
    into.set(block.subarray(0, fromBlock), at);
    // What is left of both refills the champion's block if it suffices, and otherwise is the new rest.
    const left = size + restCount - step;
    const scratch = this.#scratch;
    comparisons += merge(block, fromBlock, size, rest, fromRest, restCount, scratch, 0);
    this.#restSorted = true;
    if (left < size) {
      rest.set(scratch.subarray(0, left));
      this.#restCount = left;
      this.#hole = champion;
      return comparisons;
    }
    block.set(scratch.subarray(0, size));
    rest.set(scratch.subarray(size, left));
    this.#restCount = left - size;
    // A refilled champion may hold small entries, and the replay is still right: at its leaf a block has beaten nobody,
    // and every match it had won lies on the path replayed.
    return comparisons + this.#replay(this.#leaf[champion]);
  }

  /** The loser of the rightmost match takes the hole's leaf; the tree has one leaf fewer. Returns the comparisons. */
  #closeHole(): number {
    const item = this.#hole;
    this.#hole = -1;
    this.#block[item] = noBlock;
    this.#freeItems.push(item);
    const last = --this.#count;
    if (last === 0) return 0;
    const staying = this.#winner[last];
    const left = this.#winner[2 * last];
    const moving = left === staying ? this.#winner[2 * last + 1] : left;
    this.#seat(staying, last);
    // Read only now: the hole may be the item that stayed. Never the one that moves, which lost its first match.
    const leaf = this.#leaf[item];
    this.#seat(moving, leaf);
    return this.#replay(leaf);
  }

  /**
   * Plays the matches from the parent of `leaf` up to the root again. Returns the comparisons. The block with the
   * larger LEAST entry wins: then the loser's least stays what it was and the winner's can only rise, and whatever
   * either had beaten remains dominated.
   */
  #replay(leaf: number): number {
    const last = this.#blockSize - 1;
    let comparisons = 0;
    for (let at = leaf >>> 1; at >= 1; at >>>= 1) {
      const [left, right] = [this.#winner[2 * at], this.#winner[2 * at + 1]];
      comparisons++;
      const rightWins = this.#block[left][last] < this.#block[right][last];
      const won = rightWins ? right : left;
      this.#winner[at] = won;
      comparisons += this.#keepGreatest(won, rightWins ? left : right);
    }
    return comparisons;
  }

  /**
   * The keeper's block gets the R greatest of both, the other's the rest; both stay sorted. Returns the comparisons.
   */
  #keepGreatest(keeperItem: number, otherItem: number): number {
    const size = this.#blockSize;
    const keeper = this.#block[keeperItem];
    const other = this.#block[otherItem];
    if (keeper[size - 1] >= other[0]) return 1;
    // How many of its own entries the keeper retains: by bisection; not all, as is known.
    let comparisons = 1;
    let fromKeeper = 0;
    for (let most = size - 1; fromKeeper < most; ) {
      const middle = (fromKeeper + most) >>> 1;
      comparisons++;
      if (keeper[middle] >= other[size - 1 - middle]) fromKeeper = middle + 1;
      else most = middle;
    }
    // At most half may change sides: otherwise the blocks do, and those that were to stay.
    if (fromKeeper >= size - fromKeeper) return comparisons + exchange(keeper, other, size - fromKeeper, this.#scratch);
    this.#block[keeperItem] = other;
    this.#block[otherItem] = keeper;
    return comparisons + exchange(other, keeper, fromKeeper, this.#scratch);
  }

  #seat(item: number, leaf: number): void {
    this.#winner[leaf] = item;
    this.#leaf[item] = leaf;
  }

  /** A copy of the whole structure. O(size). */
  state(): CbtState {
    const winner = [...this.#winner.subarray(1, Math.max(1, 2 * this.#count))];
    const items = winner.slice(this.#count - 1);
    return {
      blockSize: this.#blockSize,
      winner: [NaN, ...winner],
      hole: this.#hole,
      leaf: new Map(items.map((item) => [item, this.#leaf[item]])),
      block: new Map(items.filter((item) => item !== this.#hole).map((item) => [item, this.#block[item].slice()])),
      rest: this.#rest.slice(0, this.#restCount),
      restSorted: this.#restCount > 0 && this.#restSorted,
    };
  }

  dispose(): void {
    // Its arrays are left to the garbage collector.
  }

  checkInvariants(): void {
    assertCbt(this.state(), this.#size);
  }
}

/**
 * Exchanges the keeper's last `moved` entries with the other's first, both sorted before and after. Returns the
 * comparisons.
 */
function exchange(keeper: Float64Array, other: Float64Array, moved: number, scratch: Float64Array): number {
  const size = keeper.length;
  scratch.set(keeper.subarray(size - moved, size));
  // The keeper from the back: what stays, and what rises.
  let comparisons = 0;
  let to = size;
  let i = size - moved;
  let j = moved;
  while (i > 0 && j > 0) {
    comparisons++;
    keeper[--to] = keeper[i - 1] < other[j - 1] ? keeper[--i] : other[--j];
  }
  while (j > 0) keeper[--to] = other[--j];
  // The other from the front: what falls, and what stays. The writer never passes the reader.
  return comparisons + merge(scratch, 0, moved, other, moved, size, other, 0);
}
