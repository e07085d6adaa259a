import { BinaryHeap } from './binary-heap.ts';
import { Cbt } from './cbt.ts';
import type { PriorityQueue, QueueOptions } from './priority-queue.ts';
import { QuickHeap } from './quickheap.ts';
import { SlicedQueue } from './sliced-queue.ts';
import { sliceOptions } from './slicing.ts';

export { BucketQuickHeap } from './bucket-quickheap.ts';
export { entryIndex, entryKey, keyLimit, keyOfScore, packEntry } from './entry.ts';
export { SortedCbt, blockSizeLimit } from './sorted-cbt.ts';
export { CbtKernel, WasmCbt } from './wasm-cbt.ts';
export { expectedMissedFraction, missedFraction } from './missed-fraction.ts';
export { queueKinds, slicings } from './priority-queue.ts';
export type { PriorityQueue, QueueKind, QueueOptions, Slicing } from './priority-queue.ts';
export { ThreadedSlices } from './slice-workers.ts';
export type { ThreadedSlicesOptions } from './slice-workers.ts';
export { SlicedQueue } from './sliced-queue.ts';
export type { SliceCounts, SlicedQueueOptions } from './sliced-queue.ts';
export { createPagedQueue, nodeFileAccess, openPagedQueue, pagedQueueKinds } from './paged/index.ts';
export type { FileAccess, IoCounts, OpenPagedQueueOptions, PagedQueue, PagedQueueKind, PagedQueueOptions } from './paged/index.ts';
export { QuickHeapKernel, WasmQuickHeap } from './wasm-quickheap.ts';

/** An empty queue. Throws AssertionError for a block, seed or number of slices it cannot use. */
export function createQueue(options: QueueOptions): PriorityQueue {
  const { slices = 1, slicing = 'exact' } = options;
  if (slices !== 1) {
    return new SlicedQueue({ slices, slicing, make: (slice) => createQueue(sliceOptions(options, slice)) });
  }
  switch (options.kind) {
    case 'binary-heap':
      return new BinaryHeap();
    case 'cbt':
      return new Cbt(options.block);
    case 'quickheap':
      return new QuickHeap(options.seed);
  }
}
