import type { IoCounts } from '../../../core/queue/index.ts';

/** What was read and written since `before`, a copy of the same queue's counts. */
export function ioBetween(start: IoCounts, after: IoCounts): IoCounts {
  return {
    reads: after.reads - start.reads,
    writes: after.writes - start.writes,
    bytesRead: after.bytesRead - start.bytesRead,
    bytesWritten: after.bytesWritten - start.bytesWritten,
  };
}

/** I/O operations: calls that moved bytes, in either direction. */
export function operationsOf({ reads, writes }: IoCounts): number {
  return reads + writes;
}
