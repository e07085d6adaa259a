import { assert } from '../../../base/index.ts';
import { ELSEWHERE, type CrawlStore, type PageElsewhere, type Reach } from '../store/crawl-store.ts';
import { partsOfUrl, type KnownUrls, type UrlTable } from './url-table.ts';

const maxRecent = 1 << 15;

export interface NodeUrlsOptions {
  /** Every page is noted there soon after it was added. */
  readonly store: Pick<CrawlStore, 'elsewhereCount' | 'pageAt' | 'findElsewhere'>;
  /** Pages that the store has here: the seed pages of the crawl, and pages of hosts of this machine. */
  readonly here: UrlTable;
  readonly isOwn: (host: string) => boolean;
  /** Pages of other machines in memory besides those that are not yet stored. */
  readonly maxRecent?: number;
}

/**
 * The pages that one machine of several knows. Seed pages and pages of its own hosts are in memory; pages of other
 * machines, which its pages link to, are in the store. The latter have ids from `ELSEWHERE` on, and their hosts none.
 *
 * Memory  a page here as in `UrlTable`; besides, a fixed number of recent pages of other machines, some 10 MB, and
 *         all that are not yet stored.
 * Cost    as `UrlTable`; a read of the store (some microseconds) for a page of another machine that is not recent.
 */
export class NodeUrls implements KnownUrls {
  readonly #options: NodeUrlsOptions;
  readonly #here: UrlTable;
  readonly #recent: RecentPages;
  #elsewhereCount: number;

  constructor(options: NodeUrlsOptions) {
    this.#options = options;
    this.#here = options.here;
    this.#recent = new RecentPages(options.store, options.maxRecent ?? maxRecent);
    this.#elsewhereCount = options.store.elsewhereCount;
  }

  get count(): number {
    return this.#here.count;
  }

  get elsewhereCount(): number {
    return this.#elsewhereCount;
  }

  get hostCount(): number {
    return this.#here.hostCount;
  }

  get bytes(): number {
    return this.#here.bytes;
  }

  get recentCount(): number {
    return this.#recent.count;
  }

  add(url: string, depth: number, redirects: number, hops = 0): number {
    if (this.#options.isOwn(partsOfUrl(url).host)) return this.#here.add(url, depth, redirects, hops);
    const page = ELSEWHERE + this.#elsewhereCount++;
    this.#recent.add({ page, url, depth, redirects, hops });
    return page;
  }

  find(url: string): number {
    const here = this.#here.find(url);
    if (here >= 0) return here;
    const recent = this.#recent.find(url);
    if (recent !== undefined) return recent.page;
    const { store, isOwn } = this.#options;
    const stored = isOwn(partsOfUrl(url).host) ? undefined : store.findElsewhere(url);
    if (stored === undefined) return -1;
    this.#recent.add(stored);
    return stored.page;
  }

  urlOf(page: number): string {
    return page < ELSEWHERE ? this.#here.urlOf(page) : this.#pageAt(page).url;
  }

  hostOf(page: number): number {
    assert(page < ELSEWHERE, 'hosts of other machines have no ids');
    return this.#here.hostOf(page);
  }

  hostNameOf(page: number): string {
    return page < ELSEWHERE ? this.#here.hostNameOf(page) : partsOfUrl(this.#pageAt(page).url).host;
  }

  depthOf(page: number): number {
    return page < ELSEWHERE ? this.#here.depthOf(page) : this.#pageAt(page).depth;
  }

  redirectsOf(page: number): number {
    return page < ELSEWHERE ? this.#here.redirectsOf(page) : this.#pageAt(page).redirects;
  }

  hopsOf(page: number): number {
    return page < ELSEWHERE ? this.#here.hopsOf(page) : this.#pageAt(page).hops ?? 0;
  }

  bringNearer(page: number, reach: Reach): void {
    if (page < ELSEWHERE) this.#here.bringNearer(page, reach);
    else this.#recent.bringNearer(this.#pageAt(page), reach);
  }

  hostName(host: number): string {
    return this.#here.hostName(host);
  }

  findHost(hostName: string): number {
    return this.#here.findHost(hostName);
  }

  pagesOfHost(hostName: string): number {
    return this.#here.pagesOfHost(hostName);
  }

  #pageAt(page: number): PageElsewhere {
    const recent = this.#recent.at(page);
    if (recent !== undefined) return recent;
    const stored = this.#options.store.pageAt(page);
    assert(stored !== undefined, () => `page ${page} is in the store, or was added lately`);
    return this.#recent.add({ page, ...stored });
  }
}

/** Pages of other machines by id and by URL. When it is full, it forgets, all at once, what the store has. */
class RecentPages {
  readonly #store: NodeUrlsOptions['store'];
  readonly #maxPages: number;
  readonly #byId = new Map<number, PageElsewhere>();
  readonly #byUrl = new Map<string, PageElsewhere>();
  /** Nearer than the store may have them. */
  readonly #nearer = new Set<number>();
  /** When it is full. */
  #most: number;

  constructor(store: NodeUrlsOptions['store'], maxPages: number) {
    this.#store = store;
    this.#maxPages = this.#most = maxPages;
  }

  get count(): number {
    return this.#byId.size;
  }

  at(page: number): PageElsewhere | undefined {
    return this.#byId.get(page);
  }

  find(url: string): PageElsewhere | undefined {
    return this.#byUrl.get(url);
  }

  add({ page, url, ...reach }: PageElsewhere): PageElsewhere {
    if (this.#byId.size >= this.#most) this.#forget();
    // Copied, because it may be a slice of a string of all links of a page.
    const added = { page, url: Buffer.from(url, 'latin1').toString('latin1'), ...reach };
    this.#byId.set(page, added);
    this.#byUrl.set(added.url, added);
    return added;
  }

  bringNearer({ page, url }: PageElsewhere, { depth, redirects, hops }: Reach): void {
    const nearer = { page, url, depth, redirects, hops };
    this.#byId.set(page, nearer);
    this.#byUrl.set(url, nearer);
    this.#nearer.add(page);
  }

  #forget(): void {
    const firstNew = ELSEWHERE + this.#store.elsewhereCount;
    for (const { page, url, depth, redirects, hops = 0 } of this.#byId.values()) {
      if (page >= firstNew) continue;
      if (this.#nearer.has(page)) {
        const stored = this.#store.pageAt(page);
        if (stored?.depth !== depth || stored.redirects !== redirects || (stored.hops ?? 0) !== hops) continue;
        this.#nearer.delete(page);
      }
      this.#byId.delete(page);
      this.#byUrl.delete(url);
    }
    // If much is not yet stored, not every addition looks through it.
    this.#most = Math.max(this.#maxPages, 2 * this.#byId.size);
  }
}
