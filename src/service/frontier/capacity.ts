import { statfsSync } from 'node:fs';
import type { UrlFrontier } from './url-frontier.ts';

/** Below so many URLs, figures per URL are those of a frontier of this size that was measured (README.md). */
const minMeasured = 10_000;
const measured = { memoryBytes: 110, diskBytes: 420 };
/** Of an entry in a heap, besides the arrays that are counted. */
const entryBytes = 16;

/** How many further URLs fit, as far as can be said: by memory and by disk, at so many bytes for each. */
export interface Capacity {
  /** URLs that fit besides those that are there. */
  readonly urls: number;
  /** Memory for each. */
  readonly memoryBytesPerUrl: number;
  /** Disk for each. */
  readonly diskBytesPerUrl: number;
}

/** What the system has left, divided by what a URL has needed so far. */
export function capacityOf(frontier: UrlFrontier): Capacity {
  const urls = [...frontier.crawls.values()].reduce((sum, crawl) => sum + crawl.urls.count, 0);
  const isMeasured = urls >= minMeasured;
  const memoryBytesPerUrl = isMeasured ? Math.ceil(frontier.bytes / urls) + entryBytes : measured.memoryBytes;
  const diskBytesPerUrl = isMeasured ? Math.ceil(frontier.store.bytes / urls) : measured.diskBytes;
  const { bavail, bsize } = statfsSync(frontier.store.folder);
  return {
    urls: Math.floor(Math.min(process.availableMemory() / memoryBytesPerUrl, (bavail * bsize) / diskBytesPerUrl)),
    memoryBytesPerUrl, diskBytesPerUrl,
  };
}
