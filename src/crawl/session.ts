import { join } from 'node:path';
import { MemoryTransport } from '../bsp/index.ts';
import {
  breathe, crawl, crawlLimits, frontierSettings, LocalCrew, originsOf, reportHistory, runHeader, settleCrawl,
} from '../engine/index.ts';
import { Sinks } from '../events/index.ts';
import type { CrawlStore } from '../live/index.ts';
import { DiskRecord, MemoryRecord, recordPartial, TotalOrder } from '../measure/index.ts';
import { shippedPolicies } from '../policy/index.ts';
import { runStatistics } from '../statistics/index.ts';
import { decodeCheckpoint } from './checkpoint/checkpoint.ts';
import { Checkpoints } from './checkpoint/checkpoints.ts';
import { knownPages, owners } from './known-pages.ts';
import type { LiveCrawlOptions, LiveExperiment, LiveResult, StoredCrawl } from './live-crawl.ts';
import { Closing, openWeb } from './live-parts.ts';
import { Ending, liveProcessors } from './live-processors.ts';
import { PageScores } from './page-scores.ts';
import { liveProgressSink } from './progress.ts';
import { resultOf } from './result.ts';

const GRACE_MS = 10_000;

/** Runs a crawl from its start or resumption to its end; what it opens it closes. The store stays open. */
export async function runSession(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
): Promise<LiveResult> {
  const { live, seeds } = stored;
  const scores = options.scores && new PageScores(options.scores);
  const onPage = (page: number, url: string): void => scores?.know(page, url);
  const urls = await knownPages(store, seeds, onPage);
  const settings: LiveExperiment = {
    ...settleCrawl(stored.experiment), live, seedPages: seeds.map((_, page) => page),
  };
  const origins = originsOf(stored.experiment);
  const saved = store.lastCheckpoint();
  const checkpoint = saved && decodeCheckpoint(saved, join(folder, 'store'));
  const { barrierUs: beginUs, superstep: firstSuperstep } = checkpoint ?? { barrierUs: 0, superstep: 0 };

  const parts = new Closing();
  try {
    const { web, clock } = await openWeb(parts, beginUs, {
      folder, live, store, urls, delays: frontierSettings(settings), onPage, lookup: options.lookup,
    });
    const ownerOf = owners(settings, urls);
    // The events in checkpoints, and the record that can be read after a kill.
    const record = new MemoryRecord();
    const onDisk = parts.add(new DiskRecord(join(folder, recordPartial), { command: options.command }));
    onDisk.begin(runHeader(undefined, settings, origins), ownerOf.page);
    const { maxPages = Infinity } = settings;
    const statistics = parts.add(runStatistics(settings, { maxPages, onRow: options.onStatistics }));
    const sinks = new Sinks([
      new TotalOrder([record, onDisk, ...statistics.targets]), ...statistics.sinks, ...(options.sinks ?? []),
      ...(options.onProgress ? [liveProgressSink(options.onProgress, urls, clock)] : []),
    ]);
    const processors = liveProcessors(parts, {
      settings, policies: shippedPolicies.with(options.policies), store, urls, web, ownerOf, sinks, scores, checkpoint,
    });
    const ending = new Ending(parts, processors, options.signal);
    ending.attach(options.control, sinks);
    const checkpoints = new Checkpoints({
      store, clock, processors, events: () => record.events(), maxBytes: options.maxCheckpointBytes,
      onFailure: () => { ending.end(); },
    });
    const onReceived = (superstep: number): void => { checkpoints.takeIfDue(superstep); };
    const ended = await sinks.during(
      {
        kind: 'live', settings, graph: undefined, names: urls, firstSuperstep, maxPages, mayRollBack: false,
      },
      async () => {
        if (checkpoint !== undefined) await reportHistory(sinks, checkpoint.events, (page) => store.visit(page));
        return crawl({
          crews: [new LocalCrew({ processors, onReceived }, beginUs)],
          sinks, beginUs, firstSuperstep, ...crawlLimits(settings), signal: ending.signal,
          // The time that a barrier takes is on the clock already.
          transport: new MemoryTransport(settings.processors, { barrierUs: 0, pairUs: 0, messageUs: 0 }),
          closing: { graceUs: Math.round(1000 * (options.graceMs ?? GRACE_MS)), abandon: () => web.abandon() },
          breathe: () => checkpoints.written.then(breathe),
        });
      },
    );
    // The checkpoint of the superstep that would follow: no download is open, so nothing is repeated.
    for (const processor of processors) processor.receiveMessages([]);
    checkpoints.takeLast();
    await checkpoints.written;
    const result = await resultOf(folder, store, {
      experiment: settings, origins, events: record.events(), processors, ended, scores: scores?.values,
      ownerOf: ownerOf.host, statistics: statistics.result(),
    });
    return { ...result, failure: checkpoints.failure };
  } finally {
    await parts.close();
  }
}
