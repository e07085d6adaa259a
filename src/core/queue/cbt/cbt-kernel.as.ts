/**
 * AssemblyScript. CBT over sorted blocks: a complete binary tournament tree whose N players are blocks of exactly R
 * entries, each block sorted, greatest first. The kernel behind `wasm-cbt.ts`; `test/queue/twins/sorted-cbt.ts` is the
 * same algorithm in TypeScript, step for step and comparison for comparison: read it first.
 *
 * An entry is the u64 with the bits of the Float64 of `entry.ts`, compared unsigned. Positions 1 ... 2N-1 hold the item
 * that wins there; leaves are N ... 2N-1; the children of v are 2v and 2v+1. An item is the number of a player; its
 * block is reached through a pointer, so that two items can exchange whole blocks.
 *
 * Invariant I  at every inner position the least entry of the winner's block is >= the greatest of the loser's, so that
 *              the champion holds the R greatest of the tree. It need not hold where the hole has won.
 * Invariant R the rest, fewer than R entries unrelated to the order of the tree, is in a block beside it: every block
 *              in the tree is full.
 * Hole         the champion's item after its block has left: it still wins everywhere on its path. The next block
 *              inserted is put on its leaf and plays there (one way through the tree for an extraction and an
 *              insertion); if an extraction comes first, the hole is closed: the loser of the rightmost match takes the
 *              leaf.
 *
 * A match   of two sorted blocks: a bisection finds how many entries change sides. If more than half would, the blocks
 *           change owners instead. Then both blocks are merged in place, one from its back and one from its front, at
 *           once.
 * Cost      comparisons: a match 2R + lg R + 3 at most, 2 if nothing changes sides. With h = floor(lg N) + 1: a block
 *           inserted plays <= h, and closing a hole <= h; a block put into the hole <= h in place of both. Sorting a
 *           block adds <= 2R, or R lg R by comparisons alone. Beside a rest, an extraction adds its sorting and 2R + lg
 *           R. So O(R lg(m/R)) worst case, not amortised. A replay is booked to the call that plays it: R out and R in,
 *           over and over, is all insertion. Extracting fewer than R costs as much as R unless the rest holds them all.
 * Memory    one linear memory per thread for all queues: V8 reserves gigabytes of address space per memory, and a
 *           thread may have thousands of queues. 8 bytes per entry, up to twice that below R entries, + 16 to 32 per
 *           block, + R entries for the rest once there is a block, and 4R or more once per block size; 200 bytes per
 *           queue. Freed blocks go to queues of the same R, freed tables to any; all of it starts afresh when the last
 *           queue is disposed of. A memory never shrinks.
 * Errors    none here: `create` returns 0 and `reserve` false when the memory is at its limit, and change nothing.
 *           Calls that break a precondition trap: more entries than staged, held or reserved.
 * Source    Marin, Paredes & Bonacic, WIDM 2008, figures 1 and 2, corrected as described in README.md. Sorted blocks,
 *           the match by bisection, and the hole are ours.
 * Not promised: the order inside an extracted batch; anything for entries whose bits are not those of a Float64 >= 0.
 */

import { counted, hasLesserLeast, keepGreatest, merge, shareOfFirst, sort, startCounting } from './cbt-blocks.as';
import { blockSlot, giveBlock, none, Pool, Queue, takeBlock, winner } from './cbt-memory.as';

export {
  limitMemory, create, dispose, reserve,
  staging, stagingLength, count, hole, rest, restCount, restSorted, winnerAt, blockOf, leafOf,
} from './cbt-memory.as';

/** Inserts the first `entries` of the staging area, at most its length. Returns the comparisons. */
export function insert(queue: Queue, entries: u32): f64 {
  startCounting();
  const pool = changetype<Pool>(queue.pool);
  if (entries > pool.stagingLength) unreachable();
  const size = pool.blockSize;
  let from = pool.staging;
  let left = entries;
  while (left > 0) {
    if (queue.restCount == 0 && left >= size) {
      sort(pool, from, size, pool.chunk, queue.compareOnly);
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
      sort(pool, queue.rest, size, pool.chunk, queue.compareOnly);
      queue.restCount = 0;
      insertChunk(queue, pool);
    }
  }
  return counted();
}

/**
 * Moves the `entries` greatest to the staging area: at most its length, and the queue's size. Returns the comparisons.
 */
export function extract(queue: Queue, entries: u32): f64 {
  startCounting();
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
  return counted();
}

/** The sorted chunk becomes a block: on the hole's leaf if there is one, otherwise on a new leaf. */
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
    sort(pool, queue.rest, queue.restCount, pool.chunk, queue.compareOnly);
    if (queue.restRoom == size) {
      const unsorted = queue.rest;
      queue.rest = pool.chunk;
      pool.chunk = unsorted;
    } else memory.copy(queue.rest, pool.chunk, <usize>queue.restCount << 3);
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
  // What is left of both refills the champion's block if it suffices, and otherwise is the new rest.
  const left = size - fromBlock + restCount - fromRest;
  const scratch = pool.scratch;
  merge(block + blockBytes, size - fromBlock, rest + restBytes, restCount - fromRest, scratch);
  queue.restSorted = true;
  if (left >= size) {
    memory.copy(block, scratch, <usize>size << 3);
    memory.copy(rest, scratch + (<usize>size << 3), <usize>(left - size) << 3);
    queue.restCount = left - size;
    // A refilled champion may hold small entries, and the replay is still right: at its leaf a block has beaten nobody,
    // and every match it had won lies on the path replayed.
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
 * Plays the matches from the parent of `leaf` up to the root again. The block with the larger LEAST entry wins: then
 * the loser's least stays what it was and the winner's can only rise, and whatever either had beaten remains dominated.
 */
function replay(queue: Queue, pool: Pool, leaf: u32): void {
  for (let at = leaf >> 1; at >= 1; at >>= 1) {
    let won = winner(queue, 2 * at);
    let lost = winner(queue, 2 * at + 1);
    if (hasLesserLeast(load<u32>(blockSlot(queue, won)), load<u32>(blockSlot(queue, lost)), pool.blockSize)) {
      const swapped = won;
      won = lost;
      lost = swapped;
    }
    store<u32>(queue.winnerAt + (<usize>at << 2), won);
    keepGreatest(pool, blockSlot(queue, won), blockSlot(queue, lost));
  }
}

function seat(queue: Queue, item: u32, leaf: u32): void {
  store<u32>(queue.winnerAt + (<usize>leaf << 2), item);
  store<u32>(queue.leafOf + (<usize>item << 2), leaf);
}
