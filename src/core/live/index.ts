export { CrawlLog, type LogLine } from './archive/crawl-log.ts';
export { graphPageOf, graphPages, linksOf, pagesHereAlone, writeCrawledGraph } from './archive/crawled-graph.ts';
export { areAllRedirects, loggedAddresses, loggedReasons, type LoggedReason } from './archive/log-reasons.ts';
export { storedPages, storedPlaces, type StoredPlaces } from './archive/stored-pages.ts';
export type { WarcFacts } from './archive/warc-records.ts';
export { WarcWriter, type WarcPlace } from './archive/warc-writer.ts';
export { checkSettings } from './check-settings.ts';
export { LiveClock } from './clock.ts';
export { faultOutcomes, header, type Answer, type Fault, type FaultReason } from './fetch/answer.ts';
export type { Wants } from './fetch/download.ts';
export { Fetcher, software, userAgent, type FetcherOptions } from './fetch/fetcher.ts';
export type { Lookup } from './fetch/resolver.ts';
export { LiveWeb } from './live-web.ts';
export type { LiveWebParts } from './live-web-parts.ts';
export {
  LiveWorld, type Download, type OpenRequest, type Starter, type Web, type WorldClock,
} from './live-world.ts';
export { pageReceiver, type FetchedPage, type PageContent } from './pages/fetched-page.ts';
export { pageReaders } from './pages/page-readers.ts';
export type { PageRead, PageReaders, RawPage } from './pages/page.ts';
export { liveSchema, type LiveInput, type LiveSettings } from './settings.ts';
export {
  ELSEWHERE, type CrawlStore, type HostRest, type NewPage, type Note, type RobotsNote, type StoredCheckpoint,
  type StoredOutcome, type Visit,
} from './store/crawl-store.ts';
export { hasStoredCrawl, openLmdbStore, openLmdbStoreToRead } from './store/lmdb-store.ts';
export { NodeUrls } from './urls/node-urls.ts';
export { Scope } from './urls/scope.ts';
export { UrlFilter, urlMaker } from './urls/url-filter.ts';
export { UrlTable, type KnownUrls } from './urls/url-table.ts';
