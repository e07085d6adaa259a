/**
 * Kernel of the bucket QuickHeap with the join rule, in AssemblyScript. `bucket-quickheap.ts` is its plain twin: read that first.
 *
 * Entries are u64s compared unsigned, the greatest leaves first. A queue is a stack of buckets, 0 the outermost: bucket i holds
 * the keys in [low(i), low(i+1)) in no order, so the lows are the pivots of a quicksort that stops as early as the extractions
 * allow. In front of all buckets stands the run, sorted, from which batches are copied. The last bucket takes the new keys that
 * belong to the run; they are sorted and merged into it by the next extraction.
 *
 * Invariants
 *   lows ascend, low(0) = 0, and beyond the last bucket they are 2^64 - 1, so that the search needs no end;
 *   no key of a bucket but the last exceeds the run's least;
 *   a bucket is a list of chunks whose last has room for one key more;
 *   a split under way has put its children in the bucket's place; the keys not yet moved wait in its own list and lie in
 *   [low of its first child, low after its last); splits are a stack, each in front of all that began before it.
 *
 * Split    k = 2 ... 16 children at quantiles of 8k sampled keys. Pivots are made distinct (the next is at least the last + 1),
 *          so every child's range is smaller than its parent's: a bucket of equal keys ends as [p, p+1), which is never split.
 *          Its keys move in slices: a call of n keys moves about as many as reach the bucket's turn in time need.
 * Join     above 160 buckets, neighbours that hold together at most a quarter of what is in front of them (or a run) become one,
 *          in O(1). It bounds the pivots for any input without coins: what is left grows by a quarter every two buckets. It is NOT
 *          the coin rule of the randomised quickheap (2011). Bound reasoned: at most 130 after a join of all, see `makeRoom`.
 * Cost     insert: ceil(lg buckets) <= 8 comparisons a key, branchless, plus its share of splits, lg k a key and level.
 *          Extract: a sort of runs of at most 2F keys, F = max(1.5 R, 1024). A batch moves few R keys; one that finds a
 *          bucket not yet split (many keys inserted at once above all others) moves all of it.
 * Memory   8 bytes a key in chunks of 4 KiB, two or three tens of chunks of slack, and 8 KiB + 48 F bytes a queue. One memory and
 *          one instance for all queues of a thread, chunks from one pool: an engine reserves gigabytes of addresses for each memory,
 *          so a memory a queue would end at some hundred queues.
 * Source   QuickHeap: Navarro & Paredes, Algorithmica 2010. Buckets: Breitling, Groot Koerkamp & Williams, "SimdQuickHeap", 2026.
 *          Splits by sampled quantiles and a branchless tree: Sanders & Winkel, "Super Scalar Sample Sort", ESA 2004.
 *
 * Not promised: bounds of arguments (the caller asserts them); the order of equal entries (they have no identity); a bound on
 * the walk over chunk headers that draws a split's sample, one header for 511 keys.
 */

/** A chunk: 8 bytes of header (address of the next chunk, end of the keys), 511 keys; aligned, so a full one's end is 0 mod 4096. */
const chunkBytes: usize = 4096;
const chunkKeys: u32 = 511;
const maxBuckets: u32 = 256;
const joinAbove: u32 = 160;
const maxSplits: u32 = 16;
const maxWays: u32 = 16;
const samplesPerWay: u32 = 8;
/** Insert and extract take at most this many keys a call, through the stage. */
const stageKeys: u32 = 8192;
/** A bucket is split once fewer than half as many keys are in front of it; slices are drawn larger than needed. */
const due: f64 = 0.5;
const slack: f64 = 1.3;

/** A queue; its tables follow at the offsets below. */
@unmanaged
class Queue {
  /** F, and the most keys that become a run. */
  least: u32;
  most: u32;
  compareOnly: u32;
  size: u32;
  buckets: u32;
  splits: u32;
  /** Keys in the run, ascending from `runOf`. */
  run: u32;
  /** Keys that came or went since splits were last advanced. */
  passed: u32;
  random: u32;
  spanBytes: u32;
  comparisons: f64;
  /** Keys copied from one place of the structure to another: split, run filled, merged, cut or given back. */
  moved: f64;
}
const lows: usize = 256;
const tails: usize = lows + 8 * maxBuckets;
const heads: usize = tails + 4 * maxBuckets;
const sealeds: usize = heads + 4 * maxBuckets;
const splitsAt: usize = sealeds + 4 * maxBuckets;
const splitBytes: usize = 160;
const runAt: usize = 8192;

