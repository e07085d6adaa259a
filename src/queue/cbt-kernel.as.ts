/**
 * AssemblyScript. CBT over sorted blocks: a complete binary tournament tree whose N players are blocks of exactly R entries,
 * each block sorted, greatest first. The kernel behind `wasm-cbt.ts`; `sorted-cbt.ts` is the same algorithm in TypeScript,
 * step for step and comparison for comparison: read that one first.
 *
 * An entry is the u64 with the bits of the Float64 of `entry.ts`, compared unsigned.
 * Positions 1 ... 2N-1 hold the item that wins there; leaves are N ... 2N-1; the children of v are 2v and 2v+1. An item is the
 * number of a player; its block is reached through a pointer, so that two items can exchange whole blocks.
 *
 * Invariant I  at every inner position the least entry of the winner's block is >= the greatest of the loser's, so that the
 *              champion holds the R greatest of the tree. It need not hold where the hole has won.
 * Invariant R  the rest, fewer than R entries in no order with the tree, waits in a block beside it: every block in the tree is full.
 * Hole         the champion's item after its block has left: it still wins everywhere on its path. The next block inserted is
 *              put on its leaf and plays there (one way through the tree for an extraction and an insertion); if an extraction
 *              comes first, the hole is closed: the loser of the rightmost match takes the leaf.
 *
 * A match   of two sorted blocks: a bisection tells how many entries change sides. If more than half would, the blocks change
 *           owners instead. Then both blocks are merged in place, one from its back and one from its front, at once.
 * Cost      comparisons: a match 2R + lg R + 3 at most, 2 if nothing changes sides. With h = floor(lg N) + 1: a block inserted plays
 *           <= h, and closing a hole <= h; a block put into the hole <= h in place of both. Sorting a block adds <= 2R, or R lg R by
 *           comparisons alone. So O(R lg(m/R)) worst case, not amortised. A replay is booked to the call that plays it: R out and
 *           R in, over and over, is all insertion. Extracting fewer than R costs as much as R unless the rest holds them all.
 * Memory    one linear memory a thread for all queues: an engine sets address space aside for every memory (V8: gigabytes),
 *           and a thread may hold a thousand queues. 8 bytes an entry, + 16 to 32 a block, + R entries a queue for the rest, and
 *           4R or more once a block size. Freed blocks go to queues of the same R, freed tables to any; all of it starts afresh when
 *           the last queue is disposed of. A memory never shrinks.
 * Errors    none here: `create` returns 0 and `reserve` false when the memory is at its limit, and change nothing. Calls that
 *           break a precondition trap: more entries than staged, held or reserved.
 * Source    Marin, Paredes & Bonacic, WIDM 2008, figures 1 and 2, corrected as README.md tells. Sorted blocks, the match by
 *           bisection, and the hole are ours.
 * Not promised: the order inside an extracted batch; anything for entries whose bits are not those of a Float64 >= 0.
 */

/** Below this many, sorting by digits costs more than it saves. */
const radixFrom: u32 = 64;
/** From this many on, digits have 11 bits, else 8: two digits then leave few neighbours out of order. */
const wideDigitsFrom: u32 = 6000;
/** Entries the staging area holds at least. */
const stagingLeast: u32 = 8192;
/** Leaves one page unused, so that no address overflows. */
const addressLimit: u64 = 0xffff0000;
const none: u32 = 0xffffffff;

/** What the queues of one block size share: free blocks, and room to work in. No two calls run at once. */
@unmanaged class Pool {
  next: usize;
  blockSize: u32;
  /** From block to block: no multiple of 4096, or the ends of all blocks would fall into the same cache sets. */
  stride: u32;
  /** Free blocks, each with the address of the next in its first cell. */
  free: usize;
  freeCount: u32;
  /** A spare block: where a chunk is sorted to. */
  chunk: usize;
  /** 2R entries. */
  scratch: usize;
  /** Entries on their way in and out, a multiple of R of them. */
  staging: usize;
  stagingLength: u32;
}

