import { checkFields, checkText } from '../../../base/index.ts';
import { checkKind } from '../preconditions.ts';
import { PagedCbt } from './paged-cbt.ts';
import { PagedQuickHeap } from './paged-quickheap.ts';
import { PageFile } from './page-file.ts';
import type { OpenPagedQueueOptions, PagedQueue, PagedQueueOptions } from './paged-queue.ts';
import { pagedQueueKinds } from './stored-form.ts';

export { nodeFileAccess, type FileAccess } from './file-access.ts';
export { minMemoryBytes, pageBytesFor } from './queue-memory.ts';
export type { OpenPagedQueueOptions, PagedQueue, PagedQueueOptions } from './paged-queue.ts';
export { pagedQueueKinds, type PagedQueueKind } from './stored-form.ts';

const openFields = {
  kind: true, path: true, cacheBytes: true, access: false,
} as const satisfies Record<keyof OpenPagedQueueOptions, boolean>;

/**
 * An empty queue in a new file.
 *
 * @param options - kind, file and memory.
 * @returns the queue, to which the file belongs until `close`.
 * @throws AssertionError for invalid options, InputError if the file exists or cannot be created, or for a kind that
 * there is not, WorldError if it cannot be written.
 */
export function createPagedQueue(options: PagedQueueOptions): PagedQueue {
  checkFields('options', options, { ...openFields, pageBytes: true, block: true, seed: true });
  checkText('path', options.path);
  checkKind(options.kind, pagedQueueKinds);
  switch (options.kind) {
    case 'cbt':
      return PagedCbt.create(options);
    case 'quickheap':
      return PagedQuickHeap.create(options);
  }
}

/**
 * The queue that `close` stored: the same entries, the same counts of comparisons, I/O counted from 0. The whole file
 * is read and checked against its checksums.
 *
 * @param options - file and memory.
 * @returns the queue, to which the file belongs until `close`.
 * @throws InputError, naming the file and the error in it.
 */
export function openPagedQueue(options: OpenPagedQueueOptions): PagedQueue {
  checkFields('options', options, openFields);
  checkText('path', options.path);
  if (options.kind !== undefined) checkKind(options.kind, pagedQueueKinds);
  switch (PageFile.kindOf(options, options.kind)) {
    case 'cbt':
      return PagedCbt.open(options);
    case 'quickheap':
      return PagedQuickHeap.open(options);
  }
}
