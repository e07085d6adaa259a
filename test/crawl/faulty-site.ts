import { DrawStream } from '../../src/base/index.ts';
import type { GraphSite, LoggedRequest, NoReply, Site, SiteRequest } from '../../src/views/service/index.ts';
import type { Reply } from '../../src/views/service/web/site.ts';

/** What a request's answer asks of whoever hears it. */
interface Asked {
  /** By Retry-After, microseconds. */
  readonly retryAfterUs: number;
  /** By Crawl-delay. */
  readonly crawlDelayUs: number;
  readonly isFailure: boolean;
}

export interface SiteFaults {
  /** Of hosts with at most 20 pages, one in three asks for it, milliseconds. */
  readonly crawlDelayMs: number;
  /**
   * Share of the requests that are answered by 429 and `Retry-After: 1`, robots.txt included, and of those whose
   * connection is reset.
   */
  readonly pauseShare: number;
  readonly resetShare: number;
}

/**
 * A graph on the wire that also asks to be left alone, and fails, and remembers which of its answers asked for what.
 */
export class FaultySite implements Site {
  readonly name = 'faulty';
  readonly #site: GraphSite;
  readonly #faults: SiteFaults;
  readonly #draws: DrawStream;
  readonly #delays: DrawStream;
  readonly #pagesOf = new Map<string, number>();
  /** Requests of a URL so far. */
  readonly #times = new Map<string, number>();
  readonly #asked = new Map<string, Asked>();
  /** What the clock of the test shows when the server's begins, microseconds. */
  #originUs = 0;

  constructor(site: GraphSite, pages: number, faults: SiteFaults, seed: number) {
    this.#site = site;
    this.#faults = faults;
    this.#draws = new DrawStream(seed, 'trouble');
    this.#delays = new DrawStream(seed, 'delays');
    for (let page = 0; page < pages; page++) {
      const { host } = new URL(site.urls.urlOf(page));
      this.#pagesOf.set(host, (this.#pagesOf.get(host) ?? 0) + 1);
    }
  }

  /** Microseconds since the server began. */
  get nowUs(): number {
    return 1000 * performance.now() - this.#originUs;
  }

  hasHost(host: string): boolean {
    return this.#site.hasHost(host);
  }

  reply(request: SiteRequest): Reply | NoReply {
    const { host, path, atUs } = request;
    this.#originUs = 1000 * performance.now() - atUs;
    const url = host + path;
    const times = this.#times.get(url) ?? 0;
    this.#times.set(url, times + 1);
    const { reply, ...asked } = this.#answer(request, times);
    this.#asked.set(`${host} ${atUs}`, asked);
    return reply;
  }

  #answer(request: SiteRequest, times: number): Asked & { readonly reply: Reply | NoReply } {
    const { host, path } = request;
    const { crawlDelayMs, pauseShare, resetShare } = this.#faults;
    const nothing = { retryAfterUs: 0, crawlDelayUs: 0, isFailure: false };
    const draw = this.#draws.uniform(hashOf(host + path), times);
    if (draw < pauseShare) {
      const reply = {
        status: 429, headers: ['Retry-After', '1'], bytes: 0, body: [], beginsAfterUs: 0, bytesPerUs: Infinity,
      };
      return { ...nothing, reply, retryAfterUs: 1e6, isFailure: true };
    }
    if (draw < pauseShare + resetShare) return { ...nothing, reply: { resetAfterUs: 0 }, isFailure: true };
    const isDelayed = (this.#pagesOf.get(host) ?? 0) <= 20 && this.#delays.uniform(hashOf(host), 0) < 1 / 3;
    if (path === '/robots.txt' && isDelayed) {
      const text = Buffer.from(`User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}\n`);
      const reply = {
        status: 200, headers: ['Content-Type', 'text/plain'], bytes: text.length, body: [text], beginsAfterUs: 0,
        bytesPerUs: Infinity,
      };
      return { ...nothing, reply, crawlDelayUs: 1000 * crawlDelayMs };
    }
    return { ...nothing, reply: this.#site.reply(request) };
  }

  /**
   * Least time from the end of each request to the next one of its host, microseconds: what the host had asked for by
   * then, and the back-off of its failures in a row. What the crawler may not have heard of, for it was killed within
   * `graceUs` after, counts for nothing.
   */
  restsUs(
    log: readonly LoggedRequest[], killedAtUs: readonly number[],
    { politenessUs, backoffUs, maxBackoffUs, graceUs }: Readonly<Record<RestSetting, number>>,
  ): Map<LoggedRequest, number> {
    const rests = new Map<LoggedRequest, number>();
    const hosts = new Map<string, { crawlDelayUs: number; failures: number }>();
    for (const request of [...log].sort((a, b) => a.endedAtUs - b.endedAtUs)) {
      const host = hosts.get(request.host) ?? { crawlDelayUs: 0, failures: 0 };
      hosts.set(request.host, host);
      const asked = this.#asked.get(`${request.host} ${request.startedAtUs}`);
      const wasHeard = request.end !== 'closed by client'
        && !killedAtUs.some((atUs) => atUs >= request.startedAtUs && atUs - request.endedAtUs < graceUs);
      let restUs = Math.max(politenessUs, host.crawlDelayUs);
      if (asked !== undefined && wasHeard) {
        host.failures = asked.isFailure ? host.failures + 1 : 0;
        host.crawlDelayUs = Math.max(host.crawlDelayUs, asked.crawlDelayUs);
        const backedOffUs = asked.isFailure ? Math.min(maxBackoffUs, backoffUs * 2 ** (host.failures - 1)) : 0;
        restUs = Math.max(restUs, host.crawlDelayUs, asked.retryAfterUs, backedOffUs);
      } else if (asked?.isFailure !== true) {
        // Heard or not, it was no failure: what follows may be the first one.
        host.failures = 0;
      }
      rests.set(request, restUs);
    }
    return rests;
  }
}

type RestSetting = 'politenessUs' | 'backoffUs' | 'maxBackoffUs' | 'graceUs';

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
