import { assert, grown, pageGrowth } from '../../base/index.ts';
import type { CrawlStore, NewPage } from '../store/crawl-store.ts';
import type { KnownUrls } from './known-urls.ts';
import { partsOfUrl, UrlTable } from './url-table.ts';

/** Added to the host of a page that another machine fetches. */
const ELSEWHERE = 2 ** 31;
const maxRecent = 1 << 15;

export interface NodeUrlsOptions {
  /** Where every page is noted soon after it was added. */
  readonly store: Pick<CrawlStore, 'pageCount' | 'pageAt' | 'idElsewhere'>;
  /** Whether a host belongs to this machine. */
  readonly isOwn: (host: string) => boolean;
  /** Pages of other machines in memory besides those that are not yet stored. */
  readonly maxRecent?: number;
}

/**
 * What one machine of several knows: the pages of its own hosts in memory, and those of other machines, which its pages
 * link to, in the store.
 *
 * Memory  an own page as in `UrlTable` and 8 bytes; a page of another machine 4 bytes, for its host; besides, some MB
 *         of the latter that were mentioned recently.
 * Cost    as `UrlTable`; of a page of another machine, if it was not mentioned recently, a read of the store (some
 *         microseconds).
 */
export class NodeUrls implements KnownUrls {
  readonly #options: Required<NodeUrlsOptions>;
  readonly #own = new UrlTable();
  /** By page: its number among the own ones, or ELSEWHERE and its host. */
  #places = new Uint32Array(16);
  /** Own pages, by their numbers. */
  #ownPages = new Uint32Array(16);
  #count = 0;
  /** By host: 1 if it belongs to this machine, 2 if not, 0 if that is not known yet. */
  #owned = new Uint8Array(16);
  readonly #recentIds: RecentPages<string, number>;
  readonly #recentPages: RecentPages<number, NewPage>;

  constructor(options: NodeUrlsOptions) {
    this.#options = { maxRecent, ...options };
    this.#recentIds = new RecentPages(this.#options, (_, page) => page);
    this.#recentPages = new RecentPages(this.#options, (page) => page);
  }

  get count(): number {
    return this.#count;
  }

  get hostCount(): number {
    return this.#own.hostCount;
  }

  get bytes(): number {
    return this.#own.bytes + this.#places.byteLength + this.#ownPages.byteLength + this.#owned.byteLength;
  }

  add(url: string, depth: number, redirects: number): number {
    const host = this.#own.addHost(partsOfUrl(url).host);
    if (this.#isOwn(host)) {
      const number = this.#own.add(url, depth, redirects);
      this.#ownPages = grown(this.#ownPages, number + 1, pageGrowth);
      this.#ownPages[number] = this.#count;
      return this.#take(number);
    }
    // Copied, because it may be a slice of a string of all links of a page.
    const copy = Buffer.from(url, 'latin1').toString('latin1');
    this.#recentIds.set(copy, this.#count);
    this.#recentPages.set(this.#count, { url: copy, depth, redirects });
    return this.#take(ELSEWHERE + host);
  }

  find(url: string): number {
    const number = this.#own.find(url);
    if (number >= 0) return this.#ownPages[number];
    const host = this.#own.findHost(partsOfUrl(url).host);
    if (host < 0 || this.#isOwn(host)) return -1;
    const recent = this.#recentIds.get(url);
    if (recent !== undefined) return recent;
    const page = this.#options.store.idElsewhere(url);
    if (page === undefined) return -1;
    this.#recentIds.set(Buffer.from(url, 'latin1').toString('latin1'), page);
    return page;
  }

  isElsewhere(page: number): boolean {
    return this.#places[page] >= ELSEWHERE;
  }

  urlOf(page: number): string {
    return this.isElsewhere(page) ? this.#pageOf(page).url : this.#own.urlOf(this.#places[page]);
  }

  hostOf(page: number): number {
    const place = this.#places[page];
    return place >= ELSEWHERE ? place - ELSEWHERE : this.#own.hostOf(place);
  }

  depthOf(page: number): number {
    return this.isElsewhere(page) ? this.#pageOf(page).depth : this.#own.depthOf(this.#places[page]);
  }

  redirectsOf(page: number): number {
    return this.isElsewhere(page) ? this.#pageOf(page).redirects : this.#own.redirectsOf(this.#places[page]);
  }

  hostName(host: number): string {
    return this.#own.hostName(host);
  }

  findHost(hostName: string): number {
    return this.#own.findHost(hostName);
  }

  pagesOfHost(hostName: string): number {
    return this.#own.pagesOfHost(hostName);
  }

  #take(place: number): number {
    this.#places = grown(this.#places, this.#count + 1, pageGrowth);
    this.#places[this.#count] = place;
    return this.#count++;
  }

  #pageOf(page: number): NewPage {
    const recent = this.#recentPages.get(page);
    if (recent !== undefined) return recent;
    const stored = this.#options.store.pageAt(page);
    assert(stored !== undefined, () => `page ${page} is in the store, or was added lately`);
    this.#recentPages.set(page, stored);
    return stored;
  }

  #isOwn(host: number): boolean {
    this.#owned = grown(this.#owned, host + 1);
    this.#owned[host] ||= this.#options.isOwn(this.#own.hostName(host)) ? 1 : 2;
    return this.#owned[host] === 1;
  }
}

/** A map that forgets, all at once, what the store has, whenever it is full. */
class RecentPages<K, V> {
  readonly #options: Required<NodeUrlsOptions>;
  readonly #pageOf: (key: K, value: V) => number;
  readonly #map = new Map<K, V>();
  #most: number;

  constructor(options: Required<NodeUrlsOptions>, pageOf: (key: K, value: V) => number) {
    this.#options = options;
    this.#pageOf = pageOf;
    this.#most = options.maxRecent;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    if (this.#map.size >= this.#most) this.#forget();
    this.#map.set(key, value);
  }

  #forget(): void {
    const { store: { pageCount }, maxRecent: most } = this.#options;
    for (const [key, value] of this.#map) if (this.#pageOf(key, value) < pageCount) this.#map.delete(key);
    // Where much is not yet stored, it is not looked through for each page.
    this.#most = Math.max(most, 2 * this.#map.size);
  }
}
