import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MemoryTransport } from '../bsp/index.ts';
import { openGraph } from '../catalogue/index.ts';
import {
  crawl, policyContext, processorByName, processorSettings, runResult, settleCrawl, settleSeeds, stateOf, trueRanks,
} from '../engine/index.ts';
import type { LiveCrawlSettings, MeasureSettings, SettledCrawl } from '../settings/index.ts';
import {
  CrawlLog, Fetcher, LiveClock, LiveWeb, LiveWorld, pageReaders, software, UrlTable, userAgent, WarcWriter,
  writeCrawledGraph, type CrawlStore, type LiveSettings, type Lookup, type Visit, type WarcFacts,
} from '../live/index.ts';
import { prepare, type WebGraph } from '../graph/index.ts';
import { Recorder, type RunResult, type RunSummary } from '../measure/index.ts';
import { createQueue } from '../queue/index.ts';
import { backoffUs, Processor } from '../scheduler/index.ts';
import { shippedPolicies, type PolicyDefinition } from '../policy/index.ts';
import { AssertionError, InputError, PageIndex, WorldError } from '../base/index.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';
import { PageScores } from './page-scores.ts';
import { restsSince, withRests } from './rests.ts';

/** Told after every outcome, and at every barrier. */
export interface LiveProgress {
  readonly superstep: number;
  readonly pagesFetched: number;
  readonly pagesKnown: number;
  readonly seconds: number;
}

export interface LiveCrawlOptions {
  readonly onProgress?: ((progress: LiveProgress) => void) | undefined;
  /** Aborted, the crawl starts nothing more, ends as `graceMs` says, and can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest wait for downloads that are open when the crawl ends, milliseconds: 10,000 by default. Then they are called
   * off.
   */
  readonly graceMs?: number | undefined;
  /** Most bytes of a checkpoint, where that is less than a store can hold: for tests. */
  readonly checkpointBytesMost?: number | undefined;
  /** For policies that need scores or ranks: scores by URL without its scheme; others score 0. */
  readonly scores?: ReadonlyMap<string, number> | undefined;
  /** Policies of the caller's own, which the settings name as they do any other. */
  readonly policies?: readonly PolicyDefinition[] | undefined;
  /** Asked in the place of the system's resolver. */
  readonly lookup?: Lookup | undefined;
}

/** The settings of a live crawl, with those that follow from others. */
export interface LiveExperiment extends SettledCrawl, MeasureSettings {
  readonly live: LiveSettings;
  /** Ids of the pages that it started from. */
  readonly seedPages: number[];
}

/** A crawl that ended, and the graph of what it knows: its record's page ids are those of the graph. */
export interface LiveResult extends RunResult<LiveExperiment> {
  readonly graph: WebGraph;
  /**
   * Pages that are stored and not in the record: a session that was killed fetched them, and this one ended before it
   * came to them again.
   */
  readonly pagesBeyondRecord: number;
  /** Why the crawl had to end; to be thrown when its record is written. */
  readonly failure: WorldError | undefined;
}

/** What the store keeps of how a crawl was begun. */
export interface StoredCrawl {
  readonly experiment: LiveCrawlSettings;
  readonly live: LiveSettings;
  /** Canonical URLs, none twice. */
  readonly seeds: readonly string[];
}

