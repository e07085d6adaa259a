import { DrawStream } from '../../base/index.ts';
import type { SuperstepCounts } from './counts.ts';
import type { PendingJobs } from './hosts/pending-jobs.ts';
import type { PageStates } from './page-states.ts';

/** What the sample is of, and where it is counted. */
interface Sampled {
  readonly counts: SuperstepCounts;
  readonly states: PageStates;
  readonly pendingJobs: PendingJobs;
  hostOf(local: number): number;
}

/** Queued pages in a sample, at most; looks at single pages; and pages in a row, searched for the next queued one. */
const [sampleSize, sampleLooks, sampleStretch] = [16, 256, 512];

const places = new DrawStream(0, 'sample of queued pages');

/**
 * Looks at some queued pages: how many of them could be asked for at once, if they were pending jobs? The places follow
 * from the state alone. Pages found together often share a host, so each look is at another place. If few pages are
 * queued, it takes the next one after a place. O(1): 8,448 states are read at most.
 */
export function sampleQueued(frontier: Sampled): void {
  const { counts, states } = frontier;
  const { count } = states;
  const draw = states.countOf('fetched');
  for (let look = 0; look < sampleLooks && counts.sampledPages < sampleSize; look++) {
    const local = places.uint32(draw, look) % count;
    if (states.is(local, 'queued')) sample(frontier, local);
  }
  for (let look = sampleLooks; look < sampleLooks + sampleSize && counts.sampledPages < sampleSize; look++) {
    const local = states.nextIn('queued', places.uint32(draw, look) % count, sampleStretch);
    if (local >= 0) sample(frontier, local);
  }
}

function sample(frontier: Sampled, local: number): void {
  const { counts, pendingJobs } = frontier;
  counts.sampledPages++;
  if (pendingJobs.isIdle(frontier.hostOf(local))) counts.sampledIdle++;
}
