import type { PageStatesState } from './page-states.ts';
import type { OutboxesState } from './outboxes.ts';
import type { HostGivenUp, OutagesState } from './host-outages.ts';
import type { PageQueueState } from './page-queue.ts';
import type { ExactPendingState, PendingState } from './pending-jobs.ts';
import type { SavedState } from '../policy/index.ts';

/**
 * A processor's checkpoint: its knowledge once its messages were received and its pages inserted. It can be cloned.
 * Open downloads are saved as pending jobs. Queue entries follow from the frontier.
 */
export interface FrontierState {
  readonly frontier: PageStatesState;
  readonly pending: PendingState;
  /** (local index, failed tries). */
  readonly attempts: readonly (readonly [number, number])[];
  /** (local index, starts that were failures of its host). Absent, as the next two, before 0.1.0 had patience. */
  readonly probes?: readonly (readonly [number, number])[];
  readonly outages?: OutagesState | undefined;
  readonly givenUp?: readonly HostGivenUp[];
  readonly outboxes: OutboxesState;
  readonly policy: SavedState;
  /** Pending jobs that the next superstep aims at. */
  readonly pendingTarget: number;
  /**
   * Where it is to go on as if it had never been left: downloads stay open, hosts wait no longer than they did, and
   * stale entries are in the queue.
   */
  readonly exact?: {
    readonly queue: PageQueueState;
    readonly pending: ExactPendingState;
    /** Local indices of pages with an outcome, not yet completed, that says nothing about them. */
    readonly returned?: readonly number[];
    /** Local indices of pages that rules deny, and that wait for their outcomes. */
    readonly denied?: readonly number[] | undefined;
  } | undefined;
}
