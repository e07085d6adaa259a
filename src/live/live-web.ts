import { canonicalUrl, statedType, MAX_ROBOTS_BYTES } from '../web/index.ts';
import { LargeMap, LargeSet, WorldError } from '../base/index.ts';
import { isTransient, type FetchRequest } from '../world/index.ts';
import type { LiveClock } from './clock.ts';
import { Gate } from './politeness/gate.ts';
import { HostRests, restLeftUs } from './politeness/host-rests.ts';
import { header, type Answer, type Fault, type FaultReason } from './fetch/answer.ts';
import type { Wants } from './fetch/download.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import type { PageTimes } from './fetch/request-times.ts';
import { retryAfterUs } from './fetch/retry-after.ts';
import type { Download, Web } from './live-world.ts';
import {
  faultMeaning, isTransientStatus, nothing, reasonOf, robotsKind, tooLate, type Meaning,
} from './meaning.ts';
import { loggedTimes, type CrawlLog } from './archive/crawl-log.ts';
import type { WarcWriter } from './archive/warc-writer.ts';
import type { PageReaders } from './pages/page.ts';
import { isTaken } from './pages/taken-types.ts';
import { RobotsCache, robotsNote } from './politeness/robots-cache.ts';
import type { LiveSettings } from './settings.ts';
import type { CrawlStore, NewPage, Note, RobotsNote, Visit } from './store/crawl-store.ts';
import { UrlFilter } from './urls/url-filter.ts';
import type { UrlTable } from './urls/url-table.ts';

export interface LiveWebParts {
  readonly settings: LiveSettings;
  readonly clock: LiveClock;
  /** Delay of a host, microseconds. */
  readonly politenessUs: number;
  /** How long a host rests after so many consecutive failures, microseconds. */
  readonly backoffUs: (failures: number) => number;
  readonly urls: UrlTable;
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly readers: PageReaders;
  readonly log: CrawlLog;
  /** Undefined if no archive is written. */
  readonly warc?: WarcWriter | undefined;
  /** Called for each page when it becomes known. */
  readonly onPage?: ((page: number, url: string) => void) | undefined;
}

/** How a request ended, and how long its host asks not to be contacted, or is known to rest. */
interface Reply { readonly end: Answer | Fault; readonly waitUs: number }

/** A download until its World receives the outcome. */
interface OpenDownload {
  /** Its result is being noted: it can no longer be cancelled. */
  isNoted: boolean;
  over: Promise<unknown>;
  readonly cancel: () => void;
}

const noLinks = new Uint32Array(0);
/** Longest pause that a host is granted. */
const maxWaitUs = 86_400e6;
/** RFC 9309, section 2.3.1.2. */
const maxRobotsRedirects = 5;
/** Tries of a robots.txt that fails transiently; then the whole origin is denied until the note expires. */
const maxRobotsTries = 5;
/** Faults that do not concern robots.txt itself: each page of the origin would end with the same one. */
const originFaults: ReadonlySet<FaultReason> = new Set<FaultReason>([
  'address not allowed', 'no such name', 'TLS not valid',
]);

/**
 * The web as seen by the processors of one crawl: fetches pages over HTTP, obeys robots.txt, numbers links, and notes
 * everything in the store before a World reports it. A robot is busy with a page from its request to its note: that is
 * the back-pressure.
 *
 * Memory   the URL table, robots.txt of known origins, and what is in flight.
 */
export class LiveWeb implements Web {
  readonly clock: LiveClock;
  readonly #parts: LiveWebParts;
  readonly #filter: UrlFilter;
  readonly #hosts: Gate;
  readonly #addresses: Gate;
  readonly #robots: RobotsCache;
  readonly #rests: HostRests;
  /** By page. */
  readonly #open = new Map<number, OpenDownload>();
  #isOver = false;
  /** Consecutive failed tries of an origin's robots.txt. */
  readonly #robotsTries = new LargeMap<string, number>();
  /** Digests of bodies, if `contentSeen` is set. */
  readonly #seen = new LargeSet<string>();

