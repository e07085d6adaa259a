import type { PagedQueueKind } from './stored-form.ts';

/** The smallest useful page of a QuickHeap, and the largest that is chosen. */
const MIN_PAGE_BYTES = 64;
const MAX_PAGE_BYTES = 65536;
/** Minimum number of blocks or pages that must fit into the memory. */
const minPages: Record<PagedQueueKind, number> = { cbt: 8, quickheap: 12 };

/** The minimum memory of a paged queue over blocks of `block` keys, in bytes. */
export function minMemoryBytes(kind: PagedQueueKind, block: number): number {
  return minPages[kind] * (kind === 'cbt' ? blockBytes(block) : MIN_PAGE_BYTES);
}

/**
 * Bytes per page: for a CBT one block, which is read and written as a whole; for a QuickHeap as many as a block's keys
 * take, but few enough that the pages it needs fit into the memory, and at most 64 KiB.
 */
export function pageBytesFor(kind: PagedQueueKind, block: number, memoryBytes: number): number {
  if (kind === 'cbt') return blockBytes(block);
  const most = Math.min(blockBytes(block), MAX_PAGE_BYTES, Math.floor(memoryBytes / minPages.quickheap / 8) * 8);
  return Math.max(MIN_PAGE_BYTES, most);
}

/** No page has fewer than 16 bytes. */
function blockBytes(block: number): number {
  return Math.max(16, 8 * block);
}
