import { processorByName } from '../engine/index.ts';
import { UrlTable, type CrawlStore } from '../live/index.ts';
import type { LiveCrawlSettings } from '../settings/index.ts';

/** The pages that a store knows, or the seed pages if it knows none. `onPage` is called with each. */
export async function knownPages(
  store: CrawlStore, seeds: readonly string[], onPage: (page: number, url: string) => void,
): Promise<UrlTable> {
  const urls = new UrlTable();
  for (const { url, depth, redirects } of store.pages()) onPage(urls.add(url, depth, redirects), url);
  if (urls.count > 0) return urls;
  for (const url of seeds) onPage(urls.add(url, 0, 0), url);
  await store.note({ firstPage: 0, pages: seeds.map((url) => ({ url, depth: 0, redirects: 0 })) });
  return urls;
}

/** Processors of pages and of hosts, computed once per host. */
export function owners(
  experiment: LiveCrawlSettings, urls: UrlTable,
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
