import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HeldFolder, lockFolder, writeError, makeFolder } from '../../../base/files/index.ts';
import { quoted, InputError } from '../../../base/index.ts';
import {
  checkNote, type CrawlStore, type HostRest, type Note, type RobotsNote, type StoredCheckpoint, type StoredOutcome,
  type Visit,
} from './crawl-store.ts';
import { DATA_FILE, isBegun, Lmdb, makesWay, removeFiles, rowPut, type Put } from './lmdb.ts';
import { haveAll, openTables, visitPuts, type Tables } from './lmdb-tables.ts';
import { PageRows, type PageCounts } from './page-rows.ts';
import {
  decodeBytes, decodeCheckpointRow, decodeOutcome, decodeRest, decodeRobots, decodeVisit, encodeBytes,
  encodeCheckpointRow, encodeOutcome, OUTCOME_BYTES,
} from './rows.ts';

/** Changed whenever rows change: a store of another version is refused. */
const FORMAT = 'orbweaver crawl 2';

const WHAT = 'a stored crawl';

/**
 * Opens the store of a new crawl, if `settings` are passed, otherwise of a crawl to resume. Only one process at a time
 * may open it. A new crawl replaces one that ended before its first commit.
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
  let lmdb: Lmdb<Tables> | undefined;
  let isOurs = false;
  try {
    unlock = lockFolder(folder);
    if (isNew) isOurs = makesWay(folder);
    lmdb = new Lmdb(folder, WHAT, openTables);
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

/**
 * Opens a stored crawl to read it, also while another process of this machine goes on with it: readers then see what
 * is committed, and later more. Nothing may be noted.
 *
 * Errors   as openLmdbStore of a crawl to resume.
 */
export async function openLmdbStoreToRead(folder: string): Promise<CrawlStore> {
  try {
    return await openLmdbStore(folder);
  } catch (error) {
    if (!(error instanceof HeldFolder && error.isHere)) throw error;
  }
  const lmdb = new Lmdb(folder, WHAT, openTables, true);
  try {
    // Its first commit has them all.
    if (!haveAll(lmdb.tables) || !lmdb.tables.facts.doesExist('format')) throw noCrawl(folder);
    return new LmdbStore(folder, lmdb, () => undefined);
  } catch (error) {
    await lmdb.close();
    throw error;
  }
}

