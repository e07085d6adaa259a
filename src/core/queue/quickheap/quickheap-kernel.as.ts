import {
  addedScratch, chunkBytes, chunkKeys, freeChunk, freeSpan, growScratch, idleChunks, maxRunKeys, reserve, scratchFor,
  spanFor, stage,
  stageAt, startAfresh, takeSpan,
} from './chunk-pool.as';
import {
  append, base, behind, chunkOf, freeList, head, isConstant, low, lows, makeEmpty, maxBuckets, maxSplits, moveRows,
  place, Queue,
  queueBytes, runOf, sealed, setHead, setLow, setSealed, setTail, sizeOf, splitOf, tail, tails, unload,
} from './quickheap-buckets.as';
import { sort } from './quickheap-sort.as';
import { advanceSplit, beginSplit, makeRoom, maxWays, pushLast, work } from './quickheap-splits.as';

/**
 * Kernel of the bucket QuickHeap with the join rule, in AssemblyScript. Its plain twin in `test/queue/twins/`: read
 * that first.
 *
 * Entries are u64s compared unsigned, the greatest leaves first. A queue is a stack of buckets, 0 the outermost: bucket
 * i holds the keys in [low(i), low(i+1)) in no order, so the lows are the pivots of a quicksort that stops as early as
 * the extractions allow. In front of all buckets is the run, sorted, from which batches are copied. The last bucket
 * takes the new keys that belong to the run; they are sorted and merged into it by the next extraction, or, where they
 * are few, look for their places.
 *
 * Invariants
 *   lows ascend, low(0) = 0, and beyond the last bucket they are 2^64 - 1, so that the search needs no end; no key of a
 *   bucket but the last exceeds the run's least; a bucket is a list of chunks whose last has room for one key more; a
 *   split under way has put its children in the bucket's place; the keys not yet moved wait in its own list and lie in
 *   [low of its first child, low after its last); splits are a stack, each in front of all that began before it.
 *
 * Split    k = 2 ... 16 children at quantiles of 8k sampled keys, at least 32. Pivots are made distinct (the next is at
 *          least the last + 1), so every child's range is smaller than its parent's: a bucket of equal keys ends as [p,
 *          p+1), never split. Its keys move in slices, so many a call that a bucket is ready before the extractions
 *          come to it; a call that has already filled or merged a run leaves its slice to the next ones.
 * Join     above 160 buckets, neighbours that hold together at most a quarter of what is in front of them (or a run)
 *          become one, in O(1). It bounds the pivots for any input without coins: what is left grows by a quarter every
 *          two buckets. It is NOT the coin rule of the randomised quickheap (2011). Bound reasoned, not proved: see
 *          `makeRoom`.
 * Cost     insert: ceil(lg buckets) <= 8 comparisons per key, branchless, plus its share of splits, lg k a key and
 *          level. Extract: a sort of runs of at most 2F keys, F = max(1.5 R, 1024), and its share of splits. In the
 *          hold model an extraction and an insertion of R >= 683 keys together copy 5.9 R at most inside the structure;
 *          on adversaries a call copies up to 5.7 R, one of fewer keys, whose runs are as long, up to 4.8 x 683. One
 *          that comes to a bucket not yet split, because far more than R were inserted at once above all others, moves
 *          all of it. Seen to 10^7 keys, not proved.
 * Memory   8 bytes per key in chunks of 4 KiB, one of them part full for each bucket; 8 KiB a queue, and for its run 8
 *          to 16 bytes per key of the most it has held, 80 F at most: a queue that holds little is small, whatever F
 *          is. One memory and one instance for all queues of a thread, chunks from one pool: an engine reserves
 *          gigabytes of addresses for each memory, so a memory a queue would end at some hundred queues.
 * Source   QuickHeap: Navarro & Paredes, Algorithmica 2010. Buckets: Breitling, Groot Koerkamp & Williams,
 *          "SimdQuickHeap", 2026. Splits by sampled quantiles and a branchless tree: Sanders & Winkel, "Super Scalar
 *          Sample Sort", ESA 2004.
 *
 * Not promised: bounds of arguments (the caller asserts them); the order of equal entries (they have no identity); a
 * bound on the walk over chunk headers that draws a split's sample, one header for 511 keys.
 */

export { bytesTaken, idleChunks, stage, stageLength } from './chunk-pool.as';

/** If the run has more than this many times the keys to merge in, each key searches for its place. */
const fewAdded: u32 = 8;

