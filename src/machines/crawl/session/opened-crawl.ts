import { frontierSettings, originsOf, processorByName, settleCrawl } from '../../../core/engine/index.ts';
import {
  pageReceiver, type CrawlStore, type KnownUrls, type LiveClock, type LiveWeb,
} from '../../../core/live/index.ts';
import type { Origins } from '../../../core/measure/index.ts';
import { knownPages, owners } from '../known-pages.ts';
import type { LiveCrawlOptions, LiveExperiment, StoredCrawl } from '../live-crawl.ts';
import { openWeb, type Closing, type CrawlPart } from './live-parts.ts';
import { PageScores } from '../page-scores.ts';

/** The open parts of a crawl on this machine, whichever checkpoint it goes on from. */
export interface OpenedCrawl {
  readonly folder: string;
  readonly store: CrawlStore;
  readonly options: LiveCrawlOptions;
  readonly settings: LiveExperiment;
  readonly origins: Origins;
  readonly urls: KnownUrls;
  readonly ownerOf: ReturnType<typeof owners>;
  readonly scores: PageScores | undefined;
  /** Processors of this machine, ascending. */
  readonly ids: readonly number[];
  readonly web: LiveWeb;
  readonly clock: LiveClock;
}

/** Opens what a crawl needs, to be closed with `parts`; the store stays open. @throws as what it opens. */
export async function openCrawl(
  parts: Closing, folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
  part?: CrawlPart,
): Promise<OpenedCrawl> {
  const { live, seeds } = stored;
  const scores = options.scores && new PageScores(options.scores);
  const onPage = (page: number, url: string): void => scores?.know(page, url);
  const settings: LiveExperiment = {
    ...settleCrawl(stored.experiment), live, seedPages: seeds.map((_, page) => page),
  };
  const { nodes = 1, node = 0 } = part ?? {};
  const processorOf = processorByName(settings);
  const urls = await knownPages(store, stored, onPage, part && ((host) => processorOf(host) % nodes === node));
  const ownerOf = owners(settings, urls);
  const ids = Array.from({ length: settings.processors }, (_, id) => id).filter((id) => id % nodes === node);
  const delays = frontierSettings(settings);
  const { web, clock } = await openWeb(parts, latestUs(store), {
    folder, live, store, urls, delays, onPage, lookup: options.lookup, clockSpeed: options.clockSpeed, part,
    onFetched: options.onPage && pageReceiver(live, options.onPage),
    hasBegun: store.checkpoints().length > 0, retriesFailed: options.retryFailed,
    isOwn: part && ((host) => ownerOf.name(host) % nodes === node),
  });
  return {
    folder, store, options, settings, origins: originsOf(stored.experiment), urls, ownerOf, scores, ids, web, clock,
  };
}

/** The last time on the clock of the last session that is stored. */
export function latestUs(store: CrawlStore): number {
  let latest = 0;
  for (const { finishedAtUs } of store.outcomes()) latest = Math.max(latest, finishedAtUs);
  return Math.max(latest, store.lastBarrierUs);
}
