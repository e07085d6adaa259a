import { assert } from '../../../base/index.ts';
import type { IoCounts, PriorityQueue } from '../priority-queue.ts';
import type { FileAccess } from './file-access.ts';
import type { PagedQueueKind } from './stored-form.ts';

/**
 * A priority queue whose entries are in a file, except for a bounded part of them. It may be many times larger than the
 * memory allowed.
 *
 * Atomic   an insertMany or extractTop that throws WorldError (disk full, a page that cannot be read or written) has
 *          changed nothing: the same entries are queued, the counts of comparisons are unchanged, and the call may be
 *          repeated. What it wrote to `into` is void.
 * One user the file belongs to the queue until `close`; nobody else may open it.
 */
export interface PagedQueue extends PriorityQueue {
  /** Reads and writes of the file so far, and their bytes. */
  readonly io: IoCounts;
  /** Bytes of memory used for entries now: cached pages, buffers and working space. Never above `cacheBytes`. */
  readonly memoryBytes: number;
  /** Stores everything and closes the file; the queue must not be used again. On WorldError it is unchanged. */
  close(): void;
  /** Closes the file and stores nothing: without `close` the entries are lost, and the file will be refused. */
  dispose(): void;
}

export interface PagedQueueOptions {
  readonly kind: PagedQueueKind;
  /** The file to create; it must not exist. */
  readonly path: string;
  /** Bytes of memory for entries: pages in the cache and all buffers. A CBT needs 8 blocks, a QuickHeap 12 pages. */
  readonly cacheBytes: number;
  /** Bytes per page, a multiple of 8, >= 16. Default 64 KiB. */
  readonly pageBytes?: number;
  /**
   * Keys a CBT block holds (the paper's R), >= 1; a block takes whole pages. Default: as many as fit in a page. A
   * QuickHeap ignores it.
   */
  readonly block?: number;
  /** Seed of the QuickHeap's samples; it changes counts, never the extracted entries. Default 0. A CBT ignores it. */
  readonly seed?: number;
  /** Replaces node:fs in tests. @internal */
  readonly access?: FileAccess;
}

export interface OpenPagedQueueOptions {
  readonly path: string;
  readonly cacheBytes: number;
  /** If set, a file of the other kind is refused. */
  readonly kind?: PagedQueueKind;
  /** Replaces node:fs in tests. @internal */
  readonly access?: FileAccess;
}

export const DEFAULT_PAGE_BYTES = 65536;

export function assertPageBytes(pageBytes: number): void {
  assert(
    Number.isSafeInteger(pageBytes) && pageBytes >= 16 && pageBytes % 8 === 0,
    () => `paged queue: a page of ${pageBytes} bytes; must be a multiple of 8, >= 16`,
  );
}
