import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PagedQueue } from '../../../src/core/queue/index.ts';

/** A folder for the files of paged queues; each path is a new one. */
export function queueFiles(name: string): {
  readonly folder: string;
  readonly newPath: () => string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  let files = 0;
  return { folder, newPath: () => join(folder, `${files++}.owq`), remove: () => rmSync(folder, { recursive: true }) };
}

/** Two to eight keys a page and the least memory allowed: a few dozen entries are more than it holds. */
export const small = { pageBytes: 64, cacheBytes: 12 * 64 };

export const sorted = (entries: Iterable<number>): number[] => [...entries].sort((a, b) => b - a);

export function take(queue: PagedQueue, k: number): number[] {
  const into = new Float64Array(Math.min(k, queue.size));
  queue.extractTop(k, into);
  return sorted(into);
}

export function insert(queue: PagedQueue, keys: readonly number[]): void {
  queue.insertMany(Float64Array.from(keys), 0, keys.length);
}
