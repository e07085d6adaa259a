import { LargeMap } from '../../../base/index.ts';
import { canonicalUrl, MAX_ROBOTS_BYTES } from '../../../base/web/index.ts';
import { isTransient } from '../../world/index.ts';
import { header, type Answer, type Fault, type FaultReason, type PageTimes } from '../fetch/answer.ts';
import type { LiveWebParts } from '../live-web-parts.ts';
import { faultMeaning, locationOf, nothing, robotsKind, robotsTrouble, type Meaning } from '../pages/meaning.ts';
import type { RobotsNote } from '../store/crawl-store.ts';
import type { PoliteRequests, Reply } from './polite-requests.ts';
import { isUnknown, robotsNote, robotsReason, type RobotsCache } from './robots-cache.ts';

/** Tries of a robots.txt that fails transiently; then the whole origin is denied until the note expires. */
const maxTries = 5;
/** RFC 9309, section 2.3.1.2. */
const maxRedirects = 5;
/** Faults that do not concern robots.txt itself: each page of the origin would end with the same one. */
const originFaults: ReadonlySet<FaultReason> = new Set<FaultReason>([
  'address not allowed', 'no such name', 'TLS not valid',
]);

export interface RobotsFetchesParts extends Pick<LiveWebParts, 'settings' | 'clock' | 'fetcher' | 'hasPatience'> {
  readonly requests: PoliteRequests;
  readonly robots: RobotsCache;
}

/** The end of a robots.txt, for the page in whose place it was fetched. */
export interface RobotsEnd extends Pick<Reply, 'end' | 'address'> {
  readonly meaning: Meaning;
  /** The rules from now on; undefined if robots.txt is to be tried again. */
  readonly robots: RobotsNote | undefined;
}

/** Fetches the robots.txt of origins, wherever redirects lead, and makes it known to the cache. */
export class RobotsFetches {
  readonly #parts: RobotsFetchesParts;
  readonly #tries = new LargeMap<string, number>();
  /** Redirects that lead to a host that was not free, by origin: the next try goes on from there. */
  readonly #redirects = new LargeMap<string, Redirects>();

  constructor(parts: RobotsFetchesParts) {
    this.#parts = parts;
  }

  /**
   * Fetches the robots.txt of a page's origin in place of the page. If that fails, it is the host's failure: the page
   * waits, unless an older copy may serve. Without patience for hosts the page is retried after a transient failure,
   * and with it robots.txt; after some tries the whole origin is denied for a while (RFC 9309, section 2.3.1.4). If the
   * fault concerns the origin as a whole, it is the page's outcome.
   */
  async fetch(page: URL, untilUs: number, times: PageTimes): Promise<RobotsEnd> {
    const { origin } = page;
    const { settings, requests, fetcher } = this.#parts;
    const redirects = this.#redirects.get(origin) ?? new Redirects(origin, settings.maxUrlLength);
    this.#redirects.delete(origin);
    for (;;) {
      const { url } = redirects;
      let leadsOn = false as boolean;
      let robots = undefined as RobotsNote | undefined;
      const reply = await requests.request(url, (status, rawHeaders) => {
        if (status < 200 || status > 299) return 'headers alone';
        // One byte more shows that there is more. Encoded bodies cannot be cut.
        return header(rawHeaders, 'content-encoding') === undefined ? MAX_ROBOTS_BYTES + 1 : 'body';
      }, untilUs, times, (answer) => {
        leadsOn = redirects.follow(answer);
        if (!leadsOn) robots = this.#learn(page, answer);
      });
      const { end, address } = reply;
      if (!leadsOn && redirects.isFollowed && robotsKind(end) === 'busy') this.#redirects.set(origin, redirects);
      const meaning = leadsOn ? undefined : this.#meaningOf(origin, redirects, reply, robots);
      if (!('reason' in end)) fetcher.release(end);
      if (meaning !== undefined) return { end, meaning, robots, address: url.origin === origin ? address : undefined };
    }
  }

  #meaningOf(
    origin: string, { url, refusal }: Redirects, { end, waitUs }: Reply, note: RobotsNote | undefined,
  ): Meaning {
    const { robots, clock, hasPatience } = this.#parts;
    const reason = robotsReason(end, refusal);
    if (note === undefined && !hasPatience) return { ...nothing, kind: robotsKind(end), reason, waitUs };
    const delayUs = robots.crawlDelayUs(origin);
    const fetched = { ...nothing, kind: 'robotsFetched', reason, waitUs: delayUs } as const;
    if (note !== undefined) {
      const isOfOrigin = 'reason' in end && originFaults.has(end.reason) && url.origin === origin;
      return isOfOrigin ? faultMeaning(end) : fetched;
    }
    const hasCopy = robots.renew(origin, clock.wallMs) && !('reason' in end);
    const meaning = hasCopy ? { ...fetched, reason: `${reason}; an older copy serves` } : robotsTrouble(end);
    return { ...meaning, waitUs: Math.max(waitUs, delayUs) };
  }

  /** Makes it known before any other request to its host may start; undefined if it is to be tried again. */
  #learn({ host, origin }: URL, end: Answer | Fault): RobotsNote | undefined {
    const { clock, requests, robots } = this.#parts;
    const note = robotsNote(origin, end, clock.wallMs);
    if (this.#isToBeTriedAgain(note, end)) return undefined;
    robots.take(note);
    requests.rest(host, robots.crawlDelayUs(origin));
    return note;
  }

  #isToBeTriedAgain({ origin, status }: RobotsNote, end: Answer | Fault): boolean {
    const kind = robotsKind(end);
    if (kind === 'busy') return true;
    if (this.#parts.hasPatience) return isUnknown(status);
    const tries = (this.#tries.get(origin) ?? 0) + 1;
    const isAgain = isTransient(kind) && tries < maxTries;
    if (isAgain) this.#tries.set(origin, tries);
    else this.#tries.delete(origin);
    return isAgain;
  }
}

/**
 * The way to the robots.txt of an origin: at first there, then along its redirects, at most five, to any host. A
 * redirect back to an earlier URL is not followed, because it would lead there again.
 */
class Redirects {
  url: URL;
  /** Why the last redirect was not followed; '' if it was, or the answer was none. */
  refusal = '';
  readonly #maxUrlLength: number;
  readonly #passed = new Set<string>();

  constructor(origin: string, maxUrlLength: number) {
    this.url = new URL('/robots.txt', origin);
    this.#maxUrlLength = maxUrlLength;
  }

  get isFollowed(): boolean {
    return this.#passed.size > 0;
  }

  /** True if the answer leads on: `url` is then the next. */
  follow(end: Answer | Fault): boolean {
    const location = 'reason' in end ? undefined : locationOf(end);
    if (location === undefined) return false;
    const target = canonicalUrl(location, this.url, this.#maxUrlLength);
    this.#passed.add(this.url.href);
    if (typeof target === 'string') this.refusal = `redirect not followed: ${target}`;
    else if (this.#passed.has(target.href)) this.refusal = `redirect loop: back to ${target.href}`;
    else if (this.#passed.size > maxRedirects) this.refusal = `more than ${maxRedirects} redirects in a row`;
    else this.url = target;
    return this.refusal === '';
  }
}
