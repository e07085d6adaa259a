import { assert, LargeMap } from '../../base/index.ts';
import type { FetchRequest, OpenDownload, Outcome, World } from '../world/index.ts';

export type Download = Omit<Outcome, 'page' | 'sequence' | 'transferUs' | 'throttledUs'>;

/** Who starts a download, and stamps its end. */
export interface Starter {
  readonly processor: number;
  readonly startedAtUs: number;
  /**
   * When the download ends: asked once, at the moment when its outcome is fixed. It is reported when it is stored, and
   * nothing that ends later before it.
   */
  readonly stamp: () => number;
}

/** The clock of Worlds: integer microseconds since the run began. */
export interface WorldClock {
  readonly nowUs: number;
  /** Calls `ring` once the clock has reached `atUs`, never earlier; returns a function that cancels it. */
  alarm(atUs: number, ring: () => void): () => void;
}

/** Who asks about a page: a processor, when its clock shows `nowUs`. */
interface Asking {
  readonly processor: number;
  readonly nowUs: number;
}

/** Pages that known rules of robots.txt deny; `Denials` has the promises of its methods. */
export interface PageDenials {
  denies(page: number, asking: Asking): boolean;
  deny(page: number, asking: Asking): Promise<void> | undefined;
}

/** What the Worlds of a crawl share, and how a page is fetched. */
export interface Web {
  readonly clock: WorldClock;
  hostOf(page: number): number;
  /**
   * How a page's next download ended in an earlier session, which this one replays: taken once. Undefined if it did
   * not end, or the replay is over.
   */
  replayed?(processor: number, page: number): Download | undefined;
  readonly denials?: PageDenials | undefined;
  reachedThrough?(page: number): Uint32Array | undefined;
  /** Rejects only if the crawl cannot continue; undefined if the crawl ended first: then the page is unchanged. */
  download(request: FetchRequest, starter: Starter): Promise<Download | undefined>;
}

/** An open download, by the number of its start. */
export interface OpenRequest extends OpenDownload {
  readonly sequence: number;
}

export interface LiveWorldOptions {
  readonly web: Web;
  readonly processor: number;
  readonly politenessUs: number;
  readonly nowUs: number;
  readonly open?: readonly OpenRequest[] | undefined;
}

interface HostVisit {
  endedAtUs: number;
  waitUs: number;
}

const noLinks = new Uint32Array(0);
/** After this many new hosts, those whose rest is long past are removed. */
const sweepHosts = 4096;

/**
 * The World of one processor over real hosts. Its clock follows the crawl's: it shows the last reported outcome,
 * or the time until which `next` waited, so a delay that has passed here has passed on the wire as well.
 *
 * When a session replays an earlier one, the clock of the crawl begins behind the replay, and this one before it: a
 * replayed download ends at its old time, and whatever follows ends later.
 */
export class LiveWorld implements World {
  nowUs: number;
  politenessBreaches = 0;
  cancelled = 0;
  readonly #web: Web;
  readonly #politenessUs: number;
  readonly #processor: number;
  /** Ended and not yet reported, in order. */
  #ended: Outcome[] = [];
  #reportedCount = 0;
  #lastStampUs: number;
  /** Stamps of outcomes that are being stored, by sequence: the earliest first. */
  readonly #storing = new Map<number, number>();
  #denying = 0;
  readonly denies: World['denies'];
  readonly #open = new Map<number, OpenDownload>();
  #wake: (() => void) | undefined;
  #isWoken = false;
  #failure: { readonly error: unknown } | undefined;
  /** Visits of hosts that may not have rested yet; Infinity while one is open. */
  readonly #hosts = new LargeMap<number, HostVisit>();
  #sweepAt = sweepHosts;

  constructor({ web, processor, politenessUs, nowUs, open = [] }: LiveWorldOptions) {
    this.#web = web;
    this.#processor = processor;
    this.#politenessUs = politenessUs;
    this.nowUs = nowUs;
    this.#lastStampUs = nowUs;
    const { denials } = web;
    this.denies = denials && ((page) => denials.denies(page, { processor, nowUs: this.nowUs }));
    for (const { page, sequence, startedAtUs } of open) this.#begin({ page, sequence, attempt: 0 }, startedAtUs);
  }

  hostOf(page: number): number {
    return this.#web.hostOf(page);
  }

  reachedThrough(page: number): Uint32Array | undefined {
    return this.#web.reachedThrough?.(page);
  }

