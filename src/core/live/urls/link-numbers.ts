import { LargeMap } from '../../../base/index.ts';
import type { Meaning } from '../pages/meaning.ts';
import {
  ELSEWHERE, type CrawlStore, type LinkBeyond, type NewPage, type NewPages, type Reach, type Visit,
} from '../store/crawl-store.ts';
import type { LiveWebParts } from '../live-web-parts.ts';
import type { LiveSettings } from '../settings.ts';
import type { KnownUrls } from './url-table.ts';
import { PagesReached } from './pages-reached.ts';
import { OUT_OF_SCOPE, Scope } from './scope.ts';

export interface LinkNumbersOptions extends Pick<LiveWebParts, 'urls' | 'isOwn' | 'onPage'> {
  readonly settings: Pick<LiveSettings, 'maxDepth' | 'maxRedirects' | 'maxHostPages' | 'scope' | 'maxUrlLength'>;
  readonly store: Pick<CrawlStore, 'visit' | 'beyond' | 'reached' | 'reachedPages'>;
}

/** New pages and new facts about pages, for a note. */
export interface AddedPages extends NewPages {
  readonly pages: NewPage[];
  readonly elsewhere: NewPage[];
  readonly nearer: Map<number, Reach>;
  readonly beyond: Map<number, readonly LinkBeyond[]>;
  readonly reached: Map<number, Uint32Array>;
}

export function addedPages({ count, elsewhereCount }: Pick<KnownUrls, 'count' | 'elsewhereCount'>): AddedPages {
  return {
    firstPage: count, pages: [], firstElsewhere: ELSEWHERE + elsewhereCount, elsewhere: [],
    nearer: new Map(), beyond: new Map(), reached: new Map(),
  };
}

export function isNothing({ pages, elsewhere, nearer }: AddedPages): boolean {
  return pages.length + elsewhere.length + nearer.size === 0;
}

type FoundLinks = Pick<Meaning, 'links' | 'hops' | 'byRedirect'>;

type Links = Pick<Visit, 'links' | 'byRedirect'>;

/**
 * Without a limit, depths up to here are the least of all known paths; a larger one may belong to the path by which a
 * page was first found. A page comes nearer at most so many times, however its host spins its links.
 */
const depthsTracked = 100;

/**
 * Numbers the pages that links lead to, within depth, scope and budgets, and remembers how near each is to a seed page.
 * New ones get the next ids, and are to be stored before they are used.
 *
 * The depth of a page is the least number of links from a seed page on any path that is known. When a path comes that
 * is shorter, the page comes nearer, and so do the pages that its stored links lead to, if it was visited. Links that
 * led beyond the limits are stored with their URLs: their pages become known as soon as they are within. They are
 * announced on account of the page by which that came about (`reachedThrough`), and so are pages of other machines that
 * have come nearer. The number of redirects in a row is the least likewise, by whichever path, and so are the hops
 * beyond the scope: a page in scope has those that `Scope` says, whatever leads there; a page out of scope has one more
 * than the page that leads there, or as many if that is out of scope too and redirects. The pages known in the
 * end therefore do not depend on the order of the visits.
 *
 * Cost     a lookup for each link; for each visited page that comes nearer, a read of its visit, some microseconds, and
 *          16 bytes in the store. A page comes nearer at most `maxDepth` + `maxRedirects` + `maxHops` times, mostly
 *          never.
 * Memory   visits that are not yet stored.
 */
export class LinkNumbers {
  readonly #options: LinkNumbersOptions;
  readonly #leastUpTo: number;
  readonly #scope: Scope;
  /** First pages of full hosts, by host id. */
  readonly #firsts = new LargeMap<number, number>();
  readonly #announced: PagesReached;
  /** Visits and links that the store may not have yet. */
  readonly #visits = new Map<number, Links>();
  readonly #beyond = new Map<number, readonly LinkBeyond[]>();

  constructor(options: LinkNumbersOptions) {
    this.#options = options;
    this.#leastUpTo = options.settings.maxDepth ?? depthsTracked;
    this.#scope = new Scope(options.settings);
    this.#announced = new PagesReached(options.store);
  }

