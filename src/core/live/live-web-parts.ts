import type { CrawlLog } from './archive/crawl-log.ts';
import type { WarcWriter } from './archive/warc-writer.ts';
import type { LiveClock } from './clock.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import type { FetchedParts } from './pages/fetched-page.ts';
import type { PageReaders } from './pages/page.ts';
import type { LiveSettings } from './settings.ts';
import type { CrawlStore } from './store/crawl-store.ts';
import type { KnownUrls } from './urls/url-table.ts';

/** What the live web of a crawl is made of; each of its classes picks what it uses. */
export interface LiveWebParts {
  readonly settings: LiveSettings;
  readonly clock: LiveClock;
  readonly politenessUs: number;
  /** How long a host rests after so many consecutive failures, microseconds. */
  readonly backoffUs: (failures: number) => number;
  /** True if pages wait for hosts that cannot be reached; otherwise that is a failure of the page. */
  readonly hasPatience: boolean;
  /** True if pages that failed are tried again: then a robots.txt that could not be read is asked for anew. */
  readonly retriesFailed?: boolean | undefined;
  readonly urls: KnownUrls;
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly readers: PageReaders;
  readonly log: CrawlLog;
  readonly warc?: WarcWriter | undefined;
  /** Called for each page here when it becomes known. */
  readonly onPage?: ((page: number, url: string) => void) | undefined;
  /** Called with each page that was fetched, before it is noted; its robot waits. */
  readonly onFetched?: ((page: FetchedParts) => Promise<void>) | undefined;
  /** True if a host belongs to this machine; all do unless there are others. */
  readonly isOwn?: ((host: string) => boolean) | undefined;
  /** Waits until requests may be made: asked just before each. */
  readonly permit?: (() => Promise<void>) | undefined;
  /** True if an earlier process may have been at any host or address: each rests at first. */
  readonly hasBegun?: boolean | undefined;
}
