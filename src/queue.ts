/**
 * The priority queues alone: many entries are inserted at a time, and exactly the k greatest extracted. `PriorityQueue`
 * states the cost of each kind.
 *
 * @example
 * ```ts
 * import { createQueue, entryIndex, entryKey, packEntry } from 'orbweaver/queue';
 *
 * const queue = createQueue({ kind: 'quickheap', block: 64, seed: 1 });
 * const entries = Float64Array.from([30, 10, 20], (key, index) => packEntry(key, index));
 * queue.insertMany(entries, 0, entries.length);
 * const top = new Float64Array(2);
 * const count = queue.extractTop(2, top);
 * for (const entry of top.subarray(0, count)) console.log(entryIndex(entry), entryKey(entry));
 * queue.dispose();
 * ```
 *
 * @packageDocumentation
 */
export {
  createPagedQueue, createQueue, entryIndex, entryKey, keyLimit, keyOfScore, openPagedQueue, packEntry,
  type PagedQueue, type PriorityQueue, type QueueOptions,
} from './core/queue/index.ts';