// ---- The run.

/**
 * The run's least `count` keys go back into the last bucket, which becomes an ordinary one; the new last begins at
 * `bound`.
 */
function giveBack(queue: Queue, count: u32, bound: u64): void {
  const run = runOf(queue);
  for (let at: u32 = 0; at < count; at++) {
    const key = load<u64>(run + (<usize>at << 3));
    // The run may begin with keys equal to the greatest outside of it, and these belong there.
    let bucket = queue.buckets - 1;
    while (key < low(queue, bucket)) bucket--;
    append(queue, bucket, key);
  }
  queue.run -= count;
  memory.copy(run, run + (<usize>count << 3), <usize>queue.run << 3);
  queue.copies += <f64>count;
  pushLast(queue, bound);
}

/**
 * Sorts what was added in front and merges it into the run, from the greatest down, touching no key below the least
 * added.
 */
function mergeAdded(queue: Queue): void {
  const last = queue.buckets - 1;
  const count = sizeOf(queue, last);
  if (count === 0) return;
  const added = addedScratch();
  unload(queue, last, added);
  makeEmpty(queue, last);
  sort(queue, added, count);

  const run = runOf(queue);
  let left = run + (<usize>queue.run << 3);
  let right = added + (<usize>count << 3);
  let out = left + (<usize>count << 3);
  const top = out;
  if (fewAdded * count < queue.run) {
    while (right > added) {
      right -= 8;
      const key = load<u64>(right);
      const place = notGreater(queue, run, <u32>((left - run) >> 3), key);
      out -= left - place;
      memory.copy(out, place, left - place);
      left = place;
      out -= 8;
      store<u64>(out, key);
    }
  }
  const begin = out;
  while (right > added && left > run) {
    const a = load<u64>(left - 8);
    const b = load<u64>(right - 8);
    const takesLeft = <usize>(a > b);
    out -= 8;
    store<u64>(out, takesLeft ? a : b);
    left -= takesLeft << 3;
    right -= 8 - (takesLeft << 3);
  }
  queue.comparisons += <f64>((begin - out) >> 3);
  memory.copy(out - (right - added), added, right - added);
  queue.copies += <f64>((top - left) >> 3);
  queue.run += count;
  shortenRun(queue);
}

/** A long run gives its smaller part to a bucket. The bound lies above keys equal on both sides of the cut. */
function shortenRun(queue: Queue): void {
  if (queue.run <= 3 * queue.minRun) return;
  const cut = runOf(queue) + (<usize>(queue.run - queue.maxRun) << 3);
  giveBack(queue, queue.run - queue.maxRun, load<u64>(cut) + <u64>(load<u64>(cut - 8) === load<u64>(cut)));
}

/**
 * Address behind the first of `count` ascending keys that are not greater: found from the greatest down, by steps that
 * double.
 */
function notGreater(queue: Queue, keys: usize, count: u32, key: u64): usize {
  let comparisons: u32 = 0;
  let step: u32 = 1;
  while (step <= count) {
    comparisons++;
    if (load<u64>(keys + (<usize>(count - step) << 3)) <= key) break;
    step <<= 1;
  }
  let low: u32 = step > count ? 0 : count - step + 1;
  let high: u32 = count - (step >> 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    comparisons++;
    if (load<u64>(keys + (<usize>middle << 3)) > key) high = middle;
    else low = middle + 1;
  }
  queue.comparisons += <f64>comparisons;
  return keys + (<usize>low << 3);
}

/**
 * Makes the first bucket the run, split before if it is too large. The last bucket must be empty. False: no key is
 * left.
 */
function fillRun(queue: Queue): bool {
  while (true) {
    makeRoom(queue, maxWays);
    const last = queue.buckets - 1;
    const bucket = last - 1;
    if (behind(queue) > bucket) {
      advanceSplit(queue, u32.MAX_VALUE);
      continue;
    }
    let size = sizeOf(queue, bucket);
    if (size > queue.maxRun) {
      if (isConstant(queue, bucket)) {
        takeEqual(queue, bucket, queue.minRun);
        return true;
      }
      if (queue.splits === maxSplits) advanceSplit(queue, u32.MAX_VALUE);
      else beginSplit(queue, bucket);
      continue;
    }
    const run = runOf(queue);
    unload(queue, bucket, run);
    sort(queue, run, size);
    queue.run = size;
    queue.copies += <f64>size;
    if (bucket > 0) {
      // The last bucket now begins where this one did.
      setLow(queue, last, low(queue, bucket));
      moveRows(queue, last, bucket);
      if (size > 0) return true;
    } else {
      makeEmpty(queue, 0);
      if (size > 0) setLow(queue, last, load<u64>(run));
      return size > 0;
    }
  }
}

