export { BinaryHeap, siftUp } from './binary-heap.ts';
export { CbtKernel, WasmCbt } from './cbt/wasm-cbt.ts';
export { createQueue, leastQueueMemoryBytes } from './create-queue.ts';
export { entryIndex, entryKey, keyLimit, keyOfScore, packEntry } from './entry.ts';
export { LazyQueue } from './lazy-queue.ts';
export { LoggedQueue, repeat, type QueueLog } from './logged-queue.ts';
export { createPagedQueue, openPagedQueue } from './paged/create-paged-queue.ts';
export { nodeFileAccess, type FileAccess } from './paged/file-access.ts';
export type { OpenPagedQueueOptions, PagedQueue, PagedQueueOptions } from './paged/paged-queue.ts';
export { pagedQueueKinds, type PagedQueueKind } from './paged/stored-form.ts';
export { assertBatch, assertExtraction, blockSizeLimit } from './preconditions.ts';
export {
  queueKinds, slicings, type IoCounts, type PriorityQueue, type QueueKind, type QueueOptions, type Slicing,
} from './priority-queue.ts';
export { QuickHeapKernel, WasmQuickHeap } from './quickheap/wasm-quickheap.ts';
export { gatherGreater, leastOf, partition, selectTop } from './sliced/partition.ts';
export { ThreadedSlices, type ThreadedSlicesOptions } from './sliced/slice-workers.ts';
export { SlicedQueue, type SliceCounts, type SlicedQueueOptions } from './sliced/sliced-queue.ts';
export { sliceOf } from './sliced/slicing.ts';
