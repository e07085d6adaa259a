import { join } from 'node:path';
import type { CrawlStore } from '../../../core/live/index.ts';
import { decodeCheckpoint } from '../checkpoint/checkpoint.ts';
import { withFailedPagesQueued } from '../checkpoint/retried.ts';
import type { LiveCrawlOptions, LiveResult, StoredCrawl } from '../live-crawl.ts';
import { Closing } from './live-parts.ts';
import { openCrawl } from './opened-crawl.ts';
import { resultOfRun, runFrom } from './run.ts';

/** Runs a crawl from its start or resumption to its end; what it opens it closes. The store stays open. */
export async function runSession(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
): Promise<LiveResult> {
  const saved = store.checkpointOf();
  const last = saved && decodeCheckpoint(saved, join(folder, 'store'));
  const checkpoint = last && options.retryFailed === true
    ? withFailedPagesQueued(last, (page) => store.visit(page) !== undefined) : last;
  const parts = new Closing();
  try {
    const opened = await openCrawl(parts, folder, store, stored, options);
    return await resultOfRun(opened, await runFrom(parts, opened, checkpoint));
  } finally {
    await parts.close();
  }
}
