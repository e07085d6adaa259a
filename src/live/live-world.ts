import { assert, LargeMap } from '../base/index.ts';
import type { FetchRequest, OpenDownload, Outcome, OutcomeKind, World } from '../world/index.ts';
import type { LiveClock } from './clock.ts';

/** The result of a download: an outcome without its times. */
export interface Download {
  readonly kind: OutcomeKind;
  readonly bytes: number;
  readonly waitUs: number;
  readonly links: Uint32Array;
}

/** What the Worlds of a crawl share, and how a page is fetched. */
export interface Web {
  readonly clock: LiveClock;
  hostOf(page: number): number;
  /** Rejects only if the crawl cannot continue; undefined if the crawl ended first: then the page is unchanged. */
  download(request: FetchRequest, startedAtUs: number): Promise<Download | undefined>;
}

interface HostVisit {
  endedAtUs: number;
  waitUs: number;
}

/** After this many new hosts, those whose rest is long past are removed. */
const sweepHosts = 4096;

/**
 * The World of one processor over real hosts. Its clock follows that of the crawl: it shows the last reported outcome,
 * or the time until which `next` waited, so a delay that has passed here has passed on the wire as well.
 */
export class LiveWorld implements World {
  nowUs: number;
  politenessBreaches = 0;
  readonly #web: Web;
  readonly #politenessUs: number;
  /** Ended and not yet reported; in order, because each gets a later stamp than the one before. */
  #ended: Outcome[] = [];
  #reportedCount = 0;
  #lastStampUs: number;
  /** By sequence. */
  readonly #open = new Map<number, OpenDownload>();
  #wake: (() => void) | undefined;
  #isWoken = false;
  #failure: { readonly error: unknown } | undefined;
  /** Visits of hosts that may not have rested yet; Infinity while one is open. */
  readonly #hosts = new LargeMap<number, HostVisit>();
  #sweepAt = sweepHosts;

  constructor(web: Web, politenessUs: number, nowUs = 0) {
    this.#web = web;
    this.#politenessUs = politenessUs;
    this.nowUs = nowUs;
    this.#lastStampUs = nowUs;
  }

  hostOf(page: number): number {
    return this.#web.hostOf(page);
  }

  openDownloads(): readonly OpenDownload[] {
    return [...this.#open.values()];
  }

  start(request: FetchRequest): void {
    const host = this.hostOf(request.page);
    const last = this.#hosts.get(host);
    if (last !== undefined && last.endedAtUs + Math.max(this.#politenessUs, last.waitUs) > this.nowUs)
      this.politenessBreaches++;
    if (last === undefined && this.#hosts.size >= this.#sweepAt) this.#forgetRested();
    this.#hosts.set(host, { endedAtUs: Infinity, waitUs: 0 });
    const startedAtUs = this.nowUs;
    this.#open.set(request.sequence, { page: request.page, startedAtUs });
    this.#web.download(request, startedAtUs).then(
      (download) => { if (download !== undefined) this.#end(request, startedAtUs, download); },
      (error: unknown) => {
        this.#failure ??= { error };
        this.#wake?.();
      },
    );
  }

  next(untilUs: number): Outcome | undefined | Promise<Outcome | undefined> {
    assert(
      this.#open.size > 0 || this.#reportedCount < this.#ended.length || untilUs !== Infinity,
      'next must not wait for ever with nothing in flight',
    );
    return this.#report(untilUs) ?? (this.#isOver(untilUs) ? undefined : this.#wait(untilUs));
  }

  /** The first outcome until then, if it has arrived. */
  #report(untilUs: number): Outcome | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    const first = this.#ended.at(this.#reportedCount);
    if (first === undefined || first.finishedAtUs > untilUs) return undefined;
    if (++this.#reportedCount === this.#ended.length) {
      this.#ended = [];
      this.#reportedCount = 0;
    }
    this.nowUs = Math.max(this.nowUs, first.finishedAtUs);
    this.#open.delete(first.sequence);
    const host = this.#hosts.get(this.hostOf(first.page));
    assert(host !== undefined, 'a download must end on the host on which it began');
    host.endedAtUs = first.finishedAtUs;
    host.waitUs = first.waitUs;
    return first;
  }

  /**
   * Whether no more outcomes can be reported until then: the time has passed, and all that ended in it are reported.
   */
  #isOver(untilUs: number): boolean {
    if (this.#web.clock.nowUs < untilUs) return false;
    this.nowUs = Math.max(this.nowUs, untilUs);
    // What ends from now on, even in this microsecond, gets a later stamp.
    this.#lastStampUs = Math.max(this.#lastStampUs, untilUs);
    return true;
  }

  wake(): void {
    if (this.#wake === undefined) return;
    this.#isWoken = true;
    this.#wake();
  }

  async #wait(untilUs: number): Promise<Outcome | undefined> {
    for (;;) {
      await new Promise<void>((resolve) => {
        const cancel = untilUs === Infinity ? () => undefined : this.#web.clock.alarm(untilUs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      this.#wake = undefined;
      const outcome = this.#report(untilUs);
      const isWoken = this.#isWoken;
      this.#isWoken = false;
      if (outcome !== undefined || this.#isOver(isWoken ? Math.min(untilUs, this.#web.clock.nowUs) : untilUs))
        return outcome;
    }
  }

  #end({ page, sequence }: FetchRequest, startedAtUs: number, { kind, bytes, waitUs, links }: Download): void {
    this.#lastStampUs = Math.max(this.#web.clock.nowUs, this.#lastStampUs + 1);
    this.#ended.push({ page, sequence, startedAtUs, finishedAtUs: this.#lastStampUs, kind, bytes, waitUs, links });
    this.#wake?.();
  }

  #forgetRested(): void {
    for (const [host, { endedAtUs, waitUs }] of this.#hosts) {
      if (endedAtUs + Math.max(this.#politenessUs, waitUs) <= this.nowUs) this.#hosts.delete(host);
    }
    this.#sweepAt = 2 * this.#hosts.size + sweepHosts;
  }
}