@unmanaged class Queue {
  pool: usize;
  byComparison: bool;
  /** The rest is sorted. Says nothing when it is empty. */
  restSorted: bool;
  rest: usize;
  restCount: u32;
  /** N, the hole included. */
  count: u32;
  hole: u32;
  /** Items ever made; those not in the tree are chained through `leafOf`, starting at freeItem. */
  made: u32;
  freeItem: u32;
  /** Items the table has room for: a power of 2. */
  capacity: u32;
  /** By position: u32[2 capacity], the start of the one table. By item: u32[capacity] each. */
  winnerAt: usize;
  blockOf: usize;
  leafOf: usize;
}

// ---- Memory ----

let memoryEnd: u64 = 0;
let memoryLimit: u64 = addressLimit;
let pools: usize = 0;
let queues: u32 = 0;
/** Heads of the lists of free tables, by the logarithm of their bytes. */
const freeTables = memory.data(40 * 4, 8);
/** Digit counts of the radix sort. */
const digitCounts = memory.data(4 * 2048, 64);

/** Bytes the memory may come to have. For tests. */
export function limitMemory(bytes: f64): void {
  memoryLimit = min<u64>(<u64>bytes, addressLimit);
}

/** Fresh bytes, a multiple of 8; 0 if there are none. */
function take(bytes: u64): usize {
  if (memoryEnd == 0) memoryEnd = (<u64>__heap_base + 63) & ~63;
  const start = memoryEnd;
  const end = start + bytes;
  if (end > memoryLimit) return 0;
  const pages = <i32>((end + 0xffff) >> 16);
  const missing = pages - memory.size();
  if (missing > 0) {
    // An eighth more than asked, so that growing to n bytes costs O(log n) growths; no more than asked, if that is all there is.
    const generous = min<i32>(missing + (memory.size() >> 3), <i32>(memoryLimit >> 16) - memory.size());
    if ((generous < missing || memory.grow(generous) < 0) && memory.grow(missing) < 0) return 0;
  }
  memoryEnd = end;
  return <usize>start;
}

/** A table of 2^logBytes bytes; 0 if there is none. */
function takeTable(logBytes: u32): usize {
  const head = freeTables + (<usize>logBytes << 2);
  const table = <usize>load<u32>(head);
  if (table == 0) return take(<u64>1 << logBytes);
  store<u32>(head, load<u32>(table));
  return table;
}

function giveTable(table: usize, logBytes: u32): void {
  const head = freeTables + (<usize>logBytes << 2);
  store<u32>(table, load<u32>(head));
  store<u32>(head, <u32>table);
}

/** Brings the free blocks up to `count`. False if the memory does not suffice; those found stay free. */
function reserveBlocks(pool: Pool, count: u32): bool {
  while (pool.freeCount < count) {
    const block = take(pool.stride);
    if (block == 0) return false;
    giveBlock(pool, block);
  }
  return true;
}

function takeBlock(pool: Pool): usize {
  if (pool.freeCount == 0) unreachable();
  const block = pool.free;
  pool.free = <usize>load<u32>(block);
  pool.freeCount--;
  return block;
}

function giveBlock(pool: Pool, block: usize): void {
  store<u32>(block, <u32>pool.free);
  pool.free = block;
  pool.freeCount++;
}

/** The pool of a block size; 0 if it is new and the memory does not suffice. */
function poolOf(blockSize: u32): usize {
  for (let at = pools; at != 0; at = changetype<Pool>(at).next) {
    if (changetype<Pool>(at).blockSize == blockSize) return at;
  }
  const bytes = <u64>blockSize << 3;
  let stride = bytes;
  if (blockSize >= 64) {
    stride = (bytes + 63) & ~63;
    if ((stride & 4095) == 0) stride += 64;
  }
  const stagingLength = max<u32>(1, stagingLeast / blockSize) * blockSize;
  // One piece, so that it is had or not had as a whole: 64 for the pool itself, a block, scratch, staging.
  const start = take(64 + ((stride + 2 * bytes + (<u64>stagingLength << 3) + 63) & ~63));
  if (start == 0) return 0;
  const pool = changetype<Pool>(start);
  pool.blockSize = blockSize;
  pool.stride = <u32>stride;
  pool.free = 0;
  pool.freeCount = 0;
  pool.chunk = start + 64;
  pool.scratch = pool.chunk + <usize>stride;
  pool.staging = pool.scratch + <usize>(2 * bytes);
  pool.stagingLength = stagingLength;
  pool.next = pools;
  pools = start;
  return start;
}

