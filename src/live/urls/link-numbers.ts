import { LargeMap } from '../../base/index.ts';
import { ELSEWHERE, type NewPage, type NewPages } from '../store/crawl-store.ts';
import type { KnownUrls } from './known-urls.ts';

export interface LinkNumbersOptions {
  readonly urls: KnownUrls;
  readonly maxDepth: number;
  /** Pages of a host, at most. */
  readonly maxHostPages: number;
  /** Whether a host belongs to this machine: its pages are counted here. */
  readonly isOwn: (host: string) => boolean;
  /** Called for each page here when it becomes known. */
  readonly onPage: ((page: number, url: string) => void) | undefined;
}

/** Pages that become known from now on, as a note has them. */
export interface AddedPages extends NewPages {
  readonly pages: NewPage[];
  readonly elsewhere: NewPage[];
}

export function addedPages({ count, elsewhereCount }: Pick<KnownUrls, 'count' | 'elsewhereCount'>): AddedPages {
  return { firstPage: count, pages: [], firstElsewhere: ELSEWHERE + elsewhereCount, elsewhere: [] };
}

/**
 * Numbers the pages that links lead to. New ones get the next ids, within depth and budgets, and are to be stored
 * before they are used.
 */
export class LinkNumbers {
  readonly #options: LinkNumbersOptions;
  /** Of hosts that are full, by id. */
  readonly #firstOf = new LargeMap<number, number>();

  constructor(options: LinkNumbersOptions) {
    this.#options = options;
  }

  /**
   * Ids of the links of a page, of which those beyond depth or budget are left out.
   * @param added gets the new pages.
   */
  ofPage(page: number, links: readonly string[], byRedirect: boolean, added: AddedPages): Uint32Array {
    const { urls, maxDepth } = this.#options;
    const depth = urls.depthOf(page) + (byRedirect ? 0 : 1);
    const redirects = byRedirect ? urls.redirectsOf(page) + 1 : 0;
    const ids = new Uint32Array(links.length);
    let count = 0;
    for (const url of links) {
      let id = urls.find(url);
      if (id < 0 && depth <= maxDepth) id = this.#addNew({ url, depth, redirects }, added);
      if (id >= 0) ids[count++] = id;
    }
    return ids.subarray(0, count);
  }

  /** The id of a page, which is added if it is new; -1 if its host has as many pages as it may. */
  add(page: NewPage, added: AddedPages): number {
    const known = this.#options.urls.find(page.url);
    return known >= 0 ? known : this.#addNew(page, added);
  }

  #addNew({ url, depth, redirects }: NewPage, added: AddedPages): number {
    const { urls, onPage } = this.#options;
    if (this.#isFull(url)) return -1;
    const id = urls.add(url, depth, redirects);
    (id < ELSEWHERE ? added.pages : added.elsewhere).push({ url, depth, redirects });
    if (id < ELSEWHERE) onPage?.(id, url);
    return id;
  }

  /** The first page of a full host: it takes what is meant for pages beyond the budget. O(pages) for each host, once. */
  firstOf(url: string): number {
    const { urls } = this.#options;
    const host = urls.findHost(new URL(url).host);
    let first = this.#firstOf.get(host);
    if (first !== undefined) return first;
    for (first = 0; urls.hostOf(first) !== host; first++);
    this.#firstOf.set(host, first);
    return first;
  }

  #isFull(url: string): boolean {
    const { urls, maxHostPages, isOwn } = this.#options;
    if (maxHostPages === Infinity) return false;
    const { host } = new URL(url);
    return isOwn(host) && urls.pagesOfHost(host) >= maxHostPages;
  }
}
