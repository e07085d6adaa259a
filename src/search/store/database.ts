import type Libsql from 'libsql';
import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { readError } from '../../base/files/index.ts';
import { InputError, WorldError } from '../../base/index.ts';

export type Database = Libsql.Database;
export type Statement = Libsql.Statement;

/** Changes with the format, so that no index is misread. */
const FORMAT_VERSION = 5;
/** 'orbw', in the header of the file. */
const APPLICATION_ID = 0x6f726277;
const DATABASE_START = Buffer.from('SQLite format 3\0');

/**
 *     facts      options of the index; posted: documents whose postings are stored; of its last finish: pages,
 *                documents, state
 *     pages      anchors: see rows.ts
 *     documents  page: its first one; lengths: 4 bytes per text field; text, rest: see rows.ts
 *     postings   documents, places: their numbers; last: its last document; chunk 0 is what finish made, 1, 2, ...
 *                what was added since; code: see postings-code.ts
 *     anchors    made by finish; documents, links: their numbers; code: see postings-code.ts
 *     arrays     made by finish: numbers per page and document; crc: of the bytes
 */
const schema = `
  CREATE TABLE facts(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE pages(
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, document INTEGER NOT NULL, anchors BLOB NOT NULL
  );
  CREATE TABLE documents(
    id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, page INTEGER NOT NULL, lengths BLOB NOT NULL,
    text BLOB NOT NULL, rest BLOB
  );
  CREATE TABLE postings(
    word TEXT, segment INTEGER, chunk INTEGER, documents INTEGER NOT NULL, places INTEGER NOT NULL,
    last INTEGER NOT NULL, code BLOB NOT NULL, PRIMARY KEY(word, segment, chunk)
  ) WITHOUT ROWID;
  CREATE TABLE anchors(
    word TEXT PRIMARY KEY, documents INTEGER NOT NULL, links INTEGER NOT NULL, code BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE arrays(name TEXT PRIMARY KEY, crc INTEGER NOT NULL, bytes BLOB NOT NULL) WITHOUT ROWID;
`;

/**
 * Opens an index to read it: in a transaction, which sees one commit.
 *
 * @throws InputError if it is no index of this version.
 */
export async function openToRead(path: string): Promise<Database> {
  const stats = statsOf(path);
  if (stats === undefined) throw new InputError(`${path}: no such index; make it with: orbweaver index`);
  if (!stats.isFile()) throw new InputError(`${path}: is not an index; it is a folder or a device`);
  return opened(path, (database) => {
    checkFormat(path, database);
    database.exec('PRAGMA query_only = 1');
    database.exec('BEGIN');
  });
}

/**
 * Opens an index to write it, or makes an empty one: in a transaction, which keeps other writers out. It ends with the
 * process, however that ends.
 *
 * @throws InputError if it is no index of this version, is being written, or may not be written; WorldError if the disk
 * is full or fails.
 */
export async function openToWrite(path: string): Promise<Database> {
  if (!beginsAsDatabase(path)) throw new InputError(`${path}: is not an index made by: orbweaver index`);
  return opened(path, (database) => {
    database.exec('BEGIN IMMEDIATE');
    if (isEmpty(database)) {
      database.exec(`${schema} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}`);
    } else {
      checkFormat(path, database);
    }
    database.exec('COMMIT');
    // Readers go on while it is written.
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE');
  });
}

/** Whether a file is absent, empty or a database. SQLite takes any file of a few bytes for an empty database. */
function beginsAsDatabase(path: string): boolean {
  if (statsOf(path)?.isFile() !== true) return true;
  const start = Buffer.alloc(DATABASE_START.length);
  const file = ofSystem(path, () => openSync(path, 'r'));
  try {
    return readSync(file, start) === 0 || start.equals(DATABASE_START);
  } finally {
    closeSync(file);
  }
}

/** Undefined if there is nothing of this name. */
function statsOf(path: string): Stats | undefined {
  return ofSystem(path, () => statSync(path, { throwIfNoEntry: false }));
}

/** Turns errors of the system, such as a name that is too long, into InputErrors. */
function ofSystem<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw readError(path, error);
  }
}

async function opened(path: string, begin: (database: Database) => void): Promise<Database> {
  const Sqlite = await sqlite();
  let database: Database | undefined;
  try {
    database = new Sqlite(path);
    begin(database);
    return database;
  } catch (error) {
    if (database !== undefined) closed(database);
    throw indexError(path, error);
  }
}

/** Loaded when it is needed: it takes 30 ms, and users who never search need not install it. */
async function sqlite(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!code.endsWith('MODULE_NOT_FOUND')) throw cause;
    throw new InputError(
      'an index of pages is an SQLite file, and the package that reads it is not installed: npm install libsql',
      { cause },
    );
  }
}

/** Ends the transaction too: the driver closes for good when its statements are collected. */
export function closed(database: Database): void {
  if (!database.open) return;
  if (database.inTransaction) database.exec('ROLLBACK');
  database.close();
}

function isEmpty(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function checkFormat(path: string, database: Database): void {
  const number = (name: string): number => (database.prepare(`PRAGMA ${name}`).raw().get() as [number])[0];
  if (isEmpty(database)) throw new InputError(`${path}: is empty; expected an index made by: orbweaver index`);
  if (number('application_id') !== APPLICATION_ID)
    throw new InputError(`${path}: is a database, but not an index made by: orbweaver index`);
  const version = number('user_version');
  if (version !== FORMAT_VERSION) {
    throw new InputError(`${path}: has format ${version}; this version of orbweaver reads format ${FORMAT_VERSION}; ` +
      'rebuild it with: orbweaver index');
  }
}

/** The error for rows that were altered. */
export function damaged(path: string): InputError {
  return new InputError(`${path}: is damaged; rebuild it with: orbweaver index`);
}

/** The InputError or WorldError for an error of the database; any other is returned unchanged. */
export function indexError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof InputError) return error;
  const code = 'code' in error ? String(error.code) : '';
  // Its statements are ours, so an index that lacks what they name was damaged.
  if (/^SQLITE_(CORRUPT|FORMAT)/.test(code) || /^no such (table|column)|malformed/.test(error.message))
    return damaged(path);
  if (code === 'SQLITE_NOTADB') return new InputError(`${path}: is not an index made by: orbweaver index`);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new InputError(`${path}: is being written by another process; wait for it`);
  // The driver says some of it without a code.
  if (/^SQLITE_(READONLY|PERM|AUTH)/.test(code) || error.message.includes('readonly database')) {
    return new InputError(
      `${path}: may not be written (permission denied); its folder must be writable, by those who only search too, ` +
        'as each enters itself in a file beside the index',
    );
  }
  // The driver says this without a code.
  if (code === 'SQLITE_CANTOPEN' || error.message.includes('Unable to open'))
    return new InputError(`${path}: cannot be opened; check that its folder exists and may be written`);
  if (/^SQLITE_(FULL|IOERR|NOMEM)/.test(code))
    return new WorldError(`${path}: could not be written or read: ${error.message}`);
  return error;
}
