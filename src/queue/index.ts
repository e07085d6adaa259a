import { BinaryHeap } from './binary-heap.ts';
import { Cbt } from './cbt.ts';
import type { PriorityQueue, QueueOptions } from './priority-queue.ts';
import { QuickHeap } from './quickheap.ts';

export { BucketQuickHeap } from './bucket-quickheap.ts';
export { entryIndex, entryKey, keyLimit, keyOfScore, packEntry } from './entry.ts';
export { queueKinds } from './priority-queue.ts';
export { QuickHeapKernel, WasmQuickHeap } from './wasm-quickheap.ts';
export type { PriorityQueue, QueueKind, QueueOptions } from './priority-queue.ts';

/** An empty queue. Throws AssertionError for a block or seed its kind cannot use. */
export function createQueue(options: QueueOptions): PriorityQueue {
  switch (options.kind) {
    case 'binary-heap':
      return new BinaryHeap();
    case 'cbt':
      return new Cbt(options.block);
    case 'quickheap':
      return new QuickHeap(options.seed);
  }
}