/** Runs a crawl from its start or resumption to its end; what it opens it closes. The store stays open. */
export async function runSession(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
): Promise<LiveResult> {
  const { live, seeds } = stored;
  const policies = shippedPolicies.with(options.policies);
  const urls = new UrlTable();
  const scores = options.scores === undefined ? undefined : new PageScores(options.scores);
  const know = (page: number, url: string): void => scores?.know(page, url);
  for (const { url, depth, redirects } of store.pages()) know(urls.add(url, depth, redirects), url);
  if (urls.count === 0) await noteSeeds(store, urls, seeds, know);

  const experiment: LiveExperiment = {
    ...settleCrawl(stored.experiment), live, seedPages: seeds.map((_, page) => page),
  };
  const delays = processorSettings(experiment);
  const { politenessUs } = delays;
  const saved = store.lastCheckpoint();
  const checkpoint = saved === undefined ? undefined : decodeCheckpoint(saved, join(folder, 'store'));
  const beginUs = checkpoint?.barrierUs ?? 0;

  const parts = new Closing();
  try {
    const clock = parts.add(new LiveClock(beginUs));
    const fetcher = parts.add(new Fetcher(live, { lookup: options.lookup }));
    const readers = parts.add(pageReaders(live));
    const log = parts.add(await CrawlLog.open(join(folder, 'crawl.log')));
    const warc = live.warc
      ? parts.add(await WarcWriter.open(join(folder, 'warc'), live, warcFacts(live), lastRecord(store)))
      : undefined;
    const web = new LiveWeb({
      settings: live, clock, politenessUs, backoffUs: (failures) => backoffUs(delays, failures), urls, store, fetcher,
      readers, log, warc, onPage: know,
    });
    // However the session ends: that its own end cuts a download is nothing to be noted.
    parts.add({ close: () => web.abandon() });

    const ownerOf = owners(experiment, urls);
    const recorder = new Recorder(experiment.processors);
    const pageIndex = new PageIndex();
    const rests = checkpoint === undefined ? undefined : restsSince(store, urls, beginUs, politenessUs, web.rests());
    const standing = { superstep: checkpoint?.superstep ?? 0, pagesFetched: 0 };
    for (const { pages, failures } of checkpoint?.logs ?? []) standing.pagesFetched += pages.length - failures.size;
    const tell = (): void => options.onProgress?.({ ...standing, pagesKnown: urls.count, seconds: clock.nowUs / 1e6 });
    const processors = Array.from({ length: experiment.processors }, (_, id) => {
      const state =
        checkpoint &&
        rests &&
        withRests(checkpoint.processors[id], rests, (host) => ownerOf.host(host) === id, beginUs);
      const queue = createQueue({ ...experiment.queue, seed: experiment.seed });
      parts.add({ close: () => { queue.dispose(); } });
      return new Processor(
        {
          id,
          ...delays,
          exchange: { exchange: 'bulk', exchangeBatch: 1 },
          world: new LiveWorld(web, politenessUs, beginUs),
          queue,
          policy: policies.make(
            experiment.policy,
            { ...policyContext(experiment, id, seeds.length), ranks: scores?.values, scores: scores?.values },
            state?.policy,
          ),
          pageIndex,
          ownerOf: ownerOf.page,
          onOutcome: (processor, outcome) => {
            recorder.outcome(processor, outcome);
            if (outcome.kind === 'fetched') standing.pagesFetched++;
            tell();
          },
          breathe,
        },
        state,
      );
    });
    if (checkpoint === undefined) seeds.forEach((_, page) => { processors[ownerOf.page(page)].seed(page); });
    else {
      checkpoint.logs.forEach((log, id) => { recorder.take(id, log); });
      for (const row of checkpoint.rows) recorder.rows.push(row);
    }

    const checkpoints = new Checkpoints(store, clock, processors, recorder, options.checkpointBytesMost);
    const ending = new AbortController();
    const end = (): void => {
      ending.abort();
      for (const processor of processors) processor.stop();
    };
    if (options.signal?.aborted === true) end();
    options.signal?.addEventListener('abort', end);
    parts.add({ close: () => options.signal?.removeEventListener('abort', end) });
    let failure: WorldError | undefined;
    // Without its checkpoint a crawl cannot go on, but its record can be written.
    const takeCheckpoint = (superstep: number): void => {
      try {
        checkpoints.take(superstep);
      } catch (error) {
        if (!(error instanceof WorldError)) throw error;
        failure ??= error;
        end();
      }
    };
    const ended = await crawl({
      processors,
      recorder,
      beginUs,
      firstSuperstep: checkpoint?.superstep ?? 0,
      // What the machines take for a barrier is on the clock already.
      transport: new MemoryTransport(experiment.processors, { barrierUs: 0, pairUs: 0, messageUs: 0 }),
      superstepUs: experiment.superstepMs === 0 ? Infinity : us(experiment.superstepMs),
      maxPages: experiment.maxPages ?? Infinity,
      maxUs: experiment.maxSeconds === undefined ? Infinity : Math.round(1e6 * experiment.maxSeconds),
      crashes: { nextUs: () => Infinity },
      restartUs: 0,
      checkpointSupersteps: 0,
      revive: () => { throw new AssertionError('no crash is foreseen in a live crawl'); },
      signal: ending.signal,
      closing: { graceUs: us(options.graceMs ?? 10_000), abandon: () => web.abandon() },
      observer: {
        superstepBegins: (superstep) => {
          standing.superstep = superstep;
          if (checkpoints.isDue && failure === undefined) takeCheckpoint(superstep);
        },
        superstepEnded: tell,
      },
      breathe: async () => {
        await checkpoints.written;
        await breathe();
      },
    });
    // Of the superstep that would follow: nothing is open and nothing under way, so that nothing is lived again.
    for (const processor of processors) processor.receiveMessages([]);
    if (failure === undefined) takeCheckpoint(standing.superstep + 1);
    await checkpoints.written;
    const result = await resultOf(folder, store, {
      experiment, recorder, processors, ended, scores: scores?.values, ownerOf: ownerOf.host,
    });
    return { ...result, failure };
  } finally {
    await parts.close();
  }
}

const us = (ms: number): number => Math.round(1000 * ms);
const breathe = (): Promise<void> => setImmediate();

/** What is to be closed, in the order in which it was opened. */
class Closing {
  readonly #parts: { close(): unknown }[] = [];

