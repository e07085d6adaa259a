import { join } from 'node:path';
import { isIncomplete, partialOf, recordPartial } from '../../../../core/measure/index.ts';
import type { ListedRun } from '../api.ts';

/** Where the record of a run is. */
export interface Place {
  readonly folder: string;
  /** The folder of files written while the run is watched: always the folder of a live crawl itself. */
  readonly watched: string;
  /** Whether the run has ended, and its record is complete. */
  readonly isWhole: boolean;
}

/** Undefined where nothing is recorded yet, or ever. */
export function placeOf({ folder, figures, state }: Pick<ListedRun, 'folder' | 'figures' | 'state'>): Place | undefined {
  if (folder === null || state === 'damaged') return undefined;
  if (figures !== null) return { folder, watched: folder, isWhole: true };
  const [simulated, crawled] = [partialOf(folder), join(folder, recordPartial)];
  if (isIncomplete(simulated)) return { folder: simulated, watched: simulated, isWhole: false };
  return isIncomplete(crawled) ? { folder: crawled, watched: folder, isWhole: false } : undefined;
}