/** A split under way: keys [at, ...) of `chunk` and the chunks after it up to `end` go to buckets first ... first + ways - 1. */
@unmanaged
class Split {
  chunk: u32;
  at: u32;
  end: u32;
  left: u32;
  first: u32;
  ways: u32;
  /** Pivots as an implicit tree: node n at treeAt + 8 n, children 2n and 2n + 1. */
}
const treeAt: usize = 24;

// ---- The pool: chunks for keys, and spans of whole chunks for queues and scratch.

let freeChunks: usize = 0;
let freeCount: u32 = 0;
let freeSpans: usize = 0;
/** The stage begins here; everything below is left to the compiler. */
let stageAt: usize = 0;
let unused: usize = 0;
let memoryEnd: usize = 0;
let scratch: usize = 0;
let scratchBytes: u32 = 0;
let scratchLeast: u32 = 0;

/** Makes sure that so many chunks can be had. False if memory ends first; nothing has changed then. */
function reserve(chunks: u32): bool {
  const have = freeCount + <u32>((memoryEnd - unused) / chunkBytes);
  if (have >= chunks) return true;
  const pages = <i32>((chunks - have + 15) >> 4);
  const generous = max(pages, memory.size() >> 3);
  if (memory.grow(generous) < 0 && memory.grow(pages) < 0) return false;
  memoryEnd = <usize>memory.size() << 16;
  return true;
}

function takeChunk(): usize {
  const chunk = freeChunks;
  if (chunk) {
    freeChunks = load<u32>(chunk);
    freeCount--;
    return chunk;
  }
  if (unused >= memoryEnd) unreachable();
  unused += chunkBytes;
  return unused - chunkBytes;
}

function freeChunk(chunk: usize): void {
  store<u32>(chunk, <u32>freeChunks);
  freeChunks = chunk;
  freeCount++;
}

/** A span of exactly this size freed before, or a new one. 0 if memory has ended. */
function takeSpan(bytes: u32): usize {
  let before: usize = 0;
  for (let span = freeSpans; span; span = load<u32>(span)) {
    if (load<u32>(span, 4) === bytes) {
      if (before) store<u32>(before, load<u32>(span));
      else freeSpans = load<u32>(span);
      return span;
    }
    before = span;
  }
  // Spans are not made of single chunks: these need not be neighbours.
  if (!reserve(freeCount + bytes / <u32>chunkBytes)) return 0;
  unused += bytes;
  return unused - bytes;
}

function freeSpan(span: usize, bytes: u32): void {
  store<u32>(span, <u32>freeSpans);
  store<u32>(span, bytes, 4);
  freeSpans = span;
}

// ---- Buckets.

// @ts-ignore: decorator
@inline function base(queue: Queue): usize { return changetype<usize>(queue); }
// @ts-ignore: decorator
@inline function runOf(queue: Queue): usize { return base(queue) + runAt; }
// @ts-ignore: decorator
@inline function low(queue: Queue, bucket: u32): u64 { return load<u64>(base(queue) + (<usize>bucket << 3), lows); }
// @ts-ignore: decorator
@inline function setLow(queue: Queue, bucket: u32, key: u64): void { store<u64>(base(queue) + (<usize>bucket << 3), key, lows); }
// @ts-ignore: decorator
@inline function tail(queue: Queue, bucket: u32): usize { return load<u32>(base(queue) + (<usize>bucket << 2), tails); }
// @ts-ignore: decorator
@inline function setTail(queue: Queue, bucket: u32, at: usize): void { store<u32>(base(queue) + (<usize>bucket << 2), <u32>at, tails); }
// @ts-ignore: decorator
@inline function head(queue: Queue, bucket: u32): usize { return load<u32>(base(queue) + (<usize>bucket << 2), heads); }
// @ts-ignore: decorator
@inline function setHead(queue: Queue, bucket: u32, chunk: usize): void { store<u32>(base(queue) + (<usize>bucket << 2), <u32>chunk, heads); }
/** Keys in all chunks of the bucket but the last. */
// @ts-ignore: decorator
@inline function sealed(queue: Queue, bucket: u32): u32 { return load<u32>(base(queue) + (<usize>bucket << 2), sealeds); }
// @ts-ignore: decorator
@inline function setSealed(queue: Queue, bucket: u32, keys: u32): void { store<u32>(base(queue) + (<usize>bucket << 2), keys, sealeds); }
// @ts-ignore: decorator
@inline function chunkOf(end: usize): usize { return (end - 8) & ~(chunkBytes - 1); }
// @ts-ignore: decorator
@inline function keysBefore(end: usize): u32 { return <u32>((end - 8) & (chunkBytes - 1)) >> 3; }
// @ts-ignore: decorator
@inline function sizeOf(queue: Queue, bucket: u32): u32 { return sealed(queue, bucket) + keysBefore(tail(queue, bucket)); }
/** Only one key fits between the bucket's bounds. */
// @ts-ignore: decorator
@inline function isConstant(queue: Queue, bucket: u32): bool { return low(queue, bucket + 1) - low(queue, bucket) <= 1; }
// @ts-ignore: decorator
@inline function splitOf(queue: Queue, index: u32): Split { return changetype<Split>(base(queue) + splitsAt + <usize>index * splitBytes); }
/** The bucket after the last split's children: what may be split or loaded lies from here on. */
// @ts-ignore: decorator
@inline function behind(queue: Queue): u32 { return queue.splits ? splitOf(queue, queue.splits - 1).first + splitOf(queue, queue.splits - 1).ways : 0; }

