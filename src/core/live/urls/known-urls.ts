import type { Reach } from '../store/crawl-store.ts';

/**
 * The pages and hosts that a crawl knows, numbered in the order of their first mention; pages of other machines are
 * numbered apart (`ELSEWHERE`), and their hosts not at all. A host is `URL.host`: a name,
 * and a port if it is not the scheme's default; http and https URLs of the same name are one host, and two pages.
 *
 * URLs must be spelled by canonical-url.ts: `add` throws AssertionError unless they are http or https; two spellings
 * are two pages.
 *
 * `UrlTable` has all of them in memory; `NodeUrls` has the pages of one machine among several.
 * test/conformance/known-urls.ts tests both.
 */
export interface KnownUrls {
  /** Pages here, and pages of other machines. */
  readonly count: number;
  readonly elsewhereCount: number;
  readonly hostCount: number;
  /** Bytes of its arrays, spare room included. */
  readonly bytes: number;
  /**
   * Adds a page that `find` does not find.
   * @param depth      links from a seed page.
   * @param redirects  consecutive redirects that led to it, 0 to 255.
   * @param hops       links beyond the scope, 0 to 255; 0 if it is left out.
   * @returns the page: the previous count, of a page of another machine with `ELSEWHERE` added.
   */
  add(url: string, depth: number, redirects: number, hops?: number): number;
  /** The page of a URL, or -1. */
  find(url: string): number;
  urlOf(page: number): string;
  /** Not of pages from `ELSEWHERE` on: AssertionError. */
  hostOf(page: number): number;
  hostNameOf(page: number): string;
  depthOf(page: number): number;
  redirectsOf(page: number): number;
  hopsOf(page: number): number;
  /** A page is nearer than it was. It stays so in memory until the store has it so too. */
  bringNearer(page: number, reach: Reach): void;
  hostName(host: number): string;
  /** Id of the host of that name, or -1. */
  findHost(hostName: string): number;
  /** Number of known pages of a host of this machine; the name includes the port if it is not the scheme's default. */
  pagesOfHost(hostName: string): number;
}