// ---- Queues ----

/** An empty queue over blocks of `blockSize` >= 1, <= 2^22; 0 if the memory does not suffice. */
export function create(blockSize: u32, byComparison: bool): usize {
  if (blockSize == 0 || blockSize > 1 << 22) unreachable();
  const poolAddress = poolOf(blockSize);
  if (poolAddress == 0) return 0;
  const pool = changetype<Pool>(poolAddress);
  if (!reserveBlocks(pool, 1)) return 0;
  const address = takeTable(6);
  if (address == 0) return 0;
  const table = takeTable(7);
  if (table == 0) {
    giveTable(address, 6);
    return 0;
  }
  const queue = changetype<Queue>(address);
  queue.pool = poolAddress;
  queue.byComparison = byComparison;
  queue.restSorted = false;
  queue.rest = takeBlock(pool);
  queue.restCount = 0;
  queue.count = 0;
  queue.hole = none;
  queue.made = 0;
  queue.freeItem = none;
  setTable(queue, table, 8);
  queues++;
  return address;
}

/** Frees the queue and everything of it. Its address must not be used again. */
export function dispose(queue: Queue): void {
  const pool = changetype<Pool>(queue.pool);
  for (let leaf = queue.count; leaf < 2 * queue.count; leaf++) giveBlock(pool, load<u32>(blockSlot(queue, winner(queue, leaf))));
  giveBlock(pool, queue.rest);
  giveTable(queue.winnerAt, 4 + ctz(queue.capacity));
  giveTable(changetype<usize>(queue), 6);
  queues--;
  if (queues == 0) {
    memoryEnd = 0;
    pools = 0;
    memory.fill(freeTables, 0, 40 * 4);
  }
}

/** Makes room for `count` more entries. False, and the queue as it was, if the memory does not suffice. */
export function reserve(queue: Queue, count: f64): bool {
  const pool = changetype<Pool>(queue.pool);
  const chunks = Math.floor((<f64>queue.restCount + count) / <f64>pool.blockSize) - (queue.hole == none ? 0 : 1);
  if (chunks <= 0) return true;
  // More blocks than addresses: said here, since the rest is in u32.
  if (chunks * <f64>pool.stride > <f64>addressLimit) return false;
  const blocks = <u32>chunks;
  let capacity = queue.capacity;
  while (capacity < queue.count + blocks) capacity <<= 1;
  if (!reserveBlocks(pool, blocks)) return false;
  if (capacity > queue.capacity) {
    const table = takeTable(4 + ctz(capacity));
    if (table == 0) return false;
    const oldTable = queue.winnerAt;
    const oldCapacity = queue.capacity;
    const oldBlocks = queue.blockOf;
    const oldLeaves = queue.leafOf;
    setTable(queue, table, capacity);
    memory.copy(queue.winnerAt, oldTable, <usize>oldCapacity << 3);
    memory.copy(queue.blockOf, oldBlocks, <usize>oldCapacity << 2);
    memory.copy(queue.leafOf, oldLeaves, <usize>oldCapacity << 2);
    giveTable(oldTable, 4 + ctz(oldCapacity));
  }
  return true;
}

function setTable(queue: Queue, table: usize, capacity: u32): void {
  queue.capacity = capacity;
  queue.winnerAt = table;
  queue.blockOf = table + (<usize>capacity << 3);
  queue.leafOf = table + (<usize>capacity << 2) * 3;
}

// What the host reads of a queue.
export function staging(queue: Queue): usize { return changetype<Pool>(queue.pool).staging; }
export function stagingLength(queue: Queue): u32 { return changetype<Pool>(queue.pool).stagingLength; }
export function count(queue: Queue): u32 { return queue.count; }
export function hole(queue: Queue): u32 { return queue.hole; }
export function rest(queue: Queue): usize { return queue.rest; }
export function restCount(queue: Queue): u32 { return queue.restCount; }
export function restSorted(queue: Queue): bool { return queue.restSorted; }
export function winnerAt(queue: Queue): usize { return queue.winnerAt; }
export function blockOf(queue: Queue): usize { return queue.blockOf; }
export function leafOf(queue: Queue): usize { return queue.leafOf; }

// ---- The tree ----

/** Comparisons of two entries since the call began. */
let comparisons: u64 = 0;

