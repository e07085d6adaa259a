import { countScratch, freeChunk, otherScratch } from './chunk-pool.as';
import {
  base, behind, chunkOf, freeList, head, isConstant, keysBefore, low, makeEmpty, maxBuckets, maxSplits, moveRows,
  place, Queue,
  sealed, setHead, setLow, setSealed, setTail, sizeOf, splitOf, tail, tails, treeAt,
} from './quickheap-buckets.as';
import { mergeSort } from './quickheap-sort.as';

/** Splits of the bucket QuickHeap, in slices, and the joining of buckets. quickheap-kernel.as.ts says what and why. */

const joinAbove: u32 = 160;
export const maxWays: u32 = 16;
/**
 * A bucket is split once fewer than twice as many keys are in front of it; slices are larger than needed, and never
 * small.
 */
const due: f64 = 2;
const slack: f64 = 1.6;
/**
 * But not so large that a call moves more than 4.9 times its R, its run included, or an insertion and an extraction
 * together more than 5.9 times, while later calls can still be in time. Draining ascending keys takes 4.4 R per call.
 */
const callCeiling: f64 = 4.9;
const roundCeiling: f64 = 5.9;

/**
 * Begins to split a bucket of at least two keys' range: its children take its place, its keys wait. Needs room for
 * 15 buckets.
 */
export function beginSplit(queue: Queue, bucket: u32): void {
  const size = sizeOf(queue, bucket);
  let ways: u32 = 2;
  while (ways < maxWays && ways * 2 * queue.minRun <= size) ways <<= 1;
  const samples = countScratch();
  const samplesPerWay: u32 = max(32 / ways, 8);
  drawSamples(queue, bucket, size, samplesPerWay * ways);
  mergeSort(queue, samples, samplesPerWay * ways, otherScratch());

  const split = splitOf(queue, queue.splits++);
  split.chunk = <u32>head(queue, bucket);
  split.at = split.chunk + 8;
  split.end = <u32>tail(queue, bucket);
  split.left = size;
  split.keys = size;
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
    for (let way = half; way < ways; way += 2 * half)
      store<u64>(changetype<usize>(split) + (node++ << 3), low(queue, bucket + way), treeAt);
  }
}

/**
 * Writes one key from each of `samples` equal parts of the bucket to scratch, at positions drawn from the queue's
 * generator.
 */
function drawSamples(queue: Queue, bucket: u32, size: u32, samples: u32): void {
  const end = tail(queue, bucket);
  const last = chunkOf(end);
  let chunk = head(queue, bucket);
  const samplesAt = countScratch();
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
    store<u64>(samplesAt + (<usize>sample << 3), load<u64>(chunk + 8 + (<usize>(position - before) << 3)));
  }
}

/**
 * Moves up to `budget` keys of the last split to its children; the split ends when none is left. Returns the keys
 * moved.
 */
export function advanceSplit(queue: Queue, budget: u32): u32 {
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
        node = select<usize>((node << 1) + 8, node << 1, key >= load<u64>(tree + node));
        node = select<usize>((node << 1) + 8, node << 1, key >= load<u64>(tree + node));
        node = select<usize>((node << 1) + 8, node << 1, key >= load<u64>(tree + node));
        place(queue, children + (node >> 1) - 64, key);
      }
    } else {
      for (; at < stop; at += 8) {
        const key = load<u64>(at);
        let node: usize = 8;
        for (let level: u32 = 0; level < levels; level++)
          node = select<usize>((node << 1) + 8, node << 1, key >= load<u64>(tree + node));
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
  queue.copies += <f64>total;
  if (split.left === 0) {
    freeList(chunk, split.end);
    queue.splits--;
  }
  return total;
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
    if (free && both <= max(before / 4, <f64>queue.minRun)) {
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
 * Room for `more` buckets. A join of all buckets, no split under way, leaves at most 4 + 2 log_1.25(2^29 / F) buckets:
 * of two neighbours left apart the sum exceeds F, and a quarter of what is in front. That is 122 for F = 1024 and 172
 * for F = 4, the least allowed: there always is room.
 */
export function makeRoom(queue: Queue, more: u32): void {
  if (queue.buckets + more <= maxBuckets) return;
  while (queue.splits) advanceSplit(queue, u32.MAX_VALUE);
  join(queue);
  if (queue.buckets + more > maxBuckets) unreachable();
}

/**
 * Begins and advances splits, after `keys` came or went: so much that each bucket is ready before the extractions reach
 * it. `share` is the call's part of what a round, an insertion and an extraction, needs: an extraction's is all of it.
 */
export function work(queue: Queue, keys: u32, share: f64): void {
  const pace = <f64>queue.minRun / 1.5;
  queue.passed += keys;
  queue.splitDebt += share * <f64>keys;
  if (2 * <f64>queue.passed < pace) return;
  const rounds = <f64>queue.passed / pace;
  if (queue.buckets > joinAbove) join(queue);
  const extracted = <u32>(queue.splitDebt >= <f64>queue.passed);
  const needed = (queue.splitDebt / pace) * splitRequirement(queue, pace);
  if (needed > 0) {
    const before = extracted === queue.lastRoundExtracted ? 0 : queue.copiesOfLastRound;
    const allowed =
      min(callCeiling * rounds * pace, roundCeiling * rounds * pace - before) -
      (queue.copies - queue.copiesAtLastAdvance);
    advanceSplits(queue, <i32>min(min(slack * needed + rounds * pace, max(allowed, needed)), 2e9));
  }
  queue.passed = 0;
  queue.splitDebt = 0;
  queue.copiesOfLastRound = queue.copies - queue.copiesAtLastAdvance;
  queue.copiesAtLastAdvance = queue.copies;
  queue.lastRoundExtracted = extracted;
}

/** Keys that splits must move in a round of `pace` keys, so that each is in time; 0 if none is under way or due. */
function splitRequirement(queue: Queue, pace: f64): f64 {
  let before = <f64>queue.run + <f64>sizeOf(queue, queue.buckets - 1);
  let ahead: f64 = 0;
  let need: f64 = 0;
  let split = <i32>queue.splits - 1;
  for (let bucket = <i32>queue.buckets - 2; bucket >= 0; bucket--) {
    const size = <f64>sizeOf(queue, bucket);
    if (split >= 0 && bucket === splitOf(queue, split).first + splitOf(queue, split).ways - 1) {
      const left = <f64>splitOf(queue, split).left;
      // The first child can be split only once this has ended, and must be in time all the same.
      const child = max(size, <f64>(splitOf(queue, split).keys / splitOf(queue, split).ways));
      ahead += isDue(queue, bucket, child, before) ? left + child : left;
      need = max(need, ahead / max(before / pace - 1, 1));
      before += left;
      split--;
    } else if (isDue(queue, bucket, size, before)) {
      ahead += size;
      need = max(need, ahead / max(before / pace - 1, 1));
    }
    before += size;
  }
  return need;
}

function advanceSplits(queue: Queue, budget: i32): void {
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
  return size > <f64>queue.maxRun && before < due * size && !isConstant(queue, bucket);
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

/** The last bucket becomes an ordinary one, and an empty one that begins at `bound` takes its place. */
export function pushLast(queue: Queue, bound: u64): void {
  makeRoom(queue, 1);
  setLow(queue, queue.buckets, bound);
  makeEmpty(queue, queue.buckets);
  queue.buckets++;
}
