import { join } from 'node:path';
import { stateCode } from '../../../core/frontier/index.ts';
import type { CrawlStore } from '../../../core/live/index.ts';
import { packEntry } from '../../../core/queue/index.ts';
import { decodeCheckpoint, type CrawlCheckpoint, type SavedProcessor } from '../checkpoint/checkpoint.ts';
import type { LiveCrawlOptions, LiveResult, StoredCrawl } from '../live-crawl.ts';
import { Closing } from './live-parts.ts';
import { openCrawl } from './opened-crawl.ts';
import { resultOfRun, runFrom } from './run.ts';
import { forgetEnd, storedEnd, storeEnd } from './stored-end.ts';

/** Runs a crawl from its start or resumption to its end; what it opens it closes. The store stays open. */
export async function runSession(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
): Promise<LiveResult> {
  const saved = store.checkpointOf();
  const last = saved && decodeCheckpoint(saved, join(folder, 'store'));
  const end = storedEnd(store, stored.experiment);
  // At a limit nothing can be tried again.
  const mayRetry = options.retryFailed === true && (end === undefined || end.end === 'frontier dry');
  const retried = last && mayRetry ? withFailedPagesQueued(last, (page) => store.visit(page) !== undefined) : undefined;
  const parts = new Closing();
  try {
    const opened = await openCrawl(parts, folder, store, stored, options);
    if (last !== undefined && end !== undefined && retried === undefined)
      return await resultOfRun(opened, await runFrom(parts, opened, atItsEnd(last), undefined, end));
    await forgetEnd(store);
    const run = await runFrom(parts, opened, retried ?? last);
    const { session: { ended }, pagesOfAll } = run;
    if (run.checkpoints.failure === undefined && ended !== 'interrupted' && ended !== 'no progress') {
      await storeEnd(store, stored.experiment, { end: ended, where: 'everywhere', pagesOfAll });
    }
    return await resultOfRun(opened, run);
  } finally {
    await parts.close();
  }
}

/** The last checkpoint of a crawl that has ended: nothing is open any more. */
export function atItsEnd(last: CrawlCheckpoint): CrawlCheckpoint {
  return { ...last, processors: last.processors.map((processor) => ({ ...processor, downloads: [] })) };
}

/**
 * The checkpoint in which pages that failed are queued again, with the keys that they had, and no host is given up.
 * Their failures then count as retried. Hosts that an operator blocked stay blocked.
 * @param isFinal true if a page had its answer, and need not be asked for again.
 * @returns undefined if no page failed.
 */
function withFailedPagesQueued(
  checkpoint: CrawlCheckpoint, isFinal: (page: number) => boolean,
): CrawlCheckpoint | undefined {
  const rows = [...checkpoint.events.rows];
  let pages = 0;
  const processors = checkpoint.processors.map((processor) => {
    const [saved, queued] = queuedAgain(processor, isFinal);
    const at = rows.findLastIndex((row) => row.processor === processor.id);
    if (queued > 0 && at >= 0) rows[at] = { ...rows[at], retried: rows[at].retried + queued };
    pages += queued;
    return saved;
  });
  return pages === 0 ? undefined : { ...checkpoint, processors, events: { ...checkpoint.events, rows } };
}

/** @returns the processor, and how many of its pages were queued again. */
function queuedAgain(
  processor: SavedProcessor, isFinal: (page: number) => boolean,
): [saved: SavedProcessor, queued: number] {
  const { frontier } = processor;
  if (frontier.exact === undefined) return [processor, 0];
  const { pages, queuedKeys } = frontier.frontier;
  const states = frontier.frontier.states.slice();
  const entries = [...frontier.exact.queue.entries];
  for (let local = 0; local < states.length; local++) {
    if (states[local] !== stateCode.failed || isFinal(pages[local])) continue;
    states[local] = stateCode.queued;
    entries.push(packEntry(queuedKeys[local], local));
  }
  const queue = { ...frontier.exact.queue, entries: Float64Array.from(entries) };
  const saved = {
    ...processor,
    frontier: {
      ...frontier, frontier: { ...frontier.frontier, states }, exact: { ...frontier.exact, queue },
      hostTroubles: undefined,
    },
  };
  return [saved, entries.length - frontier.exact.queue.entries.length];
}
