import { recordedKinds } from '../../../../core/measure/index.ts';
import type { OpenedDownload, OpenedProcessor, OpenedSuperstep } from './api.ts';
import type { RunPages } from './run-pages.ts';
import { arrivalUs, type Timeline } from './timeline.ts';

/** Downloads in one answer: more cannot be told apart on a screen. */
export const MAX_DOWNLOADS = 5000;

/**
 * One superstep of a run, with the downloads that were open in it; those that began before it or ended after it too.
 *
 * @returns undefined if the run has no such superstep. Cost  O(downloads of the run).
 */
export function openSuperstep(
  timeline: Timeline, nameOf: RunPages['nameOf'], number: number | 'last',
): OpenedSuperstep | undefined {
  const { supersteps, lanes, processors, startedUs, finishedUs, endedIn } = timeline;
  const last = supersteps.at(-1);
  const timed = number === 'last' ? last : supersteps.find(({ superstep }) => superstep === number);
  if (last === undefined || timed === undefined) return undefined;
  const { superstep, beginUs, barrierUs, rows } = timed;
  const byProcessor = new Map<number, OpenedProcessor & { readonly downloads: OpenedDownload[] }>();
  for (const row of rows) {
    const { processor, stalledUs, noJobUs } = row;
    byProcessor.set(processor, {
      processor, arrivedUs: arrivalUs(timed, row), stalledUs, noJobUs, lanes: lanes[processor], downloads: [],
    });
  }
  let count = 0;
  for (let i = 0; i < timeline.count && startedUs[i] <= barrierUs; i++) {
    // One that took no time is open in the superstep in which it ended.
    const isOpen = supersteps[endedIn[i]] === timed || (startedUs[i] < barrierUs && finishedUs[i] > beginUs);
    if (!isOpen) continue;
    if (++count > MAX_DOWNLOADS) continue;
    const processor = timeline.processor[i];
    const entry = byProcessor.get(processor) ?? {
      processor: processor === processors ? null : processor, arrivedUs: null, stalledUs: 0, noJobUs: 0,
      lanes: lanes[processor], downloads: [],
    };
    byProcessor.set(processor, entry);
    const page = timeline.page[i];
    entry.downloads.push({
      name: nameOf(page) ?? `page ${page}`, kind: recordedKinds[timeline.kind[i]], startedUs: startedUs[i],
      finishedUs: finishedUs[i], lane: timeline.lane[i],
    });
  }
  const inOrder = [...byProcessor].sort(([first], [other]) => first - other).map(([, entry]) => entry);
  return {
    superstep, last: last.superstep, beginUs, barrierUs, processors: inOrder, count, truncated: count > MAX_DOWNLOADS,
  };
}
