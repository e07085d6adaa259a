import { assert } from '../../../src/base/index.ts';
import { nextEntry } from '../../../src/core/queue/entry.ts';
import type { PriorityQueue } from '../../../src/core/queue/index.ts';
import {
  assertBatch, assertExtraction, type BucketQuickHeapOptions, shortestRunFor,
} from '../../../src/core/queue/preconditions.ts';
import {
  assertQuickHeap, type Bucket, bucketOf, drawUnit, isConstant, leftOf, MAX_BUCKETS, type Split,
} from './quickheap-state.ts';

/**
 * Bucket QuickHeap with the join rule: the plain twin of quickheap-kernel.as.ts. It makes the same decisions, so that
 * pivots, moved keys and, with the kernel's radix sort switched off, all comparisons are equal, call by call. Read this
 * one first.
 *
 * buckets[i] holds the entries in [low(i), low(i+1)), unsorted, buckets[0] the least ones: the lows are the pivots of
 * a quicksort, greatest first, that stops as early as the extractions allow. In front of all buckets is the run,
 * sorted, from which batches are extracted. The last bucket collects new entries that belong to the run, until the next
 * extraction sorts and merges them in.
 *
 * Splits are incremental: the children take the bucket's place at once, and its entries are moved over in slices, in
 * time for their turn. Above 160 buckets, neighbours that are small compared with what is in front of them are joined:
 * that bounds the pivots on any input, without the random choices of the randomised quickheap (2011), which this is
 * not.
 *
 * Cost    F = max(1.5 R, 1024). Insert: lg of the pivots <= 8 comparisons per entry. Both together, including splits:
 *         about lg(m/R) + 17 comparisons per entry. In the hold model an extraction and an insertion of R >= 683
 *         entries together copy 5.9 R at most inside the structure; on adversaries of 10^7 a call up to 5.7 R, of fewer
 *         entries up to 4.8 x 683. One that comes to a bucket not yet split, because far more than R were inserted at
 *         once above all others, moves all of it. Tested, not proved.
 * Source  the kernel's header.
 */
