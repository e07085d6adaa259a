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

/** Changed whenever rows change: a store of another version is refused. */
const FORMAT = 'orbweaver crawl 1';

/** lmdb's names for the files in its folder. */
const DATA_FILE = 'data.mdb';
const READERS_FILE = 'lock.mdb';

/** Size of the file of readers, with room for 126 of them. */
const READERS_BYTES = 8272;

/** A data file begins with two pages of at least 4 KiB: a shorter one was never written completely. */
const MIN_DATA_BYTES = 2 * 4096;

/** Pages per row at most, so that readers need little memory. */
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
 * Opens the store of a new crawl, if `settings` are passed, or that of a crawl to resume. Only one process at a time
 * may open it. A crawl that ended before its first commit is replaced by a new one.
 *
 * Errors   InputError if a new crawl finds a stored one, or there is none to resume; if the folder may not be written
 *          or is locked by another process; if the store is of another version, damaged, or not a store. WorldError if
 *          the disk is full or fails.
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
    // A folder that is not empty stays.
    if (isNew) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/** Whether a crawl is stored there that can be resumed. Errors   as openLmdbStore, except where there is none. */
export async function hasStoredCrawl(folder: string): Promise<boolean> {
  if (!isBegun(folder)) return false;
  const unlock = lockFolder(folder);
  try {
    const lmdb = new Lmdb(folder);
    const isStored = lmdb.tables.facts.doesExist('format');
    await lmdb.close();
    return isStored;
  } finally {
    unlock();
  }
}

function noCrawl(folder: string): InputError {
  const remains = existsSync(folder) ? ': one ended there before its first commit; start it again (--out)' : '';
  return new InputError(`${folder}: contains no stored crawl${remains}`);
}

/** Whether lmdb has created its file there. */
function isBegun(folder: string): boolean {
  return (statSync(join(folder, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0) >= MIN_DATA_BYTES;
}

/**
 * Whether lmdb may create its files there; removes what is left of a crawl that ended before lmdb had started.
 * Errors   InputError if there is anything else.
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

/** lmdb's files in a folder, open. Errors   as openLmdbStore, in every method. */
class Lmdb {
  readonly tables: Tables;
  readonly #file: string;
  readonly #room: Room;
  #hasFailed = false;

  constructor(folder: string) {
    this.#file = join(folder, DATA_FILE);
    const fault = isBegun(folder) ? lmdbFault(this.#file) : undefined;
    if (fault !== undefined) throw new InputError(`${this.#file}: is not a stored crawl, or was damaged: ${fault}`);
    makeZeros(join(folder, READERS_FILE), READERS_BYTES);
    if (!isBegun(folder)) {
      // lmdb ends the process (SIGSEGV) if there is no room for the two pages at the head of a new file.
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
      throw new InputError(`${this.#file}: is not a stored crawl, or was damaged: ${reasonOf(error)}`);
    }
  }

  /** One commit; no other may be in progress. After a failed one no other is allowed. Errors   WorldError. */
  async commit(puts: readonly Put[]): Promise<void> {
    assert(!this.#hasFailed, 'no commit may follow a failed one');
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

  /** Whether the disk caused an error: one of lmdb's, which has the system's number, or our own WorldError. */
  #isOfDisk(error: unknown): boolean {
    if (error instanceof WorldError) return true;
    const { ENOSPC, EDQUOT, EIO, EFBIG } = constants.errno;
    return error instanceof Error && 'code' in error && [ENOSPC, EDQUOT, EIO, EFBIG].includes(Number(error.code));
  }
}

/**
 * Closes lmdb after a failure. Its own close() may wait for a flush that never ends: it is called because it stops
 * reading, and its last steps are done here.
 */
function closeAtOnce(root: RootDatabase<Buffer, string> & { readonly env?: { close(): void } }): void {
  void root.close();
  try {
    root.env?.close();
  } catch {
    // It was closed without waiting.
  }
}

/** lmdb passes the reason of a failed commit in a promise of its own, which must be handled. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((reason: unknown) => reason);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first commit of a crawl, in one piece: a store that has its format has its settings too. */
function begin(lmdb: Lmdb, settings: unknown): Promise<void> {
  const { facts } = lmdb.tables;
  return lmdb.commit(Object.entries({ settings: JSON.stringify(settings), format: FORMAT }).map(([key, text]) => {
    const row = encodeBytes(Buffer.from(text));
    return { bytes: row.length, put: () => facts.put(key, row) };
  }));
}

/**
 * A crawl stored in a folder, in LMDB: a copy-on-write B-tree, so the last commit is intact whenever a process is
 * killed. Notes that arrive during a commit are committed together, in order, by the next one. When its promise is
 * fulfilled, the system has the commit: it is safe from kill -9, and on the disk some milliseconds later. A power
 * failure may lose those commits, each as a whole.
 *
 *     table     key                          row (rows.ts)
 *     facts     'format'                     the version of the rows
 *               'settings'                   as JSON
 *               'checkpoint'                 as passed
 *     pages     id of the first of them      pages, in the order of their ids
 *     visits    page                         a visit
 *     robots    SHA-256 of the origin        what is known of its robots.txt
 *     rests     SHA-256 of the host          how long it must not be contacted
 *
 * Readers see what is committed. Errors of readers: InputError if a row is damaged.
 * Cost     two rows per note: 12 bytes and the URL per new page; 48 bytes, and 4 per link, per visit. Memory: what is
 *          noted and not yet committed; everything else stays in the system's cache.
 */
class LmdbStore implements CrawlStore {
  readonly settings: unknown;
  readonly #folder: string;
  readonly #lmdb: Lmdb;
  readonly #unlock: () => void;
  /** Pages of committed notes, and of all notes. */
  #committedPages: number;
  #notedPages: number;
  /** What the next commit is to write, in order. */
  #puts: Put[] = [];
  /** The next commit, which waits for the current one; undefined while there is nothing to write. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(folder: string, lmdb: Lmdb, unlock: () => void) {
    this.#folder = folder;
    this.#lmdb = lmdb;
    this.#unlock = unlock;
    const format = String(this.#fact('format'));
    if (format !== FORMAT)
      throw new InputError(`${folder}: has version ${quoted(format)}; this program reads ${quoted(FORMAT)}`);
    try {
      this.settings = JSON.parse((this.#fact('settings') ?? '').toString());
    } catch {
      throw this.#damaged('settings');
    }
    let pages = 0;
    // `end` is explicit because lmdb otherwise leaves key 0 out of a reversed range.
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

  /** Resolves once everything noted is committed, or has failed. */
  async close(): Promise<void> {
    await (this.#next ?? this.#underWay).catch(() => undefined);
    await this.#lmdb.close();
    this.#unlock();
  }

  /**
   * Fulfilled when this, and everything before it, is committed. Whatever follows a failed commit fails in the same
   * way, because no note may be missing in between.
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

/** Hashed, because names may be longer than lmdb's keys. */
function keyOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
