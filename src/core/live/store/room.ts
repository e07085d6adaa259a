import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { writeError } from '../../../base/files/index.ts';

/**
 * Layout of lmdb's data file (mdb.c: MDB_meta): it begins with two such pages, of which the one of the later
 * transaction is valid.
 */
const META = { pageBytes: 48, lastPage: 144, transaction: 152, bytes: 160 };

/** Minimum number of branches of a tree node: half a page of 4 KiB, of our longest keys. */
const MIN_BRANCHES = 32;

/**
 * What a commit writes besides rows and the pages on the way to them: lists of free pages, the table of tables, new
 * roots.
 */
const EXTRA_PAGES = 16;

const zeros = Buffer.alloc(1 << 16);

/**
 * Room in lmdb's data file for the next write, reserved by writing zeros after its last page. A full disk is detected
 * here, as an ordinary error. When a write of lmdb's own fails, it prints its own message to standard error, and leaves
 * promises that never settle (write.js resolves them only on success).
 *
 * Reserved room is released when the file is closed.
 */
export class Room {
  readonly #path: string;
  readonly #file: number;
  readonly #pageBytes: number;

  /** Errors   as writeError. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r+');
    this.#pageBytes = this.#meta(0).readUInt32LE(META.pageBytes);
  }

  /**
   * Reserves room for one commit of so many rows, of so many bytes in all; no commit may be in progress.
   * Errors   WorldError if the disk is full or fails: then nothing has changed.
   * Cost     two reads of 160 bytes, and each byte by which the file grows is written once more.
   */
  make(rows: number, bytes: number): void {
    const pages = this.end / this.#pageBytes;
    const depth = 1 + Math.ceil(Math.log(pages) / Math.log(MIN_BRANCHES));
    // Changed pages are written elsewhere, each once; a row may split its leaf and, rarely, a branch; long rows have
    // pages of their own.
    const extraPages = Math.min(depth * rows, pages) + 3 * rows + Math.ceil(bytes / this.#pageBytes) + EXTRA_PAGES;
    const size = this.#pageBytes * (pages + extraPages);
    try {
      for (let at = fstatSync(this.#file).size; at < size; ) {
        at += writeSync(this.#file, zeros, 0, Math.min(zeros.length, size - at), at);
      }
    } catch (error) {
      this.#giveBack();
      throw writeError(this.#path, error);
    }
  }

  close(): void {
    this.#giveBack();
    closeSync(this.#file);
  }

  /** No commit may be in progress. */
  #giveBack(): void {
    if (fstatSync(this.#file).size > this.end) ftruncateSync(this.#file, this.end);
  }

  /** Length of the file up to the last page of the last commit. */
  get end(): number {
    const [first, second] = [this.#meta(0), this.#meta(1)];
    const latest = first.readBigUInt64LE(META.transaction) >= second.readBigUInt64LE(META.transaction) ? first : second;
    return this.#pageBytes * (Number(latest.readBigUInt64LE(META.lastPage)) + 1);
  }

  #meta(page: 0 | 1): Buffer {
    const bytes = Buffer.alloc(META.bytes);
    readSync(this.#file, bytes, 0, META.bytes, page === 0 ? 0 : this.#pageBytes);
    return bytes;
  }
}

/**
 * Creates a file of so many zeros, unless it exists. lmdb maps its lock file and would create it with holes: writing to
 * a hole for which the disk has no room ends the process (SIGBUS).
 * Errors   as writeError.
 */
export function makeZeros(path: string, bytes: number): void {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= bytes) return;
    const file = openSync(path, 'a');
    try {
      for (let at = 0; at < bytes; ) at += writeSync(file, zeros, 0, Math.min(zeros.length, bytes - at));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw writeError(path, error);
  }
}