/** The run becomes `count` of a bucket's equal keys, fewer than it holds. */
function takeEqual(queue: Queue, bucket: u32, count: u32): void {
  const run = runOf(queue);
  const key = low(queue, bucket);
  for (let at: usize = 0; at < count; at++) store<u64>(run + (at << 3), key);
  queue.run = count;
  queue.copies += <f64>count;
  const last = chunkOf(tail(queue, bucket));
  while (count > 0) {
    const chunk = head(queue, bucket);
    if (chunk === last) {
      setTail(queue, bucket, tail(queue, bucket) - (<usize>count << 3));
      return;
    }
    const here = (load<u32>(chunk, 4) - <u32>chunk - 8) >> 3;
    const part = min(here, count);
    setSealed(queue, bucket, sealed(queue, bucket) - part);
    count -= part;
    if (part === here) {
      setHead(queue, bucket, load<u32>(chunk));
      freeChunk(chunk);
    } else store<u32>(chunk, load<u32>(chunk, 4) - (part << 3), 4);
  }
}

// ---- What is called from outside.

let queues: u32 = 0;

/** An empty queue whose runs are `least` ... 2 `least` keys when filled, or 0 if memory has ended. */
export function create(least: u32, compareOnly: bool): usize {
  stage();
  if (!reserve(idleChunks() + (queueBytes + scratchFor(least)) / <u32>chunkBytes + 2 + 2 * besides(least))) return 0;
  growScratch(least);
  const span = takeSpan(queueBytes);
  memory.fill(span, 0, lows);
  memory.fill(span + lows, 0xff, 8 * maxBuckets);
  const queue = changetype<Queue>(span);
  queue.minRun = least;
  queue.maxRun = 2 * least;
  queue.compareOnly = compareOnly;
  queue.random = 2463534242;
  queue.buckets = 2;
  queues++;
  setLow(queue, 0, 0);
  makeEmpty(queue, 0);
  makeEmpty(queue, 1);
  return span;
}

/** Gives everything back to the pool, and the pool starts afresh with the last queue. */
export function dispose(queue: Queue): void {
  for (let split: u32 = 0; split < queue.splits; split++)
    freeList(splitOf(queue, split).chunk, splitOf(queue, split).end);
  for (let bucket: u32 = 0; bucket < queue.buckets; bucket++) freeList(head(queue, bucket), tail(queue, bucket));
  if (queue.runBytes) freeSpan(runOf(queue), queue.runBytes);
  freeSpan(base(queue), queueBytes);
  if (--queues === 0) startAfresh();
}

/**
 * Memory for a call that inserts `keys` keys, or, if 0, extracts: for the keys and what any call may take besides.
 * Insertions and new queues want that twice, so that they leave enough to extract. False if memory ends first: then the
 * call must not be made, and the queue is as before.
 */
export function prepare(queue: Queue, keys: u32): bool {
  if (!keys) return reserve(besides(queue.minRun));
  const chunks = keys / chunkKeys + 2 * besides(queue.minRun);
  // The run can become no longer than 5F, or than the queue. It grows here, where memory may end, so that extractions
  // need none.
  const longest = min(queue.size + keys, 5 * queue.minRun) << 3;
  if (longest <= queue.runBytes) return reserve(chunks);
  const bytes = spanFor(longest);
  if (!reserve(idleChunks() + bytes / <u32>chunkBytes + chunks)) return false;
  const larger = takeSpan(bytes);
  memory.copy(larger, runOf(queue), <usize>queue.run << 3);
  if (queue.runBytes) freeSpan(runOf(queue), queue.runBytes);
  queue.runAt = <u32>larger;
  queue.runBytes = bytes;
  return true;
}

/**
 * Chunks that any call on any queue may take: one begun for each bucket, 33 for each split, and those of a run given
 * back.
 */
function besides(least: u32): u32 {
  return 5 * max(least, maxRunKeys()) / chunkKeys + maxBuckets + 33 * maxSplits;
}

