import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { lockFolder, quoted, writeError } from '../../dataset/index.ts';
import { InputError, makeFolder, WorldError } from '../../std/index.ts';
import type { CrawlStore, NewPage, Note, RobotsNote, Visit } from './crawl-store.ts';
import { lmdbFault } from './lmdb-check.ts';
import { checkNote } from './memory-store.ts';
import { decodeBytes, decodePages, decodeRobots, decodeVisit, encodeBytes, encodePages, encodeRobots, encodeVisit } from './rows.ts';

/** Counted up whenever rows change: a store of another version is refused. */
const FORMAT = 'orbweaver crawl 1';

/** What lmdb calls the file in its folder. */
const DATA_FILE = 'data.mdb';

/** Pages in a row at most, so that whoever reads them holds little. */
const ROW_PAGES = 1024;

interface Tables {
  readonly root: RootDatabase<Buffer, string>;
  readonly facts: Database<Buffer, string>;
  readonly pages: Database<Buffer, number>;
  readonly visits: Database<Buffer, number>;
  readonly robots: Database<Buffer, Buffer>;
}

/**
 * Opens the store of a new crawl, if `settings` are given, or that of one that is to go on. One process at a time holds it.
 *
 * Errors   InputError where a new crawl finds one stored, or where there is none to go on with; where the folder may not be written or is
 *          held by another process; where the store is of another version, damaged, or none. WorldError where the disk is full or fails.
 */
export async function openLmdbStore(folder: string, settings?: unknown): Promise<CrawlStore> {
  const isNew = settings !== undefined;
  if (!isNew && !existsSync(join(folder, DATA_FILE))) throw new InputError(`${folder}: holds no stored crawl`);
  try {
    if (isNew) await makeFolder(folder);
  } catch (error) {
    throw writeError(folder, error);
  }
  const unlock = lockFolder(folder);
  let tables: Tables | undefined;
  try {
    tables = openTables(folder);
    if (isNew) await begin(folder, tables, settings);
    return new LmdbStore(folder, tables, unlock);
  } catch (error) {
    await tables?.root.close();
    unlock();
    throw error;
  }
}

function openTables(folder: string): Tables {
  const file = join(folder, DATA_FILE);
  try {
    const fault = existsSync(file) ? lmdbFault(file) : undefined;
    if (fault !== undefined) throw new InputError(`${file}: is no stored crawl, or was damaged: ${fault}`);

    // One commit is one call of batch(), whatever else happens in that turn. The map grows with the file.
    const root = open<Buffer, string>({ path: folder, noSubdir: false, encoding: 'binary', maxDbs: 8, eventTurnBatching: false });
    return {
      root,
      facts: root.openDB<Buffer, string>('facts', { encoding: 'binary' }),
      pages: root.openDB<Buffer, number>('pages', { encoding: 'binary', keyEncoding: 'uint32' }),
      visits: root.openDB<Buffer, number>('visits', { encoding: 'binary', keyEncoding: 'uint32' }),
      robots: root.openDB<Buffer, Buffer>('robots', { encoding: 'binary', keyEncoding: 'binary' }),
    };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const known = writeError(file, error);
    throw known === error ? new InputError(`${file}: is no stored crawl, or was damaged: ${(error as Error).message}`) : known;
  }
}

/** What a crawl begins with, in one commit: a store that has its format has its settings too. */
async function begin(folder: string, { root, facts }: Tables, settings: unknown): Promise<void> {
  if (facts.doesExist('format')) throw new InputError(`${folder}: already holds a stored crawl; resume it, or name another folder`);
  await root.batch(() => {
    void facts.put('settings', encodeBytes(Buffer.from(JSON.stringify(settings))));
    void facts.put('format', encodeBytes(Buffer.from(FORMAT)));
  });
}

/**
 * A crawl stored in a folder, in LMDB: a B-tree that is copied on write, so that whenever a process is killed, the last commit is whole.
 * Notes that come while a commit is under way go together into the next one, in their order. A commit is in the hands of the system when
 * its promise is fulfilled, safe from kill -9, and on the disk some milliseconds later: a failure of power may cost those, wholly.
 *
 *   table     key                          row (rows.ts)
 *   facts     'format'                     which version of rows this is
 *             'settings'                   as JSON
 *             'checkpoint'                 as given
 *   pages     id of the first of them      pages, in the order of their ids
 *   visits    page                         a visit
 *   robots    SHA-256 of the origin        what is known of its robots.txt
 *
 * Reading tells what is committed. Errors of readers: InputError where a row is damaged.
 * Cost     two rows a note: 12 bytes and the URL a new page, 48 bytes and 4 a link a visit. Memory: what is noted and not yet committed;
 *          all else stays in the system's cache.
 */