  openDownloads(): readonly OpenDownload[] {
    return [...this.#open.values()];
  }

  /** The same, with the numbers by which they are started again. */
  openRequests(): readonly OpenRequest[] {
    return Array.from(this.#open, ([sequence, open]) => ({ ...open, sequence }));
  }

  deny({ page, sequence }: FetchRequest): Outcome | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    const { nowUs } = this;
    const stored = this.#web.denials?.deny(page, { processor: this.#processor, nowUs });
    if (stored === undefined) return undefined;
    this.#denying++;
    stored.then(
      () => {
        this.#denying--;
        this.#wake?.();
      },
      (error: unknown) => { this.fail(error); },
    );
    const nothing = { bytes: 0, waitUs: 0, links: noLinks };
    return { page, sequence, kind: 'robotsDenied', startedAtUs: nowUs, finishedAtUs: nowUs, ...nothing };
  }

  start(request: FetchRequest): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    const host = this.hostOf(request.page);
    const last = this.#hosts.get(host);
    if (last !== undefined && last.endedAtUs + Math.max(this.#politenessUs, last.waitUs) > this.nowUs)
      this.politenessBreaches++;
    if (last === undefined && this.#hosts.size >= this.#sweepAt) this.#forgetRested();
    this.#begin(request, this.nowUs);
  }

  /** The session is over: whoever waits here, or will, gets this error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  #begin(request: FetchRequest, startedAtUs: number): void {
    const { page, sequence } = request;
    this.#hosts.set(this.hostOf(page), { endedAtUs: Infinity, waitUs: 0 });
    this.#open.set(sequence, { page, startedAtUs });
    const replayed = this.#web.replayed?.(this.#processor, page);
    if (replayed !== undefined) {
      this.#end(request, { ...replayed, finishedAtUs: Math.max(replayed.finishedAtUs, this.nowUs) });
      return;
    }
    const starter: Starter = { processor: this.#processor, startedAtUs, stamp: () => this.#stamp(sequence) };
    this.#web.download(request, starter).then(
      (download) => {
        if (download !== undefined) this.#end(request, download);
        else this.cancelled++;
      },
      (error: unknown) => { this.fail(error); },
    );
  }

  #stamp(sequence: number): number {
    this.#lastStampUs = Math.max(this.#web.clock.nowUs, this.#lastStampUs + 1);
    this.#storing.set(sequence, this.#lastStampUs);
    return this.#lastStampUs;
  }

  /** When the first of the outcomes ended that are being stored. */
  get #firstStoringUs(): number {
    for (const stampUs of this.#storing.values()) return stampUs;
    return Infinity;
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
    if (first === undefined || first.finishedAtUs > Math.min(untilUs, this.#firstStoringUs)) return undefined;
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
   * Whether no more outcomes can be reported until then: the time has passed, and all that ended in it are reported,
   * and stored.
   */
  #isOver(untilUs: number): boolean {
    if (this.#web.clock.nowUs < untilUs || this.#isStoring(untilUs)) return false;
    this.nowUs = Math.max(this.nowUs, untilUs);
    // What ends from now on, even in this microsecond, gets a later stamp.
    this.#lastStampUs = Math.max(this.#lastStampUs, untilUs);
    return true;
  }

  /** True if an outcome that ended by then is being stored. */
  #isStoring(untilUs: number): boolean {
    return this.#denying > 0 || this.#firstStoringUs <= untilUs;
  }

  wake(): void {
    if (this.#wake === undefined) return;
    this.#isWoken = true;
    this.#wake();
  }

  async #wait(untilUs: number): Promise<Outcome | undefined> {
    for (;;) {
      await new Promise<void>((resolve) => {
        // An outcome that is being stored wakes this.
        const isUntilWoken = untilUs === Infinity || this.#isStoring(untilUs);
        const cancel = isUntilWoken ? () => undefined : this.#web.clock.alarm(untilUs, resolve);
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

  #end({ page, sequence }: FetchRequest, download: Download): void {
    const outcome: Outcome = { page, sequence, ...download };
    let at = this.#ended.length;
    while (at > this.#reportedCount && isAfter(this.#ended[at - 1], outcome)) at--;
    this.#ended.splice(at, 0, outcome);
    this.#storing.delete(sequence);
    this.#wake?.();
  }

  #forgetRested(): void {
    for (const [host, { endedAtUs, waitUs }] of this.#hosts) {
      if (endedAtUs + Math.max(this.#politenessUs, waitUs) <= this.nowUs) this.#hosts.delete(host);
    }
    this.#sweepAt = 2 * this.#hosts.size + sweepHosts;
  }
}

function isAfter(a: Outcome, b: Outcome): boolean {
  return a.finishedAtUs > b.finishedAtUs || (a.finishedAtUs === b.finishedAtUs && a.sequence > b.sequence);
}
