import { assert, LargeMap, WorldError } from '../../base/index.ts';
import { isTransient, type FetchRequest } from '../world/index.ts';
import { loggedTimes } from './archive/crawl-log.ts';
import type { WarcRecords } from './archive/warc-writer.ts';
import type { LiveClock } from './clock.ts';
import { header, type Answer, type Fault, type PageTimes } from './fetch/answer.ts';
import { OpenDownloads } from './fetch/open-downloads.ts';
import type { LiveWebParts } from './live-web-parts.ts';
import type { Download, Starter, Web, WorldClock } from './live-world.ts';
import { faultMeaning, nothing, type Meaning } from './pages/meaning.ts';
import { PageMeanings, RedirectLoops } from './pages/page-meanings.ts';
import { Denials } from './politeness/denials.ts';
import { HostRests, restLeftUs } from './politeness/host-rests.ts';
import { PoliteRequests, type Reply } from './politeness/polite-requests.ts';
import { isUnknown, RobotsCache } from './politeness/robots-cache.ts';
import { RobotsFetches } from './politeness/robots-fetches.ts';
import { SharedAddresses } from './politeness/shared-addresses.ts';
import type { NewPage, Note, RobotsNote, Visit } from './store/crawl-store.ts';
import { Replay } from './store/replay.ts';
import { addedPages, isNothing, LinkNumbers } from './urls/link-numbers.ts';

/** What a download brought besides its answer. */
interface Brought {
  readonly records?: WarcRecords | undefined;
  readonly robots?: RobotsNote | undefined;
  readonly address?: Reply['address'];
}

const noLinks = new Uint32Array(0);

/**
 * The web as seen by the processors of one crawl: takes each page from its request to its note in the store, which a
 * World waits for. A robot is busy with the page until then: that is the back-pressure.
 *
 * Memory   the URL table, robots.txt of known origins, and the downloads in flight.
 */
export class LiveWeb implements Web {
  clock: WorldClock;
  /** The clock of the wire, with which the Worlds began. */
  readonly #clock: LiveClock;
  readonly #beginUs: number;
  /** How far the clock of the wire is ahead of the Worlds'. */
  #aheadUs = 0;
  readonly #parts: LiveWebParts;
  readonly #meanings: PageMeanings;
  readonly #requests: PoliteRequests;
  readonly #robots: RobotsCache;
  readonly #robotsTxt: RobotsFetches;
  readonly #rests: HostRests;
  readonly #open = new OpenDownloads();
  readonly denials: Denials;
  readonly addresses: SharedAddresses;
  readonly #numbers: LinkNumbers;
  readonly #loops = new RedirectLoops();
  #replay: Replay | undefined;

