import { packEntry } from '../../../../core/queue/index.ts';
import type { FrontierStore } from '../store/frontier-store.ts';
import { HostQueue, type QueueRow } from './host-queue.ts';
import type { Item, Link } from '../items.ts';
import { infoCodec } from '../protocol/codec.ts';
import { Leases, type HandOut } from './leases.ts';
import { QueueOrder } from './queue-order.ts';
import { Ranking, type MakePolicy } from './ranking.ts';
import {
  decodeEvent, decodeJson, decodeUrl, decodeUrlHead, deleted, discovered, encodedInfo, encodeEvent, encodeJson,
  encodeUrl, known, linked, numberRow, rowKey, urlKey, type Event, type UrlRow,
} from '../store/rows.ts';
import { Urls } from './urls.ts';

/** What a crawl needs besides its id. */
export interface CrawlParts {
  readonly store: FrontierStore;
  readonly makePolicy: MakePolicy;
  /** A queued URL enters its heap again when its score has changed by this factor, and its key with it. */
  readonly reinsert: number;
}

const noMetadata = {};

/**
 * The URLs of one crawl: its queues, its ranking and its leases, in memory, and every change of them on its way to the
 * store. Time is an argument that never falls; milliseconds for delays and leases, seconds in dates.
 */
export class Crawl {
  readonly id: string;
  readonly number: number;
  readonly urls = new Urls();
  readonly ranking: Ranking;
  readonly order = new QueueOrder();
  /** Queues by their keys, in order of their first URL. */
  readonly queues = new Map<string, HostQueue>();
  readonly #parts: CrawlParts;
  readonly #byNumber: HostQueue[] = [];
  readonly #leases: Leases;
  #events = 0;

