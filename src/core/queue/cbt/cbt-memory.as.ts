/**
 * AssemblyScript. The memory of the queues of cbt-kernel.as.ts: one linear memory, an allocator in it, and the tables
 * of each queue.
 *
 * Three kinds of memory: blocks, all of one length within a pool, one pool per block size; tables, of 2^n bytes; and
 * the working space of each pool, which is never freed. Freed blocks and tables wait in lists. Fresh memory comes from
 * the end, which moves back only when there is no queue left.
 *
 * Errors    address 0 or false if the memory is not enough; nothing that was in use has then changed.
 */

/** Minimum number of entries in the staging area. */
const minStagedKeys: u32 = 8192;
/** Leaves one page unused, so that no address overflows. */
const addressLimit: u64 = 0xffff0000;
export const none: u32 = 0xffffffff;

/** Free blocks and working space of all queues with the same block size. No two calls run at once. */
@unmanaged export class Pool {
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

@unmanaged export class Queue {
  pool: usize;
  compareOnly: bool;
  /** Whether the rest is sorted. Meaningless when it is empty. */
  restSorted: bool;
  rest: usize;
  restCount: u32;
  /** Entries the rest has room for: 0 or 2^n < R, and R, which is a block, before there is one in the tree. */
  restRoom: u32;
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

let memoryEnd: u64 = 0;
let memoryLimit: u64 = addressLimit;
let pools: usize = 0;
let queues: u32 = 0;
/** Heads of the lists of free tables, by the logarithm of their bytes. */
const freeTables = memory.data(40 * 4, 8);

/** Maximum bytes of the memory. For tests. */
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
    // An eighth more than asked, so that growing to n bytes costs O(log n) growths; no more than asked, if that is all
    // there is.
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

export function takeBlock(pool: Pool): usize {
  if (pool.freeCount == 0) unreachable();
  const block = pool.free;
  pool.free = <usize>load<u32>(block);
  pool.freeCount--;
  return block;
}

export function giveBlock(pool: Pool, block: usize): void {
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
  const stagingLength = max<u32>(1, minStagedKeys / blockSize) * blockSize;
  // One piece, so that it is allocated as a whole or not at all: 64 for the pool itself, a block, scratch, staging.
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

/** An empty queue over blocks of `blockSize` >= 1, <= 2^22; 0 if the memory does not suffice. */
export function create(blockSize: u32, compareOnly: bool): usize {
  if (blockSize == 0 || blockSize > 1 << 22) unreachable();
  const poolAddress = poolOf(blockSize);
  if (poolAddress == 0) return 0;
  const pool = changetype<Pool>(poolAddress);
  const address = takeTable(6);
  if (address == 0) return 0;
  const table = takeTable(7);
  if (table == 0) {
    giveTable(address, 6);
    return 0;
  }
  const queue = changetype<Queue>(address);
  queue.pool = poolAddress;
  queue.compareOnly = compareOnly;
  queue.restSorted = false;
  queue.rest = 0;
  queue.restCount = 0;
  queue.restRoom = 0;
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
  for (let leaf = queue.count; leaf < 2 * queue.count; leaf++)
    giveBlock(pool, load<u32>(blockSlot(queue, winner(queue, leaf))));
  giveRest(queue, pool);
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
  if (!reserveRest(queue, pool, chunks > 0 ? <f64>pool.blockSize : <f64>queue.restCount + count)) return false;
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

/**
 * Makes room for min(`entries`, R) in the rest. A queue of fewer than R entries takes no block: R may be large, and
 * queues many.
 */
function reserveRest(queue: Queue, pool: Pool, entries: f64): bool {
  if (entries <= <f64>queue.restRoom || queue.restRoom == pool.blockSize) return true;
  let room: u32 = 8;
  while (<f64>room < entries && room < pool.blockSize) room <<= 1;
  let larger: usize = 0;
  if (room < pool.blockSize) larger = takeTable(3 + ctz(room));
  else {
    room = pool.blockSize;
    if (reserveBlocks(pool, 1)) larger = takeBlock(pool);
  }
  if (larger == 0) return false;
  memory.copy(larger, queue.rest, <usize>queue.restCount << 3);
  giveRest(queue, pool);
  queue.rest = larger;
  queue.restRoom = room;
  return true;
}

function giveRest(queue: Queue, pool: Pool): void {
  if (queue.restRoom == pool.blockSize) giveBlock(pool, queue.rest);
  else if (queue.restRoom > 0) giveTable(queue.rest, 3 + ctz(queue.restRoom));
}

function setTable(queue: Queue, table: usize, capacity: u32): void {
  queue.capacity = capacity;
  queue.winnerAt = table;
  queue.blockOf = table + (<usize>capacity << 3);
  queue.leafOf = table + (<usize>capacity << 2) * 3;
}

@inline export function winner(queue: Queue, position: u32): u32 {
  return load<u32>(queue.winnerAt + (<usize>position << 2));
}

/** Address of the cell with the address of an item's block. */
@inline export function blockSlot(queue: Queue, item: u32): usize {
  return queue.blockOf + (<usize>item << 2);
}

// The fields of a queue that the host reads.
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