@inline function winner(queue: Queue, position: u32): u32 {
  return load<u32>(queue.winnerAt + (<usize>position << 2));
}

/** Where the address of an item's block is kept. */
@inline function blockSlot(queue: Queue, item: u32): usize {
  return queue.blockOf + (<usize>item << 2);
}

function seat(queue: Queue, item: u32, leaf: u32): void {
  store<u32>(queue.winnerAt + (<usize>leaf << 2), item);
  store<u32>(queue.leafOf + (<usize>item << 2), leaf);
}

/** Inserts the first `entries` of the staging area, at most its length. Returns the comparisons. */
export function insert(queue: Queue, entries: u32): f64 {
  comparisons = 0;
  const pool = changetype<Pool>(queue.pool);
  if (entries > pool.stagingLength) unreachable();
  const size = pool.blockSize;
  let from = pool.staging;
  let left = entries;
  while (left > 0) {
    if (queue.restCount == 0 && left >= size) {
      sort(pool, from, size, pool.chunk, queue.byComparison);
      insertChunk(queue, pool);
      from += <usize>size << 3;
      left -= size;
      continue;
    }
    const part = min<u32>(left, size - queue.restCount);
    memory.copy(queue.rest + (<usize>queue.restCount << 3), from, <usize>part << 3);
    queue.restCount += part;
    queue.restSorted = false;
    from += <usize>part << 3;
    left -= part;
    if (queue.restCount == size) {
      sort(pool, queue.rest, size, pool.chunk, queue.byComparison);
      queue.restCount = 0;
      insertChunk(queue, pool);
    }
  }
  return <f64>comparisons;
}

/** Moves the `entries` greatest to the staging area: at most its length, and the queue's size. Returns the comparisons. */
export function extract(queue: Queue, entries: u32): f64 {
  comparisons = 0;
  const pool = changetype<Pool>(queue.pool);
  if (entries > pool.stagingLength) unreachable();
  let to = pool.staging;
  let left = entries;
  while (left > 0) {
    const step = min<u32>(left, pool.blockSize);
    extractStep(queue, pool, step, to);
    to += <usize>step << 3;
    left -= step;
  }
  return <f64>comparisons;
}

/** The sorted chunk becomes a block: on the hole's leaf if there is one, else on a new leaf. */
function insertChunk(queue: Queue, pool: Pool): void {
  if (queue.hole != none) {
    const item = queue.hole;
    const slot = blockSlot(queue, item);
    const chunk = pool.chunk;
    pool.chunk = <usize>load<u32>(slot);
    store<u32>(slot, <u32>chunk);
    queue.hole = none;
    replay(queue, pool, load<u32>(queue.leafOf + (<usize>item << 2)));
    return;
  }
  const blocks = queue.count;
  const leaf = 2 * blocks + 1;
  // From the root to the parent of the new leaf; each block on the way keeps the R greatest of itself and the chunk.
  if (blocks > 0) {
    let last = none;
    for (let shift = 31 - clz(leaf); shift >= 1; shift--) {
      const item = winner(queue, leaf >> shift);
      if (item == last) continue;
      last = item;
      keepGreatest(pool, blockSlot(queue, item), changetype<usize>(pool) + offsetof<Pool>('chunk'));
    }
  }
  let item = queue.freeItem;
  if (item == none) item = queue.made++;
  else queue.freeItem = load<u32>(queue.leafOf + (<usize>item << 2));
  if (item >= queue.capacity) unreachable();
  store<u32>(blockSlot(queue, item), <u32>pool.chunk);
  pool.chunk = takeBlock(pool);
  if (blocks == 0) {
    seat(queue, item, 1);
  } else {
    // The first leaf becomes an inner position. Its block still wins there: the chunk is what fell off it.
    seat(queue, winner(queue, blocks), leaf - 1);
    seat(queue, item, leaf);
  }
  queue.count = blocks + 1;
}

