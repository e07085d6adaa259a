import { assert } from '../base/index.ts';
import { BinaryHeap } from './binary-heap.ts';
import { createPagedQueue, leastMemoryBytes, pageBytesFor, type PagedQueueKind } from './paged/create-paged-queue.ts';
import { largestQuickHeapBlock } from './preconditions.ts';
import type { PriorityQueue, QueueOptions } from './priority-queue.ts';
import { SlicedQueue } from './sliced/sliced-queue.ts';
import { sliceOptions } from './sliced/slicing.ts';
import { WasmCbt } from './cbt/wasm-cbt.ts';
import { WasmQuickHeap } from './quickheap/wasm-quickheap.ts';

/**
 * An empty queue: in the kernels of the thread, or, where its memory is bounded, in a new file. Dispose of it, or their
 * memory waits for the collector, and the file stays open.
 *
 * It works by comparisons alone unless told otherwise: what a crawl records of its queues is their comparisons, its
 * measure of their work whatever the machine, and a radix sort moves keys without comparing any. The price is some
 * time: see `compareOnly`.
 *
 * @param options - its kind, the size of a batch, and where its entries are.
 * @returns the queue.
 * @throws AssertionError for a block, memory or number of slices it cannot use, WorldError where the thread's memory
 * does not suffice or the file cannot be written, InputError where it cannot be made.
 */
export function createQueue(options: QueueOptions): PriorityQueue {
  const { kind, block, slices = 1, slicing = 'exact', compareOnly = true, memoryBytes = 0, path } = options;
  if (slices !== 1) {
    return new SlicedQueue({ slices, slicing, make: (slice) => createQueue(sliceOptions(options, slice)) });
  }
  if (memoryBytes > 0) {
    assert(kind !== 'binary-heap', 'a binary heap cannot be in a file: its accesses are at random');
    assert(path !== undefined, 'a queue whose memory is bounded needs a path');
    return createPagedQueue({
      ...options, kind, path, cacheBytes: memoryBytes, pageBytes: pageBytesFor(kind, block, memoryBytes),
    });
  }
  switch (kind) {
    case 'binary-heap':
      return new BinaryHeap();
    case 'cbt':
      return new WasmCbt(block, { compareOnly });
    case 'quickheap':
      // A hint to it: beyond this, it takes a batch in several runs.
      return new WasmQuickHeap(Math.min(block, largestQuickHeapBlock), { compareOnly });
  }
}

/** The least memory that a CBT or QuickHeap can be bounded to, bytes, all its slices together. */
export function leastQueueMemoryBytes({
  kind, block, slices = 1,
}: Pick<QueueOptions, 'block' | 'slices'> & { kind: PagedQueueKind }): number {
  return slices * leastMemoryBytes(kind, Math.ceil(block / slices));
}
