import { statfsSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { UrlFrontier } from './url-frontier.ts';

/**
 * Below so many URLs, figures per URL are those of a frontier of 100,000 that was measured: ten URLs a queue, with ten
 * links each (README.md).
 */
const minMeasured = 10_000;
const measured = { arrayBytes: 60, heapBytes: 155, diskBytes: 250 };

/** How many further URLs fit, as far as can be said: by memory and by disk, at so many bytes for each. */
export interface Capacity {
  /** URLs that fit besides those that are there. */
  readonly urls: number;
  /** Memory for each. */
  readonly memoryBytesPerUrl: number;
  /** Disk for each. */
  readonly diskBytesPerUrl: number;
}

/**
 * What is left, divided by what a URL has needed so far: of the system's memory; of V8's heap, which has a limit of its
 * own (`NODE_OPTIONS=--max-old-space-size=MB`) and holds queues and their entries, but no columns; of the disk.
 */
export function capacityOf(frontier: UrlFrontier): Capacity {
  const urls = [...frontier.crawls.values()].reduce((sum, crawl) => sum + crawl.urls.count, 0);
  const { arrayBytes, heapBytes, diskBytes } = urls < minMeasured ? measured : {
    arrayBytes: frontier.arrayBytes / urls, heapBytes: frontier.heapBytes / urls,
    diskBytes: frontier.store.bytes / urls,
  };
  const { heap_size_limit: heapLimit, used_heap_size: heapUsed } = getHeapStatistics();
  const { bavail, bsize } = statfsSync(frontier.store.folder);
  const memory = Math.min(process.availableMemory() / (arrayBytes + heapBytes), (heapLimit - heapUsed) / heapBytes);
  return {
    urls: Math.max(0, Math.floor(Math.min(memory, (bavail * bsize) / diskBytes))),
    memoryBytesPerUrl: Math.ceil(arrayBytes + heapBytes), diskBytesPerUrl: Math.ceil(diskBytes),
  };
}
