import type { Database, RootDatabase } from 'lmdb';
import type { Note } from './crawl-store.ts';
import { rowPut, type Put } from './lmdb.ts';
import { keyOf, type PageTables } from './page-rows.ts';
import { encodeBytes, encodeRest, encodeRobots, encodeVisit } from './rows.ts';

export interface Tables extends PageTables {
  readonly facts: Database<Buffer, string>;
  readonly visits: Database<Buffer, number>;
  readonly texts: Database<Buffer, number>;
  readonly robots: Database<Buffer, Buffer>;
  readonly rests: Database<Buffer, Buffer>;
  readonly outcomes: Database<Buffer, number>;
  readonly checkpoints: Database<Buffer, number>;
}

export function openTables(root: RootDatabase<Buffer, string>): Tables {
  const byNumber = (name: keyof Tables): Database<Buffer, number> =>
    root.openDB(name, { encoding: 'binary', keyEncoding: 'uint32' });
  const byHash = (name: keyof Tables): Database<Buffer, Buffer> =>
    root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' });
  return {
    facts: root.openDB('facts', { encoding: 'binary' }),
    pages: byNumber('pages'), elsewhere: byHash('elsewhere'), hosts: byHash('hosts'), nearer: byNumber('nearer'),
    visits: byNumber('visits'), beyond: byNumber('beyond'), reached: byNumber('reached'), texts: byNumber('texts'),
    robots: byHash('robots'), rests: byHash('rests'), outcomes: byNumber('outcomes'),
    checkpoints: byNumber('checkpoints'),
  };
}

const laterTables: readonly string[] = ['nearer', 'beyond', 'reached'] satisfies (keyof Tables)[];

/** Whether all tables are there; a store of an earlier version that is only read lacks those that came later. */
export function haveAll(tables: Tables): boolean {
  return Object.entries(tables).every(([name, table]) => table !== undefined || laterTables.includes(name));
}

/** The rows of a note about the visit of a page, and about its host. */
export function* visitPuts(
  { visits, texts, robots, rests }: Pick<Tables, 'visits' | 'texts' | 'robots' | 'rests'>, note: Note,
): Iterable<Put> {
  if (note.visit) yield rowPut(visits, note.visit.page, encodeVisit(note.visit));
  if (note.visit && note.text) yield rowPut(texts, note.visit.page, encodeBytes(note.text));
  if (note.robots) yield rowPut(robots, keyOf(note.robots.origin), encodeRobots(note.robots));
  if (note.rest) yield rowPut(rests, keyOf(note.rest.host), encodeRest(note.rest));
}
