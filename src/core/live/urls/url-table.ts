import { assert, grown } from '../../../base/index.ts';
import type { Reach } from '../store/crawl-store.ts';
import { StringIndex } from './string-index.ts';

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
  readonly count: number;
  readonly elsewhereCount: number;
  readonly hostCount: number;
  readonly bytes: number;
  /**
   * Adds a page that `find` does not find.
   * @param depth      links from a seed page.
   * @param redirects  consecutive redirects that led to it, 0 to 255.
   * @param hops       links beyond the scope, 0 to 255; 0 if it is left out.
   * @returns the page: the previous count, of a page of another machine with `ELSEWHERE` added.
   */
  add(url: string, depth: number, redirects: number, hops?: number): number;
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
  findHost(hostName: string): number;
  /** Number of known pages of a host of this machine; the name includes the port if it is not the scheme's default. */
  pagesOfHost(hostName: string): number;
}

/** Pages whose URLs are also cached as strings, if these are short: pages mostly repeat the links of earlier pages. */
const MAX_RECENT = 1 << 15;
const MAX_RECENT_LENGTH = 256;

/**
 * Pages and hosts in memory.
 *
 * Memory  a page costs the characters of its path and query and 28 to 45 bytes (31 at 10^7), a host about as much;
 *         additionally, some MB of recent URLs.
 * Cost    O(length) to add, find or read a page.
 */
export class UrlTable implements KnownUrls {
  /** Path and query; the tag is twice the host, plus 1 for https. */
  readonly #pages = new StringIndex();
  readonly #hosts = new StringIndex();
  /** Recently found pages, all dropped at once. */
  readonly #recent = new Map<string, number>();
  #depths = new Uint32Array(16);
  #redirects = new Uint8Array(16);
  /** Shorter than the others, and mostly empty: pages without an element have none. */
  #hops = new Uint8Array(0);
  #pagesOfHost = new Uint32Array(16);

  get count(): number {
    return this.#pages.count;
  }

  get elsewhereCount(): number {
    return 0;
  }

  get hostCount(): number {
    return this.#hosts.count;
  }

  get bytes(): number {
    const arrays = [this.#depths, this.#redirects, this.#hops, this.#pagesOfHost];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#pages.bytes + this.#hosts.bytes);
  }

  /** As `KnownUrls.add`; a page that is known already is returned unchanged. */
  add(url: string, depth: number, redirects: number, hops = 0): number {
    const { isHttps, host, path } = partsOfUrl(url);
    const hostId = this.#hosts.add(0, host);
    const nextPage = this.#pages.count;
    const page = this.#pages.add(2 * hostId + isHttps, path);
    if (page === nextPage) {
      assert(redirects <= 255, () => `${redirects} redirects`);
      this.#depths = grown(this.#depths, page + 1, 1.5);
      this.#redirects = grown(this.#redirects, page + 1, 1.5);
      this.#pagesOfHost = grown(this.#pagesOfHost, hostId + 1, 1.5);
      this.#depths[page] = depth;
      this.#redirects[page] = redirects;
      this.#setHops(page, hops);
      this.#pagesOfHost[hostId]++;
    }
    return page;
  }

  find(url: string): number {
    const recent = this.#recent.get(url);
    if (recent !== undefined) return recent;
    const { isHttps, host, path } = partsOfUrl(url);
    const hostId = this.#hosts.find(0, host);
    const page = hostId < 0 ? -1 : this.#pages.find(2 * hostId + isHttps, path);
    if (page >= 0 && url.length <= MAX_RECENT_LENGTH) {
      if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
      // Copied, because it may be a slice of a string of all links of a page.
      this.#recent.set(Buffer.from(url, 'latin1').toString('latin1'), page);
    }
    return page;
  }

  urlOf(page: number): string {
    const tag = this.#pages.tagOf(page);
    return `${tag % 2 === 1 ? 'https' : 'http'}://${this.hostName(tag >>> 1)}${this.#pages.stringOf(page)}`;
  }

  hostOf(page: number): number {
    return this.#pages.tagOf(page) >>> 1;
  }

  hostNameOf(page: number): string {
    return this.hostName(this.hostOf(page));
  }

  depthOf(page: number): number {
    return this.#depths[page];
  }

  redirectsOf(page: number): number {
    return this.#redirects[page];
  }

  hopsOf(page: number): number {
    return page < this.#hops.length ? this.#hops[page] : 0;
  }

  bringNearer(page: number, { depth, redirects, hops = 0 }: Reach): void {
    this.#depths[page] = depth;
    this.#redirects[page] = redirects;
    this.#setHops(page, hops);
  }

  #setHops(page: number, hops: number): void {
    assert(hops <= 255, () => `${hops} hops`);
    if (hops > 0) this.#hops = grown(this.#hops, page + 1, 1.5);
    if (page < this.#hops.length) this.#hops[page] = hops;
  }

  hostName(host: number): string {
    return this.#hosts.stringOf(host);
  }

  findHost(hostName: string): number {
    return this.#hosts.find(0, hostName);
  }

  pagesOfHost(hostName: string): number {
    const host = this.#hosts.find(0, hostName);
    return host < 0 || host >= this.#pagesOfHost.length ? 0 : this.#pagesOfHost[host];
  }
}

/** What a canonical URL consists of. @throws AssertionError if it is none. */
export function partsOfUrl(url: string): { isHttps: 0 | 1; host: string; path: string } {
  const isHttps = url.startsWith('https://') ? 1 : 0;
  const begin = 7 + isHttps;
  const end = url.indexOf('/', begin);
  assert((isHttps === 1 || url.startsWith('http://')) && end > begin, 'a canonical URL of http or https is expected');
  return { isHttps, host: url.slice(begin, end), path: url.slice(end) };
}
