import { writeOwgStreams } from '../../../graphs/formats/index.ts';
import { ELSEWHERE, type CrawlStore, type LinkBeyond, type NewPage, type Visit } from '../store/crawl-store.ts';
import { partsOfUrl } from '../urls/url-table.ts';
import { GraphHosts, type GraphSource } from './graph-hosts.ts';

const LARGEST_UINT32 = 2 ** 32 - 1;
const noLinks = new Uint32Array(0);

/** The store without pages of other machines, and the links to them. */
export function pagesHereAlone(store: CrawlStore): GraphSource {
  return {
    pageCount: store.pageCount, elsewhereCount: 0, pages: () => store.pages(), pagesElsewhere: () => [],
    visits: () => mapped(
      store.visits(),
      (visit) => ({ ...visit, links: linksOf(store, visit).filter((target) => target < ELSEWHERE) }),
    ),
    beyond: () => [],
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
 * The links of a visited page to pages that are known now, in the order of the page: also those that led beyond the
 * limits when it was visited.
 */
export function linksOf(store: Pick<CrawlStore, 'beyond'>, { page, links }: Visit): Uint32Array {
  const beyond = store.beyond(page);
  if (beyond.length === 0) return links;
  const all: LinkBeyond['to'][] = [];
  let next = 0;
  const putBeyond = (): void => { while (beyond.at(next)?.place === all.length) all.push(beyond[next++].to); };
  for (const link of links) {
    putBeyond();
    all.push(link);
  }
  putBeyond();
  return Uint32Array.from(all.filter((to) => typeof to === 'number'));
}

/**
 * Stores what was crawled as a graph: every known page with the links and the size of its visit, if it had one. A graph
 * stores no scheme: pages that differ only in it remain two pages.
 *
 * @param seedPages ids of the seed pages.
 * Errors   those of writeOwgStreams, and of the store.
 * Memory   the names of the hosts here, and some megabytes.
 */
export async function writeCrawledGraph(
  store: GraphSource, path: string, seedPages: readonly number[],
): Promise<void> {
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
      visitsOf(store, pages),
      (visit) => (visit ? linksOf(store, visit).map((target) => graphPageOf(store, target)) : noLinks),
    ),
    seeds: () => seedPages,
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
