import { LargeMap } from '../../../base/index.ts';
import { MAX_ROBOTS_BYTES } from '../../../base/web/index.ts';
import { isTransient } from '../../world/index.ts';
import type { LiveClock } from '../clock.ts';
import { header, type Answer, type Fault } from '../fetch/answer.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { PageTimes } from '../fetch/request-times.ts';
import { robotsKind } from '../meaning.ts';
import type { LiveSettings } from '../settings.ts';
import type { RobotsNote } from '../store/crawl-store.ts';
import type { PoliteRequests, Reply } from './polite-requests.ts';
import { isUnknown, robotsNote, type RobotsCache } from './robots-cache.ts';
import { RobotsRedirects } from './robots-redirects.ts';

/** Tries of a robots.txt that fails transiently; then the whole origin is denied until the note expires. */
const maxTries = 5;

export interface RobotsFetchesParts {
  readonly settings: Pick<LiveSettings, 'maxUrlLength'>;
  readonly clock: LiveClock;
  readonly fetcher: Pick<Fetcher, 'release'>;
  readonly requests: PoliteRequests;
  readonly robots: RobotsCache;
  /** Whether pages wait for hosts that cannot be reached; otherwise that is a failure of the page. */
  readonly hasPatience: boolean;
}

/** The end of a robots.txt. */
export interface RobotsReply extends Reply {
  /** Whether it is the origin's own, and not that of a host that redirects led to. */
  readonly isItsOwn: boolean;
  /** Why a redirect was not followed; '' if none was refused. */
  readonly refusal: string;
  /** What it says from now on; undefined if it is to be tried again. */
  readonly note: RobotsNote | undefined;
}

/** Fetches the robots.txt of origins, wherever redirects lead, and makes it known to the cache. */
export class RobotsFetches {
  readonly #parts: RobotsFetchesParts;
  /** Consecutive failed tries by origin. */
  readonly #tries = new LargeMap<string, number>();
  /** Of origins whose robots.txt leads to a host that was not free: the next try goes on from there. */
  readonly #redirects = new LargeMap<string, RobotsRedirects>();

  constructor(parts: RobotsFetchesParts) {
    this.#parts = parts;
  }

  /** The answer at the end of its redirects, including those to other hosts. */
  async fetch(page: URL, untilUs: number, times: PageTimes): Promise<RobotsReply> {
    const { origin } = page;
    const { settings, requests, fetcher } = this.#parts;
    const redirects = this.#redirects.get(origin) ?? new RobotsRedirects(origin, settings.maxUrlLength);
    this.#redirects.delete(origin);
    for (;;) {
      const { url } = redirects;
      let leadsOn = false as boolean;
      let note = undefined as RobotsNote | undefined;
      const reply = await requests.request(url, (status, rawHeaders) => {
        if (status < 200 || status > 299) return 'headers alone';
        // One byte more shows that there is more. Encoded bodies cannot be cut.
        return header(rawHeaders, 'content-encoding') === undefined ? MAX_ROBOTS_BYTES + 1 : 'body';
      }, untilUs, times, (answer) => {
        leadsOn = redirects.follow(answer);
        if (!leadsOn) note = this.#learn(page, answer);
      });
      if (!leadsOn) {
        if (redirects.isRedirected && robotsKind(reply.end) === 'busy') this.#redirects.set(origin, redirects);
        return { ...reply, isItsOwn: url.origin === origin, refusal: redirects.refusal, note };
      }
      if (!('reason' in reply.end)) fetcher.release(reply.end);
    }
  }

  /** Makes it known before any other request to its host may start; undefined if it is to be tried again. */
  #learn({ host, origin }: URL, end: Answer | Fault): RobotsNote | undefined {
    const { clock, requests, robots } = this.#parts;
    if (this.#isToBeTriedAgain(origin, end)) return undefined;
    const note = robotsNote(origin, end, clock.wallMs);
    robots.take(note);
    requests.rest(host, robots.crawlDelayUs(origin));
    return note;
  }

  #isToBeTriedAgain(origin: string, end: Answer | Fault): boolean {
    const { clock, hasPatience } = this.#parts;
    const kind = robotsKind(end);
    if (kind === 'busy') return true;
    if (hasPatience) return isUnknown(robotsNote(origin, end, clock.wallMs).status);
    const tries = (this.#tries.get(origin) ?? 0) + 1;
    if (isTransient(kind) && tries < maxTries) this.#tries.set(origin, tries);
    else this.#tries.delete(origin);
    return isTransient(kind) && tries < maxTries;
  }
}