  constructor(parts: LiveWebParts) {
    const { settings, store, clock } = this.#parts = parts;
    this.clock = this.#clock = clock;
    this.#beginUs = clock.nowUs;
    this.#numbers = new LinkNumbers(parts);
    this.#meanings = new PageMeanings(parts, this.#numbers);
    const robots = this.#robots = new RobotsCache(settings);
    this.addresses = new SharedAddresses(1000 * settings.addressDelayMs);
    const requests = this.#requests = new PoliteRequests({
      ...parts, crawlDelayUs: (origin) => robots.crawlDelayUs(origin),
      addressRestUs: (address) => this.addresses.wireRestUs(address),
      onAsked: async (host, waitUs) => this.#note({ rest: this.#rests.asked(host, waitUs, clock.wallMs) }),
    });
    this.#robotsTxt = new RobotsFetches({ ...parts, requests, robots });
    this.#rests = new HostRests(store.rests(), parts.backoffUs);
    this.denials = new Denials({ ...parts, robots, open: this.#open, replay: () => this.#replay });
    const nowMs = clock.wallMs;
    for (const note of store.robots()) {
      if ((parts.hasPatience || parts.retriesFailed) && isUnknown(note.status)) continue;
      robots.restore(note, nowMs);
      // It may have been in use when an earlier process ended.
      const delayUs = robots.crawlDelayUs(note.origin);
      if (delayUs > 0) requests.rest(new URL(note.origin).host, delayUs);
    }
    for (const { host, restUs } of this.#rests.left(nowMs)) requests.rest(host, restUs);
  }

  hostOf(page: number): number {
    return this.#parts.urls.hostOf(page);
  }

  /** Downloads that were asked for since a checkpoint end as they did then. */
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
   * The processors are given up, and others will be made: open downloads go on, and are handed to those who ask for
   * their pages. Resolves when all outcomes that are fixed are stored.
   */
  async letGo(): Promise<void> {
    await Promise.all([this.#open.letGo(), this.denials.stored]);
  }

  /** The clock of the Worlds that are made from now on begins here. */
  goOnAt(nowUs: number): void {
    const wire = this.#clock;
    const aheadUs = this.#aheadUs = wire.nowUs - nowUs;
    this.clock = {
      get nowUs() { return wire.nowUs - aheadUs; }, alarm: (atUs, ring) => wire.alarm(atUs + aheadUs, ring),
    };
  }

  /** The ids of pages that other machines have found, stored before they are used. */
  async numbered(pages: readonly NewPage[]): Promise<readonly number[]> {
    const { urls, store } = this.#parts;
    const added = addedPages(urls);
    const ids = pages.map((page) => this.#numbers.ofFound(page, added));
    if (!isNothing(added)) await store.note(added);
    this.#numbers.stored(added);
    return ids;
  }

  /** Resolves when the open downloads have ended, and are stored, but for those that were let go. */
  async whenIdle(): Promise<void> {
    await this.#open.over();
  }

  /**
   * Hosts that earlier sessions left at rest, by host id: how long from now on, microseconds, and the consecutive
   * failures, if noted.
   */
  rests(): LargeMap<number, { readonly restUs: number; readonly failures?: number }> {
    const { urls, store } = this.#parts;
    const rests: ReturnType<LiveWeb['rests']> = new LargeMap();
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
    if (rules === undefined) {
      const { end, meaning, ...brought } = await this.#robotsTxt.fetch(url, untilUs, times);
      return this.#finish(page, url, end, meaning, times, brought);
    }
    const { refusal } = rules.judge(url);
    if (refusal !== undefined) {
      const denied = { ...nothing, kind: 'robotsDenied', reason: refusal, waitUs: rules.crawlDelayUs } as const;
      return this.#finish(page, url, undefined, denied, times);
    }
    const { end, waitUs, address } = await this.#requests.request(url, (status, rawHeaders) => {
      if (status < 200 || status > 299) return 'headers alone';
      return this.#meanings.mayTake(header(rawHeaders, 'content-type')) ? 'body' : 'type not taken';
    }, untilUs, times);
    const restUs = Math.max(waitUs, rules.crawlDelayUs);
    if ('reason' in end) {
      const meaning = faultMeaning(end, this.#parts.hasPatience);
      return this.#finish(page, url, end, { ...meaning, waitUs: restUs }, times, { address });
    }
    try {
      const records = this.#parts.warc?.records(end, this.#clock.wallMs); // Made while the page is read.
      const meaning = await this.#meanings.of(page, url, end);
      if (meaning.kind === 'fetched' && !meaning.byRedirect)
        await this.#parts.onFetched?.({ ...end, url: url.href, links: () => meaning.links });
      return await this.#finish(page, url, end, { ...meaning, waitUs: restUs }, times, { records, address });
    } finally {
      this.#parts.fetcher.release(end);
    }
  }

  #note(note: Pick<Note, 'rest'>): Promise<void> {
    if (this.#open.isOver) throw new WorldError('the crawl has ended');
    return this.#parts.store.note({ firstPage: this.#parts.urls.count, pages: [], ...note });
  }

  /** Stores everything that a download brought, in one note, numbers its links, and reports it. */
  async #finish(
    page: number, { href, host }: URL, end: Answer | Fault | undefined, meaning: Meaning, times: PageTimes,
    { records, robots, address }: Brought = {},
  ): Promise<Download> {
    const { warc, urls, log } = this.#parts;
    const { kind, digest, text, hostTrouble } = meaning;
    const answer = end === undefined || 'reason' in end ? undefined : end;
    const recordsMade = records ?? (answer && warc?.records(answer, this.#clock.wallMs));
    // The outcome is fixed before its records are appended. If nobody waited for the page, they would lie before the
    // records of noted pages, a kill would leave them there, and the page would be fetched again.
    const starter = await this.#open.storeOnceClaimed(page);
    const place = recordsMade && await warc?.append(recordsMade);
    // No `await` from here to the note: ids must be noted in the order in which they are assigned, and places of the
    // archive in theirs.
    const bytes = end === undefined ? 0 : 'reason' in end ? end.bytes : end.body.length;
    const nowMs = this.#clock.wallMs;
    const rest = kind === 'busy' ? undefined : isTransient(kind)
      ? this.#rests.failed(host, meaning.waitUs, nowMs) : this.#rests.answered(host, nowMs);
    const isRest = isTransient(kind) && rest !== undefined && hostTrouble === undefined;
    const waitUs = isRest ? restLeftUs(rest, nowMs) : meaning.waitUs;
    const added = addedPages(urls);
    const isVisit = visitKind(kind) !== undefined;
    const links = isVisit ? this.#numbers.ofPage(page, meaning, added) : noLinks;
    const loop = meaning.byRedirect && links.length === 1 ? this.#loops.closedBy(page, links[0]) : '';
    const download = await this.#report(page, starter, { kind, bytes, waitUs, hostTrouble, links }, {
      rest, robots, address,
      ...(isVisit && { ...added, text, visit: { byRedirect: meaning.byRedirect, digest, warc: place } }),
    });
    this.#numbers.stored(added, page);
    log.add({
      atMs: this.#clock.wallMs, url: href, kind, status: answer?.status ?? 0, bytes,
      type: (answer && header(answer.rawHeaders, 'content-type')) ?? '', depth: urls.depthOf(page),
      reason: meaning.reason || loop, digest, times: loggedTimes(times, this.#clock), pauseUs: meaning.waitUs,
      address: address?.name ?? answer?.address,
    });
    return download;
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
    assert(finishedAtUs >= startedAtUs, () => `page ${page} ended before it began`);
    const addressRest = address && this.addresses.restOf(address, processor);
    const finalKind = visitKind(kind);
    await store.note({
      firstPage: urls.count, pages: [], ...note,
      visit: visit && finalKind && { page, kind: finalKind, bytes, waitUs, finishedAtUs, links, ...visit },
      outcome: { processor, page, kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs },
    });
    return { kind, bytes, waitUs, hostTrouble, addressRest, links, startedAtUs, finishedAtUs };
  }
}

/** The kind of a visit; undefined for a download that is repeated. */
function visitKind(kind: Download['kind']): Visit['kind'] | undefined {
  return kind === 'fetched' || kind === 'notFound' || kind === 'rejected' ? kind : undefined;
}
