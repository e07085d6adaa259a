import { assert, DrawStream } from '../../../base/index.ts';
import { siftDown, siftUp } from '../binary-heap.ts';
import { assertBatch, assertExtraction } from '../preconditions.ts';
import { Coins, nextUp } from './bucket.ts';
import { BucketStack } from './bucket-stack.ts';
import { mergeSort } from './merge-sort.ts';
import type { IoCounts } from '../priority-queue.ts';
import { PageFile } from './page-file.ts';
import {
  assertPageBytes, DEFAULT_PAGE_BYTES, type OpenPagedQueueOptions, type PagedQueue, type PagedQueueOptions,
} from './paged-queue.ts';
import type { TableReader } from './stored-form.ts';

/** Minimum frames for pages: a page being split, a tail, and two. */
const LEAST_FRAMES = 4;
/** Pages of keys that spread a batch over the buckets: keys, keys by bucket, and their tags of two bytes. */
const SPREAD_PAGES = 2.25;
/** Maximum buckets, whatever the memory: insertion searches among them. */
const MAX_BUCKETS = 160;
/** Maximum buckets that one split makes. */
const MAX_PARTS = 64;

/** The state besides the buckets that an operation changes and a rollback restores. */
interface Front {
  size: number;
  /** Keys from here on go to the front; Infinity: there is no front. -Infinity: all keys are in it. */
  low: number;
  /** The sorted run is run[from ... to). */
  from: number;
  to: number;
  inHeap: number;
  random: number;
  insert: number;
  extract: number;
}

/**
 * QuickHeap in secondary memory, in bucket form: a quicksort put off until needed, whose chunks are chains of pages.
 *
 * In memory   the front, which holds the greatest keys: a sorted run that extraction takes from, and a binary heap of
 *             those inserted since; the buckets' lower bounds (the pivots), a sample of each bucket's keys, the chains.
 * In the file the buckets. Bucket i holds the keys from its bound up to that of bucket i-1, the front's keys are
 * greater than all.
 * Insertion   a binary search among the pivots, and an append to a tail page, which is usually in the cache.
 * Extraction  takes the front, then whole buckets; a bucket larger than asked for is read into the run if it fits, and
 *             otherwise split by the quantiles of its sample into up to 64, page by page. Equal keys share a bucket;
 *             one that can hold only one value is extracted in pieces and never split.
 *
 * Robustness  does not depend on random choices: when there are more buckets than allowed, the two neighbours are
 *             joined that are smallest against the keys before them (their chains are linked, no I/O). So there are at
 *             most 160 pivots, and a search takes at most 8 comparisons. It is therefore not the randomised QuickHeap
 *             of Navarro, Paredes, Poblete & Sanders. That joining and splitting again is rare is observed, not proved.
 *
 * Cost    an entry is written once to a bucket and once per split, with log(m/M) splits to the base of the buckets a
 *         split makes (M the front's capacity); amortised O((1/B) log(m/M)) I/O of pages of B keys. A single extraction
 *         can read and write all m.
 * Memory  `cacheBytes` bounds pages, front and working space; besides it 8 bytes per page of the file and at most 2 KiB
 *         per bucket.
 * Source  Navarro & Paredes, "On Sorting, Heaps, and Minimum Spanning Trees", Algorithmica, 2010; Marin, Paredes &
 *         Bonacic, WIDM 2008.
 */
