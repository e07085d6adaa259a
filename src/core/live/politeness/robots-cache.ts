import { assert } from '../../../base/index.ts';
import { header, type Answer, type Fault } from '../fetch/answer.ts';
import { retryAfterUs } from '../fetch/retry-after.ts';
import { CUT_SHORT, reasonOf } from '../pages/meaning.ts';
import { decodedBody } from '../pages/decoded-body.ts';
import type { PageFault } from '../pages/page.ts';
import type { LiveSettings } from '../settings.ts';
import type { RobotsNote } from '../store/crawl-store.ts';
import {
  allowAll, disallowAll, MAX_ROBOTS_BYTES, robotsTxt, type DecodedBody, type RobotsRules,
} from '../../../base/web/index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A compressed robots.txt that is larger than this is not read. */
const MAX_DECODED_BYTES = 16 << 20;

/**
 * The meaning of an origin's robots.txt, after its redirects, and how long it holds (RFC 9309, sections 2.3.1 and 2.4):
 *
 * | end | means | until |
 * |---|---|---|
 * | 2xx | its content | max-age of Cache-Control, from 1 hour to 24; 24 hours if there is none |
 * | 3xx: too many redirects, or one without a target | no robots.txt: everything is allowed | the same |
 * | 4xx | no robots.txt: everything is allowed | the same |
 * | 408, 425, 429, 5xx | unknown: everything is denied | 1 hour, or Retry-After up to 24 |
 * | no answer, or a body that is too long or damaged | unknown: everything is denied | 1 hour |
 *
 * With patience for hosts (`hostPatienceMs`), the last two rows do not apply: pages wait until robots.txt can be read.
 *
 * That 429 does not allow everything differs from the RFC (all of 4xx MAY allow), but respects the host that sent it.
 * After 30 days without an answer the RFC allows everything; here everything stays denied, because no crawl waits that
 * long.
 *
 * The lines of a body that end within 500 KiB are stored. A body in a content coding is decoded up to 16 MiB; one that
 * is cut short gives its whole lines.
 */
export function robotsNote(origin: string, end: Answer | Fault, nowMs: number): RobotsNote {
  const noted = (status: number, forMs: number, body: Uint8Array = new Uint8Array()): RobotsNote =>
    ({ origin, status, fetchedAtMs: nowMs, expiresAtMs: nowMs + forMs, body });
  if ('reason' in end) return noted(0, HOUR_MS);
  const { status, rawHeaders } = end;
  if (isUnknown(status)) {
    return noted(status, Math.max(HOUR_MS, retryAfterUs(rawHeaders, nowMs, DAY_MS * 1000) / 1000));
  }
  const forMs = maxAgeMs(header(rawHeaders, 'cache-control'));
  if (status > 299) return noted(status, forMs);
  const body = decodedRobots(end);
  return typeof body === 'string' ? noted(0, HOUR_MS) : noted(status, forMs, wholeLines(body));
}

/**
 * What the log says about the end of a robots.txt.
 * @param refusal why a redirect was not followed; '' if none was refused.
 */
export function robotsReason(end: Answer | Fault, refusal: string): string {
  const isBody = !('reason' in end) && end.status >= 200 && end.status <= 299;
  const body = isBody ? decodedRobots(end) : undefined;
  const more = typeof body === 'string' ? body : body?.isCut === true ? CUT_SHORT : refusal;
  return `robots.txt: ${reasonOf(end)}${more === '' ? '' : `, ${more}`}`;
}

function decodedRobots(answer: Answer): DecodedBody | PageFault {
  // As received it may have any length, because the fetcher has its own limit.
  return decodedBody(answer, {
    decodedLimitBytes: Math.max(MAX_DECODED_BYTES, answer.body.length), maxDecodedRatio: Infinity,
  });
}

interface CachedRules {
  readonly rules: RobotsRules;
  expiresAtMs: number;
  readonly bytes: number;
  /** True if it has decided about a page. */
  wasAsked: boolean;
}

/**
 * The known robots.txt of origins, each parsed once, for one crawler.
 *
 * Each decides about at least one page, however soon it expires: a host may ask for a delay that is longer than its
 * robots.txt is valid, and would otherwise only ever be asked for robots.txt.
 *
 * Memory  at most 256 MiB of rules: above that the origins whose robots.txt has been known longest are dropped, and
 *         fetched again when needed.
 * Cost    O(1) to find the rules; to take a note as robots-txt.ts.
 */
