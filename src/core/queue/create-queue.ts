import { assert, checkFields } from '../../base/index.ts';
import { BinaryHeap } from './binary-heap.ts';
import { createPagedQueue, minMemoryBytes, pageBytesFor, type PagedQueueKind } from './paged/create-paged-queue.ts';
import { checkKind, MAX_QUICKHEAP_BLOCK } from './preconditions.ts';
import { queueKinds, type PriorityQueue, type QueueOptions } from './priority-queue.ts';
import { SlicedQueue } from './sliced/sliced-queue.ts';
import { sliceOptions } from './sliced/slicing.ts';
import { WasmCbt } from './cbt/wasm-cbt.ts';
import { WasmQuickHeap } from './quickheap/wasm-quickheap.ts';

const optionFields = {
  kind: true, block: true, seed: true, compareOnly: true, slices: true, slicing: true, memoryBytes: true, path: true,
} as const satisfies Record<keyof QueueOptions, true>;

/**
 * Makes an empty queue: in the kernels of the thread or, if its memory is bounded, in a new file. Dispose of it:
 * otherwise the memory waits for the garbage collector, and the file stays open.
 *
 * By default it works by comparisons alone: a crawl records the comparisons of its queues as a machine-independent
 * measure of work, and a radix sort moves keys without comparing any. The price is some time: see `compareOnly`.
 *
 * @param options - its kind, the size of a batch, and where its entries are.
 * @returns the queue.
 * @throws AssertionError for a block, memory or number of slices it cannot use, WorldError if the thread's memory is
 * not enough or the file cannot be written, InputError for an unknown kind, or if the file cannot be created.
 */
export function createQueue(options: QueueOptions): PriorityQueue {
  checkFields('options', options, optionFields);
  const { kind, block, seed, slices = 1, slicing = 'exact', compareOnly = true, memoryBytes = 0, path } = options;
  checkKind(kind, queueKinds);
  if (slices !== 1) {
    return new SlicedQueue({ slices, slicing, make: (slice) => createQueue(sliceOptions(options, slice)) });
  }
  if (memoryBytes > 0) {
    assert(kind !== 'binary-heap', 'a binary heap cannot be in a file: its accesses are at random');
    assert(path !== undefined, 'a queue whose memory is bounded needs a path');
    return createPagedQueue({
      kind, block, seed, path, cacheBytes: memoryBytes, pageBytes: pageBytesFor(kind, block, memoryBytes),
    });
  }
  switch (kind) {
    case 'binary-heap':
      return new BinaryHeap();
    case 'cbt':
      return new WasmCbt(block, { compareOnly });
    case 'quickheap':
      // A hint: a larger batch is extracted in several runs.
      return new WasmQuickHeap(Math.min(block, MAX_QUICKHEAP_BLOCK), { compareOnly });
  }
}

/** The minimum memory to which a CBT or QuickHeap can be bounded, in bytes, over all slices. */
export function leastQueueMemoryBytes({
  kind, block, slices = 1,
}: Pick<QueueOptions, 'block' | 'slices'> & { kind: PagedQueueKind }): number {
  return slices * minMemoryBytes(kind, Math.ceil(block / slices));
}