class LmdbStore implements CrawlStore {
  readonly settings: unknown;
  readonly #folder: string;
  readonly #tables: Tables;
  readonly #unlock: () => void;
  /** Pages of notes that are committed, and of all notes. */
  #committedPages: number;
  #notedPages: number;
  /** What the next commit is to write, in order. */
  #puts: (() => unknown)[] = [];
  /** The next commit, which waits for the one under way; undefined while there is nothing to write. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(folder: string, tables: Tables, unlock: () => void) {
    this.#folder = folder;
    this.#tables = tables;
    this.#unlock = unlock;
    const format = this.#fact('format')?.toString();
    if (format === undefined) throw new InputError(`${folder}: holds no stored crawl`);
    if (format !== FORMAT) throw new InputError(`${folder}: is of version ${quoted(format)}; this program reads ${quoted(FORMAT)}`);
    try {
      this.settings = JSON.parse((this.#fact('settings') ?? '').toString());
    } catch {
      throw this.#damaged('settings');
    }
    let pages = 0;
    // The end is named because lmdb leaves key 0 out of a reversed range otherwise.
    for (const { key, value } of tables.pages.getRange({ reverse: true, end: 0, inclusiveEnd: true, limit: 1 })) pages = key + this.#pagesOf(key, value).length;
    this.#committedPages = this.#notedPages = pages;
  }

  get pageCount(): number {
    return this.#committedPages;
  }

  *pages(): Iterable<NewPage> {
    let next = 0;
    for (const { key, value } of this.#tables.pages.getRange()) {
      if (key !== next) throw this.#damaged(`page ${next}`);
      const pages = this.#pagesOf(key, value);
      next += pages.length;
      yield* pages;
    }
  }

  visit(page: number): Visit | undefined {
    const row = this.#tables.visits.get(page);
    return row && this.#visitOf(page, row);
  }

  *visits(): Iterable<Visit> {
    for (const { key, value } of this.#tables.visits.getRange()) yield this.#visitOf(key, value);
  }

  *robots(): Iterable<RobotsNote> {
    for (const { value } of this.#tables.robots.getRange()) {
      const robots = decodeRobots(value);
      if (!robots) throw this.#damaged('a robots.txt');
      yield robots;
    }
  }

  note(note: Note): Promise<void> {
    checkNote(note, this.#notedPages);
    const { pages, visits, robots } = this.#tables;
    const puts: (() => unknown)[] = [];
    for (let from = 0; from < note.pages.length; from += ROW_PAGES) {
      const row = encodePages(note.pages.slice(from, from + ROW_PAGES));
      puts.push(() => pages.put(note.firstPage + from, row));
    }
    if (note.visit) {
      const { page } = note.visit;
      const row = encodeVisit(note.visit);
      puts.push(() => visits.put(page, row));
    }
    if (note.robots) {
      const key = createHash('sha256').update(note.robots.origin).digest();
      const row = encodeRobots(note.robots);
      puts.push(() => robots.put(key, row));
    }
    this.#notedPages += note.pages.length;
    return this.#write(() => {
      for (const put of puts) put();
    });
  }

  checkpoint(state: Uint8Array): Promise<void> {
    const row = encodeBytes(state);
    return this.#write(() => this.#tables.facts.put('checkpoint', row));
  }

  lastCheckpoint(): Uint8Array | undefined {
    return this.#fact('checkpoint');
  }

  /** Once all that was noted is committed, or has failed. */
  async close(): Promise<void> {
    await (this.#next ?? this.#underWay).catch(() => undefined);
    await this.#tables.root.close();
    this.#unlock();
  }

  /** Fulfilled when this, and all before it, is committed. What follows a failed commit fails as it did, for nothing may be missing in between. */
  #write(put: () => unknown): Promise<void> {
    this.#puts.push(put);
    return (this.#next ??= this.#underWay.then(() => this.#commit()));
  }

  async #commit(): Promise<void> {
    const puts = this.#puts;
    const pages = this.#notedPages;
    this.#puts = [];
    this.#underWay = this.#next ?? this.#underWay;
    this.#next = undefined;
    try {
      await this.#tables.root.batch(() => {
        for (const put of puts) put();
      });
    } catch (error) {
      throw new WorldError(`${join(this.#folder, DATA_FILE)}: could not be written: ${await reasonOf(error)}`);
    }
    this.#committedPages = pages;
  }

  #fact(key: string): Buffer | undefined {
    const row = this.#tables.facts.get(key);
    if (row === undefined) return undefined;
    const bytes = decodeBytes(row);
    if (!bytes) throw this.#damaged(key);
    return bytes;
  }

  #pagesOf(first: number, row: Buffer): NewPage[] {
    const pages = decodePages(row);
    if (!pages) throw this.#damaged(`page ${first}`);
    return pages;
  }

  #visitOf(page: number, row: Buffer): Visit {
    const visit = decodeVisit(page, row);
    if (!visit) throw this.#damaged(`the visit of page ${page}`);
    return visit;
  }

  #damaged(what: string): InputError {
    return new InputError(`${join(this.#folder, DATA_FILE)}: ${what}: is missing or damaged: it is not what was stored`);
  }
}

/** lmdb tells the reason of a failed commit in a promise of its own, which must not be left alone. */
async function reasonOf(error: unknown): Promise<string> {
  const told = error instanceof Error && 'commitError' in error ? await Promise.resolve(error.commitError).catch((reason: unknown) => reason) : error;
  return told instanceof Error ? told.message : String(told);
}
