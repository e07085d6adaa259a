import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HeldFolder, lockFolder, writeError, makeFolder } from '../../../base/files/index.ts';
import { quoted, InputError } from '../../../base/index.ts';
import {
  ELSEWHERE, type CrawlStore, type HostRest, type LinkBeyond, type NewPage, type Note, type PageElsewhere,
  type RobotsNote, type StoredCheckpoint, type StoredOutcome, type Visit,
} from './crawl-store.ts';
import { DATA_FILE, isBegun, Lmdb, makesWay, removeFiles, type Put } from './lmdb.ts';
import { haveAll, openTables, type Tables } from './lmdb-tables.ts';
import { checkNote } from './memory-store.ts';
import { PageRows, type PageCounts } from './page-rows.ts';
import { ReachRows } from './reach-rows.ts';
import {
  decodeBytes, decodeCheckpointRow, decodeOutcome, decodeRest, decodeRobots, decodeVisit, encodeBytes,
  encodeCheckpointRow, encodeOutcome, OUTCOME_BYTES,
} from './rows.ts';
import { visitPuts } from './visit-puts.ts';

/** Changed whenever rows change: a store of another version is refused. */
const FORMAT = 'orbweaver crawl 2';

const WHAT = 'a stored crawl';

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
 *               'mark ' and a name           a text
 *     pages     id of the first of them      pages, in the order of their ids; those of other machines last
 *     nearer    page                         depth and redirects of a page that has turned out to be nearer
 *     elsewhere SHA-256 of the URL           id, depth and redirects of a page of another machine
 *     hosts     SHA-256 of the host          the number of a host of another machine in the graph
 *     visits    page                         a visit
 *     beyond    page                         its links that led beyond the limits
 *     reached   page                         pages to be announced on its account
 *     texts     page                         its text, if texts are stored: as packed
 *     robots    SHA-256 of the origin        what is known of its robots.txt
 *     rests     SHA-256 of the host          how long it must not be contacted
 *     outcomes  0, 1, 2, ...                 outcomes, as they were noted; those before both checkpoints are removed
 *     checkpoints  superstep                 when it begins, and the state as passed
 *
 * Readers see what is committed. Errors of readers: InputError if a row is damaged.
 * Cost     three rows per note: 12 bytes and the URL per new page; 48 bytes, and 4 per link, per visit; 48 bytes per
 *          outcome, which two checkpoints later are free again. Memory: what is noted and not yet committed, and 16
 *          bytes per outcome; everything else stays in the system's cache.
 */
