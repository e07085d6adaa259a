import { writeOwgRows } from '../../formats/index.ts';
import { hostsFromNames, sharedUint32, StringTable } from '../../graph/index.ts';
import type { CrawlStore } from '../store/crawl-store.ts';

const LARGEST_UINT32 = 2 ** 32 - 1;
const noLinks = new Uint32Array(0);

/**
 * Stores what was crawled as a graph: every known page, by its id, with the links and the size of its visit, if it had
 * one; seeds are the pages that no link or redirect led to. A graph stores no scheme: pages that differ only in it
 * remain two pages.
 *
 * Errors   those of writeOwgRows, and of the store.
 * Memory   the graph without its links, and some 200 bytes per page while hosts and paths are gathered.
 */
export async function writeCrawledGraph(store: CrawlStore, path: string): Promise<void> {
  const hostNames: string[] = [];
  const paths: string[] = [];
  const seeds: number[] = [];
  for (const { url, depth, redirects } of store.pages()) {
    const { host, pathname, search } = new URL(url);
    if (depth === 0 && redirects === 0) seeds.push(paths.length);
    hostNames.push(host);
    paths.push(pathname + search);
  }
  const pages = paths.length;
  const bytes = sharedUint32(pages);
  for (const visit of store.visits()) bytes[visit.page] = Math.min(visit.bytes, LARGEST_UINT32);
  await writeOwgRows({
    // Readers name the graph after the file.
    name: '',
    pages,
    hosts: hostsFromNames(hostNames),
    paths: StringTable.from(paths),
    bytes,
    seeds: Uint32Array.from(seeds),
    rows: () => rows(store, pages),
  }, path);
}

function* rows(store: CrawlStore, pages: number): Iterable<Uint32Array> {
  let next = 0;
  for (const { page, links } of store.visits()) {
    for (; next < page; next++) yield noLinks;
    yield links;
    next++;
  }
  for (; next < pages; next++) yield noLinks;
}
