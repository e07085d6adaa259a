import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { open, type Database, type Key, type RootDatabase } from 'lmdb';
import { LOCK_FILE } from '../../../base/files/index.ts';
import { assert, InputError, WorldError } from '../../../base/index.ts';
import { lmdbFault } from './lmdb-check.ts';
import { makeZeros, Room } from './room.ts';

/** lmdb's names for the files in its folder. */
export const DATA_FILE = 'data.mdb';
const READERS_FILE = 'lock.mdb';

/** Size of the file of readers, with room for 126 of them. */
const READERS_BYTES = 8272;

/** A data file begins with two pages of at least 4 KiB: a shorter one was never written completely. */
const MIN_DATA_BYTES = 2 * 4096;

const MAX_TABLES = 16;

/** A row to be written. */
export interface Put {
  readonly bytes: number;
  readonly put: () => unknown;
}

/** @param table undefined in a store of an earlier version that is only read. */
export function rowPut<K extends Key>(table: Database<Buffer, K> | undefined, key: K, row: Buffer): Put {
  return { bytes: row.length, put: () => table?.put(key, row) };
}

/** Whether lmdb has created its file there. */
export function isBegun(folder: string): boolean {
  return (statSync(join(folder, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0) >= MIN_DATA_BYTES;
}

/**
 * Whether lmdb may create its files there. Removes the rest of a store whose process ended before lmdb had started.
 * Errors   InputError if there is anything else.
 */
export function makesWay(folder: string): boolean {
  const other = readdirSync(folder).find((name) => ![LOCK_FILE, DATA_FILE, READERS_FILE].includes(name));
  if (other !== undefined) throw new InputError(`${folder}: contains other files; name a new or an empty folder`);
  if (isBegun(folder)) return false;
  removeFiles(folder);
  return true;
}

export function removeFiles(folder: string): void {
  for (const name of [DATA_FILE, READERS_FILE]) rmSync(join(folder, name), { force: true });
}

/**
 * lmdb's files in a folder, open. The caller holds the folder's lock, unless another process does.
 *
 * Errors   InputError if the files are damaged, or are not lmdb's; WorldError if the disk is full or fails: in every
 *          method.
 */
export class Lmdb<Tables> {
  readonly tables: Tables;
  readonly #root: RootDatabase<Buffer, string>;
  readonly #file: string;
  /** Undefined where another process writes. */
  readonly #room: Room | undefined;
  #hasFailed = false;

  /**
   * @param what the kind of store, for messages: "a stored crawl".
   * @param openTables opens up to `MAX_TABLES` tables.
   * @param isWrittenElsewhere another process of this machine holds the lock, has checked the files and writes them.
   */
  constructor(
    folder: string, what: string, openTables: (root: RootDatabase<Buffer, string>) => Tables,
    isWrittenElsewhere = false,
  ) {
    this.#file = join(folder, DATA_FILE);
    if (isWrittenElsewhere) {
      try {
        this.#root = open({ path: folder, noSubdir: false, encoding: 'binary', maxDbs: MAX_TABLES, readOnly: true });
        this.tables = openTables(this.#root);
      } catch (error) {
        throw new InputError(`${this.#file}: cannot be read: ${reasonOf(error)}`);
      }
      return;
    }
    const fault = isBegun(folder) ? lmdbFault(this.#file) : undefined;
    if (fault !== undefined) throw new InputError(`${this.#file}: is not ${what}, or was damaged: ${fault}`);
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
        path: folder, noSubdir: false, encoding: 'binary', maxDbs: MAX_TABLES, eventTurnBatching: false,
      });
      room = new Room(this.#file);
      room.make(5, 0);
      this.#room = room;
      this.#root = root;
      this.tables = openTables(root);
    } catch (error) {
      if (root !== undefined) closeAtOnce(root);
      room?.close();
      if (this.#isOfDisk(error)) throw this.#notWritten(error);
      throw new InputError(`${this.#file}: is not ${what}, or was damaged: ${reasonOf(error)}`);
    }
  }

  /** One commit; no other may be in progress. After a failed one no other is allowed. Errors   WorldError. */
  async commit(puts: readonly Put[]): Promise<void> {
    assert(!this.#hasFailed, 'no commit may follow a failed one');
    assert(this.#room !== undefined, 'only the process that holds the lock commits');
    try {
      this.#room.make(puts.length, puts.reduce((sum, { bytes }) => sum + bytes, 0));
      await this.#root.batch(() => {
        for (const { put } of puts) put();
      });
    } catch (error) {
      this.#hasFailed = true;
      throw this.#notWritten(await causeOf(error));
    }
  }

  /** Bytes of the data file that are in use, or were and will be used again. */
  get bytes(): number {
    return this.#room?.end ?? 0;
  }

  async close(): Promise<void> {
    if (this.#hasFailed) closeAtOnce(this.#root);
    else await this.#root.close();
    this.#room?.close();
  }

  #notWritten(error: unknown): WorldError {
    if (error instanceof WorldError) return error;
    return new WorldError(`${this.#file}: could not be written: ${reasonOf(error)}`);
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

/** lmdb passes the reason of a failed commit in a second promise, which must be handled. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((reason: unknown) => reason);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
