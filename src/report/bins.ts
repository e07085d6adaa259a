import type { SuperstepRow } from '../events/index.ts';
import type { SuperstepBins } from './data.ts';
import { significant } from './thin.ts';

type Column = keyof SuperstepBins;

const columns: readonly Column[] = [
  'firstSuperstep', 'lastSuperstep', 'startSeconds', 'endSeconds', 'pagesMin', 'pagesMean', 'pagesMax', 'busy',
  'stalled', 'noJob', 'barrier', 'crossLinks', 'pairsSent', 'extracted', 'stale', 'reinserted', 'queued', 'pending',
];

/**
 * A bin in progress: sums over its supersteps until `finish` divides them; leftovers are those of the last one only.
 */
type Sums = Record<Column, number>;

/** At most `limit` bins of equally many supersteps, from rows in ascending order of superstep. */
export function superstepBins(rows: readonly SuperstepRow[], limit: number): SuperstepBins {
  const bins = Object.fromEntries(columns.map((column) => [column, []])) as unknown as Record<Column, number[]>;
  const ends = superstepEnds(rows);
  const binCount = Math.min(limit, ends.length);
  let startUs = 0;
  for (let bin = 0; bin < binCount; bin++) {
    const first = Math.floor(bin * ends.length / binCount);
    const last = Math.floor((bin + 1) * ends.length / binCount) - 1;
    const sums = Object.fromEntries(columns.map((column) => [column, 0])) as Sums;
    for (let superstep = first; superstep <= last; superstep++) {
      addSuperstep(sums, rows, superstep === 0 ? 0 : ends[superstep - 1], ends[superstep]);
    }
    const endUs = rows[ends[last] - 1].barrierUs;
    sums.firstSuperstep = rows[ends[first] - 1].superstep;
    sums.lastSuperstep = rows[ends[last] - 1].superstep;
    sums.startSeconds = startUs / 1e6;
    sums.endSeconds = endUs / 1e6;
    finish(sums, last - first + 1, endUs - startUs);
    for (const column of columns) bins[column].push(significant(sums[column]));
    startUs = endUs;
  }
  return bins;
}

/** For each superstep the index after its last row. */
function superstepEnds(rows: readonly SuperstepRow[]): number[] {
  const ends: number[] = [];
  for (let i = 1; i <= rows.length; i++) {
    if (i === rows.length || rows[i].superstep !== rows[i - 1].superstep) ends.push(i);
  }
  return ends;
}

function addSuperstep(sums: Sums, rows: readonly SuperstepRow[], from: number, to: number): void {
  let pages = 0;
  let min = Infinity;
  let max = 0;
  sums.queued = 0;
  sums.pending = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i];
    pages += row.pages;
    min = Math.min(min, row.pages);
    max = Math.max(max, row.pages);
    sums.busy += row.busyUs;
    sums.stalled += row.stalledUs;
    sums.noJob += row.noJobUs;
    sums.barrier += row.barrierWaitUs;
    sums.crossLinks += row.crossLinks;
    sums.pairsSent += row.pairsSent;
    sums.extracted += row.extracted;
    sums.stale += row.stale;
    sums.reinserted += row.reinserted;
    sums.queued += row.queued;
    sums.pending += row.pending;
  }
  sums.pagesMin += min;
  sums.pagesMean += pages / (to - from);
  sums.pagesMax += max;
}

function finish(sums: Sums, supersteps: number, lengthUs: number): void {
  for (const column of [
    'pagesMin', 'pagesMean', 'pagesMax', 'crossLinks', 'pairsSent', 'extracted', 'stale', 'reinserted',
  ] as const) {
    sums[column] /= supersteps;
  }
  for (const column of ['busy', 'stalled', 'noJob', 'barrier'] as const) {
    sums[column] = lengthUs > 0 ? sums[column] / lengthUs : 0;
  }
}
