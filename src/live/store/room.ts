import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { writeError } from '../../base/files/index.ts';

/**
 * Layout of lmdb's data file (mdb.c: MDB_meta): two such pages at its head, of which that of the later transaction
 * counts.
 */
const META = { pageBytes: 48, lastPage: 144, transaction: 152, bytes: 160 };

/** Branches of a tree at least: half a page of 4 KiB, of the longest keys that we have. */
const MIN_BRANCHES = 32;

/**
 * What a commit writes beside rows and the pages on the way to them: lists of free pages, the table of tables, new
 * roots.
 */
const PAGES_BESIDE = 16;

const zeros = Buffer.alloc(1 << 16);

/**
 * Room in lmdb's data file for what it is about to write, taken by writing zeros behind its last page. A disk that is
 * full is found here, where it is an error like any other. Of lmdb's own writes a failed one ends in words of its own
 * on standard error, and in promises that never settle (write.js resolves those of a flush only where it succeeds).
 *
 * Room that was taken is given back when the file is closed.
 */
export class Room {
  readonly #path: string;
  readonly #file: number;
  readonly #pageBytes: number;

  /** Errors   those of writeError. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r+');
    this.#pageBytes = this.#meta(0).readUInt32LE(META.pageBytes);
  }

  /**
   * Makes room for one commit of so many rows, of so many bytes in all; no commit may be under way.
   * Errors   WorldError where the disk is full or fails: then nothing has changed.
   * Cost     two reads of 160 bytes, and each byte that the file grows by is written once more.
   */
  make(rows: number, bytes: number): void {
    const pages = this.#end / this.#pageBytes;
    const depth = 1 + Math.ceil(Math.log(pages) / Math.log(MIN_BRANCHES));
    // Pages that change are written elsewhere, each once; a row may split its leaf and, rarely, a branch; long rows
    // have pages of their own.
    const needed = Math.min(depth * rows, pages) + 3 * rows + Math.ceil(bytes / this.#pageBytes) + PAGES_BESIDE;
    const size = this.#pageBytes * (pages + needed);
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

  /** No commit may be under way. */
  #giveBack(): void {
    if (fstatSync(this.#file).size > this.#end) ftruncateSync(this.#file, this.#end);
  }

  /** Length of the file up to the last page of the last commit. */
  get #end(): number {
    const [one, other] = [this.#meta(0), this.#meta(1)];
    const latest = one.readBigUInt64LE(META.transaction) >= other.readBigUInt64LE(META.transaction) ? one : other;
    return this.#pageBytes * (Number(latest.readBigUInt64LE(META.lastPage)) + 1);
  }

  #meta(page: 0 | 1): Buffer {
    const bytes = Buffer.alloc(META.bytes);
    readSync(this.#file, bytes, 0, META.bytes, page === 0 ? 0 : this.#pageBytes);
    return bytes;
  }
}

/**
 * Makes a file of so many zeros, unless there is one. lmdb maps its lock file and would make it with holes: to write
 * into a hole for which the disk has no room ends the process (SIGBUS).
 * Errors   those of writeError.
 */
export function makeZeros(path: string, bytes: number): void {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= bytes) return;
    const file = openSync(path, 'a');
    try {
      for (let done = 0; done < bytes; ) done += writeSync(file, zeros, 0, Math.min(zeros.length, bytes - done));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw writeError(path, error);
  }
}