export class BucketQuickHeap implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  readonly copies = { total: 0, worst: 0 };
  /** F, and the maximum number of entries that become a run. */
  readonly #minRun: number;
  readonly #maxRun: number;
  #buckets: Bucket[] = [{ low: 0, entries: [] }, { low: Infinity, entries: [] }];
  #splits: Split[] = [];
  /** Ascending. */
  #run: number[] = [];
  #size = 0;
  /** Entries inserted or extracted since splits last advanced, and the entries that splits owe these calls. */
  #passed = 0;
  #splitDebt = 0;
  /** `copies.total` at that time, how much it had grown in the round before, and whether that round only extracted. */
  #copiesAtLastAdvance = 0;
  #copiesOfLastRound = 0;
  #lastRoundExtracted = false;
  readonly #random = Uint32Array.of(2463534242);
  #compared = 0;

  /** @param block typical batch size (the paper's R), an integer in [1, 2^20]; batches of any size work. */
  constructor(block: number, options: BucketQuickHeapOptions = {}) {
    this.#minRun = shortestRunFor(block, options);
    this.#maxRun = 2 * this.#minRun;
  }

  get size(): number {
    return this.#size;
  }

  get structure(): { unit: 'pivots'; count: number } {
    return { unit: 'pivots', count: this.#buckets.length - 2 };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    const start = { compared: this.#compared, copies: this.copies.total };
    for (; from < to; from += PIECE_KEYS) this.#insertPiece(entries.subarray(from, Math.min(from + PIECE_KEYS, to)));
    this.comparisons.insert += this.#compared - start.compared;
    this.copies.worst = Math.max(this.copies.worst, this.copies.total - start.copies);
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.#size, into);
    const start = { compared: this.#compared, copies: this.copies.total };
    for (let at = 0; at < leaving; at += PIECE_KEYS)
      this.#extractPiece(into.subarray(at, Math.min(at + PIECE_KEYS, leaving)));
    this.comparisons.extract += this.#compared - start.compared;
    this.copies.worst = Math.max(this.copies.worst, this.copies.total - start.copies);
    return leaving;
  }

  #insertPiece(entries: Float64Array): void {
    const buckets = this.#buckets;
    let steps = 1;
    while (2 ** steps < buckets.length) steps++;
    for (const entry of entries) buckets[bucketOf(buckets, entry)].entries.push(entry);
    this.#compared += steps * entries.length;
    this.#size += entries.length;
    if (buckets[buckets.length - 1].entries.length > this.#minRun) this.#giveBack(this.#run.length, Infinity);
    this.#work(entries.length, 0.3);
  }

  #extractPiece(into: Float64Array): void {
    this.#mergeAdded();
    for (let at = 0; at < into.length; ) {
      if (this.#run.length === 0) this.#fillRun();
      const part = this.#run.splice(Math.max(0, this.#run.length - (into.length - at)));
      into.set(part, at);
      at += part.length;
    }
    this.#size -= into.length;
    // Without insertions, extractions must do all the work.
    this.#work(into.length, 1);
  }

  // ---- The run.

  /**
   * The run's least `count` entries go back into the last bucket, which becomes an ordinary one; the new last begins at
   * `low`.
   */
  #giveBack(count: number, low: number): void {
    for (const entry of this.#run.splice(0, count)) {
      // The run may begin with entries equal to the greatest outside of it, and these belong there.
      let index = this.#buckets.length - 1;
      while (entry < this.#buckets[index].low) index--;
      this.#buckets[index].entries.push(entry);
    }
    this.copies.total += count;
    this.#makeRoom(1);
    this.#buckets.push({ low, entries: [] });
  }

  #mergeAdded(): void {
    const last = this.#buckets[this.#buckets.length - 1];
    if (last.entries.length === 0) return;
    const added = this.#sort(last.entries);
    last.entries = [];
    const run = this.#run;
    let left = run.length;
    let right = added.length;
    let out = left + right;
    const top = out;
    if (FEW_ADDED * right < left) {
      while (right > 0) {
        const place = this.#notGreater(run, left, added[--right]);
        while (left > place) run[--out] = run[--left];
        run[--out] = added[right];
      }
    }
    while (right > 0 && left > 0) {
      this.#compared++;
      run[--out] = run[left - 1] > added[right - 1] ? run[--left] : added[--right];
    }
    while (right > 0) run[--out] = added[--right];
    this.copies.total += top - left;

    // A long run gives its smaller part to a bucket. The bound lies above entries equal on both sides of the cut.
    if (run.length > 3 * this.#minRun) {
      const cut = run.length - this.#maxRun;
      this.#giveBack(cut, run[cut] === run[cut - 1] ? nextEntry(run[cut]) : run[cut]);
    }
  }

  /**
   * How many of the first `count` entries of the run are not greater: found from the greatest down, by steps that
   * double.
   */
  #notGreater(run: readonly number[], count: number, entry: number): number {
    const isGreater = (at: number): boolean => {
      this.#compared++;
      return run[at] > entry;
    };
    let step = 1;
    while (step <= count && isGreater(count - step)) step *= 2;
    let low = step > count ? 0 : count - step + 1;
    let high = count - (step >> 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isGreater(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Makes the first bucket that is not empty the run, split before if it is too large. */
  #fillRun(): void {
    while (this.#run.length === 0) {
      this.#makeRoom(MAX_WAYS);
      const last = this.#buckets[this.#buckets.length - 1];
      const index = this.#buckets.length - 2;
      const bucket = this.#buckets[index];
      const constant = isConstant(this.#buckets, index);
      if (this.#behind() > index) this.#advanceSplit(Infinity);
      else if (bucket.entries.length > this.#maxRun && constant) this.#run = bucket.entries.splice(0, this.#minRun);
      else if (bucket.entries.length > this.#maxRun && this.#splits.length === MAX_SPLITS) this.#advanceSplit(Infinity);
      else if (bucket.entries.length > this.#maxRun) this.#beginSplit(index);
      else {
        this.#run = this.#sort(bucket.entries);
        if (index > 0) {
          last.low = bucket.low;
          this.#buckets.splice(index, 1);
        } else {
          assert(this.#run.length > 0, 'BucketQuickHeap: no entry left');
          bucket.entries = [];
          last.low = this.#run[0];
        }
      }
    }
    this.copies.total += this.#run.length;
  }

  // ---- Splits.

  /**
   * Begins and advances splits, after `passed` entries were inserted or extracted, far enough that each bucket is ready
   * when its turn comes. `share` is the call's part of what a round, an insertion and an extraction, needs: an
   * extraction's is all of it.
   */
  #work(passed: number, share: number): void {
    const pace = this.#minRun / 1.5;
    this.#passed += passed;
    this.#splitDebt += share * passed;
    if (2 * this.#passed < pace) return;
    const rounds = this.#passed / pace;
    if (this.#buckets.length > JOIN_ABOVE) this.#join();
    const extracted = this.#splitDebt >= this.#passed;
    const requirement = (this.#splitDebt / pace) * this.#splitRequirement(pace);
    if (requirement > 0) {
      const previous = extracted === this.#lastRoundExtracted ? 0 : this.#copiesOfLastRound;
      const allowed =
        Math.min(CALL_CEILING * rounds * pace, ROUND_CEILING * rounds * pace - previous) -
        (this.copies.total - this.#copiesAtLastAdvance);
      const budget = Math.min(SLACK * requirement + rounds * pace, Math.max(allowed, requirement), 2e9);
      this.#advanceSplits(Math.floor(budget));
    }
    this.#passed = 0;
    this.#splitDebt = 0;
    this.#copiesOfLastRound = this.copies.total - this.#copiesAtLastAdvance;
    this.#copiesAtLastAdvance = this.copies.total;
    this.#lastRoundExtracted = extracted;
  }

  /**
   * Entries that splits must move in a round of `pace` entries, so that each is in time; 0 if none is under way or due.
   */
  #splitRequirement(pace: number): number {
    const buckets = this.#buckets;
    let inFront = this.#run.length + buckets[buckets.length - 1].entries.length;
    let ahead = 0;
    let need = 0;
    let level = this.#splits.length - 1;
    for (let index = buckets.length - 2; index >= 0; index--) {
      const size = buckets[index].entries.length;
      const split = level < 0 ? undefined : this.#splits[level];
      if (split !== undefined && index === split.first + split.ways - 1) {
        // The first child can be split only once this has ended, and must be in time all the same.
        const child = Math.max(size, Math.floor(split.waiting.length / split.ways));
        ahead += this.#isDue(index, child, inFront) ? leftOf(split) + child : leftOf(split);
        need = Math.max(need, ahead / Math.max(inFront / pace - 1, 1));
        inFront += leftOf(split);
        level--;
      } else if (this.#isDue(index, size, inFront)) {
        ahead += size;
        need = Math.max(need, ahead / Math.max(inFront / pace - 1, 1));
      }
      inFront += size;
    }
    return need;
  }

  #advanceSplits(budget: number): void {
    while (budget > 0) {
      this.#makeRoom(MAX_WAYS);
      const next = this.#splits.length < MAX_SPLITS ? this.#nextDue() : -1;
      if (next >= 0) this.#beginSplit(next);
      if (this.#splits.length === 0) return;
      budget -= this.#advanceSplit(budget);
    }
  }

  #isDue(index: number, size: number, inFront: number): boolean {
    return size > this.#maxRun && inFront < DUE * size && !isConstant(this.#buckets, index);
  }

  /** The first bucket due for a split in front of all current splits, or -1. */
  #nextDue(): number {
    let inFront = this.#run.length + this.#buckets[this.#buckets.length - 1].entries.length;
    for (let index = this.#buckets.length - 2; index >= this.#behind(); index--) {
      const size = this.#buckets[index].entries.length;
      if (this.#isDue(index, size, inFront)) return index;
      inFront += size;
    }
    return -1;
  }

  /** The bucket after the last split's children. */
  #behind(): number {
    const split = this.#splits.at(-1);
    return split === undefined ? 0 : split.first + split.ways;
  }

  #beginSplit(index: number): void {
    const { low, entries } = this.#buckets[index];
    const bound = this.#buckets[index + 1].low;
    let ways = 2;
    while (ways < MAX_WAYS && 2 * ways * this.#minRun <= entries.length) ways *= 2;
    const samplesPerWay = Math.max(32 / ways, 8);
    const samples: number[] = [];
    for (let sample = 0; sample < samplesPerWay * ways; sample++) {
      samples.push(entries[Math.floor(((sample + drawUnit(this.#random)) * entries.length) / (samplesPerWay * ways))]);
    }
    const quantiles = this.#sort(samples);
    const children: Bucket[] = [{ low, entries: [] }];
    for (let way = 1; way < ways; way++) {
      const next = Math.max(quantiles[way * samplesPerWay], nextEntry(children[way - 1].low));
      children.push({ low: Math.min(next, bound), entries: [] });
    }
    this.#buckets.splice(index, 1, ...children);
    this.#splits.push({ waiting: entries, at: 0, first: index, ways });
  }

  /**
   * Moves up to `budget` entries of the last split to its children; it ends when none is left. Returns the number of
   * entries moved.
   */
  #advanceSplit(budget: number): number {
    const split = this.#splits[this.#splits.length - 1];
    const total = Math.min(budget, leftOf(split));
    const children = this.#buckets.slice(split.first, split.first + split.ways);
    for (let count = 0; count < total; count++) {
      const entry = split.waiting[split.at++];
      children[bucketOf(children, entry)].entries.push(entry);
    }
    this.#compared += total * Math.log2(split.ways);
    this.copies.total += total;
    if (leftOf(split) === 0) this.#splits.pop();
    return total;
  }

  /**
   * Joins neighbours that together hold at most F, or a quarter of what is in front of them; not the children of a
   * split.
   */
  #join(): void {
    const buckets = this.#buckets;
    let inFront = this.#run.length + buckets[buckets.length - 1].entries.length;
    let level = this.#splits.length - 1;
    for (let index = buckets.length - 2; index > 0; index--) {
      const split = level < 0 ? undefined : this.#splits[level];
      const behind = split === undefined ? 0 : split.first + split.ways;
      if (split !== undefined && index < behind) {
        inFront += leftOf(split);
        for (let child = split.first; child < behind; child++) inFront += buckets[child].entries.length;
        index = split.first;
        level--;
        continue;
      }
      const outer = buckets[index - 1];
      const { entries } = buckets[index];
      if (index - 1 >= behind && entries.length + outer.entries.length <= Math.max(inFront / 4, this.#minRun)) {
        outer.entries = outer.entries.concat(entries);
        buckets.splice(index, 1);
        for (let inner = level + 1; inner < this.#splits.length; inner++) this.#splits[inner].first--;
      } else {
        inFront += entries.length;
      }
    }
  }

  /** Makes room for `more` buckets; the kernel explains why there always is room. */
  #makeRoom(more: number): void {
    if (this.#buckets.length + more <= MAX_BUCKETS) return;
    while (this.#splits.length > 0) this.#advanceSplit(Infinity);
    this.#join();
    assert(this.#buckets.length + more <= MAX_BUCKETS, 'BucketQuickHeap: no room for a bucket');
  }

  /** Merge sort, bottom up, of parts as equal as possible: part i of `parts` begins at n i / parts. */
  #sort(entries: readonly number[]): number[] {
    let from = [...entries];
    const beginOf = (part: number, parts: number): number => Math.floor((from.length * part) / parts);
    let parts = 1;
    while (parts < from.length) parts *= 2;
    for (; parts > 1; parts /= 2) {
      const to: number[] = [];
      for (let part = 0; part < parts; part += 2) {
        let left = beginOf(part, parts);
        const middle = beginOf(part + 1, parts);
        let right = middle;
        const end = beginOf(part + 2, parts);
        while (left < middle && right < end) {
          this.#compared++;
          to.push(from[right] < from[left] ? from[right++] : from[left++]);
        }
        while (left < middle) to.push(from[left++]);
        while (right < end) to.push(from[right++]);
      }
      from = to;
    }
    return from;
  }

  dispose(): void {}

  checkInvariants(): void {
    assertQuickHeap({ buckets: this.#buckets, splits: this.#splits, run: this.#run }, this.#size);
  }
}

const PIECE_KEYS = 8192;
/** If the run is longer than this many times the entries to merge in, each searches for its place instead. */
const FEW_ADDED = 8;
const JOIN_ABOVE = 160;
const MAX_SPLITS = 16;
const MAX_WAYS = 16;
/**
 * A bucket is split once fewer than DUE times its entries are in front of it; slices are SLACK times the necessary
 * size.
 */
const DUE = 2;
const SLACK = 1.6;
/**
 * But not so large that a call moves more than 4.9 times its R, its run included, or an insertion and an extraction
 * together more than 5.9 times, while later calls can still be in time. Draining ascending entries takes 4.4 R per
 * call.
 */
const CALL_CEILING = 4.9;
const ROUND_CEILING = 5.9;
