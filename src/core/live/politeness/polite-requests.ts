import type { Answer, Fault, PageTimes } from '../fetch/answer.ts';
import type { Wants } from '../fetch/download.ts';
import { retryAfterUs } from '../fetch/retry-after.ts';
import type { LiveWebParts } from '../live-web-parts.ts';
import { isTransientStatus, tooLate } from '../pages/meaning.ts';
import { Gate } from './gate.ts';

/** How a request ended, and how long its host asks not to be contacted, or is known to rest. */
export interface Reply {
  readonly end: Answer | Fault;
  readonly waitUs: number;
  /** The address of its host, if addresses have a delay, and how long that still rests or is at work for another. */
  readonly address?: { readonly name: string; readonly busyUs: number } | undefined;
}

export interface PoliteRequestsOptions
  extends Pick<LiveWebParts, 'settings' | 'clock' | 'fetcher' | 'politenessUs' | 'permit' | 'hasBegun'> {
  readonly crawlDelayUs: (origin: string) => number;
  /** How long an address is left alone after a request, if addresses have a delay. */
  readonly addressRestUs: (address: string) => number;
  /** A host asks not to be contacted for so long; resolves when that is stored. */
  readonly onAsked: (host: string, waitUs: number) => Promise<void>;
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

  rest(host: string, restUs: number): void {
    this.#hosts.rest(host, restUs);
  }

  /**
   * Requests a URL once its host is free. If the host is not free by `untilUs`, or its address is not free then, nobody
   * is asked.
   * @param learn hears of the end before the next request to either may start.
   */
  async request(
    url: URL, wants: Wants, untilUs: number, times: PageTimes, learn?: (end: Answer | Fault) => void,
  ): Promise<Reply> {
    const { settings, fetcher, politenessUs, permit, crawlDelayUs, onAsked } = this.#options;
    const { host } = url;
    if (!(await this.#free(times, this.#hosts.enter(host, untilUs)))) {
      const end = tooLate(host);
      learn?.(end);
      return { end, waitUs: this.#hosts.restUs(host) };
    }
    let waitUs = 0;
    try {
      if (permit !== undefined) await this.#free(times, permit());
      const reply = settings.addressDelayMs > 0
        ? await this.#requestOfAddress(url, wants, times) : { end: await fetcher.fetch(url.href, wants, times) };
      waitUs = this.#pauseUs(reply.end);
      learn?.(reply.end);
      return { ...reply, waitUs };
    } finally {
      this.#hosts.leave(host, Math.max(politenessUs, waitUs, crawlDelayUs(url.origin)));
      if (waitUs > 0) await onAsked(host, waitUs);
    }
  }

  /** Waits for a permission; the wait does not count as part of the page's time. */
  async #free<T>(times: PageTimes, wait: Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const beginUs = clock.nowUs;
    return wait.finally(() => { times.startUs += clock.nowUs - beginUs; });
  }

  /** No robot waits for an address: the scheduler has something else for it. */
  async #requestOfAddress(url: URL, wants: Wants, times: PageTimes): Promise<Omit<Reply, 'waitUs'>> {
    const { fetcher, clock, addressRestUs } = this.#options;
    const name = await fetcher.addressOf(url.href);
    if (typeof name !== 'string') return { end: name };
    if (!(await this.#free(times, this.#addresses.enter(name, clock.nowUs)))) {
      const busyUs = this.#addresses.restUs(name) || addressRestUs(name);
      return { end: tooLate(name), address: { name, busyUs } };
    }
    try {
      return { end: await fetcher.fetch(url.href, wants, times), address: { name, busyUs: 0 } };
    } finally {
      this.#addresses.leave(name, addressRestUs(name));
    }
  }

  /** The pause that the Retry-After of a transient status or a redirect asks for (RFC 9110, section 10.2.3). */
  #pauseUs(end: Answer | Fault): number {
    if ('reason' in end || !(isTransientStatus(end.status) || (end.status >= 300 && end.status <= 399))) return 0;
    return retryAfterUs(end.rawHeaders, this.#options.clock.wallMs, maxWaitUs);
  }
}
