import { writeOwgStreams } from '../../formats/index.ts';
import { ELSEWHERE, type CrawlStore, type NewPage, type Visit } from '../store/crawl-store.ts';
import { partsOfUrl } from '../urls/url-table.ts';
import { GraphHosts, type GraphSource } from './graph-hosts.ts';

const LARGEST_UINT32 = 2 ** 32 - 1;
const noLinks = new Uint32Array(0);

/** The store without pages of other machines, and the links to them. */
export function pagesHereAlone(store: CrawlStore): GraphSource {
  return {
    pageCount: store.pageCount, elsewhereCount: 0, pages: () => store.pages(), pagesElsewhere: () => [],
    visits: () => mapped(
      store.visits(), (visit) => ({ ...visit, links: visit.links.filter((target) => target < ELSEWHERE) }),
    ),
    hostElsewhere: () => undefined, noteHosts: () => Promise.resolve(),
  };
}

/** The pages of the graph of a crawl, by their ids in it: those of other machines are behind all others. */
export function* graphPages(store: GraphSource): Iterable<NewPage> {
  yield* store.pages();
  yield* store.pagesElsewhere();
}

/** The id of a page in the graph of the crawl. */
export function graphPageOf(store: Pick<CrawlStore, 'pageCount'>, page: number): number {
  return page < ELSEWHERE ? page : store.pageCount + page - ELSEWHERE;
}

/**
 * Stores what was crawled as a graph: every known page with the links and the size of its visit, if it had one; seeds
 * are the pages that no link or redirect led to. A graph stores no scheme: pages that differ only in it remain two
 * pages.
 *
 * Errors   those of writeOwgStreams, and of the store.
 * Memory   the names of the hosts here, and some megabytes.
 */
export async function writeCrawledGraph(store: GraphSource, path: string): Promise<void> {
  const hosts = await GraphHosts.number(store);
  const pages = store.pageCount + store.elsewhereCount;
  await writeOwgStreams({
    // Readers name the graph after the file.
    name: '',
    pages,
    hosts: hosts.count,
    hostNames: () => hosts.names(),
    hostOfPage: () => mapped(graphPages(store), ({ url }) => hosts.numberOf(url)),
    paths: () => mapped(graphPages(store), ({ url }) => partsOfUrl(url).path),
    bytes: () => mapped(visitsOf(store, pages), (visit) => Math.min(visit?.bytes ?? 0, LARGEST_UINT32)),
    rows: () => mapped(
      visitsOf(store, pages), (visit) => visit?.links.map((target) => graphPageOf(store, target)) ?? noLinks,
    ),
    seeds: () => seeds(store),
  }, path);
}

function* mapped<T, R>(values: Iterable<T>, result: (value: T) => R): Iterable<R> {
  for (const value of values) yield result(value);
}

/** By page of the graph. */
function* visitsOf(store: GraphSource, pages: number): Iterable<Visit | undefined> {
  let next = 0;
  for (const visit of store.visits()) {
    for (; next < visit.page; next++) yield undefined;
    yield visit;
    next++;
  }
  for (; next < pages; next++) yield undefined;
}

function* seeds(store: GraphSource): Iterable<number> {
  let page = 0;
  for (const { depth, redirects } of graphPages(store)) {
    if (depth === 0 && redirects === 0) yield page;
    page++;
  }
}
