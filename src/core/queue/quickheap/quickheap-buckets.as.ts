import { chunkBytes, chunkKeys, freeChunk, takeChunk } from './chunk-pool.as';

/**
 * The parts of a bucket QuickHeap in memory: the queue, its table of buckets, their lists of chunks, and its splits
 * under way.
 */

export const maxBuckets: u32 = 256;
export const maxSplits: u32 = 16;
/** A queue; its tables follow at the offsets below. */
@unmanaged
export class Queue {
  /** F, and the maximum number of keys that become a run. */
  minRun: u32;
  maxRun: u32;
  compareOnly: u32;
  size: u32;
  buckets: u32;
  splits: u32;
  /** Keys in the run, ascending from `runOf`. */
  run: u32;
  /** Keys inserted or extracted since splits were last advanced. */
  passed: u32;
  random: u32;
  /** Where the run's keys lie, a span of `runBytes`; it grows with the run. */
  runAt: u32;
  runBytes: u32;
  comparisons: f64;
  /** Keys copied from one place of the structure to another: split, run filled, merged, cut or returned. */
  copies: f64;
  /** The keys that splits owe the calls since they last advanced: each call adds its part of a round. */
  splitDebt: f64;
  /**
   * `copies` when splits last advanced, how much it had grown in the round before, and 1 if that round only extracted.
   */
  copiesAtLastAdvance: f64;
  copiesOfLastRound: f64;
  lastRoundExtracted: u32;
}
export const lows: usize = 256;
export const tails: usize = lows + 8 * maxBuckets;
export const heads: usize = tails + 4 * maxBuckets;
export const sealeds: usize = heads + 4 * maxBuckets;
export const splitsAt: usize = sealeds + 4 * maxBuckets;
export const splitBytes: usize = 160;
export const queueBytes: u32 = 8192;

/**
 * A split under way: keys [at, ...) of `chunk` and the chunks after it up to `end` go to buckets first ... first + ways
 * - 1.
 */
@unmanaged
export class Split {
  chunk: u32;
  at: u32;
  end: u32;
  left: u32;
  first: u32;
  ways: u32;
  /** Keys it began with. */
  keys: u32;
  /** Pivots as an implicit tree: node n at treeAt + 8 n, children 2n and 2n + 1. */
}
export const treeAt: usize = 32;

// @ts-ignore: decorator
@inline export function base(queue: Queue): usize { return changetype<usize>(queue); }
// @ts-ignore: decorator
@inline export function runOf(queue: Queue): usize { return queue.runAt; }
// @ts-ignore: decorator
@inline export function low(queue: Queue, bucket: u32): u64 {
  return load<u64>(base(queue) + (<usize>bucket << 3), lows);
}
// @ts-ignore: decorator
@inline export function setLow(queue: Queue, bucket: u32, key: u64): void {
  store<u64>(base(queue) + (<usize>bucket << 3), key, lows);
}
// @ts-ignore: decorator
@inline export function tail(queue: Queue, bucket: u32): usize {
  return load<u32>(base(queue) + (<usize>bucket << 2), tails);
}
// @ts-ignore: decorator
@inline export function setTail(queue: Queue, bucket: u32, at: usize): void {
  store<u32>(base(queue) + (<usize>bucket << 2), <u32>at, tails);
}
// @ts-ignore: decorator
@inline export function head(queue: Queue, bucket: u32): usize {
  return load<u32>(base(queue) + (<usize>bucket << 2), heads);
}
// @ts-ignore: decorator
@inline export function setHead(queue: Queue, bucket: u32, chunk: usize): void {
  store<u32>(base(queue) + (<usize>bucket << 2), <u32>chunk, heads);
}
/** Keys in all chunks of the bucket but the last. */
// @ts-ignore: decorator
@inline export function sealed(queue: Queue, bucket: u32): u32 {
  return load<u32>(base(queue) + (<usize>bucket << 2), sealeds);
}
// @ts-ignore: decorator
@inline export function setSealed(queue: Queue, bucket: u32, keys: u32): void {
  store<u32>(base(queue) + (<usize>bucket << 2), keys, sealeds);
}
// @ts-ignore: decorator
@inline export function chunkOf(end: usize): usize { return (end - 8) & ~(chunkBytes - 1); }
// @ts-ignore: decorator
@inline export function keysBefore(end: usize): u32 { return <u32>((end - 8) & (chunkBytes - 1)) >> 3; }
// @ts-ignore: decorator
@inline export function sizeOf(queue: Queue, bucket: u32): u32 {
  return sealed(queue, bucket) + keysBefore(tail(queue, bucket));
}
/** Only one key fits between the bucket's bounds. */
// @ts-ignore: decorator
@inline export function isConstant(queue: Queue, bucket: u32): bool {
  return low(queue, bucket + 1) - low(queue, bucket) <= 1;
}
// @ts-ignore: decorator
@inline export function splitOf(queue: Queue, index: u32): Split {
  return changetype<Split>(base(queue) + splitsAt + <usize>index * splitBytes);
}
/** The bucket after the last split's children: what may be split or loaded lies from here on. */
// @ts-ignore: decorator
@inline export function behind(queue: Queue): u32 {
  return queue.splits ? splitOf(queue, queue.splits - 1).first + splitOf(queue, queue.splits - 1).ways : 0;
}

export function makeEmpty(queue: Queue, bucket: u32): void {
  const chunk = takeChunk();
  setHead(queue, bucket, chunk);
  setTail(queue, bucket, chunk + 8);
  setSealed(queue, bucket, 0);
}

/** The bucket's last chunk is full up to `end`: adds one, and returns where the next key goes. */
export function seal(queue: Queue, bucket: u32, end: usize): usize {
  const chunk = end - chunkBytes;
  const next = takeChunk();
  store<u32>(chunk, <u32>next);
  store<u32>(chunk, <u32>end, 4);
  setSealed(queue, bucket, sealed(queue, bucket) + chunkKeys);
  return next + 8;
}

// @ts-ignore: decorator
@inline export function append(queue: Queue, bucket: u32, key: u64): void {
  let end = tail(queue, bucket);
  store<u64>(end, key);
  end += 8;
  if (!(end & (chunkBytes - 1))) end = seal(queue, bucket, end);
  setTail(queue, bucket, end);
}

/**
 * Moves the table rows from bucket `from` on so that they begin at `to`. Rows left over on the way down get the lows of
 * no bucket.
 */
export function moveRows(queue: Queue, from: u32, to: u32): void {
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
export function unload(queue: Queue, bucket: u32, into: usize): void {
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
export function freeList(chunk: usize, end: usize): void {
  const last = chunkOf(end);
  while (true) {
    const next: usize = load<u32>(chunk);
    freeChunk(chunk);
    if (chunk === last) return;
    chunk = next;
  }
}

/** Appends to the bucket whose tail is at `tailAt`. */
// @ts-ignore: decorator
@inline export function place(queue: Queue, tailAt: usize, key: u64): void {
  let end: usize = load<u32>(tailAt);
  store<u64>(end, key);
  end += 8;
  if (!(end & (chunkBytes - 1))) end = seal(queue, <u32>((tailAt - tails - base(queue)) >> 2), end);
  store<u32>(tailAt, <u32>end);
}
