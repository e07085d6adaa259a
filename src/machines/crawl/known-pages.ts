import { processorByName } from '../../core/engine/index.ts';
import { ELSEWHERE, NodeUrls, Scope, UrlTable, type CrawlStore, type KnownUrls } from '../../core/live/index.ts';
import type { LiveCrawlSettings } from '../../core/settings/index.ts';
import type { StoredCrawl } from './live-crawl.ts';

/**
 * The pages that a store knows, or the seed pages if it knows none. `onPage` is called with each that is here.
 * @param isOwn true if a host belongs to this machine; all do where it is left out.
 */
export async function knownPages(
  store: CrawlStore, { seeds, live }: Pick<StoredCrawl, 'seeds' | 'live'>,
  onPage: (page: number, url: string) => void, isOwn?: (host: string) => boolean,
): Promise<KnownUrls> {
  const here = new UrlTable();
  for (const { url, depth, redirects, hops } of store.pages()) onPage(here.add(url, depth, redirects, hops), url);
  if (here.count === 0) {
    const scope = new Scope(live);
    const pages = seeds.map((url) => ({ url, depth: 0, redirects: 0, hops: scope.hopsOf(url) }));
    for (const { url, hops } of pages) onPage(here.add(url, 0, 0, hops), url);
    await store.note({ firstPage: 0, pages });
  }
  return isOwn === undefined ? here : new NodeUrls({ store, here, isOwn });
}

/** Processors of pages and of hosts, computed once per host. */
export function owners(
  experiment: LiveCrawlSettings, urls: KnownUrls,
): {
  readonly page: (page: number) => number; readonly host: (host: number) => number;
  readonly name: (host: string) => number;
} {
  const processorOf = processorByName(experiment);
  const ofHosts: number[] = [];
  const host = (id: number): number => {
    while (ofHosts.length <= id) ofHosts.push(processorOf(urls.hostName(ofHosts.length)));
    return ofHosts[id];
  };
  const page = (id: number): number => (
    id < ELSEWHERE ? host(urls.hostOf(id)) : processorOf(urls.hostNameOf(id))
  );
  const name = (hostName: string): number => {
    const id = urls.findHost(hostName);
    return id < 0 ? processorOf(hostName) : host(id);
  };
  return { host, name, page };
}
