import { assert, grown } from '../../../base/index.ts';
import { gatherGreater, leastOf, selectTop } from '../sliced/partition.ts';
import { assertBatch, assertExtraction } from '../preconditions.ts';
import type { IoCounts } from '../priority-queue.ts';
import { PageFile } from './page-file.ts';
import {
  assertPageBytes, DEFAULT_PAGE_BYTES, type OpenPagedQueueOptions, type PagedQueue, type PagedQueueOptions,
} from './paged-queue.ts';
import type { TableReader } from './stored-form.ts';
import { UndoLog } from './undo-log.ts';

/** Blocks of keys in memory besides the cache: the buffer and its copy, the union (two), and a loser's keys. */
const WORKING_BLOCKS = 5;

/** State of a CBT that an operation changes and a rollback restores. */
interface Counts {
  size: number;
  blocks: number;
  made: number;
  buffered: number;
  insert: number;
  extract: number;
}

/**
 * CBT in secondary memory: the complete binary tournament tree of `../cbt/cbt-kernel.as.ts`. A block of R keys, here
 * unsorted, is an extent of the file, and there is no hole: as in the paper
 * (`questions/bench/literature/paper-cbt.ts`).
 *
 * In memory   who wins where, each block's leaf, and its least and greatest key; the buffer of fewer than R keys. So a
 *             match that moves no key, and a block that an inserted chunk passes by, cost no I/O.
 * In the file the blocks. A block that changes is written to an extent not in use, and its old one is freed after the
 * operation, so an operation can be undone without I/O.
 * Invariants  I of `../cbt/cbt-kernel.as.ts`; every block is full; least and greatest keys are exact.
 *
 * Cost    a block inserted: at most lg(m/R) extents read and 1 + lg(m/R) written; a block extracted: at most 1 + 2
 *         lg(m/R) read and 2 lg(m/R) written, less what the cache holds. O(R lg(m/R)) comparisons worst case, as in
 *         memory, and R more per match that moves keys, for the loser's new greatest.
 * Memory  28 bytes per block besides the entries that `cacheBytes` bounds; 24 bytes per assignment to undo, during an
 *         operation.
 * Source  Marin, Paredes & Bonacic, WIDM 2008, section on secondary memory: blocks as disk nodes, minima in memory.
 */
