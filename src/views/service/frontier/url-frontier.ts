import { assert } from '../../../base/index.ts';
import { Crawl, type CrawlParts } from './crawl/crawl.ts';
import type { HandOut } from './crawl/leases.ts';
import { tableNames, type FrontierStore } from './store/frontier-store.ts';
import type { HostQueue } from './crawl/host-queue.ts';
import { crawlOf, type Item } from './items.ts';
import { decodeJson, encodeJson } from './store/rows.ts';

export interface FrontierParts extends CrawlParts {
  /** The time, in milliseconds since 1970; it never falls. */
  readonly now: () => number;
}

/** What a client asks GetURLs for; a maximum of Infinity is no limit. */
export interface Wanted {
  readonly maxUrlsPerQueue: number;
  readonly maxQueues: number;
  readonly leaseMs: number;
  /** One queue only. */
  readonly key?: string | undefined;
  /** One crawl only. */
  readonly crawl?: string | undefined;
}

/** URLs under leases that are committed together; a client that stops reading holds no more than two such groups. */
const maxTaken = 500;
/** Without a maximum, a queue hands out at most so many at a time. */
const maxUnlimited = 10_000;
/** Rows of a deleted crawl that are removed in one commit. */
const maxRemoved = 10_000;

/** As in the reference, until SetDelay changes it. */
const defaultDelaySeconds = 1;

const settingsKey = Buffer.from('settings');

/** URLs of a queue to hand out. */
interface Taken {
  readonly crawl: Crawl;
  readonly queue: HostQueue;
  readonly locals: readonly number[];
}

/** Those that leave together, their leases, and when these are stored. */
interface Group {
  readonly taken: readonly Taken[];
  readonly leases: ReadonlyMap<Crawl, HandOut>;
  readonly stored: Promise<void>;
  readonly isLast: boolean;
}

/** A frontier that others fetch from: its crawls, and what holds for all of them. */
export class UrlFrontier {
  readonly store: FrontierStore;
  readonly now: () => number;
  /** Crawls by their ids, in order of their first URL. */
  readonly crawls = new Map<string, Crawl>();
  readonly #parts: FrontierParts;
  #settings = { isActive: true, delaySeconds: defaultDelaySeconds, crawlsMade: 0 };
  /** Which crawl is the first to hand out URLs in the next call. */
  #turn = 0;

  /** Restores the frontier from its store. @throws InputError if the store is damaged. */
  constructor(parts: FrontierParts) {
    this.#parts = parts;
    this.store = parts.store;
    this.now = parts.now;
    const settings = this.store.get('facts', settingsKey);
    if (settings !== undefined) Object.assign(this.#settings, decodeJson(settings));
    for (const { key, value } of this.store.rows('crawls')) {
      const id = decodeJson(value);
      if (typeof id !== 'string') throw this.store.damaged('a crawl');
      this.#addCrawl(id, key.readUInt32BE(0)).load(this.now());
    }
  }

  get isActive(): boolean {
    return this.#settings.isActive;
  }

  set isActive(isActive: boolean) {
    this.#set({ isActive });
  }

  get delaySeconds(): number {
    return this.#settings.delaySeconds;
  }

  set delaySeconds(delaySeconds: number) {
    this.#set({ delaySeconds });
    for (const crawl of this.crawls.values())
      for (const queue of crawl.queues.values()) if (queue.delaySeconds === undefined) crawl.order.unpark(queue);
  }

  /** Bytes of the columns of all URLs, outside V8's heap. */
  get arrayBytes(): number {
    return [...this.crawls.values()].reduce((sum, { urls, ranking }) => sum + urls.bytes + ranking.bytes, 0);
  }

  /** Bytes of all queues and their entries, in V8's heap, about. */
  get heapBytes(): number {
    return [...this.crawls.values()].reduce((sum, crawl) => sum + crawl.heapBytes, 0);
  }

  crawl(id: string | undefined): Crawl | undefined {
    return this.crawls.get(crawlOf(id));
  }

  /** Takes up an item; false if it is of a discovered URL that is there already. */
  put(item: Item): boolean {
    const crawl = this.crawls.get(item.crawl) ?? this.#newCrawl(item.crawl);
    return crawl.put(item, this.now());
  }

  /** Ends the leases whose time has come. */
  expire(): void {
    for (const crawl of this.crawls.values()) crawl.expire(this.now());
  }

  /**
   * URLs due for fetching, group by group, each an encoded URLInfo under a lease that is stored. A group is read as it
   * is sent: URLs whose leases have ended by then are left out.
   *
   * @throws WorldError if the disk is full or fails.
   */
  async *handOut(request: Wanted): AsyncGenerator<Iterable<Buffer>, void> {
    const served = new Set<HostQueue>();
    let next: Group | undefined = this.#takeGroup(request, served);
    while (next !== undefined) {
      const group: Group = next;
      await group.stored;
      // The next group is committed while this one is sent.
      next = group.isLast ? undefined : this.#takeGroup(request, served);
      yield this.#infosOf(group);
    }
  }

  /** A slow client may ask for a URL when it has been put again, deleted, or when its lease has ended. */
  *#infosOf({ taken, leases }: Group): Generator<Buffer, void> {
    for (const { crawl, queue, locals } of taken) yield* crawl.infosOf(queue, locals, leases.get(crawl)!, this.now);
  }

