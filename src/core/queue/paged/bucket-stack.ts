import { assert, grown } from '../../../base/index.ts';
import { emptyBucket, joinSamples, pivotsOf, sampleKeys, type Bucket, type Coins } from './bucket.ts';
import { mergeSort } from './merge-sort.ts';
import type { PageFile } from './page-file.ts';
import type { Table, TableReader } from './stored-form.ts';

/** Keys of a sample for each bucket that a split makes. */
const SAMPLE_A_PART = 4;

/**
 * The buckets of a QuickHeap, greatest keys first, and the pages they are chained from.
 *
 * Undoing  a list that changes is replaced, a bucket that changes is copied the first time an operation does so, and
 *          keys are only appended to pages. `rollback` restores the list and the copies.
 */
export class BucketStack {
  /** The last one's bound is -Infinity. Empty while the front holds every key. */
  buckets: readonly Bucket[] = [];
  readonly #file: PageFile;
  readonly #coins: Coins;
  readonly #most: number;
  readonly #parts: number;
  readonly #pageKeys: number;
  /** The successor of each page that is not its bucket's tail, and its keys. */
  #next = new Uint32Array(16);
  #count = new Uint32Array(16);
  #operation = 0;
  #savedBuckets: readonly Bucket[] = [];
  #savedCopies: { bucket: Bucket; copy: Bucket }[] = [];
  readonly #tags: Uint16Array;
  readonly #byBucket: Float64Array;
  /** Bounds of the buckets over which keys are being distributed. */
  #lows = new Float64Array(0);

  constructor(file: PageFile, coins: Coins, most: number, parts: number) {
    this.#file = file;
    this.#coins = coins;
    this.#most = most;
    this.#parts = parts;
    this.#pageKeys = file.pageBytes / 8;
    this.#tags = new Uint16Array(this.#pageKeys);
    this.#byBucket = new Float64Array(this.#pageKeys);
  }

  get size(): number {
    return this.buckets.reduce((sum, { size }) => sum + size, 0);
  }

  begin(): void {
    this.#operation++;
    this.#savedBuckets = this.buckets;
    this.#savedCopies = [];
  }

