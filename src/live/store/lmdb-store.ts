import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { LOCK_FILE, lockFolder, writeError, makeFolder } from '../../base/files/index.ts';
import { quoted, assert, InputError, WorldError } from '../../base/index.ts';
import type { CrawlStore, HostRest, NewPage, Note, RobotsNote, Visit } from './crawl-store.ts';
import { lmdbFault } from './lmdb-check.ts';
import { checkNote } from './memory-store.ts';
import { makeZeros, Room } from './room.ts';
import {
  decodeBytes, decodePages, decodeRest, decodeRobots, decodeVisit, encodeBytes, encodePages, encodeRest, encodeRobots,
  encodeVisit,
} from './rows.ts';

/** Counted up whenever rows change: a store of another version is refused. */
const FORMAT = 'orbweaver crawl 1';

/** What lmdb calls the files in its folder. */
const DATA_FILE = 'data.mdb';
const READERS_FILE = 'lock.mdb';

/** Of the file of readers, with room for 126 of them. */
const READERS_BYTES = 8272;

/** A data file begins with two pages, of 4 KiB at least: a shorter one was never written whole. */
const MIN_DATA_BYTES = 2 * 4096;

/** Pages in a row at most, so that whoever reads them holds little. */
const ROW_PAGES = 1024;

interface Tables {
  readonly root: RootDatabase<Buffer, string>;
  readonly facts: Database<Buffer, string>;
  readonly pages: Database<Buffer, number>;
  readonly visits: Database<Buffer, number>;
  readonly robots: Database<Buffer, Buffer>;
  readonly rests: Database<Buffer, Buffer>;
}

/** A row to be written. */
interface Put {
  readonly bytes: number;
  readonly put: () => unknown;
}

/**
 * Opens the store of a new crawl, if `settings` are given, or that of one that is to go on. One process at a time holds
 * it. What a crawl left that ended before its first commit gives way to a new one.
 *
 * Errors   InputError where a new crawl finds one stored, or where there is none to go on with; where the folder may
 *          not be written or is held by another process; where the store is of another version, damaged, or none.
 *          WorldError where the disk is full or fails.
 */