/** Moves the `step` <= R greatest to `to`. They are among the champion's, the R greatest of the tree, and the rest. */
function extractStep(queue: Queue, pool: Pool, step: u32, to: usize): void {
  const size = pool.blockSize;
  if (queue.hole != none) closeHole(queue, pool);
  if (queue.restCount > 0 && !queue.restSorted) {
    sort(pool, queue.rest, queue.restCount, pool.chunk, queue.byComparison);
    const unsorted = queue.rest;
    queue.rest = pool.chunk;
    pool.chunk = unsorted;
    queue.restSorted = true;
  }
  const restCount = queue.restCount;
  const rest = queue.rest;
  if (queue.count == 0) {
    if (step > restCount) unreachable();
    memory.copy(to, rest, <usize>step << 3);
    memory.copy(rest, rest + (<usize>step << 3), <usize>(restCount - step) << 3);
    queue.restCount = restCount - step;
    return;
  }
  const champion = winner(queue, 1);
  const block = <usize>load<u32>(blockSlot(queue, champion));
  const fromBlock = restCount == 0 ? step : shareOfFirst(block, rest, restCount, step);
  const fromRest = step - fromBlock;
  const blockBytes = <usize>fromBlock << 3;
  const restBytes = <usize>fromRest << 3;
  memory.copy(to, block, blockBytes);
  memory.copy(to + blockBytes, rest, restBytes);
  if (fromBlock == 0) {
    // The rest alone had them: the tree is as it was.
    memory.copy(rest, rest + restBytes, <usize>(restCount - fromRest) << 3);
    queue.restCount = restCount - fromRest;
    return;
  }
  // What is left of both refills the champion's block if it can, and else is the new rest.
  const left = size - fromBlock + restCount - fromRest;
  const scratch = pool.scratch;
  merge(block + blockBytes, size - fromBlock, rest + restBytes, restCount - fromRest, scratch);
  queue.restSorted = true;
  if (left >= size) {
    memory.copy(block, scratch, <usize>size << 3);
    memory.copy(rest, scratch + (<usize>size << 3), <usize>(left - size) << 3);
    queue.restCount = left - size;
    // A refilled champion may hold small entries, and the replay is still right: at its leaf a block has beaten nobody, and
    // every match it had won lies on the path replayed.
    replay(queue, pool, load<u32>(queue.leafOf + (<usize>champion << 2)));
  } else {
    memory.copy(rest, scratch, <usize>left << 3);
    queue.restCount = left;
    queue.hole = champion;
  }
}

/** The loser of the rightmost match takes the hole's leaf; the tree has one leaf fewer. */
function closeHole(queue: Queue, pool: Pool): void {
  const item = queue.hole;
  queue.hole = none;
  giveBlock(pool, <usize>load<u32>(blockSlot(queue, item)));
  const last = --queue.count;
  let leaf: u32 = 0;
  if (last > 0) {
    const staying = winner(queue, last);
    const left = winner(queue, 2 * last);
    const moving = left == staying ? winner(queue, 2 * last + 1) : left;
    seat(queue, staying, last);
    // Read only now: the hole may be the item that stayed. Never the one that moves, which lost its first match.
    leaf = load<u32>(queue.leafOf + (<usize>item << 2));
    seat(queue, moving, leaf);
  }
  store<u32>(queue.leafOf + (<usize>item << 2), queue.freeItem);
  queue.freeItem = item;
  replay(queue, pool, leaf);
}

/**
 * Plays the matches from the parent of `leaf` up to the root again. The block with the larger LEAST entry wins: then the loser's
 * least stays what it was and the winner's can only rise, and whatever either had beaten remains dominated.
 */
function replay(queue: Queue, pool: Pool, leaf: u32): void {
  const last = (<usize>pool.blockSize - 1) << 3;
  for (let at = leaf >> 1; at >= 1; at >>= 1) {
    let won = winner(queue, 2 * at);
    let lost = winner(queue, 2 * at + 1);
    comparisons++;
    if (load<u64>(<usize>load<u32>(blockSlot(queue, won)) + last) < load<u64>(<usize>load<u32>(blockSlot(queue, lost)) + last)) {
      const swapped = won;
      won = lost;
      lost = swapped;
    }
    store<u32>(queue.winnerAt + (<usize>at << 2), won);
    keepGreatest(pool, blockSlot(queue, won), blockSlot(queue, lost));
  }
}

// ---- Blocks ----