  rollback(): void {
    for (const { bucket, copy } of this.#savedCopies)
      Object.assign(bucket, copy, { sample: bucket.sample }).sample.set(copy.sample);
    this.buckets = this.#savedBuckets;
  }

  /** A new first bucket, for keys from `low` on. */
  push(low: number): Bucket {
    const bucket = this.#make(low);
    this.buckets = [bucket, ...this.buckets];
    return bucket;
  }

  /** Adds keys[0 ... length), at most a page's. Returns the comparisons. */
  insert(keys: Float64Array, length: number): number {
    return length === 0 ? 0 : this.#spread(keys, length, this.buckets);
  }

  /** Adds keys[from ... to), which lie within the bucket's bounds. */
  append(bucket: Bucket, keys: Float64Array, from: number, to: number): void {
    if (from === to) return;
    this.#touch(bucket);
    sampleKeys(bucket, keys, from, to, this.#coins);
    while (from < to) {
      if (bucket.pages === 0 || bucket.tailKeys === this.#pageKeys) {
        const page = this.#file.allocate();
        if (bucket.pages === 0) bucket.head = page;
        else this.#link(bucket.tail, bucket.tailKeys, page);
        bucket.tail = page;
        bucket.tailKeys = 0;
        bucket.pages++;
      }
      const part = Math.min(to - from, this.#pageKeys - bucket.tailKeys);
      this.#file.write(bucket.tail, bucket.tailKeys, keys, from, from + part);
      bucket.tailKeys += part;
      bucket.size += part;
      from += part;
    }
  }

  /** Moves the first bucket's keys to into[at ...) and removes it. Returns it as it was. */
  takeFirst(into: Float64Array, at: number): Bucket {
    const [bucket, ...others] = this.buckets;
    this.#eachPage(bucket, (page, keys) => {
      this.#file.read(page, 0, keys, into, at);
      this.#file.release(page);
      at += keys;
    });
    this.buckets = others;
    return bucket;
  }

  /** Removes `count` keys of the first bucket, which are fewer than it has and all equal: none is read. Cannot fail. */
  shorten(count: number): void {
    const [bucket] = this.buckets;
    this.#touch(bucket);
    bucket.size -= count;
    while (bucket.head !== bucket.tail && count >= this.#count[bucket.head]) {
      const page = bucket.head;
      count -= this.#count[page];
      bucket.head = this.#next[page];
      bucket.pages--;
      this.#file.release(page);
    }
    if (bucket.head === bucket.tail) bucket.tailKeys -= count;
    else this.#count[bucket.head] -= count;
  }

  /**
   * Splits the first bucket, whose keys are below `high`, into buckets of at most `wanted` keys each if possible, or as
   * many buckets as one split makes. Page by page. Returns the comparisons, and the bound below which the keys of the
   * new first bucket lie.
   */
  splitFirst(high: number, wanted: number): { comparisons: number; high: number } {
    const [bucket, ...others] = this.buckets;
    const sample = bucket.sample.slice(0, bucket.sampled);
    let comparisons = mergeSort(sample, sample.length, new Float64Array(sample.length));
    const parts = Math.min(this.#parts, Math.max(2, Math.ceil((2 * bucket.size) / wanted)));
    const children = pivotsOf(sample, parts, bucket.low, high).map((low) => this.#make(low));
    this.#eachPage(bucket, (page, count) => {
      const keys = this.#file.pin(page);
      const spread = this.#byBucketOf(keys, count, children);
      this.#file.unpin(page);
      this.#file.release(page);
      comparisons += spread.comparisons;
      this.#appendRuns(children, spread.ends);
    });
    // If the first come out empty, the next have less room. Otherwise a bucket of a single value would be split
    // forever.
    while (children[0].size === 0 && children.length > 1) high = children.shift()!.low;
    // The last bound must stay -Infinity; any other empty bucket leaves its range to the next.
    const filled = children.filter(({ size, low }) => size > 0 || low === -Infinity);
    this.buckets = [...filled, ...others];
    this.joinNeighbours();
    return { comparisons, high };
  }

  /**
   * Joins neighbours until there are no more buckets than allowed: each time those two, behind the first bucket, that
   * have the fewest keys for each key before them. Chains are linked; no I/O.
   */
  joinNeighbours(): void {
    while (this.buckets.length > this.#most) {
      let inFront = this.buckets[0].size;
      let best = 1;
      let least = Infinity;
      for (let i = 1; i + 1 < this.buckets.length; i++) {
        const share = (this.buckets[i].size + this.buckets[i + 1].size) / Math.max(1, inFront);
        if (share < least) {
          least = share;
          best = i;
        }
        inFront += this.buckets[i].size;
      }
      this.buckets = this.buckets.toSpliced(best, 2, this.#joined(this.buckets[best], this.buckets[best + 1]));
    }
  }

  tables(): Table[] {
    const { buckets } = this;
    const fields = buckets.flatMap(({ low, size, pages: length, head, tail, tailKeys, sampled }) => [
      low, size, length, head, tail, tailKeys, sampled,
    ]);
    const samples = buckets.flatMap(({ sample, sampled }) => [...sample.subarray(0, sampled)]);
    const pages = this.#file.pages;
    this.#growTables();
    return [
      Float64Array.from(fields), Float64Array.from(samples), this.#next.subarray(0, pages),
      this.#count.subarray(0, pages),
    ];
  }

  restore(tables: TableReader): void {
    const fields = tables.float64();
    const samples = tables.float64();
    const buckets: Bucket[] = [];
    let at = 0;
    for (let i = 0; i < fields.length; i += 7) {
      const [low, size, pages, head, tail, tailKeys, sampled] = fields.subarray(i, i + 7);
      const bucket = this.#make(low);
      // With less memory than before only part of a sample is used.
      const sampleLength = Math.min(sampled, bucket.sample.length);
      bucket.sample.set(samples.subarray(at, at + sampleLength));
      buckets.push(Object.assign(bucket, { size, pages, head, tail, tailKeys, sampled: sampleLength }));
      at += sampled;
    }
    this.buckets = buckets;
    this.#next = tables.uint32();
    this.#count = tables.uint32();
    this.joinNeighbours();
  }

  /** Reads every page. `high`: above every key. */
  checkInvariants(high: number): void {
    const { buckets } = this;
    assert(buckets.length <= this.#most, () => `QuickHeap: ${buckets.length} buckets, allowed are ${this.#most}`);
    assert(
      buckets.length === 0 || buckets[buckets.length - 1].low === -Infinity,
      'QuickHeap: the last bucket has a lower bound',
    );
    const pagesInUse: number[] = [];
    for (const { low, size, pages, sample, sampled, ...bucket } of buckets) {
      assert(low < high, () => `QuickHeap: a bucket from ${low} on follows one from ${high} on`);
      const within = (key: number): boolean => key >= low && key < high;
      let keys = 0;
      let chained = 0;
      this.#eachPage({ pages, ...bucket }, (page, count) => {
        pagesInUse.push(page);
        chained++;
        keys += count;
        assert(count <= this.#pageKeys && count > 0, () => `QuickHeap: page ${page} has ${count} keys`);
        assert(
          this.#file.pin(page).subarray(0, count).every(within),
          () => `QuickHeap: page ${page} has a key outside [${low}, ${high})`,
        );
        this.#file.unpin(page);
      });
      assert(
        keys === size && chained === pages,
        () => `QuickHeap: bucket from ${low} on: ${keys} keys in ${chained} pages, recorded ${size} in ${pages}`,
      );
      assert(size === 0 || sampled > 0, () => `QuickHeap: no sample of the bucket from ${low} on`);
      assert(
        sample.subarray(0, sampled).every(within),
        () => `QuickHeap: bucket from ${low} on: its sample has keys of others`,
      );
      high = low;
    }
    this.#file.checkInvariants(pagesInUse);
  }

  #make(low: number): Bucket {
    return emptyBucket(low, SAMPLE_A_PART * this.#parts, this.#operation);
  }

  #touch(bucket: Bucket): void {
    if (bucket.operation === this.#operation) return;
    this.#savedCopies.push({ bucket, copy: { ...bucket, sample: bucket.sample.slice() } });
    bucket.operation = this.#operation;
  }

  #joined(first: Bucket, second: Bucket): Bucket {
    const bucket = this.#make(second.low);
    joinSamples(bucket, first, second, this.#coins);
    bucket.size = first.size + second.size;
    bucket.pages = first.pages + second.pages;
    if (first.pages > 0 && second.pages > 0) this.#link(first.tail, first.tailKeys, second.head);
    bucket.head = (first.pages > 0 ? first : second).head;
    const { tail, tailKeys } = second.pages > 0 ? second : first;
    return Object.assign(bucket, { tail, tailKeys });
  }

  /** Gives a tail a successor. If the operation is rolled back, it is a tail again, and these cells are void. */
  #link(page: number, keys: number, next: number): void {
    this.#growTables();
    this.#next[page] = next;
    this.#count[page] = keys;
  }

  #growTables(): void {
    this.#next = grown(this.#next, this.#file.pages);
    this.#count = grown(this.#count, this.#file.pages);
  }

