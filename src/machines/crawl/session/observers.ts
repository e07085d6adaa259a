import { join } from 'node:path';
import { runHeader } from '../../../core/engine/index.ts';
import { Sinks, type RunSink, type SuperstepEnd, type SuperstepRow } from '../../../core/events/index.ts';
import { ELSEWHERE, type KnownUrls, type Web } from '../../../core/live/index.ts';
import { DiskRecord, MemoryRecord, recordPartial, rowAtRest, TotalOrder } from '../../../core/measure/index.ts';
import { runStatistics } from '../../../core/statistics/index.ts';
import { assert } from '../../../base/index.ts';
import type { Checkpoints } from '../checkpoint/checkpoints.ts';
import type { LiveProgress } from '../live-crawl.ts';
import type { Closing } from './live-parts.ts';
import type { OpenedCrawl } from './opened-crawl.ts';

/** Whoever hears of a run. @param isShared only the rows of this machine's processors are reported. */
export function observersOf(
  parts: Closing, { folder, options, settings, origins, urls, ownerOf, ids, web }: OpenedCrawl, isShared: boolean,
) {
  // The events in checkpoints, and the record that can be read after a kill.
  const record = new MemoryRecord();
  const onDisk = parts.add(new DiskRecord(join(folder, recordPartial), { command: options.command }));
  onDisk.begin(runHeader(undefined, settings, origins), ownerOf.page);
  const { maxPages = Infinity } = settings;
  const statistics = parts.add(runStatistics(settings, { maxPages, endOfIds: ELSEWHERE, onRow: options.onStatistics }));
  // Made with the processors, which need the sinks.
  const checkpointing: { checkpoints?: Checkpoints } = {};
  const fetched = { byAll: 0 };
  const sinks = new Sinks([
    new TotalOrder([record, onDisk, ...statistics.targets]), ...statistics.sinks, ...(options.sinks ?? []),
    ...(options.onProgress ? [progressSink(options.onProgress, urls, web)] : []),
    {
      started: (run) => { checkpointing.checkpoints?.sink.started?.(run); },
      superstepBegins: (superstep) => { checkpointing.checkpoints?.sink.superstepBegins?.(superstep); },
      superstep: (end) => {
        fetched.byAll = end.pagesFetched;
        return checkpointing.checkpoints?.sink.superstep?.(end);
      },
    },
  ], isShared ? rowsOf(ids, settings.robots) : undefined);
  return { record, statistics, sinks, checkpointing, fetched };
}

/**
 * Leaves the rows of this machine's processors in each superstep of a crawl on several, once each and in order. In a
 * superstep in which all of them are at rest, the first has the row that it would have.
 */
function rowsOf(ids: readonly number[], robots: number): (end: SuperstepEnd) => SuperstepEnd {
  const here = new Set(ids);
  let first: SuperstepRow | undefined;
  let lastBarrierUs = 0;
  return (end) => {
    const { superstep, barrierUs } = end;
    assert(barrierUs >= lastBarrierUs, () => `the barrier of superstep ${superstep} is before the last`);
    const isHere = (_: unknown, i: number): boolean => here.has(end.rows[i].processor);
    const rows = end.rows.filter(isHere);
    const waitUs = barrierUs - lastBarrierUs;
    lastBarrierUs = barrierUs;
    if (rows.length > 0) {
      [first] = rows;
      return { ...end, rows, unobserved: end.unobserved.filter(isHere) };
    }
    const resting = first && rowAtRest(first, { superstep, barrierUs, waitUs, robots });
    return { ...end, rows: resting ? [resting] : [], unobserved: resting ? [0] : [] };
  };
}

/** A sink that reports progress after every new outcome and at every barrier. */
function progressSink(
  onProgress: (progress: LiveProgress) => void, urls: KnownUrls, web: Pick<Web, 'clock'>,
): RunSink {
  let firstSuperstep = 0;
  let superstep = -1;
  let pagesFetched = 0;
  const report = (): void => {
    if (superstep < firstSuperstep) return;
    onProgress({
      superstep, pagesFetched, pagesKnown: urls.count + urls.elsewhereCount, seconds: web.clock.nowUs / 1e6,
    });
  };
  return {
    started: (run) => { ({ firstSuperstep } = run); },
    superstepBegins: (number) => { superstep = number; },
    outcome: (_processor, { kind }) => {
      if (kind === 'fetched') pagesFetched++;
      report();
    },
    superstep: report,
  };
}
