import { canonicalUrl, statedType } from '../dataset/index.ts';
import type { FetchRequest, OutcomeKind } from '../world/index.ts';
import { LargeMap, LargeSet } from '../std/index.ts';
import type { LiveClock } from './clock.ts';
import { Gate } from './gate.ts';
import { faultOutcomes, header, type Answer, type Fault, type FaultReason } from './http/answer.ts';
import type { Wants } from './http/download.ts';
import type { Fetcher } from './http/fetcher.ts';
import { retryAfterUs } from './http/retry-after.ts';
import type { Download, Web } from './live-world.ts';
import type { CrawlLog } from './out/crawl-log.ts';
import type { WarcWriter } from './out/warc-writer.ts';
import type { PageReaders } from './page/page.ts';
import { isTaken } from './page/taken-types.ts';
import { RobotsCache, robotsNote } from './robots/robots-cache.ts';
import { disallowAll, ROBOTS_BYTES_MOST } from './robots/robots-txt.ts';
import type { LiveSettings } from './settings.ts';
import type { CrawlStore, NewPage, RobotsNote, Visit } from './store/crawl-store.ts';
import { UrlFilter } from './urls/url-filter.ts';
import type { UrlTable } from './urls/url-table.ts';

export interface LiveWebParts {
  readonly settings: LiveSettings;
  readonly clock: LiveClock;
  /** Delay of a host, microseconds. */
  readonly politenessUs: number;
  readonly urls: UrlTable;
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly readers: PageReaders;
  readonly log: CrawlLog;
  /** Undefined where no archive is kept. */
  readonly warc?: WarcWriter | undefined;
  /** Told of each page as it becomes known. */
  readonly onPage?: ((page: number, url: string) => void) | undefined;
}

/** What the answer to a request, or its failing, means for the page. */
interface Meaning {
  readonly kind: OutcomeKind;
  /** In words, for the log; '' where there is nothing to say. */
  readonly reason: string;
  /** How long the host asks to be left alone. */
  readonly waitUs: number;
  /** Canonical URLs of pages that it leads to, and how these are found. */
  readonly links: readonly string[];
  readonly byRedirect: boolean;
  /** Of the body; '' where it does not count. */
  readonly digest: string;
}

const noLinks = new Uint32Array(0);
const nothing = { reason: '', waitUs: 0, links: [], byRedirect: false, digest: '' } as const;
/** Longest pause that a host is granted. */
const waitMostUs = 86_400e6;
/** RFC 9309, section 2.3.1.2. */
const robotsRedirectsMost = 5;
/** Tries of a robots.txt that cannot be had for now; then all of the origin is denied until what is known expires. */
const robotsTriesMost = 5;
/** What is no matter of robots.txt: each page of the origin would meet the same. */
const nobodyThere: ReadonlySet<FaultReason> = new Set<FaultReason>(['address not allowed', 'no such name', 'TLS not valid']);

/**
 * The web as the processors of one crawl meet it: pages are had over HTTP, robots.txt obeyed, links numbered, and everything noted in the
 * store before a World tells of it. One download is at work on a page from its request to its note: that is the back-pressure.
 *
 * Memory   the URL table, robots.txt of known origins, and what is under way.
 */
export class LiveWeb implements Web {
  readonly clock: LiveClock;
  readonly #parts: LiveWebParts;
  readonly #filter: UrlFilter;
  readonly #hosts: Gate;
  readonly #addresses: Gate;
  readonly #robots: RobotsCache;
  /** Failed tries of an origin's robots.txt in a row. */
  readonly #robotsTries = new LargeMap<string, number>();
  /** Digests of bodies, where they count. */
  readonly #seen = new LargeSet<string>();

  constructor(parts: LiveWebParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.#filter = new UrlFilter(parts.settings);
    this.#hosts = new Gate(parts.clock);
    this.#addresses = new Gate(parts.clock);
    this.#robots = new RobotsCache(parts.settings, parts.store.robots());
    if (parts.settings.contentSeen) for (const { digest } of parts.store.visits()) this.#seen.add(digest);
  }

  hostOf(page: number): number {
    return this.#parts.urls.hostOf(page);
  }

