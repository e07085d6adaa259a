import { stateCode } from '../../../core/frontier/index.ts';
import { packEntry } from '../../../core/queue/index.ts';
import type { CrawlCheckpoint, SavedProcessor } from './checkpoint.ts';

/**
 * The checkpoint in which pages that failed are queued again, with the keys that they had, and no host is given up.
 * Hosts that an operator blocked stay blocked.
 * @param isFinal whether a page had its answer, and need not be asked for again.
 */
export function withFailedPagesQueued(
  checkpoint: CrawlCheckpoint, isFinal: (page: number) => boolean,
): CrawlCheckpoint {
  return { ...checkpoint, processors: checkpoint.processors.map((processor) => queuedAgain(processor, isFinal)) };
}

function queuedAgain(processor: SavedProcessor, isFinal: (page: number) => boolean): SavedProcessor {
  const { frontier } = processor;
  if (frontier.exact === undefined) return processor;
  const { pages, queuedKeys } = frontier.frontier;
  const states = frontier.frontier.states.slice();
  const entries = [...frontier.exact.queue.entries];
  for (let local = 0; local < states.length; local++) {
    if (states[local] !== stateCode.failed || isFinal(pages[local])) continue;
    states[local] = stateCode.queued;
    entries.push(packEntry(queuedKeys[local], local));
  }
  const queue = { ...frontier.exact.queue, entries: Float64Array.from(entries) };
  return {
    ...processor,
    frontier: {
      ...frontier, frontier: { ...frontier.frontier, states }, exact: { ...frontier.exact, queue },
      hostTroubles: undefined,
    },
  };
}
