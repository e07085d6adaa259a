import type { LiveClock } from '../clock.ts';
import type { Answer, Fault } from '../fetch/answer.ts';
import type { Wants } from '../fetch/download.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { PageTimes } from '../fetch/request-times.ts';
import { retryAfterUs } from '../fetch/retry-after.ts';
import { isTransientStatus, tooLate } from '../meaning.ts';
import type { LiveSettings } from '../settings.ts';
import { Gate } from './gate.ts';

/** How a request ended, and how long its host asks not to be contacted, or is known to rest. */
export interface Reply {
  readonly end: Answer | Fault;
  readonly waitUs: number;
  /** The address of its host, if addresses have a delay, and how long that still rests or is at work for another. */
  readonly address?: { readonly name: string; readonly busyUs: number } | undefined;
}

export interface PoliteRequestsOptions {
  readonly settings: Pick<LiveSettings, 'addressDelayMs'>;
  readonly clock: LiveClock;
  readonly fetcher: Fetcher;
  /** Delay of a host, microseconds. */
  readonly politenessUs: number;
  /** That of an origin's robots.txt. */
  readonly crawlDelayUs: (origin: string) => number;
  /** How long an address is left alone after a request, if addresses have a delay. */
  readonly addressRestUs: (address: string) => number;
  /** A host asks not to be contacted for so long; resolves when that is stored. */
  readonly onAsked: (host: string, waitUs: number) => Promise<void>;
  /** Waits until requests may be made: asked just before each. */
  readonly permit?: (() => Promise<void>) | undefined;
  /** Whether an earlier process may have been at any host or address: each rests at first. */
  readonly hasBegun?: boolean | undefined;
}

/** Longest pause that a host is granted. */
const maxWaitUs = 86_400e6;

/** Requests, one at a time on a host and on an address, with the delay after each. */
export class PoliteRequests {
  readonly #options: PoliteRequestsOptions;
  readonly #hosts: Gate;
  readonly #addresses: Gate;

  constructor(options: PoliteRequestsOptions) {
    const { clock, politenessUs, settings, hasBegun = false } = options;
    const gate = (firstRestUs: number): Gate => new Gate(clock, hasBegun ? clock.nowUs + firstRestUs : 0);
    this.#options = options;
    this.#hosts = gate(politenessUs);
    this.#addresses = gate(1000 * settings.addressDelayMs);
  }

  /** A host is to rest from now on. */
  rest(host: string, restUs: number): void {
    this.#hosts.rest(host, restUs);
  }

  /**
   * One request, once its host is free; if that is not the case by `untilUs`, or its address is not free then, nobody
   * is asked.
   * `learn` is called with its end before the next request to either may start.
   */
  async request(
    url: URL, wants: Wants, untilUs: number, times: PageTimes, learn?: (end: Answer | Fault) => void,
  ): Promise<Reply> {
    const { settings, fetcher, politenessUs, crawlDelayUs, onAsked } = this.#options;
    const { host } = url;
    if (!(await this.#enter(this.#hosts, host, untilUs, times))) {
      const end = tooLate(host);
      learn?.(end);
      return { end, waitUs: this.#hosts.restUs(host) };
    }
    let waitUs = 0;
    try {
      await this.#permitted(times);
      if (settings.addressDelayMs > 0) {
        const reply = await this.#requestOfAddress(url, wants, times);
        learn?.(reply.end);
        return { ...reply, waitUs: waitUs = this.#pauseUs(reply.end) };
      }
      const end = await fetcher.fetch(url.href, wants, times);
      waitUs = this.#pauseUs(end);
      learn?.(end);
      return { end, waitUs };
    } finally {
      this.#hosts.leave(host, Math.max(politenessUs, waitUs, crawlDelayUs(url.origin)));
      if (waitUs > 0) await onAsked(host, waitUs);
    }
  }

  /** Enters a gate; the wait does not count as part of the page's time. */
  async #enter(gate: Gate, place: string, untilUs: number, times: PageTimes): Promise<boolean> {
    const { clock } = this.#options;
    const beforeUs = clock.nowUs;
    return gate.enter(place, untilUs).finally(() => { times.startUs += clock.nowUs - beforeUs; });
  }

  async #permitted(times: PageTimes): Promise<void> {
    const { clock, permit } = this.#options;
    if (permit === undefined) return;
    const beforeUs = clock.nowUs;
    await permit();
    times.startUs += clock.nowUs - beforeUs;
  }

  /** No robot waits for an address: the scheduler has something else for it. */
  async #requestOfAddress(url: URL, wants: Wants, times: PageTimes): Promise<Reply> {
    const { fetcher, clock, addressRestUs } = this.#options;
    const name = await fetcher.addressOf(url.href);
    if (typeof name !== 'string') return { end: name, waitUs: 0 };
    if (!(await this.#enter(this.#addresses, name, clock.nowUs, times))) {
      const busyUs = this.#addresses.restUs(name) || addressRestUs(name);
      return { end: tooLate(name), waitUs: 0, address: { name, busyUs } };
    }
    try {
      return { end: await fetcher.fetch(url.href, wants, times), waitUs: 0, address: { name, busyUs: 0 } };
    } finally {
      this.#addresses.leave(name, addressRestUs(name));
    }
  }

  /** The pause that Retry-After asks for, of a transient status or a redirect (RFC 9110, section 10.2.3). */
  #pauseUs(end: Answer | Fault): number {
    if ('reason' in end || !(isTransientStatus(end.status) || (end.status >= 300 && end.status <= 399))) return 0;
    return retryAfterUs(end.rawHeaders, this.#options.clock.wallMs, maxWaitUs);
  }
}
