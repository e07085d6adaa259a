import { Heap } from '../../../../core/frontier/index.ts';
import type { FrontierStore } from '../store/frontier-store.ts';
import { decodeHandOut, encodeHandOut, handOutKey } from '../store/rows.ts';
import type { Urls } from './urls.ts';

/** URLs of a crawl that left together, under leases that end together. */
export interface HandOut {
  /** Greater than the number of every earlier hand-out of these URLs. */
  readonly number: number;
  readonly untilMs: number;
  /** Those that were handed out; their leases may have ended since. */
  locals: readonly number[];
  /** Leases that are open. */
  open: number;
}

/**
 * The leases of a crawl, in memory and in the store: one row for all URLs that leave together. A lease ends when the
 * row of its URL is written again, which names the first hand-out whose leases are newer. The row of a hand-out goes
 * when its last lease has ended.
 *
 * Cost   O(1) for a lease, O(log hand-outs) for a hand-out.
 */
export class Leases {
  readonly #crawl: number;
  readonly #urls: Urls;
  readonly #store: FrontierStore;
  readonly #open = new Map<number, HandOut>();
  readonly #byEnd = new Heap<HandOut>();
  #next = 1;

  /** @param crawl - number of the crawl. */
  constructor(crawl: number, urls: Urls, store: FrontierStore) {
    this.#crawl = crawl;
    this.#urls = urls;
    this.#store = store;
  }

  /** The number of the next hand-out. */
  get next(): number {
    return this.#next;
  }

  /** Puts URLs under leases that end together. */
  add(locals: readonly number[], nowMs: number, lengthMs: number): HandOut {
    const handOut = { number: this.#next++, untilMs: nowMs + lengthMs, locals, open: locals.length };
    this.#hold(handOut);
    const key = handOutKey(this.#crawl, handOut.number);
    this.#store.put('leases', key, encodeHandOut({ untilMs: handOut.untilMs, lengthMs, locals }));
    return handOut;
  }

  /** Whether the URL is under a lease. */
  has(local: number): boolean {
    return this.#urls.columns.handOut[local] !== 0;
  }

  /** Ends the lease of a URL whose row is being written; false if it has none. */
  end(local: number): boolean {
    const { columns } = this.#urls;
    const handOut = this.#open.get(columns.handOut[local]);
    if (handOut === undefined) return false;
    columns.handOut[local] = 0;
    if (--handOut.open === 0) this.#drop(handOut);
    return true;
  }

  /** Ends the leases whose time has come; returns their URLs. */
  expire(nowMs: number): number[] {
    const { columns } = this.#urls;
    const expired: number[] = [];
    while (-this.#byEnd.firstRank <= nowMs) {
      const handOut = this.#byEnd.take()!;
      for (const local of handOut.locals) {
        if (columns.handOut[local] !== handOut.number) continue;
        columns.handOut[local] = 0;
        expired.push(local);
      }
      if (handOut.open > 0) this.#drop(handOut);
    }
    return expired;
  }

  /**
   * Takes up what is stored; returns the URLs under leases. The column has what the rows of URLs name: the first
   * hand-out whose lease is newer. No lease is longer than it was meant to be, if the clock was turned back since.
   *
   * @throws InputError if a row is damaged.
   */
  load(nowMs: number): number[] {
    const { columns, count } = this.#urls;
    const leases: HandOut[] = [];
    for (let local = 0; local < count; local++) this.#next = Math.max(this.#next, columns.handOut[local]);
    for (const { key, value } of this.#store.rows('leases', this.#crawl)) {
      const row = decodeHandOut(value);
      if (row === undefined || row.locals.some((local) => local >= count))
        throw this.#store.damaged(`hand-out ${key.readDoubleBE(4)}`);
      const number = key.readDoubleBE(4);
      this.#next = Math.max(this.#next, number + 1);
      const untilMs = Math.min(row.untilMs, nowMs + row.lengthMs);
      const locals = untilMs > nowMs ? row.locals.filter((local) => number >= columns.handOut[local]) : [];
      if (locals.length > 0) leases.push({ number, untilMs, locals, open: locals.length });
      else this.#store.put('leases', key, undefined);
    }
    columns.handOut.fill(0);
    for (const handOut of leases) this.#hold(handOut);
    return leases.flatMap(({ locals }) => locals);
  }

  #hold(handOut: HandOut): void {
    const { columns } = this.#urls;
    for (const local of handOut.locals) columns.handOut[local] = handOut.number;
    this.#open.set(handOut.number, handOut);
    this.#byEnd.add(handOut, -handOut.untilMs);
  }

  /** Its last lease has ended. Its place in the heap stays until its time has come. */
  #drop(handOut: HandOut): void {
    handOut.open = 0;
    handOut.locals = [];
    this.#open.delete(handOut.number);
    this.#store.put('leases', handOutKey(this.#crawl, handOut.number), undefined);
  }
}
