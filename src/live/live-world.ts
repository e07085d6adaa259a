import { assert, LargeMap } from '../base/index.ts';
import type { FetchRequest, OpenDownload, Outcome, OutcomeKind, World } from '../world/index.ts';
import type { LiveClock } from './clock.ts';

/** What became of a download: an outcome but for its times. */
export interface Download {
  readonly kind: OutcomeKind;
  readonly bytes: number;
  readonly waitUs: number;
  readonly links: Uint32Array;
}

/** What the Worlds of a crawl share, and how a page is had. */
export interface Web {
  readonly clock: LiveClock;
  hostOf(page: number): number;
  /** Rejects only when the crawl cannot go on; undefined where the crawl ended first: then the page is as it was. */
  download(request: FetchRequest): Promise<Download | undefined>;
}

interface HostVisit {
  endedAtUs: number;
  waitUs: number;
}

/** Hosts are looked over for those whose rest is long past when so many have been added. */
const sweepHosts = 4096;

/**
 * The World of one processor over real hosts. Its clock follows that of the crawl: it stands at the last outcome told,
 * or at the time until which it was waited for, so that a delay which has passed here has passed on the wire as well.
 */
export class LiveWorld implements World {
  nowUs: number;
  politenessBreaches = 0;
  readonly #web: Web;
  readonly #politenessUs: number;
  /** Ended and not yet told; in order, for each is stamped later than the one before. */
  #ended: Outcome[] = [];
  #told = 0;
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
    this.#web.download(request).then(
      (download) => { if (download !== undefined) this.#end(request, startedAtUs, download); },
      (error: unknown) => {
        this.#failure ??= { error };
        this.#wake?.();
      },
    );
  }

  next(untilUs: number): Outcome | undefined | Promise<Outcome | undefined> {
    assert(
      this.#open.size > 0 || this.#told < this.#ended.length || untilUs !== Infinity,
      'waiting for ever with nothing in flight',
    );
    return this.#tell(untilUs) ?? (this.#isOver(untilUs) ? undefined : this.#wait(untilUs));
  }

  /** The first outcome until then, if it is there. */
  #tell(untilUs: number): Outcome | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    const first = this.#ended.at(this.#told);
    if (first === undefined || first.finishedAtUs > untilUs) return undefined;
    if (++this.#told === this.#ended.length) {
      this.#ended = [];
      this.#told = 0;
    }
    this.nowUs = Math.max(this.nowUs, first.finishedAtUs);
    this.#open.delete(first.sequence);
    const host = this.#hosts.get(this.hostOf(first.page));
    assert(host !== undefined, 'a download ends on a host that it began on');
    host.endedAtUs = first.finishedAtUs;
    host.waitUs = first.waitUs;
    return first;
  }

  /** Whether nothing can be told until then any more: the time has come, and what ended in it is told. */
  #isOver(untilUs: number): boolean {
    if (this.#web.clock.nowUs < untilUs) return false;
    this.nowUs = Math.max(this.nowUs, untilUs);
    // What ends from now on, even in this microsecond, is stamped later.
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
        const callOff = untilUs === Infinity ? () => undefined : this.#web.clock.alarm(untilUs, resolve);
        this.#wake = () => {
          callOff();
          resolve();
        };
      });
      this.#wake = undefined;
      const outcome = this.#tell(untilUs);
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