  /**
   * Ids of the links of a visited page, except those to pages beyond depth or budget.
   * @param added gets the new pages, and what else is learned; `stored` is to be called once it is.
   */
  ofPage(page: number, { links, hops, byRedirect }: FoundLinks, added: AddedPages): Uint32Array {
    const { urls } = this.#options;
    const reach = this.#reachFrom(page, byRedirect);
    const isWithin = this.#isWithin(reach);
    const ids = new Uint32Array(links.length);
    const beyond: LinkBeyond[] = [];
    const nearer: number[] = [];
    let count = 0;
    for (const [i, url] of links.entries()) {
      const to = isWithin ? this.#towards(reach, hops?.[i] ?? 0) : undefined;
      let id = urls.find(url);
      if (id >= 0) {
        if (to !== undefined && this.#bringNearer(id, to, added)) nearer.push(id);
      } else if (to !== undefined) id = this.#addNew({ url, ...to }, added);
      else beyond.push({ place: count + beyond.length, to: url });
      if (id >= 0) ids[count++] = id;
    }
    const knownIds = ids.subarray(0, count);
    this.#visits.set(page, { links: knownIds, byRedirect });
    if (beyond.length > 0) this.#putBeyond(page, beyond, added);
    this.#spread(page, nearer, added);
    return knownIds;
  }

  /**
   * The id of a page that another machine has found, which is added if it is new, and otherwise comes nearer if it was
   * found nearer. Coins and the rest of a message to a page beyond its host's budget go to the first page of the host.
   */
  ofFound(page: NewPage, added: AddedPages): number {
    const id = this.#options.urls.find(page.url);
    if (id < 0) {
      const newId = this.#addNew(page, added);
      return newId < 0 ? this.#firstOf(page.url) : newId;
    }
    if (this.#bringNearer(id, page, added)) this.#spread(id, [id], added);
    return id;
  }

  /** With how many hops the page begins that a page redirects to, and whether that is beyond the scope as yet. */
  redirected(page: number, url: string): { readonly hops: number; readonly isBeyond: boolean } {
    const hops = this.#hopsAtFirst(url);
    return { hops, isBeyond: this.#towards(this.#reachFrom(page, true), hops) === undefined };
  }

  /** The additions are stored, with the visit of this page, if it was one. */
  stored({ beyond }: AddedPages, page?: number): void {
    if (page !== undefined) this.#visits.delete(page);
    for (const [from, links] of beyond) if (this.#beyond.get(from) === links) this.#beyond.delete(from);
  }

  reachedThrough(page: number): Uint32Array | undefined {
    return this.#announced.take(page);
  }

  /** The crawl goes back to a checkpoint: later announcements are made again. */
  goBack(): void {
    this.#announced.goBack();
  }

  #addNew({ url, depth, redirects, hops }: NewPage, added: AddedPages): number {
    const { urls, onPage } = this.#options;
    if (this.#isFull(url)) return -1;
    const id = urls.add(url, depth, redirects, hops);
    (id < ELSEWHERE ? added.pages : added.elsewhere).push({ url, depth, redirects, hops });
    if (id < ELSEWHERE) onPage?.(id, url);
    return id;
  }

  #reachFrom(page: number, byRedirect: boolean | undefined): Reach {
    const { urls } = this.#options;
    const hops = urls.hopsOf(page);
    const step = this.#scope.maxHops === 0 ? 0 : 1;
    if (byRedirect !== true) return { depth: urls.depthOf(page) + 1, redirects: 0, hops: hops + step };
    // Beyond the scope a redirect is no more a link than elsewhere; the one that leads out of it is.
    const isOutside = this.#hopsAtFirst(urls.urlOf(page)) === Infinity;
    return {
      depth: urls.depthOf(page), redirects: urls.redirectsOf(page) + 1, hops: isOutside ? hops : hops + step,
    };
  }

  /** 0 if no links beyond the scope are followed: then others have judged the URL. */
  #hopsAtFirst(url: string): number {
    return this.#scope.maxHops === 0 ? 0 : this.#scope.hopsOf(url);
  }

  /**
   * The reach that a link gives its target; undefined if that is beyond the scope.
   * @param first with how many hops the page begins: one in scope always has these.
   */
  #towards(reach: Reach, first: number): Reach | undefined {
    const hops = first < OUT_OF_SCOPE ? first : reach.hops ?? 0;
    if (hops > this.#scope.maxHops) return undefined;
    return hops === reach.hops ? reach : { ...reach, hops };
  }

  #towardsKnown(reach: Reach, page: number): Reach | undefined {
    if (this.#scope.maxHops === 0) return reach;
    return this.#towards(reach, this.#hopsAtFirst(this.#options.urls.urlOf(page)));
  }

  #isWithin({ depth, redirects }: Reach): boolean {
    const { maxDepth = Infinity, maxRedirects } = this.#options.settings;
    return depth <= maxDepth && redirects <= maxRedirects;
  }

  /** Returns whether a known page is nearer than it was, by depth, redirects or hops. */
  #bringNearer(page: number, { depth, redirects, hops = 0 }: Reach, added: AddedPages): boolean {
    const { urls } = this.#options;
    const last = { depth: urls.depthOf(page), redirects: urls.redirectsOf(page), hops: urls.hopsOf(page) };
    const isNearer = depth < last.depth && depth <= this.#leastUpTo;
    if (!isNearer && redirects >= last.redirects && hops >= last.hops) return false;
    const now = {
      depth: Math.min(depth, last.depth), redirects: Math.min(redirects, last.redirects),
      hops: Math.min(hops, last.hops),
    };
    urls.bringNearer(page, now);
    added.nearer.set(page, now);
    return true;
  }