  #eachPage(
    bucket: Pick<Bucket, 'pages' | 'head' | 'tail' | 'tailKeys'>, visit: (page: number, keys: number) => void,
  ): void {
    let page = bucket.head;
    for (let pages = bucket.pages; pages > 0; pages--) {
      const isTail = pages === 1;
      // Read before the visit, which may free the page.
      const next = this.#next[page];
      visit(page, isTail ? bucket.tailKeys : this.#count[page]);
      page = next;
    }
  }

  #spread(keys: Float64Array, length: number, buckets: readonly Bucket[]): number {
    const { ends, comparisons } = this.#byBucketOf(keys, length, buckets);
    this.#appendRuns(buckets, ends);
    return comparisons;
  }

  #appendRuns(buckets: readonly Bucket[], ends: Uint32Array): void {
    let from = 0;
    for (let i = 0; i < buckets.length; i++) {
      if (ends[i] > from) this.append(buckets[i], this.#byBucket, from, ends[i]);
      from = ends[i];
    }
  }

  /** Copies keys[0 ... length), at most a page, to `byBucket`, grouped by bucket; `ends` gets each group's end. */
  #byBucketOf(
    keys: Float64Array, length: number, buckets: readonly Bucket[],
  ): { ends: Uint32Array; comparisons: number } {
    if (this.#lows.length !== buckets.length) this.#lows = new Float64Array(buckets.length);
    for (let i = 0; i < buckets.length; i++) this.#lows[i] = buckets[i].low;
    const ends = new Uint32Array(buckets.length);
    const comparisons = tagKeys(keys, length, this.#lows, this.#tags, ends);
    let start = 0;
    for (let i = 0; i < ends.length; i++) {
      const count = ends[i];
      ends[i] = start;
      start += count;
    }
    for (let at = 0; at < length; at++) this.#byBucket[ends[this.#tags[at]]++] = keys[at];
    return { ends, comparisons };
  }
}

/**
 * tags[i] := the first bucket whose bound keys[i] reaches, the last if there is none; counts by bucket are added to
 * `counts`. `lows` descends; the last bound is not read. Binary search: at most ceil(lg(buckets)) comparisons per key;
 * returns their number.
 */
function tagKeys(
  keys: Float64Array, length: number, lows: Float64Array, tags: Uint16Array, counts: Uint32Array,
): number {
  let comparisons = 0;
  for (let at = 0; at < length; at++) {
    const key = keys[at];
    let from = 0;
    let to = lows.length - 1;
    while (from < to) {
      const middle = (from + to) >>> 1;
      comparisons++;
      if (key >= lows[middle]) to = middle;
      else from = middle + 1;
    }
    tags[at] = from;
    counts[from]++;
  }
  return comparisons;
}