function makeEmpty(queue: Queue, bucket: u32): void {
  const chunk = takeChunk();
  setHead(queue, bucket, chunk);
  setTail(queue, bucket, chunk + 8);
  setSealed(queue, bucket, 0);
}

/** The bucket's last chunk is full up to `end`: adds one, and returns where the next key goes. */
function seal(queue: Queue, bucket: u32, end: usize): usize {
  const chunk = end - chunkBytes;
  const next = takeChunk();
  store<u32>(chunk, <u32>next);
  store<u32>(chunk, <u32>end, 4);
  setSealed(queue, bucket, sealed(queue, bucket) + chunkKeys);
  return next + 8;
}

// @ts-ignore: decorator
@inline function append(queue: Queue, bucket: u32, key: u64): void {
  let end = tail(queue, bucket);
  store<u64>(end, key);
  end += 8;
  if (!(end & (chunkBytes - 1))) end = seal(queue, bucket, end);
  setTail(queue, bucket, end);
}

/** Moves the table rows from bucket `from` on so that they begin at `to`. Rows left over on the way down get the lows of no bucket. */
function moveRows(queue: Queue, from: u32, to: u32): void {
  const rows: usize = queue.buckets - from;
  const table = base(queue);
  memory.copy(table + lows + (<usize>to << 3), table + lows + (<usize>from << 3), rows << 3);
  memory.copy(table + tails + (<usize>to << 2), table + tails + (<usize>from << 2), rows << 2);
  memory.copy(table + heads + (<usize>to << 2), table + heads + (<usize>from << 2), rows << 2);
  memory.copy(table + sealeds + (<usize>to << 2), table + sealeds + (<usize>from << 2), rows << 2);
  queue.buckets += to - from;
  if (to < from) memory.fill(table + lows + (<usize>queue.buckets << 3), 0xff, <usize>(from - to) << 3);
}

/** Copies the bucket's keys to `into` and frees its chunks. */
function unload(queue: Queue, bucket: u32, into: usize): void {
  const end = tail(queue, bucket);
  const last = chunkOf(end);
  for (let chunk = head(queue, bucket); ; ) {
    const bytes = (chunk === last ? end : <usize>load<u32>(chunk, 4)) - chunk - 8;
    memory.copy(into, chunk + 8, bytes);
    into += bytes;
    const next: usize = load<u32>(chunk);
    freeChunk(chunk);
    if (chunk === last) return;
    chunk = next;
  }
}

/** Frees the chunks of a list, from `chunk` to the one that ends at `end`. */
function freeList(chunk: usize, end: usize): void {
  const last = chunkOf(end);
  while (true) {
    const next: usize = load<u32>(chunk);
    freeChunk(chunk);
    if (chunk === last) return;
    chunk = next;
  }
}

/** The last bucket becomes an ordinary one, and an empty one that begins at `bound` takes its place. */
function pushLast(queue: Queue, bound: u64): void {
  makeRoom(queue, 1);
  setLow(queue, queue.buckets, bound);
  makeEmpty(queue, queue.buckets);
  queue.buckets++;
}

// ---- Sorting.