/** The block at one slot keeps the R greatest of both, the block at the other gets the rest. Both stay sorted. */
function keepGreatest(pool: Pool, keeperSlot: usize, otherSlot: usize): void {
  const size = pool.blockSize;
  const bytes = <usize>size << 3;
  const keeper = <usize>load<u32>(keeperSlot);
  const other = <usize>load<u32>(otherSlot);
  comparisons++;
  if (load<u64>(keeper + bytes - 8) >= load<u64>(other)) return;
  // How many of its own the keeper keeps: by bisection, and not all, as is known.
  let kept: u32 = 0;
  let most = size - 1;
  while (kept < most) {
    const middle = (kept + most) >> 1;
    comparisons++;
    if (load<u64>(keeper + (<usize>middle << 3)) >= load<u64>(other + (<usize>(size - 1 - middle) << 3))) kept = middle + 1;
    else most = middle;
  }
  // At most half may change sides: otherwise the blocks do, and those that were to stay.
  if (kept < size - kept) {
    store<u32>(keeperSlot, <u32>other);
    store<u32>(otherSlot, <u32>keeper);
    exchange(other, keeper, bytes, <usize>kept << 3, pool.scratch);
  } else {
    exchange(keeper, other, bytes, <usize>(size - kept) << 3, pool.scratch);
  }
}

/**
 * Exchanges the last `moved` bytes of the keeper with the first `moved` of the other, both sorted before and after. The keeper is
 * merged from the back and the other from the front, at once: two chains that do not wait for each other, and no branch that
 * depends on an entry.
 */
function exchange(keeper: usize, other: usize, bytes: usize, moved: usize, scratch: usize): void {
  // What falls and what rises is copied out of the way.
  const fallen = scratch;
  const risen = scratch + moved;
  memory.copy(fallen, keeper + bytes - moved, moved);
  memory.copy(risen, other, moved);
  // The keeper: i stays, j rises. The other: p falls, q stays. A writer meets the reader of what stays only when all is in place.
  let i = keeper + bytes - moved;
  let j = risen + moved;
  let low = keeper + bytes;
  let p = fallen;
  let q = other + moved;
  let high = other;
  const end = other + bytes;
  let steps: u64 = 0;
  while (i > keeper && j > risen && p < risen && q < end) {
    const a = load<u64>(i - 8);
    const b = load<u64>(j - 8);
    const last = <usize>(a < b) << 3;
    low -= 8;
    store<u64>(low, last ? a : b);
    i -= last;
    j -= 8 - last;
    const c = load<u64>(p);
    const d = load<u64>(q);
    const first = <usize>(c >= d) << 3;
    store<u64>(high, first ? c : d);
    high += 8;
    p += first;
    q += 8 - first;
    steps += 2;
  }
  // One of the two may be left to finish.
  while (i > keeper && j > risen) {
    const a = load<u64>(i - 8);
    const b = load<u64>(j - 8);
    const last = <usize>(a < b) << 3;
    low -= 8;
    store<u64>(low, last ? a : b);
    i -= last;
    j -= 8 - last;
    steps++;
  }
  memory.copy(keeper, risen, j - risen);
  while (p < risen && q < end) {
    const c = load<u64>(p);
    const d = load<u64>(q);
    const first = <usize>(c >= d) << 3;
    store<u64>(high, first ? c : d);
    high += 8;
    p += first;
    q += 8 - first;
    steps++;
  }
  memory.copy(high, p, risen - p);
  comparisons += steps;
}

