/**
 * The memory of a thread's QuickHeaps: the stage, through which entries come and go, and behind it chunks for keys and
 * spans of whole chunks for queues, runs and scratch. Freed memory waits in lists and is reused; nothing is returned to
 * the engine.
 */

/**
 * A chunk: 8 bytes of header (address of the next chunk, end of the keys), 511 keys; aligned, so a full one's end is 0
 * mod 4096.
 */
export const chunkBytes: usize = 4096;
export const chunkKeys: u32 = 511;
/** Insert and extract move at most this many keys per call, through the stage. */
export const stageKeys: u32 = 8192;

let freeChunks: usize = 0;
let freeCount: u32 = 0;
/** Heads of the lists of free spans, by the logarithm of their bytes. */
const freeSpans = memory.data(32 * 4, 8);
/** The stage begins here; everything below is left to the compiler. */
export let stageAt: usize = 0;
let unused: usize = 0;
let memoryEnd: usize = 0;

/** Ensures that so many chunks can be allocated. False, without any change, if memory runs out. */
export function reserve(chunks: u32): bool {
  const have = freeCount + <u32>((memoryEnd - unused) / chunkBytes);
  if (have >= chunks) return true;
  const pages = <i32>((chunks - have + 15) >> 4);
  const generous = max(pages, memory.size() >> 3);
  if (memory.grow(generous) < 0 && memory.grow(pages) < 0) return false;
  memoryEnd = <usize>memory.size() << 16;
  return true;
}

export function takeChunk(): usize {
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

export function freeChunk(chunk: usize): void {
  store<u32>(chunk, <u32>freeChunks);
  freeChunks = chunk;
  freeCount++;
}

/** A span of so many bytes, from `spanFor`: a freed one, or a new one, reserved by the caller. */
export function takeSpan(bytes: u32): usize {
  const list = freeSpans + (<usize>ctz(bytes) << 2);
  const span = <usize>load<u32>(list);
  if (span) {
    store<u32>(list, load<u32>(span));
    return span;
  }
  if (unused + bytes > memoryEnd) unreachable();
  unused += bytes;
  return unused - bytes;
}

export function freeSpan(span: usize, bytes: u32): void {
  const list = freeSpans + (<usize>ctz(bytes) << 2);
  store<u32>(span, load<u32>(list));
  store<u32>(list, <u32>span);
}

/** The length of a span that holds `bytes`: a power of two, so that what one queue leaves fits the next. */
export function spanFor(bytes: u32): u32 {
  return bytes <= <u32>chunkBytes ? <u32>chunkBytes : <u32>1 << (32 - clz(bytes - 1));
}

/** Resets the pool once nothing is in use: all memory is free again. */
export function startAfresh(): void {
  unused = stageAt + 8 * stageKeys;
  freeChunks = 0;
  freeCount = 0;
  memory.fill(freeSpans, 0, 32 * 4);
  scratchAt = 0;
  scratchBytes = 0;
  scratchRunKeys = 0;
}

/** Entries to insert, and entries extracted, pass through the stage, at most `stageLength` per call. */
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

/** Chunks of the pool that wait, and bytes ever taken from memory. */
export function idleChunks(): u32 { return freeCount; }
export function bytesTaken(): usize { return unused; }

// ---- Scratch: 32 KiB for counts and samples, and twice 2F keys for the largest F of a queue yet.

let scratchAt: usize = 0;
let scratchBytes: u32 = 0;
let scratchRunKeys: u32 = 0;

/** Makes room for queues with runs of `least` keys; the caller has reserved `scratchFor` it. */
export function growScratch(least: u32): void {
  if (least <= scratchRunKeys) return;
  least = max(least, 1024);
  const bytes = scratchFor(least);
  const larger = takeSpan(bytes);
  if (scratchAt) freeSpan(scratchAt, scratchBytes);
  scratchAt = larger;
  scratchBytes = bytes;
  scratchRunKeys = least;
}

export function scratchFor(least: u32): u32 { return spanFor(32768 + (max(least, 1024) << 5)); }
/** The largest F of a queue yet. */
export function maxRunKeys(): u32 { return scratchRunKeys; }
export function countScratch(): usize { return scratchAt; }
export function addedScratch(): usize { return scratchAt + 32768; }
export function otherScratch(): usize { return scratchAt + 32768 + (<usize>scratchRunKeys << 4); }