/** Merge sort, bottom up: the plain one, whose comparisons are those of a comparison sort. `other` has room for n keys. */
function mergeSort(queue: Queue, keys: usize, n: u32, other: usize): void {
  let from = keys;
  let to = other;
  let comparisons: u32 = 0;
  for (let width: u32 = 1; width < n; width <<= 1) {
    for (let start: u32 = 0; start < n; start += 2 * width) {
      let left = from + (<usize>start << 3);
      const leftEnd = from + (<usize>min(start + width, n) << 3);
      let right = leftEnd;
      const rightEnd = from + (<usize>min(start + 2 * width, n) << 3);
      let out = to + (<usize>start << 3);
      const begin = out;
      while (left < leftEnd && right < rightEnd) {
        const a = load<u64>(left);
        const b = load<u64>(right);
        const takesRight = <usize>(b < a);
        store<u64>(out, takesRight ? b : a);
        right += takesRight << 3;
        left += 8 - (takesRight << 3);
        out += 8;
      }
      comparisons += <u32>((out - begin) >> 3);
      memory.copy(out, left, leftEnd - left);
      memory.copy(out + (leftEnd - left), right, rightEnd - right);
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
  if (from !== keys) memory.copy(keys, from, <usize>n << 3);
  queue.comparisons += <f64>comparisons;
}

/** Insertion sort; gives up, and returns false, after `patience` moves. */
function insertionSort(queue: Queue, keys: usize, n: u32, patience: u32): bool {
  const end = keys + (<usize>n << 3);
  let comparisons: u32 = 0;
  let moves: u32 = 0;
  for (let at = keys + 8; at < end; at += 8) {
    const key = load<u64>(at);
    let hole = at;
    while (hole > keys) {
      const before = load<u64>(hole - 8);
      comparisons++;
      if (before <= key) break;
      store<u64>(hole, before);
      hole -= 8;
      moves++;
    }
    store<u64>(hole, key);
    if (moves > patience) break;
  }
  queue.comparisons += <f64>comparisons;
  return moves <= patience;
}

/**
 * Sorts n keys in place. Two passes of radix sort over the highest bits in which they differ, then insertion sort: about one
 * comparison a key. Keys so uneven that insertion sort would take long are merge sorted.
 */
function sort(queue: Queue, keys: usize, n: u32): void {
  const other = scratch + (<usize>scratchLeast << 4) + 32768;
  if (queue.compareOnly) return mergeSort(queue, keys, n, other);
  if (n <= 32) {
    insertionSort(queue, keys, n, u32.MAX_VALUE);
    return;
  }
  const end = keys + (<usize>n << 3);
  const first = load<u64>(keys);
  let differing: u64 = 0;
  for (let at = keys; at < end; at += 8) differing |= load<u64>(at) ^ first;
  if (differing === 0) return;
  const digit: u64 = n < 6000 ? 8 : 11;
  const bits: u64 = 64 - clz(differing);
  const shift: u64 = bits > 2 * digit ? bits - 2 * digit : 0;
  const shiftHigh = shift + digit;
  const mask: u64 = (1 << digit) - 1;
  const places = scratch;
  const placesHigh = scratch + 16384;
  const bytes: usize = (<usize>4) << <usize>digit;
  memory.fill(places, 0, bytes);
  memory.fill(placesHigh, 0, bytes);
  for (let at = keys; at < end; at += 8) {
    const key = load<u64>(at);
    const place = places + (<usize>((key >> shift) & mask) << 2);
    const placeHigh = placesHigh + (<usize>((key >> shiftHigh) & mask) << 2);
    store<u32>(place, load<u32>(place) + 8);
    store<u32>(placeHigh, load<u32>(placeHigh) + 8);
  }
  let next = <u32>other;
  let nextHigh = <u32>keys;
  for (let at: usize = 0; at < bytes; at += 4) {
    const count = load<u32>(places + at);
    store<u32>(places + at, next);
    next += count;
    const countHigh = load<u32>(placesHigh + at);
    store<u32>(placesHigh + at, nextHigh);
    nextHigh += countHigh;
  }
  scatter(keys, end, places, shift, mask);
  scatter(other, other + (end - keys), placesHigh, shiftHigh, mask);
  if (shift > 0 && !insertionSort(queue, keys, n, 8 * n)) mergeSort(queue, keys, n, other);
}

// @ts-ignore: decorator
@inline function scatter(from: usize, end: usize, places: usize, shift: u64, mask: u64): void {
  for (; from < end; from += 8) {
    const key = load<u64>(from);
    const place = places + (<usize>((key >> shift) & mask) << 2);
    const to: usize = load<u32>(place);
    store<u32>(place, <u32>(to + 8));
    store<u64>(to, key);
  }
}

// ---- Splits.

/** Begins to split a bucket of at least two keys' range: its children stand in its place, its keys wait. Needs room for 15 buckets. */
function beginSplit(queue: Queue, bucket: u32): void {
  const size = sizeOf(queue, bucket);
  let ways: u32 = 2;
  while (ways < maxWays && ways * 2 * queue.least <= size) ways <<= 1;
  const samples = scratch;
  drawSamples(queue, bucket, size, samplesPerWay * ways);
  mergeSort(queue, samples, samplesPerWay * ways, scratch + (<usize>scratchLeast << 4) + 32768);

  const split = splitOf(queue, queue.splits++);
  split.chunk = <u32>head(queue, bucket);
  split.at = split.chunk + 8;
  split.end = <u32>tail(queue, bucket);
  split.left = size;
  split.first = bucket;
  split.ways = ways;
  moveRows(queue, bucket + 1, bucket + ways);
  makeEmpty(queue, bucket);
  const bound = low(queue, bucket + ways);
  for (let way: u32 = 1; way < ways; way++) {
    const next = max(load<u64>(samples + (<usize>(way * samplesPerWay) << 3)), low(queue, bucket + way - 1) + 1);
    setLow(queue, bucket + way, min(next, bound));
    makeEmpty(queue, bucket + way);
  }
  let node: usize = 1;
  for (let half = ways >> 1; half >= 1; half >>= 1) {
    for (let way = half; way < ways; way += 2 * half) store<u64>(changetype<usize>(split) + (node++ << 3), low(queue, bucket + way), treeAt);
  }
}

/** Writes one key from each of `samples` equal parts of the bucket to scratch, at positions drawn from the queue's generator. */
function drawSamples(queue: Queue, bucket: u32, size: u32, samples: u32): void {
  const end = tail(queue, bucket);
  const last = chunkOf(end);
  let chunk = head(queue, bucket);
  let before: u32 = 0;
  let here = chunk === last ? keysBefore(end) : (load<u32>(chunk, 4) - <u32>chunk - 8) >> 3;
  for (let sample: u32 = 0; sample < samples; sample++) {
    let state = queue.random;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    queue.random = state;
    const position = <u32>(((<f64>sample + <f64>state / 4294967296.0) * <f64>size) / <f64>samples);
    while (position >= before + here) {
      before += here;
      chunk = load<u32>(chunk);
      here = chunk === last ? keysBefore(end) : (load<u32>(chunk, 4) - <u32>chunk - 8) >> 3;
    }
    store<u64>(scratch + (<usize>sample << 3), load<u64>(chunk + 8 + (<usize>(position - before) << 3)));
  }
}

/** Moves up to `budget` keys of the last split to its children; the split ends when none is left. Returns the keys moved. */
function advanceSplit(queue: Queue, budget: u32): u32 {
  const split = splitOf(queue, queue.splits - 1);
  const total = min(budget, split.left);
  const tree = changetype<usize>(split) + treeAt;
  const children = base(queue) + tails + (<usize>split.first << 2);
  const last = chunkOf(split.end);
  const levels: u32 = 31 - clz(split.ways);
  const wide = split.ways === 16;
  let chunk: usize = split.chunk;
  let at: usize = split.at;
  for (let left = total; left > 0; ) {
    const end: usize = chunk === last ? <usize>split.end : <usize>load<u32>(chunk, 4);
    const stop = min(end, at + (<usize>left << 3));
    left -= <u32>((stop - at) >> 3);
    // `node` is eight times the tree's node number; a leaf's is ways + child.
    if (wide) {
      for (; at < stop; at += 8) {
        const key = load<u64>(at);
        let node: usize = 16 + (<usize>(key >= load<u64>(tree, 8)) << 3);
        node = (node << 1) + (<usize>(key >= load<u64>(tree + node)) << 3);
        node = (node << 1) + (<usize>(key >= load<u64>(tree + node)) << 3);
        node = (node << 1) + (<usize>(key >= load<u64>(tree + node)) << 3);
        place(queue, children + (node >> 1) - 64, key);
      }
    } else {
      for (; at < stop; at += 8) {
        const key = load<u64>(at);
        let node: usize = 8;
        for (let level: u32 = 0; level < levels; level++) node = (node << 1) + (<usize>(key >= load<u64>(tree + node)) << 3);
        place(queue, children + (node >> 1) - (<usize>split.ways << 2), key);
      }
    }
    if (at === end && chunk !== last) {
      const next: usize = load<u32>(chunk);
      freeChunk(chunk);
      chunk = next;
      at = chunk + 8;
    }
  }
  split.chunk = <u32>chunk;
  split.at = <u32>at;
  split.left -= total;
  queue.comparisons += <f64>total * <f64>levels;
  queue.moved += <f64>total;
  if (split.left === 0) {
    freeList(chunk, split.end);
    queue.splits--;
  }
  return total;
}

/** Appends to the bucket whose tail stands at `tailAt`. */
// @ts-ignore: decorator
@inline function place(queue: Queue, tailAt: usize, key: u64): void {
  let end: usize = load<u32>(tailAt);
  store<u64>(end, key);
  end += 8;
  if (!(end & (chunkBytes - 1))) end = seal(queue, <u32>((tailAt - tails - base(queue)) >> 2), end);
  store<u32>(tailAt, <u32>end);
}

/** Joins neighbours that are small against what is in front of them, outside of splits under way. */
function join(queue: Queue): void {
  let before = <f64>queue.run + <f64>sizeOf(queue, queue.buckets - 1);
  let split = <i32>queue.splits - 1;
  let bucket = queue.buckets - 2;
  while (bucket > 0) {
    if (split >= 0 && bucket < splitOf(queue, split).first + splitOf(queue, split).ways) {
      const first = splitOf(queue, split).first;
      before += <f64>splitOf(queue, split).left;
      for (; bucket > first; bucket--) before += <f64>sizeOf(queue, bucket);
      before += <f64>sizeOf(queue, first);
      split--;
      if (first === 0) break;
      bucket = first - 1;
      continue;
    }
    const outer = bucket - 1;
    const free = split < 0 || outer >= splitOf(queue, split).first + splitOf(queue, split).ways;
    const both = <f64>sizeOf(queue, bucket) + <f64>sizeOf(queue, outer);
    if (free && both <= max(before / 4, <f64>queue.least)) {
      joinPair(queue, outer);
      for (let inner = <u32>(split + 1); inner < queue.splits; inner++) splitOf(queue, inner).first--;
    } else before += <f64>sizeOf(queue, bucket);
    bucket--;
  }
}

/** Bucket `outer` takes the keys of the next one, behind its own. */
function joinPair(queue: Queue, outer: u32): void {
  const inner = outer + 1;
  const end = tail(queue, outer);
  const size = sizeOf(queue, outer);
  if (sizeOf(queue, inner) === 0) freeChunk(head(queue, inner));
  else {
    const chunk = chunkOf(end);
    if (size === 0) {
      freeChunk(chunk);
      setHead(queue, outer, head(queue, inner));
    } else {
      store<u32>(chunk, <u32>head(queue, inner));
      store<u32>(chunk, <u32>end, 4);
    }
    setSealed(queue, outer, size + sealed(queue, inner));
    setTail(queue, outer, tail(queue, inner));
  }
  moveRows(queue, inner + 1, inner);
}

/**
 * Room for `more` buckets. A join of all buckets, no split under way, leaves at most 2 + 2 (1 + log_1.25(2^29 / F)) <= 125: of two
 * neighbours left apart the sum exceeds F, and a quarter of what is in front. So there always is room.
 */
function makeRoom(queue: Queue, more: u32): void {
  if (queue.buckets + more <= maxBuckets) return;
  while (queue.splits) advanceSplit(queue, u32.MAX_VALUE);
  join(queue);
  if (queue.buckets + more > maxBuckets) unreachable();
}

/** Begins and advances splits, after `keys` came or went: so much that each bucket is ready before the extractions reach it. */
function work(queue: Queue, keys: u32): void {
  const pace = <f64>queue.least / 1.5;
  queue.passed += keys;
  if (2 * <f64>queue.passed < pace) return;
  const rounds = <f64>queue.passed / pace;
  queue.passed = 0;
  if (queue.buckets > joinAbove) join(queue);

  let before = <f64>queue.run + <f64>sizeOf(queue, queue.buckets - 1);
  let ahead: f64 = 0;
  let need: f64 = 0;
  let split = <i32>queue.splits - 1;
  for (let bucket = <i32>queue.buckets - 2; bucket >= 0; bucket--) {
    const size = <f64>sizeOf(queue, bucket);
    if (split >= 0 && bucket === splitOf(queue, split).first + splitOf(queue, split).ways - 1) {
      const left = <f64>splitOf(queue, split).left;
      ahead += left;
      need = max(need, ahead / max(before / pace - 1, 1));
      before += left;
      split--;
    } else if (isDue(queue, bucket, size, before)) {
      ahead += size;
      need = max(need, ahead / max(before / pace - 1, 1));
    }
    before += size;
  }
  if (need === 0) return;
  // A round is an insertion and an extraction, and each does half of what it needs.
  let budget = <i32>min(0.5 * rounds * (slack * need + pace), 2e9);
  while (budget > 0) {
    makeRoom(queue, maxWays);
    const next = queue.splits < maxSplits ? nextDue(queue) : -1;
    if (next >= 0) beginSplit(queue, next);
    if (queue.splits === 0) return;
    budget -= advanceSplit(queue, budget);
  }
}

// @ts-ignore: decorator
@inline function isDue(queue: Queue, bucket: u32, size: f64, before: f64): bool {
  return size > <f64>queue.most && before < due * size && !isConstant(queue, bucket);
}

/** The first bucket due for a split in front of all splits under way, or -1. */
function nextDue(queue: Queue): i32 {
  const outermost = <i32>behind(queue);
  let before = <f64>queue.run + <f64>sizeOf(queue, queue.buckets - 1);
  for (let bucket = <i32>queue.buckets - 2; bucket >= outermost; bucket--) {
    const size = <f64>sizeOf(queue, bucket);
    if (isDue(queue, bucket, size, before)) return bucket;
    before += size;
  }
  return -1;
}

// ---- The run.

/** The run's keys go back into the last bucket, which becomes an ordinary one. */
function giveBackRun(queue: Queue): void {
  const last = queue.buckets - 1;
  const bound = low(queue, last);
  const run = runOf(queue);
  for (let key: usize = 0; key < queue.run; key++) {
    // The run may begin with keys equal to the greatest of the bucket outside.
    const value = load<u64>(run + (key << 3));
    append(queue, value < bound ? last - 1 : last, value);
  }
  queue.moved += <f64>queue.run;
  queue.run = 0;
  pushLast(queue, u64.MAX_VALUE);
}

/** Sorts what was added in front and merges it into the run, from the greatest down, touching no key below the least added. */
function mergeAdded(queue: Queue): void {
  const last = queue.buckets - 1;
  const count = sizeOf(queue, last);
  if (count === 0) return;
  const added = scratch + 32768;
  unload(queue, last, added);
  makeEmpty(queue, last);
  sort(queue, added, count);

  const run = runOf(queue);
  let left = run + (<usize>queue.run << 3);
  let right = added + (<usize>count << 3);
  let out = left + (<usize>count << 3);
  const top = out;
  while (right > added && left > run) {
    const a = load<u64>(left - 8);
    const b = load<u64>(right - 8);
    const takesLeft = <usize>(a > b);
    out -= 8;
    store<u64>(out, takesLeft ? a : b);
    left -= takesLeft << 3;
    right -= 8 - (takesLeft << 3);
  }
  queue.comparisons += <f64>((top - out) >> 3);
  memory.copy(out - (right - added), added, right - added);
  queue.moved += <f64>((top - left) >> 3);
  queue.run += count;

  // A long run gives its smaller part to a bucket. The bound lies above keys equal on both sides of the cut.
  if (queue.run > 4 * queue.least) {
    const cut = queue.run - queue.most;
    const at = run + (<usize>cut << 3);
    const least = load<u64>(at);
    const bound = least + <u64>(load<u64>(at - 8) === least);
    for (let key = run; key < at; key += 8) append(queue, last, load<u64>(key));
    memory.copy(run, at, <usize>queue.most << 3);
    queue.moved += <f64>queue.run;
    queue.run = queue.most;
    pushLast(queue, bound);
  }
}

/** Makes the first bucket the run, split before if it is too large. The last bucket must be empty. False: no key is left. */
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
    if (size > queue.most) {
      if (isConstant(queue, bucket)) {
        takeEqual(queue, bucket, queue.least);
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
    queue.moved += <f64>size;
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
  queue.moved += <f64>count;
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

/** Entries to insert, and entries extracted, pass through the stage, at most `stageLength` a call. */
export function stage(): usize {
  if (!stageAt) {
    stageAt = (__heap_base + chunkBytes - 1) & ~(chunkBytes - 1);
    unused = stageAt + 8 * stageKeys;
    memoryEnd = <usize>memory.size() << 16;
    if (unused > memoryEnd && memory.grow(<i32>((unused - memoryEnd + 65535) >> 16)) < 0) unreachable();
    memoryEnd = <usize>memory.size() << 16;
  }
  return stageAt;
}

export function stageLength(): u32 { return stageKeys; }

/** An empty queue for batches of about `block` keys, or 0 if memory has ended. */
export function create(block: u32, compareOnly: bool): usize {
  stage();
  const least = max(<u32>((3 * <u64>block + 1) >> 1), 1024);
  if (least > scratchLeast) {
    const bytes = (32768 + (least << 5) + <u32>chunkBytes - 1) & ~(<u32>chunkBytes - 1);
    const larger = takeSpan(bytes);
    if (!larger) return 0;
    if (scratch) freeSpan(scratch, scratchBytes);
    scratch = larger;
    scratchBytes = bytes;
    scratchLeast = least;
  }
  const bytes = (<u32>runAt + 48 * least + <u32>chunkBytes - 1) & ~(<u32>chunkBytes - 1);
  const span = takeSpan(bytes);
  if (!span) return 0;
  if (!reserve(2)) {
    freeSpan(span, bytes);
    return 0;
  }
  memory.fill(span, 0, lows);
  memory.fill(span + lows, 0xff, 8 * maxBuckets);
  const queue = changetype<Queue>(span);
  queue.least = least;
  queue.most = 2 * least;
  queue.compareOnly = compareOnly;
  queue.random = 2463534242;
  queue.spanBytes = bytes;
  queue.buckets = 2;
  setLow(queue, 0, 0);
  makeEmpty(queue, 0);
  makeEmpty(queue, 1);
  return span;
}

/** Gives everything back to the pool. */
export function dispose(queue: Queue): void {
  for (let split: u32 = 0; split < queue.splits; split++) freeList(splitOf(queue, split).chunk, splitOf(queue, split).end);
  for (let bucket: u32 = 0; bucket < queue.buckets; bucket++) freeList(head(queue, bucket), tail(queue, bucket));
  freeSpan(base(queue), queue.spanBytes);
}

/**
 * Memory for `keys` more keys, and for what any one call may take besides: a chunk begun for each bucket, 33 for each split, and
 * the run given back. False if memory ends first: then nothing may be inserted or extracted, and the queue is as before.
 */
export function prepare(queue: Queue, keys: u32): bool {
  return reserve(keys / chunkKeys + 4 * queue.least / chunkKeys + maxBuckets + 33 * maxSplits);
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
    for (let step = top; step >= 8; step >>= 1) at += step & (0 - <usize>(key >= load<u64>(bounds + at + step)));
    place(queue, ends + (at >> 1), key);
  }
  queue.comparisons += <f64>count * <f64>steps;
  queue.size += count;
  if (sizeOf(queue, queue.buckets - 1) > queue.most) giveBackRun(queue);
  work(queue, count);
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
  work(queue, count);
}

export function size(queue: Queue): u32 { return queue.size; }
export function comparisons(queue: Queue): f64 { return queue.comparisons; }
export function moved(queue: Queue): f64 { return queue.moved; }
export function pivots(queue: Queue): u32 { return queue.buckets - 2; }
/** Chunks of the pool that wait, and bytes ever taken from memory. */
export function idleChunks(): u32 { return freeCount; }
export function bytesTaken(): usize { return unused; }

/** 0, or the number of the first invariant found broken. O(size). */
export function faultOf(queue: Queue): u32 {
  let total = queue.run;
  let split: u32 = 0;
  if (queue.buckets < 2 || queue.buckets > maxBuckets || queue.splits > maxSplits || queue.run > 6 * queue.least) return 1;
  if (low(queue, 0) !== 0) return 2;
  for (let bucket = queue.buckets; bucket < maxBuckets; bucket++) if (low(queue, bucket) !== u64.MAX_VALUE) return 2;
  const run = runOf(queue);
  for (let key: u32 = 1; key < queue.run; key++) if (load<u64>(run + (<usize>key << 3)) < load<u64>(run + (<usize>(key - 1) << 3))) return 3;
  for (let bucket: u32 = 0; bucket < queue.buckets; bucket++) {
    const from = low(queue, bucket);
    const to = bucket + 1 < queue.buckets ? low(queue, bucket + 1) : u64.MAX_VALUE;
    if (from > to) return 2;
    const held = checkList(head(queue, bucket), head(queue, bucket) + 8, tail(queue, bucket), from, to);
    if (held !== sizeOf(queue, bucket)) return 4;
    total += held;
    if (held > 0 && bucket + 1 < queue.buckets && queue.run > 0 && load<u64>(run) < to - 1 && load<u64>(run) < greatestKey) return 5;
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