  /**
   * These pages have come nearer: brings all pages nearer that their links lead to, directly or not.
   * @param cause the page by which that came about.
   */
  #spread(cause: number, nearer: number[], added: AddedPages): void {
    const reached: number[] = [];
    // It grows during the loop: pages that come nearer in turn.
    for (const page of nearer) {
      if (page >= ELSEWHERE) {
        reached.push(page);
        continue;
      }
      const visit = this.#visits.get(page) ?? this.#options.store.visit(page);
      if (visit === undefined) continue;
      const reach = this.#reachFrom(page, visit.byRedirect);
      if (!this.#isWithin(reach)) continue;
      for (const target of visit.links) {
        const to = this.#towardsKnown(reach, target);
        if (to !== undefined && this.#bringNearer(target, to, added)) nearer.push(target);
      }
      this.#reachBeyond(page, reach, added, { nearer, reached });
    }
    if (reached.length > 0) added.reached.set(cause, this.#announced.add(cause, reached));
  }

  /** The page has come nearer: links of it that were beyond the limits may be within. */
  #reachBeyond(
    page: number, reach: Reach, added: AddedPages, { nearer, reached }: { nearer: number[]; reached: number[] },
  ): void {
    const { urls, store } = this.#options;
    const links = this.#beyond.get(page) ?? store.beyond(page);
    if (links.length === 0) return;
    const now = links.map((link): LinkBeyond => {
      const { place, to } = link;
      if (typeof to === 'number') {
        const nearTo = this.#towardsKnown(reach, to);
        if (nearTo !== undefined && this.#bringNearer(to, nearTo, added)) nearer.push(to);
        return link;
      }
      let id = urls.find(to);
      const near = this.#towards(reach, this.#hopsAtFirst(to));
      if (near === undefined) return link;
      if (id < 0) {
        id = this.#addNew({ url: to, ...near }, added);
        if (id >= 0) reached.push(id);
      } else if (this.#bringNearer(id, near, added)) nearer.push(id);
      return id < 0 ? link : { place, to: id };
    });
    if (now.some((link, i) => link !== links[i])) this.#putBeyond(page, now, added);
  }

  #putBeyond(page: number, links: readonly LinkBeyond[], added: AddedPages): void {
    this.#beyond.set(page, links);
    added.beyond.set(page, links);
  }

  /** The first page of a full host: O(pages) for each host, once. */
  #firstOf(url: string): number {
    const { urls } = this.#options;
    const host = urls.findHost(new URL(url).host);
    let first = this.#firsts.get(host);
    if (first !== undefined) return first;
    for (first = 0; urls.hostOf(first) !== host; first++);
    this.#firsts.set(host, first);
    return first;
  }

  #isFull(url: string): boolean {
    const { urls, settings: { maxHostPages }, isOwn = () => true } = this.#options;
    if (maxHostPages === undefined) return false;
    const { host } = new URL(url);
    return isOwn(host) && urls.pagesOfHost(host) >= maxHostPages;
  }
}