/** How many of the `wanted` greatest of a full block and a sorted run are the block's. Equal entries are taken from the block. */
function shareOfFirst(block: usize, run: usize, runCount: u32, wanted: u32): u32 {
  let low = wanted > runCount ? wanted - runCount : 0;
  let high = wanted;
  while (low < high) {
    const middle = (low + high) >> 1;
    comparisons++;
    if (load<u64>(block + (<usize>middle << 3)) >= load<u64>(run + (<usize>(wanted - 1 - middle) << 3))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two sorted runs become one, at `to`, which overlaps neither. */
function merge(one: usize, oneCount: u32, two: usize, twoCount: u32, to: usize): void {
  const oneEnd = one + (<usize>oneCount << 3);
  const twoEnd = two + (<usize>twoCount << 3);
  while (one < oneEnd && two < twoEnd) {
    const a = load<u64>(one);
    const b = load<u64>(two);
    const first = <usize>(a >= b) << 3;
    store<u64>(to, first ? a : b);
    to += 8;
    one += first;
    two += 8 - first;
    comparisons++;
  }
  memory.copy(to, one, oneEnd - one);
  memory.copy(to + (oneEnd - one), two, twoEnd - two);
}

// ---- Sorting ----

/**
 * Sorts count <= R entries, greatest first, from `from` to `to`: by the two highest digits that differ, and then by insertion, which
 * finds little to do; where it finds more than `count` moves, by all digits. Or by comparisons alone: merge sort.
 */
function sort(pool: Pool, from: usize, count: u32, to: usize, byComparison: bool): void {
  const scratch = pool.scratch;
  if (byComparison || count < radixFrom) {
    mergeSort(from, count, to, scratch);
    return;
  }
  const first = load<u64>(from);
  let differing: u64 = 0;
  const end = from + (<usize>count << 3);
  for (let at = from; at < end; at += 8) differing |= load<u64>(at) ^ first;
  const bits = 64 - <u32>clz(differing);
  const digit: u32 = count < wideDigitsFrom ? 8 : 11;
  const low: u32 = bits > 2 * digit ? bits - 2 * digit : 0;
  radixSort(from, count, to, scratch, low, bits, digit);
  if (low > 0 && !finishSorting(to, count)) radixSort(from, count, to, scratch, 0, bits, digit);
}

/** Sorts by bits low ... high-1, stably, greatest first, a digit a pass, the lowest first. */
function radixSort(from: usize, count: u32, to: usize, scratch: usize, low: u32, high: u32, digit: u32): void {
  const bytes = <usize>count << 3;
  const mask: u64 = (<u64>1 << digit) - 1;
  const countsEnd = digitCounts + ((<usize>mask + 1) << 2);
  let passes = (high - low + digit - 1) / digit;
  if (passes == 0) memory.copy(to, from, bytes);
  for (let shift: u64 = low; passes > 0; shift += digit) {
    passes--;
    const target = (passes & 1) == 0 ? to : scratch;
    const end = from + bytes;
    memory.fill(digitCounts, 0, (<usize>mask + 1) << 2);
    for (let at = from; at < end; at += 8) {
      const cell = digitCounts + (<usize>((load<u64>(at) >> shift) & mask) << 2);
      store<u32>(cell, load<u32>(cell) + 8);
    }
    // Counts become addresses, the greatest digit first.
    let address = <u32>target;
    for (let cell = countsEnd; cell > digitCounts; ) {
      cell -= 4;
      const length = load<u32>(cell);
      store<u32>(cell, address);
      address += length;
    }
    for (let at = from; at < end; at += 8) {
      const entry = load<u64>(at);
      const cell = digitCounts + (<usize>((entry >> shift) & mask) << 2);
      const place = load<u32>(cell);
      store<u32>(cell, place + 8);
      store<u64>(<usize>place, entry);
    }
    from = target;
  }
}

/** Insertion sort that gives up, false, when it would move more than `count` entries. */
function finishSorting(run: usize, count: u32): bool {
  const end = run + (<usize>count << 3);
  let moves = count;
  for (let at = run + 8; at < end; at += 8) {
    const entry = load<u64>(at);
    let hole = at;
    while (hole > run) {
      const before = load<u64>(hole - 8);
      comparisons++;
      if (before >= entry) break;
      if (moves == 0) return false;
      moves--;
      store<u64>(hole, before);
      hole -= 8;
    }
    store<u64>(hole, entry);
  }
  return true;
}

/** Merge sort from the bottom up: runs of 1, 2, 4, ... */
function mergeSort(from: usize, count: u32, to: usize, scratch: usize): void {
  const bytes = <usize>count << 3;
  const passes: u32 = count > 1 ? 32 - clz(count - 1) : 0;
  let source = (passes & 1) == 0 ? to : scratch;
  let target = (passes & 1) == 0 ? scratch : to;
  memory.copy(source, from, bytes);
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let start: u32 = 0; start < count; start += 2 * width) {
      const middle = min<u32>(start + width, count);
      const end = min<u32>(start + 2 * width, count);
      merge(source + (<usize>start << 3), middle - start, source + (<usize>middle << 3), end - middle, target + (<usize>start << 3));
    }
    const swapped = source;
    source = target;
    target = swapped;
  }
}
