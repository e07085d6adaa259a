import type { Database } from 'lmdb';
import type { InputError } from '../../../base/index.ts';
import type { LinkBeyond, NewPages } from './crawl-store.ts';
import type { Put } from './lmdb.ts';
import { decodeBeyond, decodeIds, encodeBeyond, encodeIds } from './rows.ts';

/** Missing in a store of an earlier version that is only read. */
export interface ReachTables {
  readonly beyond: Database<Buffer, number> | undefined;
  readonly reached: Database<Buffer, number> | undefined;
}

/**
 * What lay beyond the limits, and what came within them later, in the tables of a stored crawl (lmdb-store.ts). Readers
 * see what is committed.
 */
export class ReachRows {
  readonly #tables: ReachTables;
  readonly #damaged: (what: string) => InputError;

  /** @param damaged the error for a row that is damaged. */
  constructor(tables: ReachTables, damaged: (what: string) => InputError) {
    this.#tables = tables;
    this.#damaged = damaged;
  }

  beyond(page: number): readonly LinkBeyond[] {
    const row = this.#tables.beyond?.get(page);
    if (row === undefined) return [];
    const links = decodeBeyond(row);
    if (!links) throw this.#damaged(`the links of page ${page} beyond the limits`);
    return links;
  }

  reached(page: number): Uint32Array | undefined {
    const row = this.#tables.reached?.get(page);
    if (row === undefined) return undefined;
    const ids = decodeIds(row);
    if (!ids) throw this.#damaged(`what was reached through page ${page}`);
    return ids;
  }

  reachedPages(): Iterable<number> {
    return this.#tables.reached?.getKeys() ?? [];
  }

  *put({ beyond, reached }: Pick<NewPages, 'beyond' | 'reached'>): Iterable<Put> {
    for (const [page, links] of beyond ?? []) {
      const row = encodeBeyond(links);
      yield { bytes: row.length, put: () => this.#tables.beyond?.put(page, row) };
    }
    for (const [page, ids] of reached ?? []) {
      const row = encodeIds(ids);
      yield { bytes: row.length, put: () => this.#tables.reached?.put(page, row) };
    }
  }
}