export class RobotsCache {
  readonly #agent: string;
  readonly #obeys: boolean;
  readonly #maxBytes: number;
  readonly #known = new Map<string, CachedRules>();
  #bytes = 0;

  constructor(settings: Pick<LiveSettings, 'agent' | 'robotsTxt'>, maxBytes = 256 << 20) {
    this.#agent = settings.agent;
    this.#obeys = settings.robotsTxt === 'obey';
    this.#maxBytes = maxBytes;
  }

  /** Number of known origins, with expired ones that were not requested since. */
  get count(): number {
    return this.#known.size;
  }

  /** Undefined if the robots.txt must be fetched before a page is requested. */
  rulesOf(origin: string, nowMs: number): RobotsRules | undefined {
    const rules = this.peek(origin, nowMs);
    const cached = this.#known.get(origin);
    // An expired one stays known: its delay holds, and it may serve again if it cannot be fetched anew.
    if (rules !== undefined && cached !== undefined) cached.wasAsked = true;
    return rules;
  }

  /** The same rules, without a decision about a page that is requested then: for the questions of others. */
  peek(origin: string, nowMs: number): RobotsRules | undefined {
    if (!this.#obeys) return allowAll;
    const cached = this.#known.get(origin);
    return cached === undefined || (nowMs >= cached.expiresAtMs && cached.wasAsked) ? undefined : cached.rules;
  }

  /**
   * A robots.txt could not be fetched anew: the known one serves for another hour (RFC 9309, section 2.4). False if
   * none is known.
   */
  renew(origin: string, nowMs: number): boolean {
    const cached = this.#known.get(origin);
    if (cached === undefined) return false;
    cached.expiresAtMs = nowMs + HOUR_MS;
    cached.wasAsked = false;
    return true;
  }

  /** Minimum time between two requests to the origin, as far as known, microseconds; 0 if it asks for none. */
  crawlDelayUs(origin: string): number {
    return this.#obeys ? this.#known.get(origin)?.rules.crawlDelayUs ?? 0 : 0;
  }

  /**
   * Takes over what an earlier run noted. A clock that was set back since makes nothing valid for longer than it was;
   * an expired note decides about no page, but its delay holds for the next request.
   */
  restore(note: RobotsNote, nowMs: number): void {
    const expiresAtMs = Math.min(note.expiresAtMs, nowMs + note.expiresAtMs - note.fetchedAtMs);
    this.take({ ...note, expiresAtMs });
    if (nowMs >= expiresAtMs) this.#known.get(note.origin)!.wasAsked = true;
  }

  take({ origin, status, expiresAtMs, body }: RobotsNote): void {
    this.#forget(origin);
    const rules = isUnknown(status) ? disallowAll
      : status > 299 || body.length === 0 ? allowAll : robotsTxt(body, this.#agent);
    const bytes = rules.bytes + origin.length + 200;
    this.#known.set(origin, { rules, expiresAtMs, bytes, wasAsked: false });
    this.#bytes += bytes;
    // The new one stays; otherwise it would be fetched for ever.
    for (const [oldest] of this.#known) {
      if (this.#bytes <= this.#maxBytes || oldest === origin) break;
      this.#forget(oldest);
    }
    assert(this.#bytes >= bytes, 'the rules in memory are counted wrongly');
  }

  #forget(origin: string): void {
    this.#bytes -= this.#known.get(origin)?.bytes ?? 0;
    this.#known.delete(origin);
  }
}

/** True if a status (0: no answer) says nothing about the rules. */
export function isUnknown(status: number): boolean {
  return status < 200 || status > 499 || status === 408 || status === 425 || status === 429;
}

function maxAgeMs(cacheControl: string | undefined): number {
  const seconds = /(?:^|[,\s])max-age\s{0,9}=\s{0,9}"?(\d+)/i.exec(cacheControl ?? '')?.[1];
  return seconds === undefined ? DAY_MS : Math.min(Math.max(Number(seconds) * 1000, HOUR_MS), DAY_MS);
}

/** A copy of the lines that end within the limit; a body that is cut short may end within a line. */
function wholeLines({ bytes, isCut }: DecodedBody): Uint8Array {
  if (bytes.length <= MAX_ROBOTS_BYTES && !isCut) return bytes.slice();
  const first = bytes.subarray(0, MAX_ROBOTS_BYTES);
  return first.slice(0, Math.max(first.lastIndexOf(10), first.lastIndexOf(13)) + 1);
}