export class PagedQuickHeap implements PagedQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  readonly #file: PageFile;
  readonly #stack: BucketStack;
  readonly #coins: Coins;
  #front: Front;
  #saved: Front;
  /** Sorted, greatest first; its spare takes the next one, so that this one outlives a failed operation. */
  #run: Float64Array;
  #spare: Float64Array;
  /** A binary heap, followed by the keys that the current operation will add. */
  readonly #heap: Float64Array;
  #staged = 0;
  /** A slice of a batch without the front's keys. */
  readonly #slice: Float64Array;

  private constructor(file: PageFile, plan: MemoryPlan, random: number) {
    this.#file = file;
    this.#coins = new Coins(random);
    this.#stack = new BucketStack(file, this.#coins, plan.buckets, plan.parts);
    this.#front = { size: 0, low: -Infinity, from: 0, to: 0, inHeap: 0, random, insert: 0, extract: 0 };
    this.#saved = { ...this.#front };
    this.#run = new Float64Array(2 * plan.heapKeys);
    this.#spare = new Float64Array(2 * plan.heapKeys);
    this.#heap = new Float64Array(plan.heapKeys);
    this.#slice = new Float64Array(file.pageBytes / 8);
  }

  /** An empty queue in a new file. AssertionError for invalid options, InputError if the file exists. */
  static create({
    path, cacheBytes, pageBytes = DEFAULT_PAGE_BYTES, seed = 0, access,
  }: PagedQueueOptions): PagedQuickHeap {
    assertPageBytes(pageBytes);
    assert(Number.isSafeInteger(seed) && seed >= 0, () => `QuickHeap: seed ${seed}; must be an integer in [0, 2^53)`);
    const plan = planMemory(cacheBytes, pageBytes);
    const random = new DrawStream(seed, 'paged quickheap').uint32(0) || 1;
    return new PagedQuickHeap(
      PageFile.create({ path, access }, 'quickheap', 0, pageBytes, plan.framesBytes), plan, random,
    );
  }

  /** The queue that `close` stored at `path`. InputError if the file is not one, or is incomplete. */
  static open({ path, cacheBytes, access }: OpenPagedQueueOptions): PagedQuickHeap {
    return PageFile.open(
      { path, access },
      ({ pageBytes }) => planMemory(cacheBytes, pageBytes).framesBytes,
      (file, { size, pageBytes }, tables) =>
        new PagedQuickHeap(file, planMemory(cacheBytes, pageBytes), 1).#restore(size, tables),
    );
  }

  get size(): number {
    return this.#front.size;
  }

  get structure(): { unit: 'pivots'; count: number } {
    const bounds = [this.#front.low, ...this.#stack.buckets.map(({ low }) => low)];
    return { unit: 'pivots', count: bounds.filter(Number.isFinite).length };
  }

  get io(): IoCounts {
    return this.#file.io;
  }

  get memoryBytes(): number {
    const keys = this.#run.length + this.#spare.length + this.#heap.length;
    return this.#file.cachedBytes + 8 * keys + SPREAD_PAGES * this.#file.pageBytes;
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    this.#file.assertOpen();
    assertBatch(entries, from, to);
    if (from === to) return;
    const front = this.#front;
    this.#operate(() => {
      front.size += to - from;
      for (let at = from; at < to; at += this.#slice.length)
        this.#insertSlice(entries, at, Math.min(to, at + this.#slice.length));
    });
    // Nothing can fail any more, so the heap may be changed.
    for (let count = this.#staged; count > 0; count--)
      front.insert += siftUp(this.#heap, front.inHeap, this.#heap[front.inHeap++]);
    this.#staged = 0;
    this.#publish();
  }

  extractTop(k: number, into: Float64Array): number {
    this.#file.assertOpen();
    const front = this.#front;
    const leaving = assertExtraction(k, front.size, into);
    if (leaving === 0) return 0;
    const inFront = front.to - front.from + front.inHeap;
    if (leaving < inFront) {
      this.#takeFromFront(leaving, into, 0);
    } else {
      let loaded = 0;
      let count = inFront;
      this.#operate(() => {
        into.set(this.#run.subarray(front.from, front.to));
        into.set(this.#heap.subarray(0, front.inHeap), front.to - front.from);
        front.from = front.to = front.inHeap = 0;
        while (count < leaving && loaded === 0) {
          const need = leaving - count;
          const [bucket] = this.#stack.buckets;
          if (bucket.size <= need) {
            count += this.#takeBucket(into, count);
          } else if (nextUp(bucket.low) >= front.low) {
            // Only one value is between the bounds, and -Infinity is not such a bound.
            into.fill(bucket.low, count, leaving);
            this.#stack.shorten(need);
            count = leaving;
          } else if (bucket.size <= this.#spare.length) {
            loaded = this.#takeBucket(this.#spare, 0);
          } else {
            const split = this.#stack.splitFirst(front.low, this.#spare.length);
            front.extract += split.comparisons;
            front.low = split.high;
          }
        }
      });
      if (loaded > 0) this.#useSpare(loaded);
      this.#takeFromFront(leaving - count, into, count);
    }
    front.size -= leaving;
    this.#publish();
    return leaving;
  }

  close(): void {
    // The front becomes a bucket: the stored form does not depend on the memory.
    this.#operate(() => this.#spill());
    const { size, insert, extract } = this.#front;
    this.#file.close('quickheap', 0, size, [
      Float64Array.of(this.#coins.state, insert, extract), ...this.#stack.tables(),
    ]);
  }

  dispose(): void {
    this.#file.dispose();
  }

  #restore(size: number, tables: TableReader): this {
    const [random, insert, extract] = tables.float64();
    this.#stack.restore(tables);
    this.#coins.state = random;
    Object.assign(this.#front, {
      size, low: this.#stack.buckets.length > 0 ? Infinity : -Infinity, random, insert, extract,
    });
    this.#publish();
    const stored = this.#stack.size;
    assert(stored === size, () => `QuickHeap: ${stored} entries in buckets, the header says ${size}`);
    return this;
  }

  /** Runs `work` atomically. `work` leaves the keys of run and heap in place. */
  #operate(work: () => void): void {
    Object.assign(this.#saved, this.#front);
    this.#saved.random = this.#coins.state;
    this.#staged = 0;
    this.#stack.begin();
    this.#file.begin();
    try {
      work();
    } catch (error) {
      this.#file.rollback();
      this.#stack.rollback();
      Object.assign(this.#front, this.#saved);
      this.#coins.state = this.#saved.random;
      this.#staged = 0;
      throw error;
    }
    this.#file.commit();
  }

  #publish(): void {
    this.comparisons.insert = this.#front.insert;
    this.comparisons.extract = this.#front.extract;
  }

  #insertSlice(entries: Float64Array, from: number, to: number): void {
    const front = this.#front;
    const slice = this.#slice;
    let length = 0;
    for (let at = from; at < to; at++) {
      const entry = entries[at];
      if (Number.isFinite(front.low)) front.insert++;
      if (entry >= front.low || front.low === -Infinity) {
        if (front.inHeap + this.#staged < this.#heap.length) {
          this.#heap[front.inHeap + this.#staged++] = entry;
          continue;
        }
        this.#spill();
      }
      slice[length++] = entry;
    }
    front.insert += this.#stack.insert(slice, length);
  }

  /** The front becomes the first bucket; there is none until the next extraction. Its old keys are void. */
  #spill(): void {
    const front = this.#front;
    if (front.low === Infinity) return;
    const first = this.#stack.push(front.low);
    this.#stack.append(first, this.#run, front.from, front.to);
    this.#stack.append(first, this.#heap, 0, front.inHeap + this.#staged);
    front.low = Infinity;
    front.from = front.to = front.inHeap = this.#staged = 0;
    this.#stack.joinNeighbours();
  }

  /** Moves the first bucket's keys to into[at ...); keys above its bound now go to the front. Returns their number. */
  #takeBucket(into: Float64Array, at: number): number {
    const bucket = this.#stack.takeFirst(into, at);
    this.#front.low = bucket.low;
    return bucket.size;
  }

  /** The spare, in which a bucket has been read, becomes the run. */
  #useSpare(length: number): void {
    const front = this.#front;
    front.extract += mergeSort(this.#spare, length, this.#run);
    const run = this.#spare;
    this.#spare = this.#run;
    this.#run = run;
    front.from = 0;
    front.to = length;
  }

  /** Takes `count` keys of the front, from whichever of run and heap has the greater one. In memory: it cannot fail. */
  #takeFromFront(count: number, into: Float64Array, at: number): void {
    const front = this.#front;
    const heap = this.#heap;
    for (const end = at + count; at < end; at++) {
      const fromRun = front.from < front.to;
      if (fromRun && front.inHeap > 0) front.extract++;
      if (fromRun && (front.inHeap === 0 || this.#run[front.from] >= heap[0])) {
        into[at] = this.#run[front.from++];
        continue;
      }
      into[at] = heap[0];
      const last = --front.inHeap;
      if (last > 0) front.extract += siftDown(heap, last, heap[last]);
    }
  }

  /** Reads every page. */
  checkInvariants(): void {
    const front = this.#front;
    const run = this.#run.subarray(front.from, front.to);
    const heap = this.#heap.subarray(0, front.inHeap);
    assert(this.#staged === 0, 'QuickHeap: keys are staged between operations');
    const size = run.length + heap.length + this.#stack.size;
    assert(size === front.size, () => `QuickHeap: size ${front.size}, but ${size} entries are held`);
    assert(
      (this.#stack.buckets.length === 0) === (front.low === -Infinity), 'QuickHeap: some keys have no place, or two',
    );
    assert(front.low !== Infinity || size === this.#stack.size, 'QuickHeap: keys in a front that is not');
    assert([...run, ...heap].every((key) => key >= front.low), 'QuickHeap: a key of the front is below its bound');
    for (let at = 1; at < run.length; at++)
      assert(run[at - 1] >= run[at], () => `QuickHeap: the run is not sorted at ${at}`);
    for (let at = 1; at < heap.length; at++)
      assert(heap[(at - 1) >>> 1] >= heap[at], () => `QuickHeap: the heap is broken at ${at}`);
    this.#stack.checkInvariants(front.low);
  }
}

interface MemoryPlan {
  /** Keys of the heap; run and spare have room for twice as many each. */
  readonly heapKeys: number;
  readonly framesBytes: number;
  readonly buckets: number;
  readonly parts: number;
}

/** 5/16 of the memory for the front, at least five pages; 2.25 pages to spread batches; the rest for pages. */
function planMemory(cacheBytes: number, pageBytes: number): MemoryPlan {
  assert(
    cacheBytes >= 12 * pageBytes,
    () => `QuickHeap: ${cacheBytes} bytes of memory; 12 pages take ${12 * pageBytes}`,
  );
  const heapKeys = Math.max(pageBytes / 8, Math.floor(cacheBytes / 128));
  const framesBytes = cacheBytes - 5 * 8 * heapKeys - SPREAD_PAGES * pageBytes;
  const frames = Math.floor(framesBytes / pageBytes);
  assert(frames >= LEAST_FRAMES, () => `QuickHeap: memory for ${frames} pages only`);
  // The tail page of every bucket should be in the cache.
  const buckets = Math.min(MAX_BUCKETS, Math.max(LEAST_FRAMES, frames - 2));
  // Halves are too few even for the least memory: splits in three need a tenth less I/O there.
  return { heapKeys, framesBytes, buckets, parts: Math.min(MAX_PARTS, Math.max(3, buckets >>> 1)) };
}
