import { LazyHeap } from './lazy-heap.ts';
import type { Urls } from './urls.ts';

/** What is stored of a queue besides its URLs. */
export interface QueueRow {
  readonly key: string;
  /** Seconds from one hand-out to the next; undefined: the frontier's. */
  readonly delaySeconds?: number | undefined;
  /** Nothing is handed out before. */
  readonly blockedUntilSeconds: number;
  /** Nothing is handed out once so many URLs are done; undefined: no limit. */
  readonly limit?: number | undefined;
  /** The last hand-out; 0: none. */
  readonly servedAtMs: number;
  readonly isDeleted: boolean;
}

/** Bytes of V8's heap for a queue without URLs, as measured. */
const queueBytes = 600;

/** The URLs of one key in one crawl, most often those of a host: two heaps, and how fast they may leave. */
export class HostQueue {
  readonly number: number;
  readonly key: string;
  delaySeconds: number | undefined;
  blockedUntilSeconds = 0;
  limit: number | undefined;
  servedAtMs = 0;
  /** Leases open, URLs that will be fetched, and URLs that will not. */
  open = 0;
  active = 0;
  done = 0;
  isDeleted = false;
  /** Ranks under which it is listed, and until when it is parked: `queue-order.ts` keeps them. */
  readonly listed = { best: -Infinity, due: -Infinity };
  parkedUntilMs = 0;
  readonly #urls: Urls;
  /** Discovered URLs by the entries of their keys. */
  readonly #discovered = new LazyHeap<number>();
  /** Known URLs by date, the earliest first. */
  readonly #dated = new LazyHeap<number>();
  /** Which heap the next URL comes from, if both have one. */
  #isDueNext = false;

  constructor(number: number, key: string, urls: Urls) {
    this.number = number;
    this.key = key;
    this.#urls = urls;
  }

  get row(): QueueRow {
    const { key, delaySeconds, blockedUntilSeconds, limit, servedAtMs, isDeleted } = this;
    return { key, delaySeconds, blockedUntilSeconds, limit, servedAtMs, isDeleted };
  }

  /** Bytes of V8's heap, about. */
  get heapBytes(): number {
    return queueBytes + this.#discovered.bytes + this.#dated.bytes;
  }

  /** Whether nobody has put a URL into it: links lead to it, or all its URLs were deleted. */
  get isEmpty(): boolean {
    return this.active + this.done === 0;
  }

  get isAtLimit(): boolean {
    return this.limit !== undefined && this.done >= this.limit;
  }

  /** When it may hand out URLs again. */
  readyAtMs(defaultDelaySeconds: number): number {
    const delayMs = 1000 * (this.delaySeconds ?? defaultDelaySeconds);
    return Math.max(1000 * this.blockedUntilSeconds, this.servedAtMs === 0 ? 0 : this.servedAtMs + delayMs);
  }

  addDiscovered(local: number, entry: number): void {
    this.#discovered.add(local, entry, (other, rank) => this.#urls.isQueuedAs(other, rank));
  }

  addDated(local: number, date: number): void {
    this.#dated.add(local, -date, (other, rank) => this.#urls.isDatedAs(other, -rank));
  }

  /** The entry of its best discovered URL; -Infinity if there is none. */
  get best(): number {
    const heap = this.#discovered;
    while (heap.size > 0 && !this.#urls.isQueuedAs(heap.first!, heap.firstRank)) heap.take();
    return heap.firstRank;
  }

  /** Minus its earliest date; -Infinity if no known URL waits. */
  get due(): number {
    const heap = this.#dated;
    while (heap.size > 0 && !this.#urls.isDatedAs(heap.first!, -heap.firstRank)) heap.take();
    return heap.firstRank;
  }

  /** Takes the next URL, from one heap and the other in turn; -1 if none may leave now. */
  take(nowSeconds: number): number {
    const isDue = -this.due <= nowSeconds;
    if (!isDue && this.best === -Infinity) return -1;
    const fromDue = isDue && (this.#isDueNext || this.best === -Infinity);
    this.#isDueNext = !fromDue;
    return (fromDue ? this.#dated : this.#discovered).take()!;
  }
}