  add<T extends { close(): unknown }>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  /** Closes all, whatever becomes of the others; the first that fails is told. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled(this.#parts.map((part) => part.close()));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

async function noteSeeds(
  store: CrawlStore, urls: UrlTable, seeds: readonly string[], know: (page: number, url: string) => void,
): Promise<void> {
  for (const url of seeds) know(urls.add(url, 0, 0), url);
  await store.note({ firstPage: 0, pages: seeds.map((url) => ({ url, depth: 0, redirects: 0 })) });
}

/** What stands at the head of an archive (WARC 1.1, 6.2). */
function warcFacts(live: LiveSettings): WarcFacts {
  return {
    software, operator: live.contact, robots: live.robotsTxt === 'obey' ? 'obeyed (RFC 9309)' : 'ignored',
    'http-header-user-agent': userAgent(live),
  };
}

/** Where the last record of the archive ends that a visit tells of. */
function lastRecord(store: CrawlStore): Visit['warc'] {
  let last: Visit['warc'];
  for (const { warc } of store.visits()) {
    if (
      warc !== undefined &&
      (last === undefined || warc.file > last.file || (warc.file === last.file && warc.end > last.end))
    )
      last = warc;
  }
  return last;
}

/** Processors of pages and of hosts, the latter asked for once each. */
function owners(
  experiment: LiveCrawlSettings, urls: UrlTable,
): { readonly page: (page: number) => number; readonly host: (host: number) => number } {
  const processorOf = processorByName(experiment);
  const known: number[] = [];
  const host = (id: number): number => {
    while (known.length <= id) known.push(processorOf(urls.hostName(known.length)));
    return known[id];
  };
  return { host, page: (page) => host(urls.hostOf(page)) };
}

/**
 * A checkpoint is due when this many times what the last one took has passed: they cost a twentieth of the time at
 * most.
 */
const checkpointShare = 20;
const checkpointLeastUs = 1e6;

/** Takes checkpoints when they are due. */
class Checkpoints {
  /** Fulfilled when the last one is written; awaited at every barrier, so that a store which fails ends the crawl. */
  written: Promise<void> = Promise.resolve();
  readonly #store: CrawlStore;
  readonly #clock: LiveClock;
  readonly #processors: readonly Processor[];
  readonly #recorder: Recorder;
  readonly #bytesMost: number | undefined;
  #dueAtUs = -Infinity;

  constructor(
    store: CrawlStore, clock: LiveClock, processors: readonly Processor[], recorder: Recorder,
    bytesMost: number | undefined,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#processors = processors;
    this.#recorder = recorder;
    this.#bytesMost = bytesMost;
  }

  get isDue(): boolean {
    return this.#clock.nowUs >= this.#dueAtUs;
  }

  /** All messages of the superstep are received, and none is under way. */
  take(superstep: number): void {
    const beginUs = this.#clock.nowUs;
    const processors = this.#processors.map((processor) => processor.save());
    const logs = processors.map((_, id) => this.#recorder.logOf(id));
    const { nowUs: barrierUs } = this.#processors[0].options.world;
    const state = encodeCheckpoint(
      { superstep, barrierUs, processors, logs, rows: this.#recorder.rows }, this.#bytesMost,
    );
    this.written = this.#store.checkpoint(state);
    // It is awaited at the barrier, and may fail before.
    this.written.catch(() => undefined);
    this.#dueAtUs = this.#clock.nowUs + Math.max(checkpointLeastUs, checkpointShare * (this.#clock.nowUs - beginUs));
  }
}

interface EndedSession {
  readonly experiment: LiveExperiment;
  readonly recorder: Recorder;
  readonly processors: readonly Processor[];
  readonly ended: RunSummary['ended'];
  readonly scores: Float64Array | undefined;
  readonly ownerOf: (host: number) => number;
}

/** Stores the graph of what was crawled, and measures the crawl on it. */
async function resultOf(
  folder: string, store: CrawlStore, session: EndedSession,
): Promise<Omit<LiveResult, 'failure'>> {
  const path = join(folder, 'graph.owg');
  await writeCrawledGraph(store, path);
  const graph = await openGraph(path).catch((error: unknown) => {
    // Nobody else has touched it: whatever is wrong with it is our fault.
    throw error instanceof InputError
      ? new AssertionError(`a graph just written cannot be read: ${error.message}`)
      : error;
  });
  const { experiment } = session;
  const prepared = prepare(graph);
  const { reachable } = settleSeeds(prepared, experiment);
  const result = runResult(prepared, experiment, {
    events: session.recorder.finish(),
    ended: session.ended,
    ranks: trueRanks(prepared),
    scores: session.scores?.slice(0, graph.pages),
    reachable,
    processorOfHost: Uint32Array.from({ length: graph.hosts.count }, (_unused, host) => session.ownerOf(host)),
    superstepLimitOrigin: 'given',
    state: stateOf(session.processors),
  });
  let fetched = 0;
  for (const { kind } of store.visits()) if (kind === 'fetched') fetched++;
  return { ...result, graph, pagesBeyondRecord: fetched - result.run.summary.pagesFetched };
}
