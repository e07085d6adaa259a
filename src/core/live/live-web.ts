import { statedType } from '../../base/web/index.ts';
import { LargeMap, LargeSet, WorldError } from '../../base/index.ts';
import { isTransient, type FetchRequest } from '../world/index.ts';
import type { LiveClock } from './clock.ts';
import { HostRests, restLeftUs } from './politeness/host-rests.ts';
import { header, type Answer, type Fault, type FaultReason } from './fetch/answer.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import { OpenDownloads } from './fetch/open-downloads.ts';
import type { PageTimes } from './fetch/request-times.ts';
import type { Download, Starter, Web, WorldClock } from './live-world.ts';
import {
  CUT_SHORT, faultMeaning, isTransientStatus, locationOf, nothing, robotsKind, robotsTrouble, type Meaning,
} from './meaning.ts';
import { loggedTimes, type CrawlLog } from './archive/crawl-log.ts';
import type { WarcRecords, WarcWriter } from './archive/warc-writer.ts';
import type { FetchedParts } from './pages/fetched-page.ts';
import type { PageReaders } from './pages/page.ts';
import { isTaken } from './pages/taken-types.ts';
import { Denials } from './politeness/denials.ts';
import { PoliteRequests, type Reply } from './politeness/polite-requests.ts';
import { isUnknown, RobotsCache, robotsReason } from './politeness/robots-cache.ts';
import { RobotsFetches } from './politeness/robots-fetches.ts';
import { SharedAddresses } from './politeness/shared-addresses.ts';
import type { LiveSettings } from './settings.ts';
import type { CrawlStore, NewPage, Note, RobotsNote, Visit } from './store/crawl-store.ts';
import { Replay } from './store/replay.ts';
import { urlMaker } from './urls/crawled-url.ts';
import type { KnownUrls } from './urls/known-urls.ts';
import { addedPages, isNothing, LinkNumbers } from './urls/link-numbers.ts';
import { RedirectLoops } from './urls/redirect-loops.ts';
import { OUT_OF_SCOPE } from './urls/scope.ts';
import { UrlFilter } from './urls/url-filter.ts';

export interface LiveWebParts {
  readonly settings: LiveSettings;
  readonly clock: LiveClock;
  /** Delay of a host, microseconds. */
  readonly politenessUs: number;
  /** How long a host rests after so many consecutive failures, microseconds. */
  readonly backoffUs: (failures: number) => number;
  /** Whether pages wait for hosts that cannot be reached; otherwise that is a failure of the page. */
  readonly hasPatience: boolean;
  readonly urls: KnownUrls;
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly readers: PageReaders;
  readonly log: CrawlLog;
  /** Undefined if no archive is written. */
  readonly warc?: WarcWriter | undefined;
  /** Called for each page here when it becomes known. */
  readonly onPage?: ((page: number, url: string) => void) | undefined;
  /** Called with each page that was fetched, before it is noted; its robot waits. */
  readonly onFetched?: ((page: FetchedParts) => Promise<void>) | undefined;
  /** Whether a host belongs to this machine; all do unless there are others. */
  readonly isOwn?: ((host: string) => boolean) | undefined;
  /** Waits until requests may be made: asked just before each. */
  readonly permit?: (() => Promise<void>) | undefined;
  /** Whether an earlier process may have been at any host or address: each rests at first. */
  readonly hasBegun?: boolean | undefined;
}

/** What a download brought besides its answer. */
interface Brought {
  readonly records?: WarcRecords | undefined;
  readonly robots?: RobotsNote | undefined;
  readonly address?: Reply['address'];
}

