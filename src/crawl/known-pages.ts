import { processorByName } from '../engine/index.ts';
import { NodeUrls, UrlTable, type CrawlStore, type KnownUrls } from '../live/index.ts';
import type { LiveCrawlSettings } from '../settings/index.ts';

/**
 * The pages that a store knows, or the seed pages if it knows none. `onPage` is called with each.
 * @param isOwn whether a host belongs to this machine; all do where it is left out.
 */
export async function knownPages(
  store: CrawlStore, seeds: readonly string[], onPage: (page: number, url: string) => void,
  isOwn?: (host: string) => boolean,
): Promise<KnownUrls> {
  const urls = isOwn === undefined ? new UrlTable() : new NodeUrls({ store, isOwn });
  for (const { url, depth, redirects } of store.pages()) onPage(urls.add(url, depth, redirects), url);
  if (urls.count > 0) return urls;
  for (const url of seeds) onPage(urls.add(url, 0, 0), url);
  await store.note({
    firstPage: 0,
    pages: seeds.map((url, page) => ({ url, depth: 0, redirects: 0, isElsewhere: urls.isElsewhere(page) })),
  });
  return urls;
}

/** Processors of pages and of hosts, computed once per host. */
export function owners(
  experiment: LiveCrawlSettings, urls: KnownUrls,
): {
  readonly page: (page: number) => number; readonly host: (host: number) => number;
  readonly name: (host: string) => number;
} {
  const processorOf = processorByName(experiment);
  const known: number[] = [];
  const host = (id: number): number => {
    while (known.length <= id) known.push(processorOf(urls.hostName(known.length)));
    return known[id];
  };
  const name = (hostName: string): number => {
    const id = urls.findHost(hostName);
    return id < 0 ? processorOf(hostName) : host(id);
  };
  return { host, name, page: (page) => host(urls.hostOf(page)) };
}
