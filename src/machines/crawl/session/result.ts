import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openGraph } from '../../../graphs/catalogue/index.ts';
import {
  processorByName, runResult, settleSeeds, sharersOf, stateOf, trueRanks, type HostAddresses,
} from '../../../core/engine/index.ts';
import type { RunEnd } from '../../../core/events/index.ts';
import { storedGraphFacts, type StoredGraphFacts } from '../../../graphs/formats/index.ts';
import { prepare, type WebGraph } from '../../../graphs/graph/index.ts';
import { loggedAddresses, pagesHereAlone, writeCrawledGraph, type CrawlStore } from '../../../core/live/index.ts';
import { pagesCsv, type RunEvents, type StatisticsResult } from '../../../core/measure/index.ts';
import type { Processor } from '../../../core/scheduler/index.ts';
import { assert, AssertionError, InputError } from '../../../base/index.ts';
import { writePieces } from '../folder.ts';
import type { LiveExperiment, LiveResult } from '../live-crawl.ts';
import type { OpenedCrawl } from './opened-crawl.ts';

export interface EndedSession extends Pick<OpenedCrawl, 'origins' | 'ids'> {
  readonly experiment: LiveExperiment;
  readonly events: RunEvents;
  readonly processors: readonly Processor[];
  readonly ended: RunEnd;
  readonly scores: Float64Array | undefined;
  readonly statistics: StatisticsResult | undefined;
}

/** Stores the graph of what was crawled, and measures the crawl on it. */
export async function resultOf(
  folder: string, { store, urls }: Pick<OpenedCrawl, 'store' | 'urls'>, session: EndedSession,
): Promise<Omit<LiveResult, 'failure' | 'pagesOfAll' | 'hadEnded'>> {
  const { experiment } = session;
  const { graph, stored } = await storedGraph(folder, store, experiment.seedPages);
  const prepared = prepare(graph);
  const { count, ofPage, names } = graph.hosts;
  const processorOf = processorByName(experiment);
  const processorOfHost = Uint32Array.from({ length: count }, (_unused, host) => processorOf(names.at(host)));
  // Most pages of a node are linked to by pages of others, which its graph does not have.
  const here = new Set(session.ids);
  const reachable = here.size === experiment.processors
    ? settleSeeds(prepared, experiment).reachable
    : Uint8Array.from(ofPage, (host) => Number(here.has(processorOfHost[host])));
  const ranks = trueRanks(prepared);
  await writePieces(join(folder, 'pages.csv'), pagesCsv(graph, { events: session.events, ranks }));
  const { events, ended, origins, statistics } = session;
  const result = runResult(prepared, experiment, {
    events, ended, origins, statistics, ranks, reachable, processorOfHost,
    scores: session.scores?.slice(0, graph.pages),
    addresses: await addressesOf(folder, experiment, prepared.graph, processorOfHost),
    state: stateOf(session.processors), hostName: (host) => urls.hostName(host),
  });
  let fetched = 0;
  for (const { kind } of store.visits()) if (kind === 'fetched') fetched++;
  assert(fetched >= result.run.summary.pagesFetched, 'the record has more pages than the store');
  const run = { ...result.run, dataset: { ...result.run.dataset, ...stored } };
  return { ...result, run, graph, pagesBeyondRecord: fetched - run.summary.pagesFetched };
}

/** The addresses of the hosts, from the log of the crawl; a host without one in it has its own. */
async function addressesOf(
  folder: string, { live: { addressDelayMs } }: LiveExperiment, { hosts }: WebGraph, processorOfHost: Uint32Array,
): Promise<HostAddresses | undefined> {
  if (addressDelayMs === 0) return undefined;
  const addresses = await loggedAddresses(join(folder, 'crawl.log'));
  const names = Array.from({ length: hosts.count }, (_, host) => {
    const name = hosts.names.at(host);
    return addresses.get(name) ?? name;
  });
  const delayUs = Math.round(1000 * addressDelayMs);
  return { nameOf: (host) => names[host], delayUs, sharersOf: sharersOf(names, processorOfHost) };
}

/**
 * Stores `graph.owg`, and reads the graph to measure. A node that links to pages of others measures the graph of its
 * pages alone, because the others would take memory.
 */
async function storedGraph(
  folder: string, store: CrawlStore, seedPages: readonly number[],
): Promise<{ readonly graph: WebGraph; readonly stored: StoredGraphFacts | undefined }> {
  const path = join(folder, 'graph.owg');
  await writeCrawledGraph(store, path, seedPages);
  if (store.elsewhereCount === 0) return { graph: await written(path), stored: undefined };
  const herePath = join(folder, 'here.owg');
  try {
    await writeCrawledGraph(pagesHereAlone(store), herePath, seedPages);
    return { graph: await written(herePath), stored: await storedGraphFacts(path) };
  } finally {
    await rm(herePath, { force: true });
  }
}

async function written(path: string): Promise<WebGraph> {
  return openGraph(path, { name: 'graph' }).catch((error: unknown) => {
    // Nobody else has touched it: whatever is wrong with it is an internal error.
    throw error instanceof InputError
      ? new AssertionError(`a graph just written cannot be read: ${error.message}`)
      : error;
  });
}