  constructor(id: string, number: number, parts: CrawlParts) {
    this.id = id;
    this.number = number;
    this.#parts = parts;
    const { urls } = this;
    this.#leases = new Leases(number, urls, parts.store);
    this.ranking = new Ranking(parts.makePolicy, {
      get count() { return urls.count; },
      queueOf: (local) => urls.columns.queue[local],
      touch: (local) => { this.#touch(local); },
      note: (event) => { this.#note(event); },
    });
  }

  /** Key of its row. */
  get key(): Buffer {
    return rowKey(this.number, 0).subarray(0, 4);
  }

  /** Bytes of V8's heap, about: its queues and their entries. */
  get heapBytes(): number {
    let { bytes } = this.order;
    for (const queue of this.queues.values()) bytes += queue.heapBytes;
    return bytes;
  }

  /** The queue of a key, if a URL was put into it. */
  queue(key: string): HostQueue | undefined {
    const queue = this.queues.get(key);
    return queue?.isEmpty === false ? queue : undefined;
  }

  /** The queue of a key, made if it is new. */
  queueOf(key: string): HostQueue {
    return this.queues.get(key) ?? this.#addQueue(this.#byNumber.length, key);
  }

  queueAt(local: number): HostQueue {
    return this.#byNumber[this.urls.columns.queue[local]];
  }

  /** Local index of a URL that was put; -1 if there is none. */
  find(key: string, url: string): number {
    const local = this.#find(urlKey(this.number, key, url));
    return local >= 0 && this.urls.exists(local) ? local : -1;
  }

  /** The stored row of a URL. @throws InputError if it is damaged. */
  rowOf(local: number): UrlRow {
    return this.#read(local, decodeUrl);
  }

  /** URLs of a queue as encoded URLInfo, those whose leases of this hand-out are open when they are read. */
  *infosOf(queue: HostQueue, locals: readonly number[], handOut: HandOut, now: () => number): Generator<Buffer> {
    const { columns } = this.urls;
    const further = infoCodec.encode({ key: queue.key, crawlID: this.id });
    for (const local of locals) {
      if (columns.handOut[local] !== handOut.number || handOut.untilMs <= now()) continue;
      yield this.#read(local, (row) => encodedInfo(row, further));
    }
  }

  /** Takes up an item. False if it is of a discovered URL that is there already. */
  put({ key, url, metadata, date, links }: Item, nowMs: number): boolean {
    const { urls } = this;
    const seconds = Math.floor(nowMs / 1000);
    const queue = this.queueOf(key);
    const idKey = urlKey(this.number, key, url);
    const existing = this.#find(idKey);
    const isThere = existing >= 0 && urls.exists(existing);
    if (date === undefined && isThere) return false;
    const local = existing >= 0 ? existing : this.#add(queue, idKey, seconds);
    this.#count(queue, local, -1);
    urls.columns.kind[local] = date === undefined ? discovered : known;
    urls.columns.date[local] = date ?? seconds;
    if (!isThere) urls.columns.created[local] = seconds;
    this.#count(queue, local, 1);
    this.#writeUrl(local, url, metadata);
    if (date === undefined) {
      if (this.ranking.hasBegun) this.#enqueue(local);
    } else {
      this.#endLease(queue, local);
      urls.states.move(local, 'fetched');
      if (this.ranking.begin()) this.#enqueueAll();
      this.ranking.visited(local, links?.map((link) => this.#findOrAdd(link, seconds)));
      if (date > 0) queue.addDated(local, date);
    }
    this.order.list(queue);
    return true;
  }

  /** Begins the ranking, or lets what has changed since the last call change scores. */
  settle(): void {
    if (this.ranking.begin()) this.#enqueueAll();
    this.ranking.settle();
  }

  /** Takes up to `most` URLs out of the queue; `lease` has to follow. */
  take(queue: HostQueue, most: number, nowMs: number): number[] {
    const locals: number[] = [];
    const { states } = this.urls;
    while (locals.length < most) {
      const local = queue.take(Math.floor(nowMs / 1000));
      if (local < 0) break;
      states.move(local, 'inFlight');
      locals.push(local);
    }
    if (locals.length === 0) return locals;
    queue.open += locals.length;
    queue.servedAtMs = nowMs;
    this.writeQueue(queue);
    return locals;
  }

  /** Puts URLs that were taken together under leases. */
  lease(locals: readonly number[], nowMs: number, leaseMs: number): HandOut {
    return this.#leases.add(locals, nowMs, leaseMs);
  }

  /** Makes URLs available again whose leases have ended. */
  expire(nowMs: number): void {
    for (const local of this.#leases.expire(nowMs)) {
      const queue = this.queueAt(local);
      queue.open--;
      this.#makeAvailable(queue, local);
      this.order.list(queue);
    }
  }

  /** Stores the settings of a queue. */
  writeQueue(queue: HostQueue): void {
    this.#parts.store.put('queues', rowKey(this.number, queue.number), encodeJson(queue.row));
  }

  /** Deletes URLs for good; returns how many of them were active. */
  delete(locals: readonly number[]): number {
    const { urls } = this;
    let active = 0;
    for (const local of locals) {
      const queue = this.queueAt(local);
      if (urls.isActive(local)) active++;
      const { url } = this.rowOf(local);
      this.#parts.store.put('ids', urlKey(this.number, queue.key, url), undefined);
      this.#count(queue, local, -1);
      this.#endLease(queue, local);
      urls.columns.kind[local] = deleted;
      urls.states.move(local, 'found');
      this.#writeUrl(local, '', noMetadata);
    }
    this.ranking.dropped(locals);
    return active;
  }

  /** Deletes a queue with its URLs; returns how many of them were active. */
  deleteQueue(queue: HostQueue): number {
    const { columns } = this.urls;
    const locals: number[] = [];
    for (let local = 0; local < this.urls.count; local++)
      if (columns.queue[local] === queue.number && columns.kind[local] !== deleted) locals.push(local);
    const active = this.delete(locals);
    queue.isDeleted = true;
    this.queues.delete(queue.key);
    // Its row stays: to the ranking, the deleted URLs belong to this queue.
    this.writeQueue(queue);
    return active;
  }

  /** Restores the crawl from the store. @throws InputError if a row is damaged. */
  load(nowMs: number): void {
    const { store } = this.#parts;
    for (const { key, value } of store.rows('queues', this.number)) this.#loadQueue(key.readUInt32BE(4), value, nowMs);
    const { urls } = this;
    for (const { value } of store.rows('urls', this.number)) {
      const row = decodeUrlHead(value);
      if (row === undefined || !(row.queue in this.#byNumber)) throw store.damaged(`URL ${urls.count} of ${this.id}`);
      const local = urls.add(row.kind, row.queue, row.created);
      urls.columns.date[local] = row.date;
      urls.columns.handOut[local] = row.nextHandOut;
      this.#count(this.#byNumber[row.queue], local, 1);
    }
    for (const { value } of store.rows('events', this.number)) {
      const event = decodeEvent(value);
      if (event === undefined || event.known > urls.count) throw store.damaged(`event ${this.#events} of ${this.id}`);
      this.ranking.apply(event);
      this.#events++;
    }
    for (const local of this.#leases.load(nowMs)) {
      urls.states.move(local, 'inFlight');
      this.queueAt(local).open++;
    }
    for (let local = 0; local < urls.count; local++)
      if (urls.exists(local) && !this.#leases.has(local)) this.#makeAvailable(this.queueAt(local), local);
    for (const queue of this.queues.values()) this.order.list(queue);
  }

  #loadQueue(number: number, row: Buffer, nowMs: number): void {
    const { key, ...set } = (decodeJson(row) ?? {}) as Partial<QueueRow>;
    if (typeof key !== 'string') throw this.#parts.store.damaged(`queue ${number} of crawl ${this.id}`);
    const queue = new HostQueue(number, key, this.urls);
    Object.assign(queue, set);
    // The clock may have been turned back since.
    queue.servedAtMs = Math.min(queue.servedAtMs, nowMs);
    this.#byNumber[number] = queue;
    if (!queue.isDeleted) this.queues.set(key, queue);
  }

  #addQueue(number: number, key: string): HostQueue {
    const queue = new HostQueue(number, key, this.urls);
    this.#byNumber[number] = queue;
    this.queues.set(key, queue);
    this.writeQueue(queue);
    return queue;
  }

  #read<T>(local: number, decode: (row: Buffer) => T | undefined): T {
    const row = this.#parts.store.get('urls', rowKey(this.number, local));
    const entry = row && decode(row);
    if (entry === undefined) throw this.#parts.store.damaged(`URL ${local} of crawl ${this.id}`);
    return entry;
  }

  /** The URL whose `urlKey` this is; -1 if there is none. */
  #find(idKey: Buffer): number {
    const row = this.#parts.store.get('ids', idKey);
    return row === undefined ? -1 : row.readUInt32LE(0);
  }

  /** A new URL: only links lead to it so far. */
  #add(queue: HostQueue, idKey: Buffer, seconds: number): number {
    const local = this.urls.add(linked, queue.number, seconds);
    this.#parts.store.put('ids', idKey, numberRow(local));
    return local;
  }

  /** A page that a link leads to: known to the ranking alone until someone puts it. */
  #findOrAdd({ key, url }: Link, seconds: number): number {
    const idKey = urlKey(this.number, key, url);
    const existing = this.#find(idKey);
    if (existing >= 0) return existing;
    const local = this.#add(this.queueOf(key), idKey, seconds);
    this.#writeUrl(local, url, noMetadata);
    return local;
  }

  #writeUrl(local: number, url: string, metadata: UrlRow['metadata']): void {
    const { kind, queue, date, created } = this.urls.columns;
    this.#parts.store.put('urls', rowKey(this.number, local), encodeUrl({
      kind: kind[local], queue: queue[local], date: date[local], created: created[local],
      nextHandOut: this.#leases.next, url, metadata,
    }));
  }

  /** Counts the URL in its queue, or no longer. */
  #count(queue: HostQueue, local: number, change: 1 | -1): void {
    if (this.urls.isActive(local)) queue.active += change;
    else if (this.urls.exists(local)) queue.done += change;
  }

  /** Ends the lease of a URL, if it has one, whose row is written in the same commit. */
  #endLease(queue: HostQueue, local: number): void {
    if (this.#leases.end(local)) queue.open--;
  }

  #makeAvailable(queue: HostQueue, local: number): void {
    const { columns, states } = this.urls;
    if (columns.kind[local] === known) {
      states.move(local, 'fetched');
      if (columns.date[local] > 0) queue.addDated(local, columns.date[local]);
    } else if (this.ranking.hasBegun) {
      this.#enqueue(local);
    }
  }

  #enqueueAll(): void {
    const { columns, count } = this.urls;
    for (let local = 0; local < count; local++)
      if (columns.kind[local] === discovered) this.#enqueue(local);
    for (const queue of this.queues.values()) this.order.list(queue);
  }

  #enqueue(local: number): void {
    const { states } = this.urls;
    const key = this.ranking.key(local);
    states.entered(local, key, this.ranking.score(local));
    states.move(local, 'queued');
    this.queueAt(local).addDiscovered(local, packEntry(key, local));
  }

  #touch(local: number): void {
    const { states } = this.urls;
    if (!states.is(local, 'queued')) return;
    const [score, before] = [this.ranking.score(local), states.queuedScore(local)];
    const { reinsert } = this.#parts;
    const rise = score >= reinsert * before ? 1 : score * reinsert <= before ? -1 : 0;
    if (rise === 0 || rise * (this.ranking.key(local) - states.queuedKey(local)) <= 0) return;
    this.#enqueue(local);
    this.order.list(this.queueAt(local));
  }

  #note(event: Event): void {
    this.#parts.store.put('events', rowKey(this.number, this.#events++), encodeEvent(event));
  }
}
