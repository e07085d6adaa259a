import type { PagedQueueKind } from '../../../core/queue/index.ts';
import type { PhaseCounts } from '../paged/paged-replay.ts';

export interface Figure9Row {
  readonly r: number;
  readonly share: number;
  /** Over all processors: entries held at the most, and the memory for them. */
  readonly peak: number;
  readonly memoryBytes: number;
  /** Over all processors; `worstBatch` is one processor's. */
  readonly counts: Readonly<Record<PagedQueueKind, PhaseCounts>>;
}

/** One source's streams. */
export interface Figure9Stream {
  readonly stream: string;
  readonly isSynthetic: boolean;
  readonly phases: readonly Figure9Phase[];
  /** R and share for which the memory is less than the structures need; beyond the last R none was tried. */
  readonly tooSmall: readonly { readonly r: number; readonly share: number; }[];
}

export interface Figure9Phase {
  readonly phase: string;
  readonly rows: readonly Figure9Row[];
}

export interface Figure9Result {
  readonly streams: readonly Figure9Stream[];
}