  /** Deletes a crawl; returns how many of its URLs were active. */
  async deleteCrawl(id: string): Promise<number> {
    const crawl = this.crawls.get(id);
    if (crawl === undefined) return 0;
    this.crawls.delete(id);
    let active = 0;
    for (const queue of crawl.queues.values()) {
      active += queue.active;
      queue.isDeleted = true;
    }
    crawl.urls.columns.handOut.fill(0);
    this.store.put('crawls', crawl.key, undefined);
    await this.store.committed();
    await this.#removeRows(crawl.number);
    return active;
  }

  /** Removes rows of crawls that were deleted, if the process ended before they were. */
  async clean(): Promise<void> {
    const numbers = new Set([...this.crawls.values()].map(({ number }) => number));
    for (let number = 0; number < this.#settings.crawlsMade; number++)
      if (!numbers.has(number)) await this.#removeRows(number);
  }

  #takeGroup(request: Wanted, served: Set<HostQueue>): Group {
    const nowMs = this.now();
    const list = this.#take(request, served, nowMs);
    const byCrawl = new Map<Crawl, number[]>();
    for (const { crawl, locals } of list) {
      const all = byCrawl.get(crawl);
      if (all === undefined) byCrawl.set(crawl, [...locals]);
      else all.push(...locals);
    }
    const leases = new Map([...byCrawl].map(([crawl, locals]) => [crawl, crawl.lease(locals, nowMs, request.leaseMs)]));
    const stored = this.store.committed();
    // Nobody waits for it where the client leaves before.
    stored.catch(() => undefined);
    const count = list.reduce((sum, { locals }) => sum + locals.length, 0);
    return { taken: list, leases, stored, isLast: count < maxTaken || request.key !== undefined };
  }

  #take({ maxUrlsPerQueue, maxQueues, key, crawl: id }: Wanted, served: Set<HostQueue>, nowMs: number): Taken[] {
    const list: Taken[] = [];
    if (!this.isActive) return list;
    this.expire();
    let count = 0;
    const most = (queue: HostQueue): number => Math.min(maxUrlsPerQueue - queue.open, maxUnlimited);
    const takeFrom = (crawl: Crawl, queue: HostQueue): void => {
      const locals = crawl.take(queue, most(queue), nowMs);
      if (locals.length === 0) return;
      served.add(queue);
      list.push({ crawl, queue, locals });
      count += locals.length;
    };
    const crawls = [...this.crawls.values()].filter((crawl) => id === undefined || crawl.id === crawlOf(id));
    for (const crawl of crawls) crawl.settle();
    if (key !== undefined) {
      for (const crawl of crawls) {
        const queue = crawl.queue(key);
        if (queue === undefined || queue.isAtLimit || queue.readyAtMs(this.delaySeconds) > nowMs) continue;
        if (most(queue) > 0) takeFrom(crawl, queue);
        crawl.order.list(queue);
      }
      return list;
    }
    this.#takeInTurn(crawls, nowMs, {
      isFull: () => count >= maxTaken || served.size >= maxQueues,
      mayServe: (queue) => !served.has(queue) && most(queue) > 0,
      takeFrom,
    });
    return list;
  }

  /** Takes from the next queue of each crawl in turn. */
  #takeInTurn(crawls: Crawl[], nowMs: number, { isFull, mayServe, takeFrom }: {
    readonly isFull: () => boolean;
    readonly mayServe: (queue: HostQueue) => boolean;
    readonly takeFrom: (crawl: Crawl, queue: HostQueue) => void;
  }): void {
    const aside: (readonly [Crawl, HostQueue])[] = [];
    const first = this.#turn++ % Math.max(1, crawls.length);
    let open = [...crawls.slice(first), ...crawls.slice(0, first)];
    while (open.length > 0) {
      open = open.filter((crawl) => {
        if (isFull()) return false;
        const queue = crawl.order.next(nowMs, (candidate) => {
          const readyAtMs = candidate.readyAtMs(this.delaySeconds);
          if (readyAtMs > nowMs) crawl.order.park(candidate, readyAtMs);
          else if (!candidate.isAtLimit && !mayServe(candidate)) aside.push([crawl, candidate]);
          return readyAtMs <= nowMs && !candidate.isAtLimit && mayServe(candidate);
        });
        if (queue === undefined) return false;
        takeFrom(crawl, queue);
        aside.push([crawl, queue]);
        return true;
      });
    }
    for (const [crawl, queue] of aside) crawl.order.list(queue);
  }

  #set(change: Partial<{ isActive: boolean; delaySeconds: number; crawlsMade: number }>): void {
    Object.assign(this.#settings, change);
    this.store.put('facts', settingsKey, encodeJson(this.#settings));
  }

  #newCrawl(id: string): Crawl {
    const { crawlsMade } = this.#settings;
    const crawl = this.#addCrawl(id, crawlsMade);
    // A number is never used again: rows of a deleted crawl may be there still.
    this.#set({ crawlsMade: crawlsMade + 1 });
    this.store.put('crawls', crawl.key, encodeJson(id));
    return crawl;
  }

  #addCrawl(id: string, number: number): Crawl {
    assert(!this.crawls.has(id), () => `crawl ${id} is there already`);
    const crawl = new Crawl(id, number, this.#parts);
    this.crawls.set(id, crawl);
    return crawl;
  }

  /** Several commits do not keep others waiting. */
  async #removeRows(number: number): Promise<void> {
    for (const table of tableNames) {
      if (table === 'facts' || table === 'crawls') continue;
      for (let removed = maxRemoved; removed >= maxRemoved;) {
        removed = 0;
        for (const { key } of this.store.rows(table, number)) {
          this.store.put(table, key, undefined);
          if (++removed >= maxRemoved) break;
        }
        await this.store.committed();
      }
    }
  }
}