  constructor(parts: LiveWebParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.#filter = new UrlFilter(parts.settings);
    this.#hosts = new Gate(parts.clock);
    this.#addresses = new Gate(parts.clock);
    this.#robots = new RobotsCache(parts.settings);
    this.#rests = new HostRests(parts.store.rests(), parts.backoffUs);
    const nowMs = this.clock.wallMs;
    for (const note of parts.store.robots()) this.#robots.restore(note, nowMs);
    for (const { host, restUs } of this.#rests.left(nowMs)) this.#hosts.rest(host, restUs);
    if (parts.settings.contentSeen) for (const { digest } of parts.store.visits()) this.#seen.add(digest);
  }

  hostOf(page: number): number {
    return this.#parts.urls.hostOf(page);
  }

  /**
   * Hosts that earlier sessions left at rest, by host id: how long from now on, microseconds, and the consecutive
   * failures, if noted.
   */
  rests(): LargeMap<number, { readonly restUs: number; readonly failures?: number }> {
    const { urls, store } = this.#parts;
    const rests = new LargeMap<number, { readonly restUs: number; readonly failures?: number }>();
    for (const { host, restUs, failures } of this.#rests.left(this.clock.wallMs)) {
      const id = urls.findHost(host);
      if (id >= 0) rests.set(id, { restUs, failures });
    }
    // A host that asks for a Crawl-delay may have been in use when the session ended.
    for (const { origin } of store.robots()) {
      const delayUs = this.#robots.crawlDelayUs(origin);
      const id = urls.findHost(new URL(origin).host);
      const rest = rests.get(id);
      if (delayUs > 0 && id >= 0) rests.set(id, { ...rest, restUs: Math.max(delayUs, rest?.restUs ?? 0) });
    }
    return rests;
  }

  download({ page }: FetchRequest, startedAtUs: number): Promise<Download | undefined> {
    return new Promise((resolve, reject) => {
      const open: OpenDownload = { isNoted: false, over: Promise.resolve(), cancel: () => resolve(undefined) };
      this.#open.set(page, open);
      open.over = this.#download(page, { startUs: startedAtUs }).then(resolve, reject)
        .finally(() => this.#open.delete(page));
    });
  }

  /**
   * Cancels the open downloads: their Worlds never receive an outcome, and nothing of them is noted. Downloads that are
   * being noted finish first. Nothing can be downloaded afterwards.
   * @returns how many were cancelled.
   */
  async abandon(): Promise<number> {
    this.#isOver = true;
    const open = [...this.#open.values()];
    const cancelled = open.filter(({ isNoted }) => !isNoted);
    for (const { cancel } of cancelled) cancel();
    await this.#parts.fetcher.close();
    await Promise.allSettled(open.filter(({ isNoted }) => isNoted).map(({ over }) => over));
    return cancelled.length;
  }

  async #download(page: number, times: PageTimes): Promise<Download> {
    // After a kill, pages that had been noted are not fetched again.
    const visited = this.#parts.store.visit(page);
    if (visited !== undefined) return visited;
    const url = new URL(this.#parts.urls.urlOf(page));
    const untilUs = this.clock.nowUs + 1000 * this.#parts.settings.downloadTimeoutMs;
    const rules = this.#robots.rulesOf(url.origin, this.clock.wallMs);
    if (rules === undefined) return this.#downloadRobotsTxt(page, url, untilUs, times);
    const { refusal } = rules.judge(url);
    if (refusal !== undefined) {
      const denied = { ...nothing, kind: 'robotsDenied', reason: refusal, waitUs: rules.crawlDelayUs } as const;
      return this.#finish(page, url, undefined, denied, times);
    }
    const { end, waitUs } = await this.#request(url, (status, rawHeaders) => {
      if (status < 200 || status > 299) return 'headers alone';
      return this.#mayTake(header(rawHeaders, 'content-type')) ? 'body' : 'type not taken';
    }, untilUs, times);
    const restUs = Math.max(waitUs, rules.crawlDelayUs);
    if ('reason' in end) return this.#finish(page, url, end, { ...faultMeaning(end), waitUs: restUs }, times);
    try {
      const records = this.#parts.warc?.records(end, this.clock.wallMs); // Made while the page is read.
      const meaning = await this.#meaningOf(page, url, end);
      return await this.#finish(page, url, end, { ...meaning, waitUs: restUs }, times, records);
    } finally {
      this.#parts.fetcher.release(end);
    }
  }

  async #meaningOf(page: number, url: URL, answer: Answer): Promise<Meaning> {
    const { status, rawHeaders, body } = answer;
    const location = status >= 300 && status <= 399 ? header(rawHeaders, 'location') : undefined;
    if (location !== undefined)
      return { ...nothing, kind: 'fetched', byRedirect: true, ...this.#redirect(page, location, url) };
    if (isTransientStatus(status)) return { ...nothing, kind: 'serverError', reason: `status ${status}` };
    if (status < 200 || status > 299) return { ...nothing, kind: 'notFound', reason: `status ${status}` };
    const read = await this.#parts.readers.read({ url: url.href, rawHeaders, body });
    if (read.fault !== undefined) return { ...nothing, kind: 'rejected', reason: read.fault };
    if (read.digest !== '' && this.#seen.has(read.digest))
      return { ...nothing, kind: 'fetched', reason: 'body seen before' };
    if (read.digest !== '') this.#seen.add(read.digest);
    return { ...nothing, kind: 'fetched', links: read.links, digest: read.digest };
  }

  #redirect(page: number, location: string, url: URL): Pick<Meaning, 'links' | 'reason'> {
    const { settings, urls } = this.#parts;
    if (urls.redirectsOf(page) >= settings.maxRedirects)
      return { links: [], reason: `more than ${settings.maxRedirects} redirects in a row` };
    const target = canonicalUrl(location, url, settings.maxUrlLength);
    const refusal = target instanceof URL ? this.#filter.refuses(target) : target;
    return target instanceof URL && refusal === undefined
      ? { links: [target.href], reason: '' }
      : { links: [], reason: `redirect not followed: ${refusal ?? ''}` };
  }

  /**
   * Fetches the robots.txt of the page's origin in place of the page. If that fails transiently, the page is retried,
   * and with it robots.txt; after some tries the whole origin is denied for a while (RFC 9309, section 2.3.1.4). If the
   * fault concerns the origin as a whole, it is the page's outcome.
   */
  async #downloadRobotsTxt(page: number, url: URL, untilUs: number, times: PageTimes): Promise<Download> {
    const { origin } = url;
    const { end, waitUs, isItsOwn, note } = await this.#robotsTxt(url, untilUs, times);
    if (!('reason' in end)) this.#parts.fetcher.release(end);
    const reason = `robots.txt: ${reasonOf(end)}`;
    if (note === undefined)
      return this.#finish(page, url, end, { ...nothing, kind: robotsKind(end), reason, waitUs }, times);
    await this.#note({ robots: note });
    if ('reason' in end && originFaults.has(end.reason) && isItsOwn)
      return this.#finish(page, url, end, faultMeaning(end), times);
    return this.#finish(page, url, end, {
      ...nothing, kind: 'robotsFetched', reason, waitUs: this.#robots.crawlDelayUs(origin),
    }, times);
  }

  /**
   * The answer at the end of its redirects, including those to other hosts, whether it is the origin's own, and the
   * note made of it.
   */
  async #robotsTxt(
    page: URL, untilUs: number, times: PageTimes,
  ): Promise<Reply & { readonly isItsOwn: boolean; readonly note: RobotsNote | undefined }> {
    let url = new URL('/robots.txt', page.origin);
    for (let hops = 0; ; hops++) {
      let target = undefined as URL | undefined;
      let note = undefined as RobotsNote | undefined;
      const reply = await this.#request(url, (status, rawHeaders) => {
        if (status < 200 || status > 299) return 'headers alone';
        // One byte more shows that there is more. Encoded bodies cannot be cut.
        return header(rawHeaders, 'content-encoding') === undefined ? MAX_ROBOTS_BYTES + 1 : 'body';
      }, untilUs, times, (answer) => {
        if (hops < maxRobotsRedirects) target = this.#redirectTarget(answer, url);
        if (target === undefined) note = this.#learn(page, answer);
      });
      if (target === undefined) return { ...reply, isItsOwn: url.origin === page.origin, note };
      if (!('reason' in reply.end)) this.#parts.fetcher.release(reply.end);
      url = target;
    }
  }

  #redirectTarget(end: Answer | Fault, url: URL): URL | undefined {
    if ('reason' in end || end.status < 300 || end.status > 399) return undefined;
    const target = canonicalUrl(header(end.rawHeaders, 'location') ?? '', url, this.#parts.settings.maxUrlLength);
    return target instanceof URL ? target : undefined;
  }

  /**
   * Makes the robots.txt known before any other request to its host may start; undefined if it is to be tried again.
   */
  #learn({ host, origin }: URL, end: Answer | Fault): RobotsNote | undefined {
    const tries = (this.#robotsTries.get(origin) ?? 0) + 1;
    if (isTransient(robotsKind(end)) && tries < maxRobotsTries) {
      this.#robotsTries.set(origin, tries);
      return undefined;
    }
    this.#robotsTries.delete(origin);
    const note = robotsNote(origin, end, this.clock.wallMs);
    this.#robots.take(note);
    this.#hosts.rest(host, this.#robots.crawlDelayUs(origin));
    return note;
  }

  /**
   * One request, once its host and its address are free; if that is not the case by `untilUs`, it has timed out.
   * `learn` is called with its end before the next request to either may start.
   */
  async #request(
    url: URL, wants: Wants, untilUs: number, times: PageTimes, learn?: (end: Answer | Fault) => void,
  ): Promise<Reply> {
    const { settings, fetcher, politenessUs } = this.#parts;
    const { host } = url;
    if (!(await this.#enter(this.#hosts, host, untilUs, times))) {
      const end = tooLate(host);
      learn?.(end);
      return { end, waitUs: this.#hosts.restUs(host) };
    }
    let waitUs = 0;
    try {
      const end =
        settings.addressDelayMs === 0
          ? await fetcher.fetch(url.href, wants, times)
          : await this.#requestOfAddress(url, wants, untilUs, times);
      if (!('reason' in end)) waitUs = this.#pauseUs(end);
      learn?.(end);
      return { end, waitUs };
    } finally {
      this.#hosts.leave(host, Math.max(politenessUs, waitUs, this.#robots.crawlDelayUs(url.origin)));
      if (waitUs > 0) await this.#note({ rest: this.#rests.asked(host, waitUs, this.clock.wallMs) });
    }
  }

  /** Enters a gate; the wait does not count as part of the page's time. */
  async #enter(gate: Gate, place: string, untilUs: number, times: PageTimes): Promise<boolean> {
    const beforeUs = this.clock.nowUs;
    return gate.enter(place, untilUs).finally(() => { times.startUs += this.clock.nowUs - beforeUs; });
  }

  async #requestOfAddress(
    url: URL, wants: Wants, untilUs: number, times: PageTimes,
  ): Promise<Answer | Fault> {
    const { settings, fetcher } = this.#parts;
    const address = await fetcher.addressOf(url.href);
    if (typeof address !== 'string') return address;
    if (!(await this.#enter(this.#addresses, address, untilUs, times))) return tooLate(address);
    return fetcher.fetch(url.href, wants, times)
      .finally(() => { this.#addresses.leave(address, 1000 * settings.addressDelayMs); });
  }

  /** Notes something that has no new pages. */
  #note(note: Pick<Note, 'robots' | 'rest'>): Promise<void> {
    if (this.#isOver) throw new WorldError('the crawl has ended');
    return this.#parts.store.note({ firstPage: this.#parts.urls.count, pages: [], ...note });
  }

  /** The pause that Retry-After asks for, if the status is transient. */
  #pauseUs({ status, rawHeaders }: Answer): number {
    return isTransientStatus(status) ? retryAfterUs(rawHeaders, this.clock.wallMs, maxWaitUs) : 0;
  }

  /** Whether the header's type is accepted; without a stated type, the body is inspected. */
  #mayTake(contentType: string | undefined): boolean {
    const type = statedType(contentType);
    return type === undefined || isTaken(type, this.#parts.settings);
  }

  /** Stores everything that a download brought, numbers its links, and reports it. */
  async #finish(
    page: number, { href, host }: URL, end: Answer | Fault | undefined, meaning: Meaning, times: PageTimes,
    records = end && !('reason' in end) ? this.#parts.warc?.records(end, this.clock.wallMs) : undefined,
  ): Promise<Download> {
    const { warc, store, urls, log } = this.#parts;
    const { kind, digest } = meaning;
    const isAnswer = end !== undefined && !('reason' in end);
    const place = records && await warc?.append(records);
    // No `await` from here to the note: ids must be noted in the order in which they are assigned, and cancelled
    // downloads must not be noted.
    const open = this.#open.get(page);
    if (this.#isOver || open === undefined) throw new WorldError('the crawl has ended');
    open.isNoted = true;
    const bytes = end === undefined ? 0 : isAnswer ? end.body.length : end.bytes;
    const nowMs = this.clock.wallMs;
    const rest = isTransient(kind)
      ? this.#rests.failed(host, meaning.waitUs, nowMs) : this.#rests.answered(host, nowMs);
    const waitUs = isTransient(kind) && rest !== undefined ? restLeftUs(rest, nowMs) : meaning.waitUs;
    let links: Uint32Array = noLinks;
    if (kind === 'fetched' || kind === 'notFound' || kind === 'rejected') {
      const firstPage = urls.count;
      const pages: NewPage[] = [];
      links = this.#numbered(page, meaning, pages);
      const visit: Visit = { page, kind, bytes, waitUs, finishedAtUs: this.clock.nowUs, links, digest, warc: place };
      await store.note({ firstPage, pages, visit, rest });
    } else if (rest !== undefined) {
      await this.#note({ rest });
    }
    log.add({
      atMs: this.clock.wallMs, url: href, kind, status: isAnswer ? end.status : 0, bytes,
      type: isAnswer ? (header(end.rawHeaders, 'content-type') ?? '') : '', depth: urls.depthOf(page),
      reason: meaning.reason, digest, times: loggedTimes(times, this.clock), pauseUs: meaning.waitUs,
    });
    return { kind, bytes, waitUs, links };
  }

  /** Ids of the links; new URLs within depth and budgets get one, and are added to `pages`. */
  #numbered(page: number, { links, byRedirect }: Meaning, pages: NewPage[]): Uint32Array {
    const { urls, settings, onPage } = this.#parts;
    const depth = urls.depthOf(page) + (byRedirect ? 0 : 1);
    const redirects = byRedirect ? urls.redirectsOf(page) + 1 : 0;
    const ids = new Uint32Array(links.length);
    let count = 0;
    for (const url of links) {
      let id = urls.find(url);
      if (id < 0) {
        if (depth > (settings.maxDepth ?? Infinity) || this.#isFull(url)) continue;
        id = urls.add(url, depth, redirects);
        pages.push({ url, depth, redirects });
        onPage?.(id, url);
      }
      ids[count++] = id;
    }
    return ids.subarray(0, count);
  }

  /** Whether the URL's host already has the maximum number of pages. */
  #isFull(url: string): boolean {
    const { urls, settings: { maxHostPages } } = this.#parts;
    return maxHostPages !== undefined && urls.pagesOfHost(new URL(url).host) >= maxHostPages;
  }
}
