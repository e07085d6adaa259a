import { LargeMap } from '../../../base/index.ts';
import { writeOwgStreams } from '../../../graphs/formats/index.ts';
import { ELSEWHERE, type CrawlStore, type LinkBeyond, type NewPage, type Visit } from '../store/crawl-store.ts';
import { partsOfUrl } from '../urls/url-table.ts';

/** The part of a store from which the graph of a crawl is made. */
export type GraphSource = Pick<
  CrawlStore,
  'pageCount' | 'elsewhereCount' | 'pages' | 'pagesElsewhere' | 'visits' | 'beyond' | 'hostElsewhere' | 'noteHosts'
>;

/** Hosts of other machines that are numbered in one commit, and whose numbers are in memory. */
const HOSTS_AT_ONCE = 1 << 12;
const MAX_RECENT = 1 << 13;

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

/** The pages of the graph of a crawl, by their ids in it: pages of other machines are behind all others. */
export function* graphPages(store: GraphSource): Iterable<NewPage> {
  yield* store.pages();
  yield* store.pagesElsewhere();
}

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
 * Errors   as writeOwgStreams, and the store.
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

/** The visit of each page of the graph, in order. */
function* visitsOf(store: GraphSource, pages: number): Iterable<Visit | undefined> {
  let next = 0;
  for (const visit of store.visits()) {
    for (; next < visit.page; next++) yield undefined;
    yield visit;
    next++;
  }
  for (; next < pages; next++) yield undefined;
}

/**
 * The hosts of a crawl's graph, numbered in the order of its pages. Hosts of pages here are in memory, hosts of other
 * machines in the store, where they keep their numbers.
 *
 * Memory  a fixed number of hosts of other machines, besides those here.
 * Cost    a read of the store for each page whose host was not met recently.
 */
class GraphHosts {
  readonly #store: GraphSource;
  readonly #here = new LargeMap<string, number>();
  /** Numbers among the hosts of other machines. */
  readonly #recent = new Map<string, number>();
  #elsewhereCount = 0;

  private constructor(store: GraphSource) {
    this.#store = store;
    for (const { url } of store.pages()) {
      const { host } = partsOfUrl(url);
      if (!this.#here.has(host)) this.#here.set(host, this.#here.size);
    }
  }

  /** Errors   as the store. */
  static async number(store: GraphSource): Promise<GraphHosts> {
    const hosts = new GraphHosts(store);
    await hosts.#numberElsewhere();
    return hosts;
  }

  get count(): number {
    return this.#here.size + this.#elsewhereCount;
  }

  numberOf(url: string): number {
    const { host } = partsOfUrl(url);
    return this.#here.get(host) ?? this.#here.size + this.#elsewhere(host)!;
  }

  *names(): Iterable<string> {
    yield* this.#here.keys();
    let next = 0;
    for (const host of this.#hostsElsewhere()) {
      if (this.#elsewhere(host) !== next) continue;
      yield host;
      next++;
    }
  }

  async #numberElsewhere(): Promise<void> {
    let added = new Map<string, number>();
    for (const host of this.#hostsElsewhere()) {
      const number = added.get(host) ?? this.#elsewhere(host);
      if (number === undefined) added.set(host, this.#elsewhereCount);
      if (number === undefined || number === this.#elsewhereCount) this.#elsewhereCount++;
      if (added.size < HOSTS_AT_ONCE) continue;
      await this.#store.noteHosts(added);
      added = new Map();
    }
    await this.#store.noteHosts(added);
  }

  /** The host of each page of another machine, unless it is here. */
  *#hostsElsewhere(): Iterable<string> {
    for (const { url } of this.#store.pagesElsewhere()) {
      const { host } = partsOfUrl(url);
      if (!this.#here.has(host)) yield host;
    }
  }

  #elsewhere(host: string): number | undefined {
    const recent = this.#recent.get(host);
    if (recent !== undefined) return recent;
    const number = this.#store.hostElsewhere(host);
    if (number === undefined) return undefined;
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
    this.#recent.set(host, number);
    return number;
  }
}
