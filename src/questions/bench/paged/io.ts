import type { IoCounts } from '../../../core/queue/index.ts';

/** What was read and written since `before`, a copy of the same queue's counts. */
export function ioBetween(before: IoCounts, after: IoCounts): IoCounts {
  return {
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
    bytesRead: after.bytesRead - before.bytesRead,
    bytesWritten: after.bytesWritten - before.bytesWritten,
  };
}

/** I/O operations: calls that moved bytes, in either direction. */
export function operationsOf({ reads, writes }: IoCounts): number {
  return reads + writes;
}