  /** Crawl-delays of hosts known to ask for one, by host id. */
  crawlDelaysUs(): LargeMap<number, number> {
    const { urls, store } = this.#parts;
    const delays = new LargeMap<number, number>();
    for (const { origin } of store.robots()) {
      const delayUs = this.#crawlDelayUs(origin);
      const host = urls.findHost(new URL(origin).host);
      if (delayUs > 0 && host >= 0) delays.set(host, Math.max(delayUs, delays.get(host) ?? 0));
    }
    return delays;
  }

  async download({ page }: FetchRequest): Promise<Download> {
    // Of a crawl that was killed: what it had noted is not fetched again.
    const visited = this.#parts.store.visit(page);
    if (visited !== undefined) return visited;
    const url = new URL(this.#parts.urls.urlOf(page));
    const rules = this.#robots.rulesOf(url.origin, this.clock.wallMs);
    if (rules === undefined) return this.#downloadRobotsTxt(page, url);
    const { crawlDelayUs } = rules;
    if (!rules.allows(url)) {
      const reason = rules === disallowAll ? 'robots.txt could not be had' : 'denied by robots.txt';
      return this.#finish(page, url, undefined, { ...nothing, kind: 'robotsDenied', reason, waitUs: crawlDelayUs });
    }
    const end = await this.#request(url, (status, rawHeaders) => {
      if (status < 200 || status > 299) return 'headers alone';
      return this.#mayTake(header(rawHeaders, 'content-type')) ? 'body' : 'type not taken';
    });
    if ('reason' in end) return this.#finish(page, url, end, { ...faultMeaning(end), waitUs: crawlDelayUs });
    try {
      const meaning = await this.#meaningOf(page, url, end);
      return await this.#finish(page, url, end, { ...meaning, waitUs: Math.max(meaning.waitUs, crawlDelayUs) });
    } finally {
      this.#parts.fetcher.release(end);
    }
  }

  async #meaningOf(page: number, url: URL, answer: Answer): Promise<Meaning> {
    const { status, rawHeaders, body } = answer;
    const location = status >= 300 && status <= 399 ? header(rawHeaders, 'location') : undefined;
    if (location !== undefined) return { ...nothing, kind: 'fetched', byRedirect: true, ...this.#redirect(page, location, url) };
    if (isForNow(status)) return { ...nothing, kind: 'serverError', reason: `status ${status}`, waitUs: this.#pauseUs(answer) };
    if (status < 200 || status > 299) return { ...nothing, kind: 'notFound', reason: `status ${status}` };
    const read = await this.#parts.readers.read({ url: url.href, rawHeaders, body });
    if (read.fault !== undefined) return { ...nothing, kind: 'rejected', reason: read.fault };
    if (read.digest !== '' && this.#seen.has(read.digest)) return { ...nothing, kind: 'fetched', reason: 'body seen before' };
    if (read.digest !== '') this.#seen.add(read.digest);
    return { ...nothing, kind: 'fetched', links: read.links, digest: read.digest };
  }

  #redirect(page: number, location: string, url: URL): Pick<Meaning, 'links' | 'reason'> {
    const { settings, urls } = this.#parts;
    if (urls.redirectsOf(page) >= settings.redirectsMost) return { links: [], reason: `more than ${settings.redirectsMost} redirects in a row` };
    const target = canonicalUrl(location, url, settings.urlLengthMost);
    const refusal = target instanceof URL ? this.#filter.refuses(target) : target;
    return target instanceof URL && refusal === undefined ? { links: [target.href], reason: '' } : { links: [], reason: `redirect not followed: ${refusal ?? ''}` };
  }

  /**
   * Fetches the robots.txt of the page's origin in the place of the page. Where it cannot be had for now the page is tried again, and with it
   * this; after some tries all of the origin is denied for a while (RFC 9309, section 2.3.1.4). Where nobody may be asked, that is what
   * becomes of the page.
   */
  async #downloadRobotsTxt(page: number, url: URL): Promise<Download> {
    const { origin } = url;
    const { end, isItsOwn, note } = await this.#robotsTxt(url);
    if (!('reason' in end)) this.#parts.fetcher.release(end);
    if (note === undefined) {
      return this.#finish(page, url, end, {
        ...nothing, kind: robotsKind(end), reason: `robots.txt: ${reasonOf(end)}`, waitUs: 'reason' in end ? 0 : this.#pauseUs(end),
      });
    }
    await this.#parts.store.note({ firstPage: this.#parts.urls.count, pages: [], robots: note });
    if ('reason' in end && nobodyThere.has(end.reason) && isItsOwn) return this.#finish(page, url, end, faultMeaning(end));
    return this.#finish(page, url, end, {
      ...nothing, kind: 'robotsFetched', reason: `robots.txt: ${reasonOf(end)}`, waitUs: this.#crawlDelayUs(origin),
    });
  }

  /** The answer at the end of its redirects, other hosts' included, whether it is the origin's own, and what was learnt from it. */
  async #robotsTxt(page: URL): Promise<{ readonly end: Answer | Fault; readonly isItsOwn: boolean; readonly note: RobotsNote | undefined }> {
    let url = new URL('/robots.txt', page.origin);
    for (let hops = 0; ; hops++) {
      let target = undefined as URL | undefined;
      let note = undefined as RobotsNote | undefined;
      const end = await this.#request(url, (status, rawHeaders) => {
        if (status < 200 || status > 299) return 'headers alone';
        // One byte more tells that there is more. What is coded cannot be cut.
        return header(rawHeaders, 'content-encoding') === undefined ? ROBOTS_BYTES_MOST + 1 : 'body';
      }, (answer) => {
        if (hops < robotsRedirectsMost) target = this.#redirectTarget(answer, url);
        if (target === undefined) note = this.#learn(page, answer);
      });
      if (target === undefined) return { end, isItsOwn: url.origin === page.origin, note };
      if (!('reason' in end)) this.#parts.fetcher.release(end);
      url = target;
    }
  }

  #redirectTarget(end: Answer | Fault, url: URL): URL | undefined {
    if ('reason' in end || end.status < 300 || end.status > 399) return undefined;
    const target = canonicalUrl(header(end.rawHeaders, 'location') ?? '', url, this.#parts.settings.urlLengthMost);
    return target instanceof URL ? target : undefined;
  }

  /** Takes what a robots.txt says for known, before anybody else is let in at its host; undefined where it is to be tried again. */
  #learn({ host, origin }: URL, end: Answer | Fault): RobotsNote | undefined {
    const tries = (this.#robotsTries.get(origin) ?? 0) + 1;
    if (mayPass(robotsKind(end)) && tries < robotsTriesMost) {
      this.#robotsTries.set(origin, tries);
      return undefined;
    }
    this.#robotsTries.delete(origin);
    const note = robotsNote(origin, end, this.clock.wallMs);
    this.#robots.take(note);
    this.#hosts.rest(host, this.#crawlDelayUs(origin));
    return note;
  }

  /** One request, when it is its host's turn, and its address's; `learn` is told of its end before the next one's turn. */
  async #request(url: URL, wants: Wants, learn?: (end: Answer | Fault) => void): Promise<Answer | Fault> {
    const { settings, fetcher, politenessUs } = this.#parts;
    await this.#hosts.enter(url.host);
    let pauseUs = 0;
    try {
      const end = settings.addressDelayMs === 0 ? await fetcher.fetch(url.href, wants) : await this.#requestOfAddress(url, wants);
      if (!('reason' in end)) pauseUs = this.#pauseUs(end);
      learn?.(end);
      return end;
    } finally {
      this.#hosts.leave(url.host, Math.max(politenessUs, pauseUs, this.#crawlDelayUs(url.origin)));
    }
  }

  async #requestOfAddress(url: URL, wants: Wants): Promise<Answer | Fault> {
    const { settings, fetcher } = this.#parts;
    const address = await fetcher.addressOf(url.href);
    if (typeof address !== 'string') return address;
    await this.#addresses.enter(address);
    try {
      return await fetcher.fetch(url.href, wants);
    } finally {
      this.#addresses.leave(address, 1000 * settings.addressDelayMs);
    }
  }

  /** What is known of it now; 0 where robots.txt is not known. */
  #crawlDelayUs(origin: string): number {
    return this.#robots.rulesOf(origin, this.clock.wallMs)?.crawlDelayUs ?? 0;
  }

  /** What Retry-After asks for, of an answer that may be another one later. */
  #pauseUs({ status, rawHeaders }: Answer): number {
    return isForNow(status) ? retryAfterUs(header(rawHeaders, 'retry-after'), this.clock.wallMs, waitMostUs) : 0;
  }

  /** Whether the type is taken as far as the header tells; a body of no stated type is looked at. */
  #mayTake(contentType: string | undefined): boolean {
    const type = statedType(contentType);
    return type === undefined || isTaken(type, this.#parts.settings);
  }

  /** Keeps everything that a download brought, numbers its links, and tells of it. */
  async #finish(page: number, { href }: URL, end: Answer | Fault | undefined, meaning: Meaning): Promise<Download> {
    const { warc, store, urls, log } = this.#parts;
    const { kind, waitUs, digest } = meaning;
    const isAnswer = end !== undefined && !('reason' in end);
    const place = isAnswer ? await warc?.write(end, this.clock.wallMs) : undefined;
    const bytes = end === undefined ? 0 : isAnswer ? end.body.length : end.bytes;
    let links: Uint32Array = noLinks;
    if (kind === 'fetched' || kind === 'notFound' || kind === 'rejected') {
      // Nothing may be awaited between the two: ids are noted in the order in which they are given.
      const firstPage = urls.count;
      const pages: NewPage[] = [];
      links = this.#numbered(page, meaning, pages);
      const visit: Visit = { page, kind, bytes, waitUs, finishedAtUs: this.clock.nowUs, links, digest, warc: place };
      await store.note({ firstPage, pages, visit });
    }
    log.add({
      atMs: this.clock.wallMs, url: href, kind, status: isAnswer ? end.status : 0, bytes,
      type: isAnswer ? header(end.rawHeaders, 'content-type') ?? '' : '', depth: urls.depthOf(page), reason: meaning.reason, digest,
    });
    return { kind, bytes, waitUs, links };
  }

  /** Ids of the links, those that are new within depth and budgets given theirs, and added to `pages`. */
  #numbered(page: number, { links, byRedirect }: Meaning, pages: NewPage[]): Uint32Array {
    const { urls, settings, onPage } = this.#parts;
    const depth = urls.depthOf(page) + (byRedirect ? 0 : 1);
    const redirects = byRedirect ? urls.redirectsOf(page) + 1 : 0;
    const ids = new Uint32Array(links.length);
    let count = 0;
    for (const url of links) {
      let id = urls.find(url);
      if (id < 0) {
        if (depth > (settings.depthMost ?? Infinity) || this.#isFull(url)) continue;
        id = urls.add(url, depth, redirects);
        pages.push({ url, depth, redirects });
        onPage?.(id, url);
      }
      ids[count++] = id;
    }
    return ids.subarray(0, count);
  }

  /** Whether the URL's host has as many pages as it may. */
  #isFull(url: string): boolean {
    const { urls, settings: { hostPagesMost } } = this.#parts;
    return hostPagesMost !== undefined && urls.pagesOfHost(new URL(url).host) >= hostPagesMost;
  }
}

/** Whether a status says nothing for good (RFC 9110, section 15; RFC 6585). */
function isForNow(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function robotsKind(end: Answer | Fault): OutcomeKind {
  return 'reason' in end ? faultOutcomes[end.reason] : isForNow(end.status) ? 'serverError' : 'robotsFetched';
}

function mayPass(kind: OutcomeKind): boolean {
  return kind === 'serverError' || kind === 'timeout' || kind === 'refused';
}

function faultMeaning({ reason, detail }: Fault): Meaning {
  return { ...nothing, kind: faultOutcomes[reason], reason: detail === '' ? reason : `${reason}: ${detail}` };
}

function reasonOf(end: Answer | Fault): string {
  return 'reason' in end ? faultMeaning(end).reason : `status ${end.status}`;
}
