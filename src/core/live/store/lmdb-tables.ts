import type { Database, RootDatabase } from 'lmdb';
import type { PageTables } from './page-rows.ts';
import type { ReachTables } from './reach-rows.ts';

/** The tables of a stored crawl (lmdb-store.ts). */
export interface Tables extends PageTables, ReachTables {
  readonly facts: Database<Buffer, string>;
  readonly visits: Database<Buffer, number>;
  readonly texts: Database<Buffer, number>;
  readonly robots: Database<Buffer, Buffer>;
  readonly rests: Database<Buffer, Buffer>;
  readonly outcomes: Database<Buffer, number>;
  readonly checkpoints: Database<Buffer, number>;
}

export function openTables(root: RootDatabase<Buffer, string>): Tables {
  return {
    facts: root.openDB<Buffer, string>('facts', { encoding: 'binary' }),
    pages: root.openDB<Buffer, number>('pages', { encoding: 'binary', keyEncoding: 'uint32' }),
    elsewhere: root.openDB<Buffer, Buffer>('elsewhere', { encoding: 'binary', keyEncoding: 'binary' }),
    hosts: root.openDB<Buffer, Buffer>('hosts', { encoding: 'binary', keyEncoding: 'binary' }),
    nearer: root.openDB<Buffer, number>('nearer', { encoding: 'binary', keyEncoding: 'uint32' }),
    visits: root.openDB<Buffer, number>('visits', { encoding: 'binary', keyEncoding: 'uint32' }),
    beyond: root.openDB<Buffer, number>('beyond', { encoding: 'binary', keyEncoding: 'uint32' }),
    reached: root.openDB<Buffer, number>('reached', { encoding: 'binary', keyEncoding: 'uint32' }),
    texts: root.openDB<Buffer, number>('texts', { encoding: 'binary', keyEncoding: 'uint32' }),
    robots: root.openDB<Buffer, Buffer>('robots', { encoding: 'binary', keyEncoding: 'binary' }),
    rests: root.openDB<Buffer, Buffer>('rests', { encoding: 'binary', keyEncoding: 'binary' }),
    outcomes: root.openDB<Buffer, number>('outcomes', { encoding: 'binary', keyEncoding: 'uint32' }),
    checkpoints: root.openDB<Buffer, number>('checkpoints', { encoding: 'binary', keyEncoding: 'uint32' }),
  };
}

const laterTables: readonly string[] = ['nearer', 'beyond', 'reached'] satisfies (keyof Tables)[];

/** Whether all tables are there; a store of an earlier version that is only read lacks those that came later. */
export function haveAll(tables: Tables): boolean {
  return Object.entries(tables).every(([name, table]) => table !== undefined || laterTables.includes(name));
}
