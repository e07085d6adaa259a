import { hash } from 'node:crypto';
import type { Database } from 'lmdb';
import type { InputError } from '../../../base/index.ts';
import { ELSEWHERE, type NewPage, type PageElsewhere, type Reach } from './crawl-store.ts';
import type { Put } from './lmdb.ts';
import {
  decodeBytes, decodeElsewhere, decodePages, decodeReach, encodeBytes, encodeElsewhere, encodePages, encodeReach,
} from './rows.ts';

/** Pages per row at most, so that readers need little memory. */
const ROW_PAGES = 1024;

export interface PageTables {
  readonly pages: Database<Buffer, number>;
  /** Missing in a store of an earlier version that is only read. */
  readonly nearer: Database<Buffer, number> | undefined;
  readonly elsewhere: Database<Buffer, Buffer>;
  readonly hosts: Database<Buffer, Buffer>;
}

/**
 * Pages and hosts in the tables of a stored crawl (lmdb-store.ts). Readers see what is committed. A page that
 * has turned out to be nearer has a row of its own, because rows of pages are long and are not written again.
 */
export class PageRows {
  readonly #tables: PageTables;
  readonly #damaged: (what: string) => InputError;

  /** @param damaged the error for a row that is damaged or missing. */
  constructor(tables: PageTables, damaged: (what: string) => InputError) {
    this.#tables = tables;
    this.#damaged = damaged;
  }

  /** Numbers of pages here, and of those of other machines. */
  get counts(): PageCounts {
    return { here: this.#endOf(0, ELSEWHERE - 1), elsewhere: this.#endOf(ELSEWHERE, 2 ** 32 - 1) - ELSEWHERE };
  }

  here(): Iterable<NewPage> {
    return this.#from(0, { end: ELSEWHERE });
  }

  elsewhere(): Iterable<NewPage> {
    return this.#from(ELSEWHERE, {});
  }

  at(page: number): NewPage | undefined {
    for (const { key, value } of this.#lastRow(page < ELSEWHERE ? 0 : ELSEWHERE, page)) {
      const found = this.#decoded(key, value).at(page - key);
      return found && nearerAs(found, this.#nearerOf(page));
    }
    return undefined;
  }

  find(url: string): PageElsewhere | undefined {
    const row = this.#tables.elsewhere.get(keyOf(url));
    if (row === undefined) return undefined;
    const found = decodeElsewhere(row);
    if (found === undefined) throw this.#damaged(url);
    return nearerAs({ url, ...found }, this.#nearerOf(found.page));
  }

  hostNumber(host: string): number | undefined {
    const row = this.#tables.hosts.get(keyOf(host));
    if (row === undefined) return undefined;
    const bytes = decodeBytes(row);
    if (bytes?.length !== 4) throw this.#damaged(host);
    return bytes.readUInt32LE();
  }

  *put(firstPage: number, added: readonly NewPage[]): Iterable<Put> {
    const { pages } = this.#tables;
    for (let from = 0; from < added.length; from += ROW_PAGES) {
      const row = encodePages(added.slice(from, from + ROW_PAGES));
      yield { bytes: row.length, put: () => pages.put(firstPage + from, row) };
    }
  }

  /** @param firstPage from `ELSEWHERE` on. */
  *putElsewhere(firstPage: number, added: readonly NewPage[]): Iterable<Put> {
    const { elsewhere } = this.#tables;
    yield* this.put(firstPage, added);
    for (const [i, page] of added.entries()) {
      const row = encodeElsewhere({ ...page, page: firstPage + i });
      yield { bytes: row.length, put: () => elsewhere.put(keyOf(page.url), row) };
    }
  }

  *putNearer(nearer: ReadonlyMap<number, Reach>): Iterable<Put> {
    const table = this.#tables.nearer;
    for (const [page, reach] of nearer) {
      const row = encodeReach(reach);
      yield { bytes: row.length, put: () => table?.put(page, row) };
    }
  }

  *putHosts(numbers: ReadonlyMap<string, number>): Iterable<Put> {
    const { hosts } = this.#tables;
    for (const [host, number] of numbers) {
      const row = encodeBytes(new Uint8Array(Uint32Array.of(number).buffer));
      yield { bytes: row.length, put: () => hosts.put(keyOf(host), row) };
    }
  }

  /** The last row of pages between two ids, both included. */
  #lastRow(first: number, last: number): Iterable<{ readonly key: number; readonly value: Buffer }> {
    // Both ends are explicit because lmdb otherwise leaves key 0 out of a reversed range.
    return this.#tables.pages.getRange({ reverse: true, start: last, end: first, inclusiveEnd: true, limit: 1 });
  }

  /** The id behind the last page from `first` to `last`. */
  #endOf(first: number, last: number): number {
    for (const { key, value } of this.#lastRow(first, last)) return key + this.#decoded(key, value).length;
    return first;
  }

  *#from(first: number, limit: { readonly end?: number }): Iterable<NewPage> {
    let next = first;
    const rows = this.#tables.nearer?.getRange({ start: first, ...limit })[Symbol.iterator]();
    const nextNearer = () => {
      const result = rows?.next();
      return result === undefined || result.done === true ? undefined : result.value;
    };
    let nearer = nextNearer();
    for (const { key, value } of this.#tables.pages.getRange({ start: first, ...limit })) {
      if (key !== next) throw this.#damaged(`page ${next}`);
      for (const page of this.#decoded(key, value)) {
        if (nearer?.key === next) {
          yield nearerAs(page, this.#reach(next, nearer.value));
          nearer = nextNearer();
        } else yield page;
        next++;
      }
    }
  }

  #nearerOf(page: number): Reach | undefined {
    const row = this.#tables.nearer?.get(page);
    return row && this.#reach(page, row);
  }

  #reach(page: number, row: Buffer): Reach {
    const reach = decodeReach(row);
    if (!reach) throw this.#damaged(`the depth of page ${page}`);
    return reach;
  }

  #decoded(first: number, row: Buffer): NewPage[] {
    const pages = decodePages(row);
    if (!pages) throw this.#damaged(`page ${first}`);
    return pages;
  }
}

/** A page with another reach, if there is one: what that leaves out is 0. */
function nearerAs<T extends Reach>(page: T, reach: Reach | undefined): T {
  return reach === undefined ? page : { ...page, hops: undefined, ...reach };
}

export interface PageCounts {
  readonly here: number;
  readonly elsewhere: number;
}

/** Hashed, because names may be longer than lmdb's keys. */
export function keyOf(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}
