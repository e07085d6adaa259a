import type { Note } from './crawl-store.ts';
import type { Put } from './lmdb.ts';
import type { Tables } from './lmdb-tables.ts';
import { keyOf } from './page-rows.ts';
import { encodeBytes, encodeRest, encodeRobots, encodeVisit } from './rows.ts';

/** The rows of a note on a page that was visited, and on its host. */
export function* visitPuts(
  { visits, texts, robots, rests }: Pick<Tables, 'visits' | 'texts' | 'robots' | 'rests'>, note: Note,
): Iterable<Put> {
  if (note.visit) {
    const { page } = note.visit;
    const row = encodeVisit(note.visit);
    yield { bytes: row.length, put: () => visits.put(page, row) };
  }
  if (note.visit && note.text) {
    const { page } = note.visit;
    const row = encodeBytes(note.text);
    yield { bytes: row.length, put: () => texts.put(page, row) };
  }
  if (note.robots) {
    const key = keyOf(note.robots.origin);
    const row = encodeRobots(note.robots);
    yield { bytes: row.length, put: () => robots.put(key, row) };
  }
  if (note.rest) {
    const key = keyOf(note.rest.host);
    const row = encodeRest(note.rest);
    yield { bytes: row.length, put: () => rests.put(key, row) };
  }
}
