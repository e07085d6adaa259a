import {
  createPagedQueue, entryIndex, entryKey, packEntry, type IoCounts, type PagedQueueKind,
} from '../../../core/queue/index.ts';
import { assert, DrawStream } from '../../../base/index.ts';
import { ioBetween } from './io.ts';

/** Entries that go in and come out at a time; also in stxxl-priority-queue.cpp. */
const BATCH = 8192;

/** A queue in secondary memory is filled, then emptied in order. */
export interface DrainTask {
  readonly entries: number;
  /** Main memory the queue may use for entries. */
  readonly memoryBytes: number;
  readonly seed: number;
}

export interface PagedDrainTask extends DrainTask {
  readonly kind: PagedQueueKind;
  /** The file to make. It is left behind, of no use. */
  readonly path: string;
  /** A CBT's block has the keys of a page. */
  readonly pageBytes: number;
}

/** What one direction cost. */
export interface DrainPhase extends IoCounts {
  /** Entries are made and looked at while the clock stands. */
  readonly seconds: number;
  /** null where the queue does not count. */
  readonly comparisons: number | null;
}

export interface Drained {
  readonly insert: DrainPhase;
  readonly extract: DrainPhase;
  /** Bytes of a read or write. */
  readonly pageBytes: number;
  /**
   * Depends on the entries of every batch that left, and on the order of batches: equal for queues that return the
   * same.
   */
  readonly checksum: number;
  /**
   * The most by which the process's resident memory exceeded that before the queue was made, seen after each batch;
   * null: not known.
   */
  readonly residentGrowthBytes: number | null;
}

/**
 * Fills a paged queue with entries of uniform keys and empties it, in this process: run it in one of its own, or the
 * memory of others counts. AssertionError where an entry comes out after a smaller one, or what comes out is not what
 * went in, by number and sum.
 */
export function drain({ kind, path, entries, memoryBytes, pageBytes, seed }: PagedDrainTask): Drained {
  const draws = new DrawStream(seed, 'drain');
  const batch = new Float64Array(BATCH);
  const startBytes = process.memoryUsage.rss();
  let resident = startBytes;
  const queue = createPagedQueue({ kind, path, cacheBytes: memoryBytes, pageBytes, seed });
  const timed = (operation: () => void): number => {
    const started = performance.now();
    operation();
    const ms = performance.now() - started;
    resident = Math.max(resident, process.memoryUsage.rss());
    return ms / 1000;
  };
  try {
    const empty = { ...queue.io };
    let inserting = 0;
    let balance = 0;
    for (let first = 0; first < entries; first += BATCH) {
      const size = Math.min(BATCH, entries - first);
      for (let i = 0; i < size; i++) batch[i] = packEntry(draws.uint32(first + i) >>> 2, first + i);
      balance = (balance + sumOf(batch, size)) >>> 0;
      inserting += timed(() => queue.insertMany(batch, 0, size));
    }
    const full = { ...queue.io };
    let extracting = 0;
    let checksum = 0;
    let count = 0;
    let least = Infinity;
    while (queue.size > 0) {
      let size = 0;
      extracting += timed(() => (size = queue.extractTop(BATCH, batch)));
      const limit = least;
      for (let i = 0; i < size; i++) {
        assert(batch[i] <= limit, () => `${kind}: entry ${batch[i]} came after ${limit}`);
        if (batch[i] < least) least = batch[i];
      }
      const sum = sumOf(batch, size);
      count += size;
      balance = (balance - sum) >>> 0;
      checksum = (Math.imul(checksum, 31) + sum) >>> 0;
    }
    assert(count === entries && balance === 0, () => `${kind}: ${count} of ${entries} entries came out, or others`);
    const { insert, extract } = queue.comparisons;
    return {
      insert: { seconds: inserting, comparisons: insert, ...ioBetween(empty, full) },
      extract: { seconds: extracting, comparisons: extract, ...ioBetween(full, queue.io) },
      pageBytes, checksum, residentGrowthBytes: resident - startBytes,
    };
  } finally {
    queue.dispose();
  }
}

function sumOf(batch: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum = (sum + entryKey(batch[i]) + entryIndex(batch[i])) >>> 0;
  return sum;
}
