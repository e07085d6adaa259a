import type { PagedQueueKind } from './stored-form.ts';

/** The least page of a QuickHeap worth the name, and the largest that is chosen. */
const leastPageBytes = 64;
const mostPageBytes = 65536;
/** Blocks or pages that must fit into the memory. */
const leastPages: Record<PagedQueueKind, number> = { cbt: 8, quickheap: 12 };

/** The least memory of one paged queue over blocks of `block` keys, bytes. */
export function leastMemoryBytes(kind: PagedQueueKind, block: number): number {
  return leastPages[kind] * (kind === 'cbt' ? blockBytes(block) : leastPageBytes);
}

/**
 * Bytes of a page: of a CBT a block, which is read and written as a whole; of a QuickHeap as many as a block's keys
 * take, but so few that the pages it needs fit into the memory, and 64 KiB at most.
 */
export function pageBytesFor(kind: PagedQueueKind, block: number, memoryBytes: number): number {
  if (kind === 'cbt') return blockBytes(block);
  const most = Math.min(blockBytes(block), mostPageBytes, Math.floor(memoryBytes / leastPages.quickheap / 8) * 8);
  return Math.max(leastPageBytes, most);
}

/** No page has fewer than 16 bytes. */
function blockBytes(block: number): number {
  return Math.max(16, 8 * block);
}