class LmdbStore implements CrawlStore {
  readonly settings: unknown;
  readonly #folder: string;
  readonly #lmdb: Lmdb<Tables>;
  readonly #unlock: () => void;
  readonly #pages: PageRows;
  readonly #reach: ReachRows;
  /** Pages of committed notes, and of all notes. */
  #committed: PageCounts;
  #noted: PageCounts;
  /** Stored outcomes: their keys, ascending, and when they ended. */
  #outcomes: { readonly key: number; readonly finishedAtUs: number }[] = [];
  /** The checkpoints, ascending. */
  #checkpoints: { readonly superstep: number; readonly barrierUs: number }[] = [];
  /** What the next commit is to write, in order. */
  #puts: Put[] = [];
  /** The next commit, which waits for the current one; undefined while there is nothing to write. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(folder: string, lmdb: Lmdb<Tables>, unlock: () => void) {
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
    this.#pages = new PageRows(lmdb.tables, (what) => this.#damaged(what));
    this.#reach = new ReachRows(lmdb.tables, (what) => this.#damaged(what));
    this.#committed = this.#noted = this.#pages.counts;
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

  pages(): Iterable<NewPage> {
    return this.#pages.here();
  }

  pagesElsewhere(): Iterable<NewPage> {
    return this.#pages.elsewhere();
  }

  pageAt(page: number): NewPage | undefined {
    return this.#pages.at(page);
  }

  findElsewhere(url: string): PageElsewhere | undefined {
    return this.#pages.find(url);
  }

  hostElsewhere(host: string): number | undefined {
    return this.#pages.hostNumber(host);
  }

  noteHosts(numbers: ReadonlyMap<string, number>): Promise<void> {
    return this.#write([...this.#pages.putHosts(numbers)]);
  }

  visit(page: number): Visit | undefined {
    const row = this.#lmdb.tables.visits.get(page);
    return row && this.#visitOf(page, row);
  }

  *visits(): Iterable<Visit> {
    for (const { key, value } of this.#lmdb.tables.visits.getRange()) yield this.#visitOf(key, value);
  }

  beyond(page: number): readonly LinkBeyond[] {
    return this.#reach.beyond(page);
  }

  reached(page: number): Uint32Array | undefined {
    return this.#reach.reached(page);
  }

  reachedPages(): Iterable<number> {
    return this.#reach.reachedPages();
  }

  text(page: number): Uint8Array | undefined {
    const row = this.#lmdb.tables.texts.get(page);
    if (row === undefined) return undefined;
    const text = decodeBytes(row);
    if (!text) throw this.#damaged(`the text of page ${page}`);
    return text;
  }

  get hasTexts(): boolean {
    for (const _ of this.#lmdb.tables.texts.getKeys({ limit: 1 })) return true;
    return false;
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

  *outcomes(): Iterable<StoredOutcome> {
    for (const { key, value } of this.#lmdb.tables.outcomes.getRange()) yield this.#outcomeOf(key, value);
  }

  note(note: Note): Promise<void> {
    const { here, elsewhere } = this.#noted;
    const { pages, elsewhere: others = [] } = note;
    checkNote(note, here, elsewhere);
    const { outcomes } = this.#lmdb.tables;
    const puts = [
      ...this.#pages.put(here, pages), ...this.#pages.putElsewhere(ELSEWHERE + elsewhere, others),
      ...this.#pages.putNearer(note.nearer ?? new Map()), ...this.#reach.put(note),
      ...visitPuts(this.#lmdb.tables, note),
    ];
    if (note.outcome) {
      const key = (this.#outcomes.at(-1)?.key ?? -1) + 1;
      const row = encodeOutcome(note.outcome);
      this.#outcomes.push({ key, finishedAtUs: note.outcome.finishedAtUs });
      puts.push({ bytes: row.length, put: () => outcomes.put(key, row) });
    }
    this.#noted = { here: here + pages.length, elsewhere: elsewhere + others.length };
    return this.#write(puts);
  }

  checkpoint(checkpoint: StoredCheckpoint): Promise<void> {
    const { superstep, barrierUs } = checkpoint;
    const { checkpoints, outcomes } = this.#lmdb.tables;
    const row = encodeCheckpointRow(checkpoint);
    const before = this.#checkpoints.filter((one) => one.superstep < superstep).slice(-1);
    const gone = this.#checkpoints.filter((one) => one.superstep !== superstep && !before.includes(one));
    this.#checkpoints = [...before, { superstep, barrierUs }];
    const fromUs = this.#checkpoints[0].barrierUs;
    const over = this.#outcomes.filter(({ finishedAtUs }) => finishedAtUs <= fromUs);
    this.#outcomes = this.#outcomes.filter(({ finishedAtUs }) => finishedAtUs > fromUs);
    return this.#write([
      ...gone.map((one) => ({ bytes: 0, put: () => checkpoints.remove(one.superstep) })),
      // As one, since they lie side by side.
      { bytes: OUTCOME_BYTES * over.length, put: () => { for (const { key } of over) void outcomes.remove(key); } },
      { bytes: row.length, put: () => checkpoints.put(superstep, row) },
    ]);
  }

  get lastBarrierUs(): number {
    return this.#checkpoints.at(-1)?.barrierUs ?? 0;
  }

  checkpoints(): readonly number[] {
    return this.#checkpoints.map(({ superstep }) => superstep);
  }

  checkpointOf(superstep = this.#checkpoints.at(-1)?.superstep): Uint8Array | undefined {
    // Where older versions stored theirs.
    if (superstep === undefined) return this.#fact('checkpoint');
    const row = this.#lmdb.tables.checkpoints.get(superstep);
    return row && this.#checkpointOf(superstep, row).state;
  }

  goBackTo(superstep: number): Promise<void> {
    const { checkpoints } = this.#lmdb.tables;
    const gone = this.#checkpoints.filter((one) => one.superstep > superstep);
    this.#checkpoints = this.#checkpoints.filter((one) => one.superstep <= superstep);
    return this.#write(gone.map((one) => ({ bytes: 0, put: () => checkpoints.remove(one.superstep) })));
  }

  mark(name: string, text: string): Promise<void> {
    const row = encodeBytes(Buffer.from(text));
    return this.#write([{ bytes: row.length, put: () => this.#lmdb.tables.facts.put(`mark ${name}`, row) }]);
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
    if (row === undefined) return undefined;
    const bytes = decodeBytes(row);
    if (!bytes) throw this.#damaged(key);
    return bytes;
  }

  #visitOf(page: number, row: Buffer): Visit {
    const visit = decodeVisit(page, row);
    if (!visit) throw this.#damaged(`the visit of page ${page}`);
    return visit;
  }

  #outcomeOf(key: number, row: Buffer): StoredOutcome {
    const outcome = decodeOutcome(row);
    if (!outcome) throw this.#damaged(`outcome ${key}`);
    return outcome;
  }

  #checkpointOf(superstep: number, row: Buffer): Pick<StoredCheckpoint, 'barrierUs' | 'state'> {
    const checkpoint = decodeCheckpointRow(row);
    if (!checkpoint) throw this.#damaged(`the checkpoint of superstep ${superstep}`);
    return checkpoint;
  }

  #damaged(what: string): InputError {
    return new InputError(
      `${join(this.#folder, DATA_FILE)}: ${what}: is missing or damaged: it is not what was stored`,
    );
  }
}
