import { assert } from '../../base/index.ts';
import type { IoCounts, PriorityQueue } from '../priority-queue.ts';
import type { FileAccess } from './file-access.ts';
import type { PagedQueueKind } from './stored-form.ts';

/**
 * A priority queue whose entries are in a file, but for a bounded part of them. It may be many times the memory
 * allowed.
 *
 * Atomic   an insertMany or extractTop that throws WorldError (disk full, a page that cannot be read or written) has
 *          changed nothing: the same entries are queued, the counts of comparisons are those of before, and it may be
 *          tried again. What it wrote to `into` is void.
 * One user the file belongs to the queue until `close`; nobody else may open it.
 */
export interface PagedQueue extends PriorityQueue {
  /** Calls that moved bytes to or from the file so far, and the bytes. */
  readonly io: IoCounts;
  /** Bytes of memory that hold entries now: cached pages, buffers and working space. Never above `cacheBytes`. */
  readonly memoryBytes: number;
  /** Stores all and closes the file. Throws WorldError where it cannot, and is then as before. No call may follow. */
  close(): void;
  /**
   * Closes the file, if it is open, and stores nothing: without `close` the entries are lost, and the file will be
   * refused.
   */
  dispose(): void;
}

export interface PagedQueueOptions {
  readonly kind: PagedQueueKind;
  /** The file to make; none of that name may exist. */
  readonly path: string;
  /** Bytes of memory for entries: pages in the cache and all buffers. A CBT needs 8 blocks, a QuickHeap 12 pages. */
  readonly cacheBytes: number;
  /** Bytes of a page, a multiple of 8, >= 16. Default 64 KiB. */
  readonly pageBytes?: number;
  /**
   * Keys a CBT block holds (the paper's R), >= 1; a block takes whole pages. Default: as many as a page. A QuickHeap
   * ignores it.
   */
  readonly block?: number;
  /** Seed of the QuickHeap's samples; it changes counts, never what leaves the queue. Default 0. A CBT ignores it. */
  readonly seed?: number;
  /** Stands in for node:fs in tests. @internal */
  readonly access?: FileAccess;
}

export interface OpenPagedQueueOptions {
  readonly path: string;
  readonly cacheBytes: number;
  /** Where given, a file of the other kind is refused. */
  readonly kind?: PagedQueueKind;
  /** Stands in for node:fs in tests. @internal */
  readonly access?: FileAccess;
}

export const DEFAULT_PAGE_BYTES = 65536;

export function assertPageBytes(pageBytes: number): void {
  assert(
    Number.isSafeInteger(pageBytes) && pageBytes >= 16 && pageBytes % 8 === 0,
    () => `paged queue: a page of ${pageBytes} bytes; must be a multiple of 8, >= 16`,
  );
}
