import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { lockFolder, makeFolder, writeError } from '../../../../base/files/index.ts';
import { InputError, quoted, type WorldError } from '../../../../base/index.ts';
import { DATA_FILE, Lmdb, makesWay, removeFiles } from '../../../../core/live/store/lmdb.ts';
import { decodeJson, encodeJson } from './rows.ts';

/** Changed whenever rows change: a store of another version is refused. */
const FORMAT = 'orbweaver frontier 2';

export const tableNames = ['facts', 'crawls', 'queues', 'urls', 'ids', 'leases', 'events'] as const;
export type TableName = (typeof tableNames)[number];
type Tables = Readonly<Record<TableName, Database<Buffer, Buffer>>>;

function openTables(root: RootDatabase<Buffer, string>): Tables {
  const tables = tableNames.map((name) => {
    return [name, root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' })];
  });
  return Object.fromEntries(tables) as Tables;
}

const formatKey = Buffer.from('format');

/** A row that waits for its commit; undefined is a row that will be removed. */
interface Change {
  readonly key: Buffer;
  readonly row: Buffer | undefined;
}

/** The last change of each row, by table and key. */
type Changes = Readonly<Record<TableName, Map<string, Change>>>;

function noChanges(): Changes {
  return Object.fromEntries(tableNames.map((table) => [table, new Map()])) as unknown as Changes;
}

/**
 * The rows of a frontier in a folder, in LMDB. Changes are read back at once and committed in their order, all that
 * arrived during a commit by the next one: what is changed without a pause in between is committed together, or not at
 * all. A committed row is safe from kill -9; a power failure may lose the last milliseconds, commits as a whole.
 *
 * After a commit that failed (a full disk), nothing is written any more: `failure` says why.
 */
export class FrontierStore {
  readonly folder: string;
  readonly #lmdb: Lmdb<Tables>;
  readonly #unlock: () => void;
  /** Changes that wait for the next commit, and those of the commit under way. */
  #waiting = noChanges();
  #underWay = noChanges();
  #commit: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: WorldError | undefined;

  /**
   * Opens the store in the folder, or creates it.
   *
   * @throws InputError if the folder cannot be written, is held by another process, or has other files; if the store is
   * damaged or of another version. WorldError if the disk is full or fails.
   */
  static async open(folder: string): Promise<FrontierStore> {
    await makeFolder(folder).catch((error: unknown) => { throw writeError(folder, error); });
    const unlock = lockFolder(folder);
    let lmdb: Lmdb<Tables> | undefined;
    let isOurs = false;
    try {
      isOurs = makesWay(folder);
      lmdb = new Lmdb(folder, 'a stored frontier', openTables);
      const row = lmdb.tables.facts.get(formatKey);
      const format = row === undefined ? undefined : decodeJson(row);
      if (row !== undefined && format !== FORMAT)
        throw new InputError(`${folder}: has version ${quoted(String(format))}; this program reads ${quoted(FORMAT)}`);
      const store = new FrontierStore(folder, lmdb, unlock);
      if (row === undefined) store.put('facts', formatKey, encodeJson(FORMAT));
      await store.committed();
      return store;
    } catch (error) {
      await lmdb?.close();
      if (isOurs) removeFiles(folder);
      unlock();
      // A folder that is not empty stays.
      if (isOurs) await rmdir(folder).catch(() => undefined);
      throw error;
    }
  }

  private constructor(folder: string, lmdb: Lmdb<Tables>, unlock: () => void) {
    this.folder = folder;
    this.#lmdb = lmdb;
    this.#unlock = unlock;
  }

  get failure(): WorldError | undefined {
    return this.#failure;
  }

  /** Bytes on the disk. */
  get bytes(): number {
    return this.#lmdb.bytes;
  }

  get(table: TableName, key: Buffer): Buffer | undefined {
    const [waiting, underWay] = [this.#waiting[table], this.#underWay[table]];
    if (waiting.size > 0 || underWay.size > 0) {
      const name = key.toString('latin1');
      const change = waiting.get(name) ?? underWay.get(name);
      if (change !== undefined) return change.row;
    }
    return this.#lmdb.tables[table].get(key);
  }

  /** Writes a row, or removes it (undefined), with the next commit. */
  put(table: TableName, key: Buffer, row: Buffer | undefined): void {
    if (this.#failure !== undefined) return;
    this.#waiting[table].set(key.toString('latin1'), { key, row });
    if (this.#next !== undefined) return;
    this.#next = this.#commit.then(() => this.#write());
    this.#next.catch(() => undefined);
  }

  /** Resolves when all changes until now are committed. @throws WorldError if they cannot be. */
  async committed(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await (this.#next ?? this.#commit);
  }

  /** Committed rows whose keys begin with a crawl's number, or all of a table, ascending by key. */
  *rows(table: TableName, crawl?: number): Iterable<{ key: Buffer; value: Buffer }> {
    const prefix = (number: number): Buffer => {
      const key = Buffer.alloc(4);
      key.writeUInt32BE(number);
      return key;
    };
    yield* this.#lmdb.tables[table].getRange(
      crawl === undefined ? {} : { start: prefix(crawl), end: prefix(crawl + 1) },
    );
  }

  /** A row that is not what was written. */
  damaged(what: string): InputError {
    return new InputError(`${join(this.folder, DATA_FILE)}: ${what}: is missing or damaged: it is not what was stored`);
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#commit).catch(() => undefined);
    await this.#lmdb.close();
    this.#unlock();
  }

  async #write(): Promise<void> {
    this.#commit = this.#next ?? this.#commit;
    this.#next = undefined;
    this.#underWay = this.#waiting;
    this.#waiting = noChanges();
    const { tables } = this.#lmdb;
    try {
      await this.#lmdb.commit(tableNames.flatMap((table) => [...this.#underWay[table].values()].map(({ key, row }) => ({
        bytes: key.length + (row?.length ?? 0),
        put: () => (row === undefined ? tables[table].remove(key) : tables[table].put(key, row)),
      }))));
    } catch (error) {
      this.#failure = error as WorldError;
      this.#waiting = noChanges();
      throw error;
    }
    this.#underWay = noChanges();
  }
}
