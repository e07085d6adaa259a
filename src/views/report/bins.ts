import type { SuperstepRow } from '../../core/events/index.ts';
import { restingUs, superstepEnds, type RobotSettings, type RunEvents } from '../../core/measure/index.ts';
import { robotStates, superstepColumns as columns, type SuperstepBins } from './data.ts';
import { significant } from './thin.ts';

/** A bin in progress: sums over its supersteps until `finish` divides them; queued and pending pages are the last. */
type Sums = Record<keyof SuperstepBins, number>;

/** At most `limit` bins of equally many supersteps, from rows in ascending order of superstep. */
export function superstepBins(
  events: Pick<RunEvents, 'rows' | 'changes'>, settings: RobotSettings, limit: number,
): SuperstepBins {
  const { rows } = events;
  const bins = Object.fromEntries(columns.map((column): [string, number[]] => [column, []])) as
    Record<keyof SuperstepBins, number[]>;
  const ends = superstepEnds(rows);
  const resting = restingUs(events, settings);
  const binCount = Math.min(limit, ends.length);
  let startUs = 0;
  for (let bin = 0; bin < binCount; bin++) {
    const first = Math.floor(bin * ends.length / binCount);
    const last = Math.floor((bin + 1) * ends.length / binCount) - 1;
    const sums = Object.fromEntries(columns.map((column) => [column, 0])) as Sums;
    for (let superstep = first; superstep <= last; superstep++) {
      sums.barrier += resting[superstep];
      addSuperstep(sums, rows.slice(superstep === 0 ? 0 : ends[superstep - 1], ends[superstep]), settings.processors);
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

/** @param rows of the superstep; processors without one fetched nothing. */
function addSuperstep(sums: Sums, rows: readonly SuperstepRow[], processors: number): void {
  let pages = 0;
  let min = rows.length < processors ? 0 : Infinity;
  let max = 0;
  sums.queued = 0;
  sums.pending = 0;
  for (const row of rows) {
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
  sums.pagesMean += pages / processors;
  sums.pagesMax += max;
}

function finish(sums: Sums, supersteps: number, lengthUs: number): void {
  for (const column of [
    'pagesMin', 'pagesMean', 'pagesMax', 'crossLinks', 'pairsSent', 'extracted', 'stale', 'reinserted',
  ] as const) {
    sums[column] /= supersteps;
  }
  for (const state of robotStates) sums[state] = lengthUs > 0 ? sums[state] / lengthUs : 0;
}
