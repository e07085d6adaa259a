import { hash } from 'node:crypto';
import type { Database } from 'lmdb';
import { InputError } from '../../../base/index.ts';
import {
  ELSEWHERE, type LinkBeyond, type NewPage, type NewPages, type PageElsewhere, type Reach,
} from './crawl-store.ts';
import { rowPut, type Put } from './lmdb.ts';
import {
  decodeBeyond, decodeElsewhere, decodeIds, decodePages, decodeReach, encodeBeyond, encodeElsewhere, encodeIds,
  encodePages, encodeReach,
} from './rows.ts';

/** Pages per row at most, so that readers need little memory. */
const ROW_PAGES = 1024;

/** Tables of a store of an earlier version that is only read may be missing. */
export interface PageTables {
  readonly pages: Database<Buffer, number>;
  readonly nearer: Database<Buffer, number> | undefined;
  readonly elsewhere: Database<Buffer, Buffer>;
  readonly hosts: Database<Buffer, Buffer>;
  readonly beyond: Database<Buffer, number> | undefined;
  readonly reached: Database<Buffer, number> | undefined;
}

export interface PageCounts {
  readonly here: number;
  readonly elsewhere: number;
}

/**
 * The part of a stored crawl (lmdb-store.ts) that knows pages and hosts: their URLs, how near they are, and the links
 * beyond the limits. Readers see what is committed. A page that has turned out to be nearer has a separate row, because
 * rows of pages are long and are not written again.
 */
export abstract class PageRows {
  readonly #file: string;
  readonly #tables: PageTables;

  /** @param file path of the data file, for messages. */
  constructor(file: string, tables: PageTables) {
    this.#file = file;
    this.#tables = tables;
  }

  pages(): Iterable<NewPage> {
    return this.#from(0, { end: ELSEWHERE });
  }

  pagesElsewhere(): Iterable<NewPage> {
    return this.#from(ELSEWHERE, {});
  }

  pageAt(page: number): NewPage | undefined {
    for (const { key, value } of this.#lastRow(page < ELSEWHERE ? 0 : ELSEWHERE, page)) {
      const stored = this.#decoded(key, value).at(page - key);
      return stored && nearerAs(stored, this.#nearerOf(page));
    }
    return undefined;
  }

  findElsewhere(url: string): PageElsewhere | undefined {
    const row = this.#tables.elsewhere.get(keyOf(url));
    if (row === undefined) return undefined;
    const stored = this.sound(decodeElsewhere(row), url);
    return nearerAs({ url, ...stored }, this.#nearerOf(stored.page));
  }

  hostElsewhere(host: string): number | undefined {
    const row = this.#tables.hosts.get(keyOf(host));
    return row && this.sound(decodeIds(row)?.at(0), host);
  }

  beyond(page: number): readonly LinkBeyond[] {
    const row = this.#tables.beyond?.get(page);
    return row ? this.sound(decodeBeyond(row), 'the links beyond the limits of page ', page) : [];
  }

  reached(page: number): Uint32Array | undefined {
    const row = this.#tables.reached?.get(page);
    return row && this.sound(decodeIds(row), 'what was reached through page ', page);
  }

  reachedPages(): Iterable<number> {
    return this.#tables.reached?.getKeys() ?? [];
  }

  protected countPages(): PageCounts {
    return { here: this.#endOf(0, ELSEWHERE - 1), elsewhere: this.#endOf(ELSEWHERE, 2 ** 32 - 1) - ELSEWHERE };
  }

  /** The rows that note new pages, behind so many known ones. */
  protected *pagePuts(
    { pages, elsewhere = [], nearer, beyond, reached }: NewPages, counts: PageCounts,
  ): Iterable<Put> {
    const tables = this.#tables;
    const firstElsewhere = ELSEWHERE + counts.elsewhere;
    yield* this.#put(counts.here, pages);
    yield* this.#put(firstElsewhere, elsewhere);
    for (const [i, page] of elsewhere.entries())
      yield rowPut(tables.elsewhere, keyOf(page.url), encodeElsewhere({ ...page, page: firstElsewhere + i }));
    for (const [page, reach] of nearer ?? []) yield rowPut(tables.nearer, page, encodeReach(reach));
    for (const [page, links] of beyond ?? []) yield rowPut(tables.beyond, page, encodeBeyond(links));
    for (const [page, ids] of reached ?? []) yield rowPut(tables.reached, page, encodeIds(ids));
  }

  protected hostPuts(numbers: ReadonlyMap<string, number>): readonly Put[] {
    return Array.from(numbers, ([host, number]) => (
      rowPut(this.#tables.hosts, keyOf(host), encodeIds(Uint32Array.of(number)))
    ));
  }

  /** What a row says. @throws InputError, naming it, if it is damaged. */
  protected sound<T>(decoded: T | undefined, what: string, id: number | '' = ''): T {
    if (decoded !== undefined) return decoded;
    throw new InputError(`${this.#file}: ${what}${id}: is missing or damaged: it is not what was stored`);
  }

  *#put(firstPage: number, added: readonly NewPage[]): Iterable<Put> {
    for (let from = 0; from < added.length; from += ROW_PAGES)
      yield rowPut(this.#tables.pages, firstPage + from, encodePages(added.slice(from, from + ROW_PAGES)));
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
    let nearer = rows?.next();
    for (const { key, value } of this.#tables.pages.getRange({ start: first, ...limit })) {
      this.sound(key === next ? key : undefined, 'page ', next);
      for (const page of this.#decoded(key, value)) {
        if (nearer !== undefined && nearer.done !== true && nearer.value.key === next) {
          yield nearerAs(page, this.#reach(next, nearer.value.value));
          nearer = rows?.next();
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
    return this.sound(decodeReach(row), 'the depth of page ', page);
  }

  #decoded(first: number, row: Buffer): NewPage[] {
    return this.sound(decodePages(row), 'page ', first);
  }
}

/** A page with another reach, if there is one: what that leaves out is 0. */
function nearerAs<T extends Reach>(page: T, reach: Reach | undefined): T {
  return reach === undefined ? page : { ...page, hops: undefined, ...reach };
}

/** Hashed, because names may be longer than lmdb's keys. */
export function keyOf(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}