const noLinks = new Uint32Array(0);
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
  /** Of the Worlds. */
  clock: WorldClock;
  /** Of the wire: the one that the Worlds began with. */
  readonly #clock: LiveClock;
  readonly #beginUs: number;
  /** By how much it is ahead of that of the Worlds. */
  #aheadUs = 0;
  readonly #parts: LiveWebParts;
  readonly #filter: UrlFilter;
  readonly #urlOf: ReturnType<typeof urlMaker>;
  readonly #requests: PoliteRequests;
  readonly #robots: RobotsCache;
  readonly #rests: HostRests;
  readonly #open = new OpenDownloads();
  readonly denials: Denials;
  readonly addresses: SharedAddresses;
  readonly #numbers: LinkNumbers;
  #replay: Replay | undefined;
  readonly #robotsTxt: RobotsFetches;
  readonly #loops = new RedirectLoops();
  /** Digests of bodies, if `contentSeen` is set. */
  readonly #seen = new LargeSet<string>();

  constructor(parts: LiveWebParts) {
    this.#parts = parts;
    this.clock = this.#clock = parts.clock;
    this.#beginUs = parts.clock.nowUs;
    this.#filter = new UrlFilter(parts.settings);
    this.#urlOf = urlMaker(parts.settings);
    this.#numbers = new LinkNumbers(parts);
    this.addresses = new SharedAddresses(1000 * parts.settings.addressDelayMs);
    this.#requests = new PoliteRequests({
      ...parts, crawlDelayUs: (origin) => this.#robots.crawlDelayUs(origin),
      addressRestUs: (address) => this.addresses.wireRestUs(address),
      onAsked: async (host, waitUs) => this.#note({ rest: this.#rests.asked(host, waitUs, this.#clock.wallMs) }),
    });
    this.#robots = new RobotsCache(parts.settings);
    this.#robotsTxt = new RobotsFetches({ ...parts, requests: this.#requests, robots: this.#robots });
    this.#rests = new HostRests(parts.store.rests(), parts.backoffUs);
    this.denials = new Denials({ ...parts, robots: this.#robots, open: this.#open, replay: () => this.#replay });
    const nowMs = this.#clock.wallMs;
    for (const note of parts.store.robots()) {
      if (parts.hasPatience && isUnknown(note.status)) continue;
      this.#robots.restore(note, nowMs);
      // It may have been in use when an earlier process ended.
      const delayUs = this.#robots.crawlDelayUs(note.origin);
      if (delayUs > 0) this.#requests.rest(new URL(note.origin).host, delayUs);
    }
    for (const { host, restUs } of this.#rests.left(nowMs)) this.#requests.rest(host, restUs);
    if (parts.settings.contentSeen) for (const { digest } of parts.store.visits()) this.#seen.add(digest);
  }

  hostOf(page: number): number {
    return this.#parts.urls.hostOf(page);
  }

  /** What was asked for since a checkpoint ends as it did then. @returns when the last of it ended. */
  replayFrom(barrierUs: number): Replay {
    this.#numbers.goBack();
    return this.#replay = new Replay(this.#parts.store, barrierUs, (page) => this.hostOf(page));
  }

  reachedThrough(page: number): Uint32Array | undefined {
    return this.#numbers.reachedThrough(page);
  }

  replayed(processor: number, page: number): Download | undefined {
    return this.#replay?.take(processor, page);
  }

  /**
   * The processors are given up, and others will be made: what is under way goes on, and is handed to those who ask for
   * its pages. Resolves when all that was fixed is stored.
   */
  async letGo(): Promise<void> {
    await Promise.all([this.#open.letGo(), this.denials.stored]);
  }

  /** The Worlds that are made from now on have a clock that begins here. */
  goOnAt(nowUs: number): void {
    const wire = this.#clock;
    const aheadUs = this.#aheadUs = wire.nowUs - nowUs;
    this.clock = {
      get nowUs() { return wire.nowUs - aheadUs; }, alarm: (atUs, ring) => wire.alarm(atUs + aheadUs, ring),
    };
  }

  /** The ids of pages that other machines have found, stored before they are used. */
  async numbered(found: readonly NewPage[]): Promise<readonly number[]> {
    const { urls, store } = this.#parts;
    const added = addedPages(urls);
    const ids = found.map((page) => this.#numbers.ofFound(page, added));
    if (!isNothing(added)) await store.note(added);
    this.#numbers.stored(added);
    return ids;
  }

  /** Resolves when what is under way has ended, and is stored, but for what was let go. */
  async whenIdle(): Promise<void> {
    await this.#open.over();
  }

  /**
   * Hosts that earlier sessions left at rest, by host id: how long from now on, microseconds, and the consecutive
   * failures, if noted.
   */
  rests(): LargeMap<number, { readonly restUs: number; readonly failures?: number }> {
    const { urls, store } = this.#parts;
    const rests = new LargeMap<number, { readonly restUs: number; readonly failures?: number }>();
    for (const { host, restUs, failures } of this.#rests.left(this.#clock.wallMs)) {
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

  download({ page }: FetchRequest, starter: Starter): Promise<Download | undefined> {
    // What a replay starts was started before the session.
    const startUs = Math.max(starter.startedAtUs + this.#aheadUs, this.#beginUs);
    return this.#open.begin(page, starter, async () => this.#download(page, { startUs }));
  }

  /**
   * Cancels the open downloads: their Worlds never receive an outcome, and nothing of them is noted. Downloads that are
   * being noted finish first. Nothing can be downloaded afterwards.
   * @returns how many were cancelled.
   */
  async abandon(): Promise<number> {
    const { cancelled, stored } = this.#open.cancel();
    await this.#parts.fetcher.close();
    await stored;
    return cancelled;
  }

  async #download(page: number, times: PageTimes): Promise<Download> {
    // A page that was visited is not fetched again, in whatever order a replay comes to it.
    const visited = this.#parts.store.visit(page);
    if (visited !== undefined) return this.#report(page, this.#open.store(page), visited, {});
    const url = new URL(this.#parts.urls.urlOf(page));
    const untilUs = this.#clock.nowUs + 1000 * this.#parts.settings.downloadTimeoutMs;
    const rules = this.#robots.rulesOf(url.origin, this.#clock.wallMs);
    if (rules === undefined) return this.#downloadRobotsTxt(page, url, untilUs, times);
    const { refusal } = rules.judge(url);
    if (refusal !== undefined) {
      const denied = { ...nothing, kind: 'robotsDenied', reason: refusal, waitUs: rules.crawlDelayUs } as const;
      return this.#finish(page, url, undefined, denied, times);
    }
    const { end, waitUs, address } = await this.#requests.request(url, (status, rawHeaders) => {
      if (status < 200 || status > 299) return 'headers alone';
      return this.#mayTake(header(rawHeaders, 'content-type')) ? 'body' : 'type not taken';
    }, untilUs, times);
    const restUs = Math.max(waitUs, rules.crawlDelayUs);
    if ('reason' in end) {
      const meaning = faultMeaning(end, this.#parts.hasPatience);
      return this.#finish(page, url, end, { ...meaning, waitUs: restUs }, times, { address });
    }
    try {
      const records = this.#parts.warc?.records(end, this.#clock.wallMs); // Made while the page is read.
      const meaning = await this.#meaningOf(page, url, end);
      if (meaning.kind === 'fetched' && !meaning.byRedirect)
        await this.#parts.onFetched?.({ ...end, url: url.href, links: () => meaning.links });
      return await this.#finish(page, url, end, { ...meaning, waitUs: restUs }, times, { records, address });
    } finally {
      this.#parts.fetcher.release(end);
    }
  }

  async #meaningOf(page: number, url: URL, answer: Answer): Promise<Meaning> {
    const { status, rawHeaders, body } = answer;
    const location = locationOf(answer);
    if (location !== undefined)
      return { ...nothing, kind: 'fetched', byRedirect: true, ...this.#redirect(page, location, url) };
    if (isTransientStatus(status)) return { ...nothing, kind: 'serverError', reason: `status ${status}` };
    if (status < 200 || status > 299) return { ...nothing, kind: 'notFound', reason: `status ${status}` };
    const read = await this.#parts.readers.read({ url: url.href, rawHeaders, body });
    if (read.fault !== undefined) return { ...nothing, kind: 'rejected', reason: read.fault };
    const cut = read.isCut ? CUT_SHORT : '';
    if (read.digest !== '' && this.#seen.has(read.digest))
      return { ...nothing, kind: 'fetched', reason: cut || 'body seen before', text: read.text };
    if (read.digest !== '') this.#seen.add(read.digest);
    const { links, hops, digest, text } = read;
    return { ...nothing, kind: 'fetched', reason: cut, links, hops, digest, text };
  }

  #redirect(page: number, location: string, url: URL): Pick<Meaning, 'links' | 'hops' | 'reason'> {
    const { settings, urls } = this.#parts;
    const target = this.#urlOf(location, url);
    if (typeof target === 'string') return { links: [], reason: `redirect not followed: ${target}` };
    const refusal = this.#filter.refuses(target);
    const outside = 'redirect not followed: out of scope';
    if (refusal !== undefined)
      return { links: [], reason: `${outside}${refusal === 'scope' ? '' : ` by its ${refusal}`}: ${target.href}` };
    const { hops, isBeyond } = this.#numbers.redirected(page, target.href);
    const isTooFar = urls.redirectsOf(page) >= settings.maxRedirects;
    const reason = isBeyond ? `${outside}: ${target.href}`
      : isTooFar ? `more than ${settings.maxRedirects} redirects in a row` : '';
    return { links: [target.href], hops: Uint8Array.of(Math.min(hops, OUT_OF_SCOPE)), reason };
  }

  /**
   * Fetches the robots.txt of the page's origin in place of the page. If that fails, it is the host's failure: the page
   * waits, unless an older copy may serve. Without patience for hosts the page is retried after a transient failure,
   * and with it robots.txt; after some tries the whole origin is denied for a while (RFC 9309, section 2.3.1.4). If the
   * fault concerns the origin as a whole, it is the page's outcome.
   */
  async #downloadRobotsTxt(page: number, url: URL, untilUs: number, times: PageTimes): Promise<Download> {
    const { origin } = url;
    const { end, waitUs, isItsOwn, refusal, note, address: asked } = await this.#robotsTxt.fetch(url, untilUs, times);
    const reason = robotsReason(end, refusal);
    const address = isItsOwn ? asked : undefined;
    if (!('reason' in end)) this.#parts.fetcher.release(end);
    if (note === undefined && this.#parts.hasPatience) {
      const hasCopy = this.#robots.renew(origin, this.#clock.wallMs);
      const restUs = Math.max(waitUs, this.#robots.crawlDelayUs(origin));
      return this.#finish(page, url, end, hasCopy && !('reason' in end)
        ? { ...nothing, kind: 'robotsFetched', reason: `${reason}; an older copy serves`, waitUs: restUs }
        : { ...robotsTrouble(end), waitUs: restUs }, times, { address });
    }
    if (note === undefined)
      return this.#finish(page, url, end, { ...nothing, kind: robotsKind(end), reason, waitUs }, times, { address });
    const meaning: Meaning = 'reason' in end && originFaults.has(end.reason) && isItsOwn
      ? faultMeaning(end)
      : { ...nothing, kind: 'robotsFetched', reason, waitUs: this.#robots.crawlDelayUs(origin) };
    return this.#finish(page, url, end, meaning, times, { robots: note, address });
  }

  /** Notes something that has no new pages. */
  #note(note: Pick<Note, 'rest'>): Promise<void> {
    if (this.#open.isOver) throw new WorldError('the crawl has ended');
    return this.#parts.store.note({ firstPage: this.#parts.urls.count, pages: [], ...note });
  }

  /** Whether the header's type is accepted; without a stated type, the body is inspected. */
  #mayTake(contentType: string | undefined): boolean {
    const type = statedType(contentType);
    return type === undefined || isTaken(type, this.#parts.settings);
  }

  /** Stores everything that a download brought, in one note, numbers its links, and reports it. */
  async #finish(
    page: number, { href, host }: URL, end: Answer | Fault | undefined, meaning: Meaning, times: PageTimes,
    { records = this.#recordsOf(end), robots, address }: Brought = {},
  ): Promise<Download> {
    const { warc, urls, log } = this.#parts;
    const { kind, digest, text } = meaning;
    const isAnswer = end !== undefined && !('reason' in end);
    // The outcome is fixed before its records are appended. If nobody waited for the page, they would lie before the
    // records of pages that are noted, a kill would leave them there, and the page would be fetched again.
    const starter = await this.#open.storeOnceClaimed(page);
    const place = records && await warc?.append(records);
    // No `await` from here to the note: ids must be noted in the order in which they are assigned, and places of the
    // archive in theirs.
    const bytes = end === undefined ? 0 : isAnswer ? end.body.length : end.bytes;
    const nowMs = this.#clock.wallMs;
    const { hostTrouble } = meaning;
    const rest = kind === 'busy' ? undefined : isTransient(kind)
      ? this.#rests.failed(host, meaning.waitUs, nowMs) : this.#rests.answered(host, nowMs);
    const isRest = isTransient(kind) && rest !== undefined && hostTrouble === undefined;
    const waitUs = isRest ? restLeftUs(rest, nowMs) : meaning.waitUs;
    const added = addedPages(urls);
    const isVisit = kind === 'fetched' || kind === 'notFound' || kind === 'rejected';
    const links = isVisit ? this.#numbers.ofPage(page, meaning, added) : noLinks;
    const loop = meaning.byRedirect && links.length === 1 ? this.#loops.closedBy(page, links[0]) : '';
    const download = await this.#report(page, starter, { kind, bytes, waitUs, hostTrouble, links }, {
      rest, robots, address,
      ...(isVisit && { ...added, text, visit: { byRedirect: meaning.byRedirect, digest, warc: place } }),
    });
    this.#numbers.stored(added, page);
    log.add({
      atMs: this.#clock.wallMs, url: href, kind, status: isAnswer ? end.status : 0, bytes,
      type: isAnswer ? (header(end.rawHeaders, 'content-type') ?? '') : '', depth: urls.depthOf(page),
      reason: meaning.reason || loop, digest, times: loggedTimes(times, this.#clock), pauseUs: meaning.waitUs,
      address: address?.name ?? (isAnswer ? end.address : undefined),
    });
    return download;
  }

  #recordsOf(end: Answer | Fault | undefined): WarcRecords | undefined {
    return end && !('reason' in end) ? this.#parts.warc?.records(end, this.#clock.wallMs) : undefined;
  }

  /** Resolves to an outcome when it is stored. Nothing is awaited before that. */
  async #report(
    page: number, { processor, startedAtUs, stamp }: Starter,
    { kind, bytes, waitUs, hostTrouble, links }: Omit<Download, 'startedAtUs' | 'finishedAtUs'>,
    { visit, address, ...note }: Partial<Omit<Note, 'visit'>> & Pick<Brought, 'address'> & {
      readonly visit?: Pick<Visit, 'byRedirect' | 'digest' | 'warc'>;
    },
  ): Promise<Download> {
    const { urls, store } = this.#parts;
    const finishedAtUs = stamp();
    const addressRest = address && this.addresses.restOf(address, processor);
    const known = kind === 'fetched' || kind === 'notFound' || kind === 'rejected' ? kind : undefined;
    await store.note({
      firstPage: urls.count, pages: [], ...note,
      visit: visit && known && { page, kind: known, bytes, waitUs, finishedAtUs, links, ...visit },
      outcome: { processor, page, kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs },
    });
    return { kind, bytes, waitUs, hostTrouble, addressRest, links, startedAtUs, finishedAtUs };
  }
}