/** Inserts the first `count` entries of the stage. */
export function insertStaged(queue: Queue, count: u32): void {
  // Step down from the greatest power of two below the number of buckets: the lows beyond the last bucket stop no key.
  let top: usize = 8;
  let steps = 1;
  while (top << 1 < <usize>queue.buckets << 3) {
    top <<= 1;
    steps++;
  }
  const bounds = base(queue) + lows;
  const ends = base(queue) + tails;
  const stop = stageAt + (<usize>count << 3);
  for (let from = stageAt; from < stop; from += 8) {
    const key = load<u64>(from);
    let at: usize = 0;
    for (let step = top; step >= 8; step >>= 1)
      at = select<usize>(at + step, at, key >= load<u64>(bounds + at + step));
    place(queue, ends + (at >> 1), key);
  }
  queue.comparisons += <f64>count * <f64>steps;
  queue.size += count;
  if (sizeOf(queue, queue.buckets - 1) > queue.minRun) giveBack(queue, queue.run, u64.MAX_VALUE);
  work(queue, count, 0.3);
}

/** Writes the `count` <= size greatest entries to the stage and removes them. */
export function extractStaged(queue: Queue, count: u32): void {
  mergeAdded(queue);
  let to = stageAt;
  for (let left = count; left > 0; ) {
    if (queue.run === 0 && !fillRun(queue)) unreachable();
    const part = min(left, queue.run);
    queue.run -= part;
    memory.copy(to, runOf(queue) + (<usize>queue.run << 3), <usize>part << 3);
    to += <usize>part << 3;
    left -= part;
  }
  queue.size -= count;
  // Extractions alone must do what they need.
  work(queue, count, 1);
}

export function size(queue: Queue): u32 { return queue.size; }
export function comparisons(queue: Queue): f64 { return queue.comparisons; }
export function copies(queue: Queue): f64 { return queue.copies; }
export function pivots(queue: Queue): u32 { return queue.buckets - 2; }

/** 0, or the number of the first invariant found broken. O(size). */
export function faultOf(queue: Queue): u32 {
  let total = queue.run;
  let split: u32 = 0;
  if (queue.buckets < 2 || queue.buckets > maxBuckets || queue.splits > maxSplits || queue.run > 5 * queue.minRun)
    return 1;
  if (low(queue, 0) !== 0) return 2;
  for (let bucket = queue.buckets; bucket < maxBuckets; bucket++) if (low(queue, bucket) !== u64.MAX_VALUE) return 2;
  const run = runOf(queue);
  for (let key: u32 = 1; key < queue.run; key++)
    if (load<u64>(run + (<usize>key << 3)) < load<u64>(run + (<usize>(key - 1) << 3))) return 3;
  for (let bucket: u32 = 0; bucket < queue.buckets; bucket++) {
    const from = low(queue, bucket);
    const to = bucket + 1 < queue.buckets ? low(queue, bucket + 1) : u64.MAX_VALUE;
    if (from > to) return 2;
    const held = checkList(head(queue, bucket), head(queue, bucket) + 8, tail(queue, bucket), from, to);
    if (held !== sizeOf(queue, bucket)) return 4;
    total += held;
    if (
      held > 0 && bucket + 1 < queue.buckets && queue.run > 0 && load<u64>(run) < to - 1 &&
      load<u64>(run) < greatestKey
    ) return 5;
  }
  let end: u32 = 0;
  for (; split < queue.splits; split++) {
    const at = splitOf(queue, split);
    if (at.first < end) return 6;
    end = at.first + at.ways;
    if (end >= queue.buckets) return 6;
    if (checkList(at.chunk, at.at, at.end, low(queue, at.first), low(queue, end)) !== at.left) return 7;
    if (at.left > 0 && queue.run > 0 && load<u64>(run) < greatestKey) return 5;
    total += at.left;
  }
  return total === queue.size ? 0 : 8;
}

/** The greatest key that `checkList` saw last. */
let greatestKey: u64 = 0;

/** Keys of the list, or 2^32 - 1 if one lies outside [from, to). */
function checkList(chunk: usize, at: usize, end: usize, from: u64, to: u64): u32 {
  const last = chunkOf(end);
  let count: u32 = 0;
  greatestKey = 0;
  while (true) {
    const stop: usize = chunk === last ? end : <usize>load<u32>(chunk, 4);
    for (; at < stop; at += 8) {
      const key = load<u64>(at);
      if (key < from || key >= to) return u32.MAX_VALUE;
      greatestKey = max(greatestKey, key);
      count++;
    }
    if (chunk === last) return count;
    chunk = load<u32>(chunk);
    at = chunk + 8;
  }
}
