import {
  assertBatch, assertExtraction, gatherGreater, leastOf, selectTop, type PriorityQueue,
} from '../../../core/queue/index.ts';
import { assert, grown } from '../../../base/index.ts';

/**
 * How matches are played, for those who ask what makes one slice's work differ from another's; nothing else changes.
 */
export interface CbtOptions {
  /**
   * Every match selects among the 2R keys of both blocks, though none may change sides, and a block inserted is played
   * at every position of its path, though the same block may have won several.
   */
  readonly inFull?: boolean;
  /** Selects as `selectTop` does, which it is by default. */
  readonly select?: typeof selectTop;
}

/**
 * The CBT of the paper, a yardstick: a complete binary tournament tree whose N players are blocks of exactly R keys, in
 * no order. The product's (`core/queue/cbt/cbt-kernel.as.ts`) is this tournament over sorted blocks.
 *
 * Positions 1 ... 2N-1 hold the block that wins there; the leaves are N ... 2N-1; the children of v are 2v and 2v+1.
 *
 * Invariant I  at every inner position the least key of the winner is >= the greatest key of the loser. Hence every
 *              block but the champion is dominated by the one block that beat it, and the champion holds the R greatest
 *              of the tree.
 * Invariant F  a block that beats another is full. It holds because every block is: the fewer than R keys left over
 *              stay in a buffer beside the tree, in no order with it.
 *
 * Cost    a block of R inserted passes at most lg(m/R) blocks, a block extracted replays lg(m/R) matches; a match is R
 *         comparisons to find the loser's keys that must change sides, and where there are any a selection among R and
 *         them. O(R lg(m/R)) worst case, not amortised: each batch is bounded, though none costs quite what its
 *         neighbours do (a match in which nothing changes sides is R comparisons, others select). An extraction of
 *         fewer than R keys costs as much as one of R, so a CBT wants k near R.
 * Memory  8 bytes a key + 20 a block, up to twice that after growth; freed blocks are used again.
 * Source  Marin, Paredes & Bonacic, "High-Performance Priority Queues for Parallel Crawlers", WIDM 2008, figures 1 and
 *         2; core/queue/README.md lists what had to be corrected. The same family: Deo & Prasad's parallel heap (1992).
 */