export async function openLmdbStore(folder: string, settings?: unknown): Promise<CrawlStore> {
  const isNew = settings !== undefined;
  if (!isNew && !isBegun(folder)) throw noCrawl(folder);
  try {
    if (isNew) await makeFolder(folder);
  } catch (error) {
    throw writeError(folder, error);
  }
  let unlock: (() => void) | undefined;
  let lmdb: Lmdb | undefined;
  let isOurs = false;
  try {
    unlock = lockFolder(folder);
    if (isNew) isOurs = makesWay(folder);
    lmdb = new Lmdb(folder);
    const isStored = lmdb.tables.facts.doesExist('format');
    if (isNew && isStored) {
      throw new InputError(`${folder}: already contains a crawl; continue it (--resume), or name a new folder`);
    }
    if (isNew) await begin(lmdb, settings);
    else if (!isStored) throw noCrawl(folder);
    return new LmdbStore(folder, lmdb, unlock);
  } catch (error) {
    await lmdb?.close();
    if (isOurs) removeFiles(folder);
    unlock?.();
    // Where there is anything in it, it stays.
    if (isNew) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

function noCrawl(folder: string): InputError {
  const remains = existsSync(folder) ? ': one was ended there before its first commit; begin it again (--out)' : '';
  return new InputError(`${folder}: holds no stored crawl${remains}`);
}

/** Whether lmdb has begun its file there. */
function isBegun(folder: string): boolean {
  return (statSync(join(folder, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0) >= MIN_DATA_BYTES;
}

/**
 * Whether lmdb's files are there to be made: what is left of a crawl that ended before lmdb had begun is removed.
 * Errors   InputError where there is anything else.
 */
function makesWay(folder: string): boolean {
  const other = readdirSync(folder).find((name) => ![LOCK_FILE, DATA_FILE, READERS_FILE].includes(name));
  if (other !== undefined) throw new InputError(`${folder}: contains other files; name a new or an empty folder`);
  if (isBegun(folder)) return false;
  removeFiles(folder);
  return true;
}

function removeFiles(folder: string): void {
  for (const name of [DATA_FILE, READERS_FILE]) rmSync(join(folder, name), { force: true });
}

/** lmdb's files in a folder, open. Errors   as openLmdbStore, of everything. */
class Lmdb {
  readonly tables: Tables;
  readonly #file: string;
  readonly #room: Room;
  #hasFailed = false;

  constructor(folder: string) {
    this.#file = join(folder, DATA_FILE);
    const fault = isBegun(folder) ? lmdbFault(this.#file) : undefined;
    if (fault !== undefined) throw new InputError(`${this.#file}: is no stored crawl, or was damaged: ${fault}`);
    makeZeros(join(folder, READERS_FILE), READERS_BYTES);
    if (!isBegun(folder)) {
      // lmdb ends the process (SIGSEGV) where there is no room for the two pages at the head of a new file.
      makeZeros(this.#file, MIN_DATA_BYTES);
      truncateSync(this.#file);
    }
    let root: RootDatabase<Buffer, string> | undefined;
    let room: Room | undefined;
    try {
      // One commit is one call of batch(), whatever else happens in that turn. The map grows with the file.
      root = open<Buffer, string>({
        path: folder, noSubdir: false, encoding: 'binary', maxDbs: 8, eventTurnBatching: false,
      });
      room = new Room(this.#file);
      room.make(5, 0);
      this.#room = room;
      this.tables = {
        root,
        facts: root.openDB<Buffer, string>('facts', { encoding: 'binary' }),
        pages: root.openDB<Buffer, number>('pages', { encoding: 'binary', keyEncoding: 'uint32' }),
        visits: root.openDB<Buffer, number>('visits', { encoding: 'binary', keyEncoding: 'uint32' }),
        robots: root.openDB<Buffer, Buffer>('robots', { encoding: 'binary', keyEncoding: 'binary' }),
        rests: root.openDB<Buffer, Buffer>('rests', { encoding: 'binary', keyEncoding: 'binary' }),
      };
    } catch (error) {
      if (root !== undefined) closeAtOnce(root);
      room?.close();
      if (this.#isOfDisk(error)) throw this.#notWritten(error);
      throw new InputError(`${this.#file}: is no stored crawl, or was damaged: ${reasonOf(error)}`);
    }
  }

  /** One commit; none may be under way. After one that failed there may be no other. Errors   WorldError. */
  async commit(puts: readonly Put[]): Promise<void> {
    assert(!this.#hasFailed, 'nothing follows a commit that failed');
    try {
      this.#room.make(puts.length, puts.reduce((sum, { bytes }) => sum + bytes, 0));
      await this.tables.root.batch(() => {
        for (const { put } of puts) put();
      });
    } catch (error) {
      this.#hasFailed = true;
      throw this.#notWritten(await causeOf(error));
    }
  }

  async close(): Promise<void> {
    if (this.#hasFailed) closeAtOnce(this.tables.root);
    else await this.tables.root.close();
    this.#room.close();
  }

  #notWritten(error: unknown): WorldError {
    return error instanceof WorldError
      ? error
      : new WorldError(`${this.#file}: could not be written: ${reasonOf(error)}`);
  }

  /** Whether an error of lmdb's, which has the system's number, or one of ours is the disk's. */
  #isOfDisk(error: unknown): boolean {
    if (error instanceof WorldError) return true;
    const { ENOSPC, EDQUOT, EIO, EFBIG } = constants.errno;
    return error instanceof Error && 'code' in error && [ENOSPC, EDQUOT, EIO, EFBIG].includes(Number(error.code));
  }
}

/**
 * Closes lmdb after a failure. Its own close() may wait for a flush that never ends: it is begun, for it ends reading,
 * and what it would do last is done here.
 */
function closeAtOnce(root: RootDatabase<Buffer, string> & { readonly env?: { close(): void } }): void {
  void root.close();
  try {
    root.env?.close();
  } catch {
    // It was closed without waiting.
  }
}

/** lmdb has the reason of a failed commit in a promise of its own, which must not be left alone. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((reason: unknown) => reason);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a crawl begins with, in one commit: a store that has its format has its settings too. */
function begin(lmdb: Lmdb, settings: unknown): Promise<void> {
  const { facts } = lmdb.tables;
  return lmdb.commit(Object.entries({ settings: JSON.stringify(settings), format: FORMAT }).map(([key, text]) => {
    const row = encodeBytes(Buffer.from(text));
    return { bytes: row.length, put: () => facts.put(key, row) };
  }));
}

/**
 * A crawl stored in a folder, in LMDB: a B-tree that is copied on write, so that whenever a process is killed, the last
 * commit is whole. Notes that come while a commit is under way go together into the next one, in their order. A commit
 * is in the hands of the system when its promise is fulfilled, safe from kill -9, and on the disk some milliseconds
 * later: a failure of power may cost those, wholly.
 *
 *   table     key                          row (rows.ts)
 *   facts     'format'                     which version of rows this is
 *             'settings'                   as JSON
 *             'checkpoint'                 as given
 *   pages     id of the first of them      pages, in the order of their ids
 *   visits    page                         a visit
 *   robots    SHA-256 of the origin        what is known of its robots.txt
 *   rests     SHA-256 of the host          how long it is to be left alone
 *
 * Reading tells what is committed. Errors of readers: InputError where a row is damaged.
 * Cost     two rows a note: 12 bytes and the URL a new page, 48 bytes and 4 a link a visit. Memory: what is noted and
 *          not yet committed; all else stays in the system's cache.
 */
class LmdbStore implements CrawlStore {
  readonly settings: unknown;
  readonly #folder: string;
  readonly #lmdb: Lmdb;
  readonly #unlock: () => void;
  /** Pages of notes that are committed, and of all notes. */
  #committedPages: number;
  #notedPages: number;
  /** What the next commit is to write, in order. */
  #puts: Put[] = [];
  /** The next commit, which waits for the one under way; undefined while there is nothing to write. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(folder: string, lmdb: Lmdb, unlock: () => void) {
    this.#folder = folder;
    this.#lmdb = lmdb;
    this.#unlock = unlock;
    const format = String(this.#fact('format'));
    if (format !== FORMAT)
      throw new InputError(`${folder}: is of version ${quoted(format)}; this program reads ${quoted(FORMAT)}`);
    try {
      this.settings = JSON.parse((this.#fact('settings') ?? '').toString());
    } catch {
      throw this.#damaged('settings');
    }
    let pages = 0;
    // The end is named because lmdb leaves key 0 out of a reversed range otherwise.
    for (const { key, value } of lmdb.tables.pages.getRange({ reverse: true, end: 0, inclusiveEnd: true, limit: 1 }))
      pages = key + this.#pagesOf(key, value).length;
    this.#committedPages = this.#notedPages = pages;
  }

  get pageCount(): number {
    return this.#committedPages;
  }

  *pages(): Iterable<NewPage> {
    let next = 0;
    for (const { key, value } of this.#lmdb.tables.pages.getRange()) {
      if (key !== next) throw this.#damaged(`page ${next}`);
      const pages = this.#pagesOf(key, value);
      next += pages.length;
      yield* pages;
    }
  }

  visit(page: number): Visit | undefined {
    const row = this.#lmdb.tables.visits.get(page);
    return row && this.#visitOf(page, row);
  }

  *visits(): Iterable<Visit> {
    for (const { key, value } of this.#lmdb.tables.visits.getRange()) yield this.#visitOf(key, value);
  }

  *robots(): Iterable<RobotsNote> {
    for (const { value } of this.#lmdb.tables.robots.getRange()) {
      const robots = decodeRobots(value);
      if (!robots) throw this.#damaged('a robots.txt');
      yield robots;
    }
  }

  *rests(): Iterable<HostRest> {
    for (const { value } of this.#lmdb.tables.rests.getRange()) {
      const rest = decodeRest(value);
      if (!rest) throw this.#damaged('the rest of a host');
      yield rest;
    }
  }

  note(note: Note): Promise<void> {
    checkNote(note, this.#notedPages);
    const { pages, visits, robots, rests } = this.#lmdb.tables;
    const puts: Put[] = [];
    for (let from = 0; from < note.pages.length; from += ROW_PAGES) {
      const row = encodePages(note.pages.slice(from, from + ROW_PAGES));
      puts.push({ bytes: row.length, put: () => pages.put(note.firstPage + from, row) });
    }
    if (note.visit) {
      const { page } = note.visit;
      const row = encodeVisit(note.visit);
      puts.push({ bytes: row.length, put: () => visits.put(page, row) });
    }
    if (note.robots) {
      const key = keyOf(note.robots.origin);
      const row = encodeRobots(note.robots);
      puts.push({ bytes: row.length, put: () => robots.put(key, row) });
    }
    if (note.rest) {
      const key = keyOf(note.rest.host);
      const row = encodeRest(note.rest);
      puts.push({ bytes: row.length, put: () => rests.put(key, row) });
    }
    this.#notedPages += note.pages.length;
    return this.#write(puts);
  }

  checkpoint(state: Uint8Array): Promise<void> {
    const row = encodeBytes(state);
    return this.#write([{ bytes: row.length, put: () => this.#lmdb.tables.facts.put('checkpoint', row) }]);
  }

  lastCheckpoint(): Uint8Array | undefined {
    return this.#fact('checkpoint');
  }

  /** Once all that was noted is committed, or has failed. */
  async close(): Promise<void> {
    await (this.#next ?? this.#underWay).catch(() => undefined);
    await this.#lmdb.close();
    this.#unlock();
  }

  /**
   * Fulfilled when this, and all before it, is committed. What follows a failed commit fails as it did, for nothing may
   * be missing in between.
   */
  #write(puts: readonly Put[]): Promise<void> {
    this.#puts.push(...puts);
    return (this.#next ??= this.#underWay.then(() => this.#commit()));
  }

  async #commit(): Promise<void> {
    const puts = this.#puts;
    const pages = this.#notedPages;
    this.#puts = [];
    this.#underWay = this.#next ?? this.#underWay;
    this.#next = undefined;
    await this.#lmdb.commit(puts);
    this.#committedPages = pages;
  }

  #fact(key: string): Buffer | undefined {
    const row = this.#lmdb.tables.facts.get(key);
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
    return new InputError(
      `${join(this.#folder, DATA_FILE)}: ${what}: is missing or damaged: it is not what was stored`,
    );
  }
}

/** Names may be longer than lmdb's keys. */
function keyOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