/** Whether a crawl is stored there that can be resumed. Errors   as openLmdbStore, except where there is none. */
export async function hasStoredCrawl(folder: string): Promise<boolean> {
  if (!isBegun(folder)) return false;
  const unlock = lockFolder(folder);
  try {
    const lmdb = new Lmdb(folder, WHAT, openTables);
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

/** The first commit of a crawl, in one piece: a store that has its format has its settings too. */
function begin(lmdb: Lmdb<Tables>, settings: unknown): Promise<void> {
  const { facts } = lmdb.tables;
  const texts = Object.entries({ settings: JSON.stringify(settings), format: FORMAT });
  return lmdb.commit(texts.map(([key, text]) => rowPut(facts, key, encodeBytes(Buffer.from(text)))));
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
 *               'mark ' and a name           a text
 *     pages     id of the first of them      pages, in the order of their ids; those of other machines last
 *     nearer    page                         depth and redirects of a page that has turned out to be nearer
 *     elsewhere SHA-256 of the URL           id, depth and redirects of a page of another machine
 *     hosts     SHA-256 of the host          the number of a host of another machine in the graph
 *     visits    page                         a visit
 *     beyond    page                         its links that led beyond the limits
 *     reached   page                         pages to be announced on its account
 *     texts     page                         its text, if texts are stored: as packed
 *     robots    SHA-256 of the origin        its robots.txt
 *     rests     SHA-256 of the host          how long it must not be contacted
 *     outcomes  0, 1, 2, ...                 outcomes, as they were noted; those before both checkpoints are removed
 *     checkpoints  superstep                 when it begins, and the state as passed
 *
 * Readers see what is committed. They throw InputError if a row is damaged.
 * Cost     three rows per note: 12 bytes and the URL per new page; 48 bytes, and 4 per link, per visit; 48 bytes per
 *          outcome, which two checkpoints later are free again. Memory: notes that are not yet committed, and 16
 *          bytes per outcome; everything else stays in the system's cache.
 */
class LmdbStore extends PageRows implements CrawlStore {
  readonly settings: unknown;
  readonly #lmdb: Lmdb<Tables>;
  readonly #unlock: () => void;
  /** Pages of committed notes, and of all notes. */
  #committed: PageCounts;
  #noted: PageCounts;
  /** Stored outcomes: their keys, ascending, and when they ended. */
  #outcomes: { readonly key: number; readonly finishedAtUs: number }[] = [];
  #checkpoints: { readonly superstep: number; readonly barrierUs: number }[] = [];
  /** The rows of the next commit, in order. */
  #puts: Put[] = [];
  /** The next commit, which waits for the current one; undefined while there is nothing to write. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(folder: string, lmdb: Lmdb<Tables>, unlock: () => void) {
    super(join(folder, DATA_FILE), lmdb.tables);
    this.#lmdb = lmdb;
    this.#unlock = unlock;
    const format = String(this.#fact('format'));
    if (format !== FORMAT)
      throw new InputError(`${folder}: has version ${quoted(format)}; this program reads ${quoted(FORMAT)}`);
    this.settings = this.sound(jsonIn(this.#fact('settings')), 'settings');
    this.#committed = this.#noted = this.countPages();
    for (const { key, value } of lmdb.tables.outcomes.getRange())
      this.#outcomes.push({ key, finishedAtUs: this.#outcomeOf(key, value).finishedAtUs });
    for (const { key, value } of lmdb.tables.checkpoints.getRange())
      this.#checkpoints.push({ superstep: key, barrierUs: this.#checkpointOf(key, value).barrierUs });
  }

  get pageCount(): number {
    return this.#committed.here;
  }

  get elsewhereCount(): number {
    return this.#committed.elsewhere;
  }

  noteHosts(numbers: ReadonlyMap<string, number>): Promise<void> {
    return this.#write(this.hostPuts(numbers));
  }

  visit(page: number): Visit | undefined {
    const row = this.#lmdb.tables.visits.get(page);
    return row && this.#visitOf(page, row);
  }

  *visits(): Iterable<Visit> {
    for (const { key, value } of this.#lmdb.tables.visits.getRange()) yield this.#visitOf(key, value);
  }

  text(page: number): Uint8Array | undefined {
    const row = this.#lmdb.tables.texts.get(page);
    return row && this.sound(decodeBytes(row), 'the text of page ', page);
  }

  get hasTexts(): boolean {
    for (const _ of this.#lmdb.tables.texts.getKeys({ limit: 1 })) return true;
    return false;
  }

  *robots(): Iterable<RobotsNote> {
    for (const { value } of this.#lmdb.tables.robots.getRange())
      yield this.sound(decodeRobots(value), 'a robots.txt');
  }

  *rests(): Iterable<HostRest> {
    for (const { value } of this.#lmdb.tables.rests.getRange())
      yield this.sound(decodeRest(value), 'the rest of a host');
  }

  *outcomes(): Iterable<StoredOutcome> {
    for (const { key, value } of this.#lmdb.tables.outcomes.getRange()) yield this.#outcomeOf(key, value);
  }

  note(note: Note): Promise<void> {
    const { here, elsewhere } = this.#noted;
    checkNote(note, here, elsewhere);
    const { tables } = this.#lmdb;
    const puts = [...this.pagePuts(note, this.#noted), ...visitPuts(tables, note)];
    if (note.outcome) {
      const key = (this.#outcomes.at(-1)?.key ?? -1) + 1;
      this.#outcomes.push({ key, finishedAtUs: note.outcome.finishedAtUs });
      puts.push(rowPut(tables.outcomes, key, encodeOutcome(note.outcome)));
    }
    this.#noted = { here: here + note.pages.length, elsewhere: elsewhere + (note.elsewhere?.length ?? 0) };
    return this.#write(puts);
  }

  checkpoint(checkpoint: StoredCheckpoint): Promise<void> {
    const { superstep, barrierUs } = checkpoint;
    const { checkpoints, outcomes } = this.#lmdb.tables;
    const older = this.#checkpoints.filter((stored) => stored.superstep < superstep).slice(-1);
    const gone = this.#checkpoints.filter((stored) => stored.superstep !== superstep && !older.includes(stored));
    this.#checkpoints = [...older, { superstep, barrierUs }];
    const fromUs = this.#checkpoints[0].barrierUs;
    const over = this.#outcomes.filter(({ finishedAtUs }) => finishedAtUs <= fromUs);
    this.#outcomes = this.#outcomes.filter(({ finishedAtUs }) => finishedAtUs > fromUs);
    return this.#write([
      ...this.#checkpointRemovals(gone),
      // As one, since they lie side by side.
      { bytes: OUTCOME_BYTES * over.length, put: () => { for (const { key } of over) void outcomes.remove(key); } },
      rowPut(checkpoints, superstep, encodeCheckpointRow(checkpoint)),
    ]);
  }

  #checkpointRemovals(gone: readonly { readonly superstep: number }[]): Put[] {
    return gone.map(({ superstep }) => ({ bytes: 0, put: () => this.#lmdb.tables.checkpoints.remove(superstep) }));
  }

  get lastBarrierUs(): number {
    return this.#checkpoints.at(-1)?.barrierUs ?? 0;
  }

  checkpoints(): readonly number[] {
    return this.#checkpoints.map(({ superstep }) => superstep);
  }

  checkpointOf(superstep = this.#checkpoints.at(-1)?.superstep): Uint8Array | undefined {
    // Older versions stored theirs as a fact.
    if (superstep === undefined) return this.#fact('checkpoint');
    const row = this.#lmdb.tables.checkpoints.get(superstep);
    return row && this.#checkpointOf(superstep, row).state;
  }

  goBackTo(superstep: number): Promise<void> {
    const gone = this.#checkpoints.filter((stored) => stored.superstep > superstep);
    this.#checkpoints = this.#checkpoints.filter((stored) => stored.superstep <= superstep);
    return this.#write(this.#checkpointRemovals(gone));
  }

  mark(name: string, text: string): Promise<void> {
    return this.#write([rowPut(this.#lmdb.tables.facts, `mark ${name}`, encodeBytes(Buffer.from(text)))]);
  }

  marked(name: string): string | undefined {
    return this.#fact(`mark ${name}`)?.toString();
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
    const noted = this.#noted;
    this.#puts = [];
    this.#underWay = this.#next ?? this.#underWay;
    this.#next = undefined;
    await this.#lmdb.commit(puts);
    this.#committed = noted;
  }

  #fact(key: string): Buffer | undefined {
    const row = this.#lmdb.tables.facts.get(key);
    return row && this.sound(decodeBytes(row), key);
  }

  #visitOf(page: number, row: Buffer): Visit {
    return this.sound(decodeVisit(page, row), 'the visit of page ', page);
  }

  #outcomeOf(key: number, row: Buffer): StoredOutcome {
    return this.sound(decodeOutcome(row), 'outcome ', key);
  }

  #checkpointOf(superstep: number, row: Buffer): Pick<StoredCheckpoint, 'barrierUs' | 'state'> {
    return this.sound(decodeCheckpointRow(row), 'the checkpoint of superstep ', superstep);
  }
}

function jsonIn(text: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