export class PaperCbt implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  /** Matches played, and keys that were selected among in them. */
  readonly counts = { matches: 0, selected: 0 };

  /** Keys a block holds: R. */
  readonly #blockSize: number;
  readonly #inFull: boolean;
  readonly #select: typeof selectTop;
  /** N. */
  #blocks = 0;
  #size = 0;
  /** The block that wins at a position: 1 ... 2N-1. */
  #winner = new Uint32Array(16);
  /** The leaf's position and the least key of each block. */
  #leaf = new Uint32Array(8);
  #least = new Float64Array(8);
  /** Blocks ever made; all but N of them are free, and wait in #free. */
  #made = 0;
  #free = new Uint32Array(8);
  // These grow with what they hold, not with R: thousands of queues with large blocks may hold little.
  /** Block b holds keys[bR ... bR+R). */
  #keys = new Float64Array(16);
  #buffer = new Float64Array(16);
  #buffered = 0;
  #union = new Float64Array(16);

  /** @param blockSize keys a block holds (the paper's R), an integer >= 1. */
  constructor(blockSize: number, { inFull = false, select = selectTop }: CbtOptions = {}) {
    assert(
      Number.isInteger(blockSize) && blockSize >= 1,
      () => `CBT: a block of ${blockSize} keys; must be an integer >= 1`,
    );
    this.#blockSize = blockSize;
    this.#inFull = inFull;
    this.#select = select;
  }

  get size(): number {
    return this.#size;
  }

  get structure(): { unit: 'blocks'; count: number } {
    return { unit: 'blocks', count: this.#blocks };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.#size += to - from;
    while (from < to) {
      const part = Math.min(to - from, this.#blockSize - this.#buffered);
      this.#buffer = grown(this.#buffer, this.#buffered + part);
      this.#buffer.set(entries.subarray(from, from + part), this.#buffered);
      this.#buffered += part;
      from += part;
      if (this.#buffered === this.#blockSize) {
        this.#insertBuffer();
        this.#buffered = 0;
      }
    }
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.#size, into);
    for (let count = 0; count < leaving; ) {
      const step = Math.min(leaving - count, this.#blockSize);
      this.#extractStep(step, into, count);
      count += step;
    }
    this.#size -= leaving;
    return leaving;
  }

  /** Section 1c's insertChunk: a full buffer becomes a block of the tree. */
  #insertBuffer(): void {
    const leaf = 2 * this.#blocks + 1;
    let comparisons = 0;
    // The chunk travels from the root to the parent of the new leaf. Each block on the way keeps the R greatest of
    // itself and the chunk, so its least key only rises (what it beat stays dominated), and what it passes on is
    // dominated by it.
    let last = -1;
    if (this.#blocks > 0) {
      for (let shift = 31 - Math.clz32(leaf); shift >= 1; shift--) {
        const block = this.#winner[leaf >>> shift];
        if (block === last && !this.#inFull) continue;
        last = block;
        comparisons += this.#keepGreatest(block, this.#buffer, 0);
      }
    }
    const block = this.#newBlock();
    this.#keys.set(this.#buffer.subarray(0, this.#blockSize), block * this.#blockSize);
    this.#least[block] = leastOf(this.#buffer, 0, this.#blockSize);
    comparisons += this.#blockSize - 1;
    this.comparisons.insert += comparisons;

    if (this.#blocks === 0) {
      this.#seat(block, 1);
    } else {
      // The first leaf becomes an inner position. Its block still wins there: the chunk is what fell off it.
      this.#seat(this.#winner[this.#blocks], leaf - 1);
      this.#seat(block, leaf);
    }
    this.#blocks++;
  }

  /**
   * Takes out the `step` <= R greatest keys. They are among the champion's, the R greatest of the tree, and the
   * buffer's. Of these at most 2R-1, those that stay refill the champion's block if they can, and else are the new
   * buffer.
   */
  #extractStep(step: number, into: Float64Array, at: number): void {
    const size = this.#blockSize;
    this.#union = grown(this.#union, (this.#blocks > 0 ? size : 0) + this.#buffered);
    const union = this.#union;
    const champion = this.#winner[1];
    let filled = 0;
    if (this.#blocks > 0) {
      union.set(this.#keys.subarray(champion * size, (champion + 1) * size));
      filled = size;
    }
    union.set(this.#buffer.subarray(0, this.#buffered), filled);
    filled += this.#buffered;

    let comparisons = step < filled ? selectTop(union, 0, filled, step) : 0;
    into.set(union.subarray(0, step), at);
    const refill = this.#blocks > 0 && filled - step >= size;
    if (refill) {
      comparisons += selectTop(union, step, filled, size);
      this.#keys.set(union.subarray(step, step + size), champion * size);
      this.#least[champion] = union[step + size - 1];
    }
    const end = refill ? step + size : step;
    this.#buffered = filled - end;
    this.#buffer = grown(this.#buffer, this.#buffered);
    this.#buffer.set(union.subarray(end, filled));

    // A refilled champion may hold any keys, small ones of the buffer too, and the replay is still right: at its leaf a
    // block has beaten nobody, so invariant I asks nothing of it there, and every match it had won lies on the path
    // replayed.
    if (refill) comparisons += this.#replay(this.#leaf[champion]);
    else if (this.#blocks > 0) comparisons += this.#removeChampion(champion);
    this.comparisons.extract += comparisons;
  }

  /** Frees the champion's block; the loser of the rightmost match takes its leaf. Returns the comparisons. */
  #removeChampion(champion: number): number {
    this.#free[this.#made - this.#blocks] = champion;
    this.#blocks--;
    if (this.#blocks === 0) return 0;
    const last = this.#blocks;
    const staying = this.#winner[last];
    const leftChild = this.#winner[2 * last];
    const moving = leftChild === staying ? this.#winner[2 * last + 1] : leftChild;
    this.#seat(staying, last);
    // Read only now: the champion may be the block that stayed. Never the one that moves: a champion lost no match,
    // while `moving` lost its first, so it has beaten nobody and may sit at any leaf.
    const leaf = this.#leaf[champion];
    this.#seat(moving, leaf);
    return this.#replay(leaf);
  }

  /**
   * Plays the matches from the parent of `position` up to the root again. Returns the comparisons.
   *
   * The block with the larger LEAST key wins. Then the loser's least key, being the least of both, stays what it was,
   * and the winner's can only rise: whatever either had beaten remains dominated. Choosing by the greatest key would
   * break that.
   */
  #replay(position: number): number {
    const size = this.#blockSize;
    const winner = this.#winner;
    let comparisons = 0;
    for (let at = position >>> 1; at >= 1; at >>>= 1) {
      let won = winner[2 * at];
      let loser = winner[2 * at + 1];
      comparisons++;
      if (this.#least[won] < this.#least[loser]) {
        const swapped = won;
        won = loser;
        loser = swapped;
      }
      winner[at] = won;
      comparisons += this.#keepGreatest(won, this.#keys, loser * size);
    }
    return comparisons;
  }

  /**
   * Exchanges keys until `block` holds the R greatest of its own and others[from ... from+R), which get the rest. Only
   * the others greater than the block's least key can change sides. Returns the comparisons, R when there are none.
   */
  #keepGreatest(block: number, others: Float64Array, from: number): number {
    const size = this.#blockSize;
    this.counts.matches++;
    const rising = this.#inFull ? size : gatherGreater(others, from, from + size, this.#least[block]);
    if (rising === 0) return size;
    this.counts.selected += size + rising;
    this.#union = grown(this.#union, size + rising);
    const union = this.#union;
    union.set(this.#keys.subarray(block * size, (block + 1) * size));
    union.set(others.subarray(from, from + rising), size);
    const comparisons = (this.#inFull ? 0 : size) + this.#select(union, 0, size + rising, size);
    this.#keys.set(union.subarray(0, size), block * size);
    others.set(union.subarray(size, size + rising), from);
    this.#least[block] = union[size - 1];
    return comparisons;
  }

  /** A free block, or a new one, with room for the two leaves it brings. */
  #newBlock(): number {
    if (this.#made > this.#blocks) return this.#free[this.#made - this.#blocks - 1];
    const id = ++this.#made;
    this.#winner = grown(this.#winner, 2 * id);
    this.#leaf = grown(this.#leaf, id);
    this.#least = grown(this.#least, id);
    this.#free = grown(this.#free, id);
    this.#keys = grown(this.#keys, id * this.#blockSize);
    return id - 1;
  }

  #seat(block: number, leaf: number): void {
    this.#winner[leaf] = block;
    this.#leaf[block] = leaf;
  }

  dispose(): void {
    // Its arrays are the collector's.
  }

  checkInvariants(): void {
    const blocks = this.#blocks;
    const size = this.#blockSize;
    assert(this.#buffered < size, () => `CBT: ${this.#buffered} keys in the buffer, must be fewer than R = ${size}`);
    assert(
      this.#size === blocks * size + this.#buffered,
      () => `CBT: size ${this.#size}, but ${blocks} full blocks of ${size} and ${this.#buffered} in the buffer`,
    );
    const state = new Uint8Array(this.#made);
    for (let at = blocks; at < 2 * blocks; at++) {
      const block = this.#winner[at];
      assert(
        block < this.#made && this.#leaf[block] === at,
        () => `CBT: block ${block} at leaf ${at} does not know it`,
      );
      state[block]++;
      const least = leastOf(this.#keys, block * size, (block + 1) * size);
      assert(this.#least[block] === least, () => `CBT: least key of block ${block} is not the one recorded`);
    }
    for (let at = 0; at < this.#made - blocks; at++) state[this.#free[at]]++;
    assert(state.every((times) => times === 1), 'CBT: some block is neither at one leaf nor free once');
    for (let at = 1; at < blocks; at++) {
      const won = this.#winner[at];
      const [left, right] = this.#winner.subarray(2 * at, 2 * at + 2);
      assert(won === left || won === right, () => `CBT: block ${won} wins at ${at} without having played`);
      const otherKey = won === left ? right : left;
      const rising = this.#keys
        .subarray(otherKey * size, (otherKey + 1) * size)
        .some((key) => key > this.#least[won]);
      assert(
        !rising,
        () => `CBT: invariant I broken at ${at}: a key of loser ${otherKey} exceeds the least of winner ${won}`,
      );
    }
  }
}
