import { hash } from 'node:crypto';
import type { Database } from 'lmdb';
import type { InputError } from '../../base/index.ts';
import { ELSEWHERE, type NewPage, type PageElsewhere } from './crawl-store.ts';
import type { Put } from './lmdb.ts';
import { decodeBytes, decodeElsewhere, decodePages, encodeBytes, encodeElsewhere, encodePages } from './rows.ts';

/** Pages per row at most, so that readers need little memory. */
const ROW_PAGES = 1024;

export interface PageTables {
  readonly pages: Database<Buffer, number>;
  readonly elsewhere: Database<Buffer, Buffer>;
  readonly hosts: Database<Buffer, Buffer>;
}

/** Pages and hosts in the tables of a stored crawl (lmdb-store.ts). Readers see what is committed. */
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
    for (const { key, value } of this.#lastRow(page < ELSEWHERE ? 0 : ELSEWHERE, page))
      return this.#decoded(key, value).at(page - key);
    return undefined;
  }

  find(url: string): PageElsewhere | undefined {
    const row = this.#tables.elsewhere.get(keyOf(url));
    if (row === undefined) return undefined;
    const found = decodeElsewhere(row);
    if (found === undefined) throw this.#damaged(url);
    return { url, ...found };
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
    for (const { key, value } of this.#tables.pages.getRange({ start: first, ...limit })) {
      if (key !== next) throw this.#damaged(`page ${next}`);
      const pages = this.#decoded(key, value);
      next += pages.length;
      yield* pages;
    }
  }

  #decoded(first: number, row: Buffer): NewPage[] {
    const pages = decodePages(row);
    if (!pages) throw this.#damaged(`page ${first}`);
    return pages;
  }
}

export interface PageCounts {
  readonly here: number;
  readonly elsewhere: number;
}

/** Hashed, because names may be longer than lmdb's keys. */
export function keyOf(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}
