import type { PageStatesState } from './page-states.ts';
import type { OutboxesState } from './outboxes.ts';
import type { HostTroublesState } from './hosts/troubles.ts';
import type { PageQueueState } from './page-queue.ts';
import type { ExactPendingState, PendingState } from './hosts/pending-jobs.ts';
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
  /** Absent in checkpoints made before there was patience with hosts. */
  readonly hostTroubles?: HostTroublesState | undefined;
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
    /** Local indices of pages that rules deny, and that wait for their outcomes. */
    readonly denied?: readonly number[] | undefined;
  } | undefined;
}
