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

/** Queued pages in a sample, at most, out of so many pages in a row, from a place that this factor scatters. */
const [sampleSize, sampleLooks, sampleStep] = [16, 256, 0x9e3779b1];

/** Looks at some queued pages: are their hosts idle? From a place that depends on the state alone. */
export function sampleQueued(frontier: Sampled): void {
  const { counts, states, pendingJobs } = frontier;
  let local = Math.imul(states.countOf('fetched'), sampleStep) >>> 0;
  for (let looked = 0; looked < sampleLooks && counts.sampledPages < sampleSize; looked++) {
    local = (local + 1) % states.count;
    if (!states.is(local, 'queued')) continue;
    counts.sampledPages++;
    if (pendingJobs.isIdle(frontier.hostOf(local))) counts.sampledIdle++;
  }
}