export class PagedCbt implements PagedQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  readonly #file: PageFile;
  readonly #blockSize: number;
  #counts: Counts = { size: 0, blocks: 0, made: 0, buffered: 0, insert: 0, extract: 0 };
  #saved: Counts = { ...this.#counts };
  /** The winning block of each position; the leaf, extent, least and greatest of each block; free blocks. */
  #winner = new Uint32Array(16);
  #leaf = new Uint32Array(8);
  #page = new Uint32Array(8);
  #least = new Float64Array(8);
  #greatest = new Float64Array(8);
  #free = new Uint32Array(8);
  readonly #log = new UndoLog();
  readonly #buffer: Float64Array;
  readonly #savedBuffer: Float64Array;
  readonly #union: Float64Array;
  readonly #others: Float64Array;

  private constructor(file: PageFile, blockSize: number) {
    this.#file = file;
    this.#blockSize = blockSize;
    this.#buffer = new Float64Array(blockSize);
    this.#savedBuffer = new Float64Array(blockSize);
    this.#union = new Float64Array(2 * blockSize);
    this.#others = new Float64Array(blockSize);
  }

  /** An empty queue in a new file. AssertionError for invalid options, InputError if the file exists. */
  static create({
    path, cacheBytes, pageBytes = DEFAULT_PAGE_BYTES, block = pageBytes / 8, access,
  }: PagedQueueOptions): PagedCbt {
    assertPageBytes(pageBytes);
    assert(
      Number.isInteger(block) && block >= 1 && block <= 2 ** 29,
      () => `CBT: a block of ${block} keys; must be an integer in [1, 2^29]`,
    );
    const extent = Math.ceil((8 * block) / pageBytes) * pageBytes;
    return new PagedCbt(
      PageFile.create({ path, access }, 'cbt', block, extent, framesBytes(cacheBytes, block, extent)), block,
    );
  }

  /** The queue that `close` stored at `path`. InputError if the file is not one, or is incomplete. */
  static open({ path, cacheBytes, access }: OpenPagedQueueOptions): PagedCbt {
    return PageFile.open(
      { path, access },
      ({ block, pageBytes }) => framesBytes(cacheBytes, block, pageBytes),
      (file, { block, size }, tables) => new PagedCbt(file, block).#restore(size, tables),
    );
  }

  get size(): number {
    return this.#counts.size;
  }

  get structure(): { unit: 'blocks'; count: number } {
    return { unit: 'blocks', count: this.#counts.blocks };
  }

  get io(): IoCounts {
    return this.#file.io;
  }

  get memoryBytes(): number {
    return this.#file.cachedBytes + WORKING_BLOCKS * 8 * this.#blockSize;
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    this.#file.assertOpen();
    assertBatch(entries, from, to);
    const counts = this.#counts;
    const blocksMore = Math.floor((counts.buffered + to - from) / this.#blockSize);
    if (blocksMore === 0) {
      this.#fillBuffer(entries, from, to);
      return;
    }
    this.#reserve(counts.blocks + blocksMore);
    this.#operate(() => {
      while (from < to) {
        const part = Math.min(to - from, this.#blockSize - counts.buffered);
        this.#fillBuffer(entries, from, from + part);
        from += part;
        if (counts.buffered < this.#blockSize) break;
        this.#insertBuffer();
        counts.buffered = 0;
      }
    });
  }

  extractTop(k: number, into: Float64Array): number {
    this.#file.assertOpen();
    const leaving = assertExtraction(k, this.#counts.size, into);
    if (leaving === 0) return 0;
    this.#operate(() => {
      for (let at = 0; at < leaving; ) {
        const step = Math.min(leaving - at, this.#blockSize);
        this.#extractStep(step, into, at);
        at += step;
      }
      this.#counts.size -= leaving;
    });
    return leaving;
  }

  close(): void {
    const { size, blocks, buffered, insert, extract } = this.#counts;
    // Blocks are renamed by the order of their leaves: then a leaf's block needs no table.
    const leaves = this.#winner.subarray(blocks, 2 * blocks);
    const inOrder = (of: Uint32Array | Float64Array): Float64Array => Float64Array.from(leaves, (block) => of[block]);
    const winners = Uint32Array.from(this.#winner.subarray(0, blocks), (block, at) =>
      at === 0 ? 0 : this.#leaf[block] - blocks,
    );
    this.#file.close('cbt', this.#blockSize, size, [
      Float64Array.of(blocks, buffered, insert, extract), this.#buffer.subarray(0, buffered), winners,
      Uint32Array.from(inOrder(this.#page)), inOrder(this.#least), inOrder(this.#greatest),
    ]);
  }

  dispose(): void {
    this.#file.dispose();
  }

  #restore(size: number, tables: TableReader): this {
    const [blocks, buffered, insert, extract] = tables.float64();
    this.#buffer.set(tables.float64());
    this.#reserve(blocks);
    this.#winner.set(tables.uint32());
    this.#page.set(tables.uint32());
    this.#least.set(tables.float64());
    this.#greatest.set(tables.float64());
    for (let block = 0; block < blocks; block++) {
      this.#winner[blocks + block] = block;
      this.#leaf[block] = blocks + block;
    }
    Object.assign(this.#counts, { size, blocks, made: blocks, buffered, insert, extract });
    Object.assign(this.comparisons, { insert, extract });
    this.#assertCounts();
    return this;
  }

  /** Runs `work` atomically. */
  #operate(work: () => void): void {
    Object.assign(this.#saved, this.#counts);
    this.#savedBuffer.set(this.#buffer.subarray(0, this.#counts.buffered));
    this.#file.begin();
    try {
      work();
    } catch (error) {
      this.#file.rollback();
      this.#log.rollback();
      Object.assign(this.#counts, this.#saved);
      this.#buffer.set(this.#savedBuffer.subarray(0, this.#counts.buffered));
      throw error;
    }
    this.#file.commit();
    this.#log.clear();
    this.comparisons.insert = this.#counts.insert;
    this.comparisons.extract = this.#counts.extract;
  }

  #fillBuffer(entries: Float64Array, from: number, to: number): void {
    this.#buffer.set(entries.subarray(from, to), this.#counts.buffered);
    this.#counts.buffered += to - from;
    this.#counts.size += to - from;
  }

  /** A full buffer becomes a block of the tree; blocks with no key below the chunk's greatest are not read. */
  #insertBuffer(): void {
    const counts = this.#counts;
    const size = this.#blockSize;
    const leaf = 2 * counts.blocks + 1;
    let greatest = greatestOf(this.#buffer, size);
    counts.insert += size - 1;
    let last = -1;
    for (let shift = 31 - Math.clz32(leaf); shift >= 1 && counts.blocks > 0; shift--) {
      const block = this.#winner[leaf >>> shift];
      if (block === last) continue;
      last = block;
      counts.insert++;
      if (this.#least[block] >= greatest) continue;
      counts.insert += this.#keepGreatest(block, this.#buffer, greatest);
      greatest = greatestOf(this.#buffer, size);
      counts.insert += size - 1;
    }
    const block = counts.made > counts.blocks ? this.#free[counts.made - counts.blocks - 1] : counts.made++;
    const page = this.#file.allocate();
    this.#file.write(page, 0, this.#buffer, 0, size);
    this.#log.set(this.#page, block, page);
    this.#log.set(this.#greatest, block, greatest);
    this.#log.set(this.#least, block, leastOf(this.#buffer, 0, size));
    counts.insert += size - 1;

    if (counts.blocks === 0) {
      this.#seat(block, 1);
    } else {
      this.#seat(this.#winner[counts.blocks], leaf - 1);
      this.#seat(block, leaf);
    }
    counts.blocks++;
  }

  /** Takes out the `step` <= R greatest keys: they are among the champion's and the buffer. */
  #extractStep(step: number, into: Float64Array, at: number): void {
    const counts = this.#counts;
    const size = this.#blockSize;
    const union = this.#union;
    const champion = this.#winner[1];
    let gathered = 0;
    if (counts.blocks > 0) {
      this.#file.read(this.#page[champion], 0, size, union, 0);
      gathered = size;
    }
    union.set(this.#buffer.subarray(0, counts.buffered), gathered);
    gathered += counts.buffered;

    if (step < gathered) counts.extract += selectTop(union, 0, gathered, step);
    into.set(union.subarray(0, step), at);
    const refill = counts.blocks > 0 && gathered - step >= size;
    if (refill) {
      counts.extract += selectTop(union, step, gathered, size) + size - 1;
      this.#store(champion, union.subarray(step, step + size));
      this.#log.set(this.#least, champion, union[step + size - 1]);
      this.#log.set(this.#greatest, champion, greatestOf(union.subarray(step), size));
    }
    const total = refill ? step + size : step;
    counts.buffered = gathered - total;
    this.#buffer.set(union.subarray(total, gathered));

    if (refill) this.#replay(this.#leaf[champion]);
    else if (counts.blocks > 0) this.#removeChampion(champion);
  }

  /** Frees the champion's block and extent; the loser of the rightmost match takes its leaf, as in the kernel. */
  #removeChampion(champion: number): void {
    const counts = this.#counts;
    this.#file.release(this.#page[champion]);
    this.#log.set(this.#free, counts.made - counts.blocks, champion);
    counts.blocks--;
    if (counts.blocks === 0) return;
    const last = counts.blocks;
    const staying = this.#winner[last];
    const first = this.#winner[2 * last];
    const moving = first === staying ? this.#winner[2 * last + 1] : first;
    this.#seat(staying, last);
    const leaf = this.#leaf[champion];
    this.#seat(moving, leaf);
    this.#replay(leaf);
  }

  /** Plays the matches above `position` again: the larger least key wins. No I/O if no key changes sides. */
  #replay(position: number): void {
    const counts = this.#counts;
    const size = this.#blockSize;
    for (let at = position >>> 1; at >= 1; at >>>= 1) {
      let won = this.#winner[2 * at];
      let loser = this.#winner[2 * at + 1];
      counts.extract++;
      if (this.#least[won] < this.#least[loser]) {
        const swapped = won;
        won = loser;
        loser = swapped;
      }
      this.#log.set(this.#winner, at, won);
      counts.extract++;
      if (this.#least[won] >= this.#greatest[loser]) continue;
      this.#file.read(this.#page[loser], 0, size, this.#others, 0);
      counts.extract += this.#keepGreatest(won, this.#others, this.#greatest[loser]) + size - 1;
      this.#store(loser, this.#others);
      // The loser's least key is the least of both and stays there.
      this.#log.set(this.#greatest, loser, greatestOf(this.#others, size));
    }
  }

  /**
   * Exchanges keys until `block` has the R greatest of both, and `others` the rest. `greatest` belongs to `others`, and
   * exceeds the block's least. Returns the comparisons.
   */
  #keepGreatest(block: number, others: Float64Array, greatest: number): number {
    const size = this.#blockSize;
    const union = this.#union;
    const rising = gatherGreater(others, 0, size, this.#least[block]);
    this.#file.read(this.#page[block], 0, size, union, 0);
    union.set(others.subarray(0, rising), size);
    const comparisons = size + selectTop(union, 0, size + rising, size) + 1;
    this.#store(block, union);
    this.#log.set(this.#least, block, union[size - 1]);
    if (greatest > this.#greatest[block]) this.#log.set(this.#greatest, block, greatest);
    others.set(union.subarray(size, size + rising), 0);
    return comparisons;
  }

  /** Writes a block's new keys to a new extent. */
  #store(block: number, keys: Float64Array): void {
    this.#file.release(this.#page[block]);
    const page = this.#file.allocate();
    this.#file.write(page, 0, keys, 0, this.#blockSize);
    this.#log.set(this.#page, block, page);
  }

  /** Makes room for so many blocks. Call before an operation: the log must not refer to arrays that are replaced. */
  #reserve(blocks: number): void {
    this.#winner = grown(this.#winner, 2 * blocks);
    this.#leaf = grown(this.#leaf, blocks);
    this.#page = grown(this.#page, blocks);
    this.#least = grown(this.#least, blocks);
    this.#greatest = grown(this.#greatest, blocks);
    this.#free = grown(this.#free, blocks);
  }

  #seat(block: number, leaf: number): void {
    this.#log.set(this.#winner, leaf, block);
    this.#log.set(this.#leaf, block, leaf);
  }

  #assertCounts(): void {
    const { size, blocks, buffered } = this.#counts;
    assert(
      buffered < this.#blockSize,
      () => `CBT: ${buffered} keys in the buffer, must be fewer than R = ${this.#blockSize}`,
    );
    assert(
      size === blocks * this.#blockSize + buffered,
      () => `CBT: size ${size}, but ${blocks} full blocks of ${this.#blockSize} and ${buffered} in the buffer`,
    );
  }

  /** Reads every block. */
  checkInvariants(): void {
    const { blocks, made } = this.#counts;
    const size = this.#blockSize;
    this.#assertCounts();
    const leaves = this.#winner.subarray(blocks, 2 * blocks);
    this.#file.checkInvariants([...leaves].map((block) => this.#page[block]));
    const times = new Uint8Array(made);
    const keys = new Float64Array(size);
    leaves.forEach((block, i) => {
      assert(
        block < made && this.#leaf[block] === blocks + i,
        () => `CBT: block ${block} at leaf ${blocks + i} does not know it`,
      );
      times[block]++;
      this.#file.read(this.#page[block], 0, size, keys, 0);
      const [least, greatest] = [leastOf(keys, 0, size), greatestOf(keys, size)];
      assert(this.#least[block] === least, () => `CBT: least key of block ${block} is not the one recorded`);
      assert(this.#greatest[block] === greatest, () => `CBT: greatest key of block ${block} is not the one recorded`);
    });
    for (let at = 0; at < made - blocks; at++) times[this.#free[at]]++;
    assert(times.every((count) => count === 1), 'CBT: some block is neither at one leaf nor free once');
    for (let at = 1; at < blocks; at++) {
      const won = this.#winner[at];
      const [first, right] = this.#winner.subarray(2 * at, 2 * at + 2);
      assert(won === first || won === right, () => `CBT: block ${won} wins at ${at} without having played`);
      const loser = won === first ? right : first;
      assert(
        this.#least[won] >= this.#greatest[loser],
        () => `CBT: invariant I broken at ${at}: a key of loser ${loser} exceeds the least of winner ${won}`,
      );
    }
  }
}

/** Bytes left for the cache besides the working space. */
function framesBytes(cacheBytes: number, block: number, extent: number): number {
  assert(
    cacheBytes >= (WORKING_BLOCKS + 3) * extent,
    () => `CBT: ${cacheBytes} bytes of memory; 8 blocks take ${8 * extent}`,
  );
  return cacheBytes - WORKING_BLOCKS * 8 * block;
}

/** The greatest of the first `length` >= 1 keys. Cost: exactly length - 1 comparisons. */
function greatestOf(keys: Float64Array, length: number): number {
  let greatest = keys[0];
  for (let at = 1; at < length; at++) if (keys[at] > greatest) greatest = keys[at];
  return greatest;
}
