import { crc32 } from 'node:zlib';
import { assert, grown, InputError, WorldError } from '../../../base/index.ts';
import { nodeFileAccess, type FileAccess } from './file-access.ts';
import { PageCache, type Frame } from './page-cache.ts';
import {
  decodeHeader, encodeHeader, encodeTables, HEADER_BYTES, TableReader, type PagedHeader, type PagedQueueKind,
  type Table,
} from './stored-form.ts';

export interface PageFileOptions {
  readonly path: string;
  /** Replaces node:fs in tests. */
  readonly access?: FileAccess | undefined;
}

/** The state of a page: free, part of the structure, made by the current operation, or free after its commit. */
const FREE = 0;
const LIVE = 1;
const BORN = 2;
const DOOMED = 3;

/**
 * Pages of equal size in one file, behind a cache of bounded size, with atomic operations.
 *
 * Pages    numbered from 0, at HEADER_BYTES + page * pageBytes; positions are exact far beyond 4 GiB. A page holds
 *          float64 keys.
 * Undoing  an operation may not change keys of a page that existed before it, only append keys. What it changes it
 *          writes to new pages; those it frees stay untouched until `commit`. So `rollback` only discards: it does no
 *          I/O, cannot fail, and leaves every earlier page as it was, in the cache or in the file.
 * Errors   WorldError if the file cannot be read or written, or a page differs from what was written: the operation
 *          must be rolled back. A frame whose write failed stays dirty and in the cache, whatever part of it reached
 *          the disk.
 * Cost     a page read or written on a miss, none on a hit. Besides the cache, 5 bytes per page of the file.
 */
export class PageFile {
  /** Reads and writes of the file, including header and tables, and their bytes. */
  readonly io = { reads: 0, writes: 0, bytesRead: 0, bytesWritten: 0 };
  readonly path: string;
  readonly pageBytes: number;
  readonly #access: FileAccess;
  readonly #descriptor: number;
  readonly #cache: PageCache;
  #pages = 0;
  #state = new Uint8Array(16);
  /** CRC-32 of each page in the file; 0 if it is unknown. */
  #crc = new Uint32Array(16);
  #free: number[] = [];
  #born: number[] = [];
  #doomed: number[] = [];
  #inOperation = false;
  #closed = false;

  private constructor(options: PageFileOptions, descriptor: number, pageBytes: number, cacheBytes: number) {
    assert(new Uint8Array(Uint32Array.of(1).buffer)[0] === 1, 'paged queues need a little-endian machine');
    this.path = options.path;
    this.pageBytes = pageBytes;
    this.#access = options.access ?? nodeFileAccess;
    this.#descriptor = descriptor;
    this.#cache = new PageCache(pageBytes, cacheBytes, (frame) => this.#writeBack(frame));
  }

  /**
   * A new file without pages, marked as in use. The cache holds at most `cacheBytes`, >= 2 pages. InputError if the
   * file exists or cannot be created, WorldError if the disk is full or it cannot be written.
   */
  static create(
    options: PageFileOptions, kind: PagedQueueKind, block: number, pageBytes: number, cacheBytes: number,
  ): PageFile {
    const file = new PageFile(options, openDescriptor(options, 'wx+'), pageBytes, cacheBytes);
    try {
      file.#markInUse(kind, block);
    } catch (error) {
      file.dispose();
      throw error;
    }
    return file;
  }

  /** The kind of queue in a closed file. InputError if it is not `wanted`, or not such a file. */
  static kindOf(options: PageFileOptions, wanted: PagedQueueKind | undefined): PagedQueueKind {
    const { access = nodeFileAccess } = options;
    const descriptor = openDescriptor(options, 'r+');
    try {
      const file = new PageFile(options, descriptor, 8, 0);
      const { kind } = file.#readHeader(access.size(descriptor));
      if (wanted !== undefined && kind !== wanted) file.#refuse(`holds a queue of kind ${kind}, not ${wanted}`);
      return kind;
    } finally {
      access.close(descriptor);
    }
  }

  /**
   * The result of `restore` on a closed file, every page of which has been read and checked against its checksum. The
   * file is marked as in use only when `restore` has returned: until then it is unchanged. `cacheBytesFor` derives the
   * cache's size from the header. Throws InputError, naming the file and the error in it.
   */
  static open<T>(
    options: PageFileOptions, cacheBytesFor: (header: PagedHeader) => number,
    restore: (file: PageFile, header: PagedHeader, tables: TableReader) => T,
  ): T {
    const { path, access = nodeFileAccess } = options;
    const descriptor = openDescriptor(options, 'r+');
    try {
      const probe = new PageFile(options, descriptor, 8, 0);
      const header = probe.#readHeader(access.size(descriptor));
      const file = new PageFile(options, descriptor, header.pageBytes, cacheBytesFor(header));
      Object.assign(file.io, probe.io);
      const tables = file.#readTables(header);
      file.#verifyPages();
      const restored = restore(file, header, tables);
      file.#markInUse(header.kind, header.block);
      // Before any page changes: a machine that stops must not leave a header that vouches for pages which are no
      // longer there.
      access.sync(descriptor);
      return restored;
    } catch (error) {
      access.close(descriptor);
      throw error instanceof InputError
        ? error
        : new InputError(`${path}: cannot be opened: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Bytes of the pages in the cache now, never above the bound. */
  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  /** Pages in the file, including free ones. */
  get pages(): number {
    return this.#pages;
  }

  get freePages(): number {
    return this.#free.length;
  }

  assertOpen(): void {
    assert(!this.#closed, () => `${this.path}: the queue is closed`);
  }

  begin(): void {
    this.assertOpen();
    assert(!this.#inOperation, () => `${this.path}: an operation is under way`);
    this.#inOperation = true;
  }

  commit(): void {
    for (const page of this.#born) if (this.#state[page] === BORN) this.#state[page] = LIVE;
    for (const page of this.#doomed) this.#vacate(page);
    this.#endOperation();
  }

  rollback(): void {
    for (const page of this.#born) if (this.#state[page] === BORN) this.#vacate(page);
    for (const page of this.#doomed) this.#state[page] = LIVE;
    this.#cache.unpinAll();
    this.#endOperation();
  }

  /** A new page without content; write it from position 0. */
  allocate(): number {
    assert(this.#inOperation, () => `${this.path}: pages are allocated inside an operation`);
    const recycled = this.#free.pop();
    const page = recycled ?? this.#pages++;
    this.#state = grown(this.#state, this.#pages);
    this.#crc = grown(this.#crc, this.#pages);
    if (recycled === undefined) this.#crc[page] = 0;
    this.#state[page] = BORN;
    this.#born.push(page);
    return page;
  }

  /** Frees a page: at once if this operation made it, otherwise at its commit. */
  release(page: number): void {
    assert(
      this.#inOperation && (this.#state[page] === LIVE || this.#state[page] === BORN),
      () => `${this.path}: page ${page} is not in use`,
    );
    if (this.#state[page] === BORN) {
      this.#vacate(page);
      return;
    }
    this.#state[page] = DOOMED;
    this.#doomed.push(page);
    // The file has the same content: if the operation is rolled back, it is read again.
    this.#cache.dropClean(page);
  }

  /** The keys of a page. They stay in memory until `unpin` or a rollback; the caller must not change them. */
  pin(page: number): Float64Array {
    const frame = this.#frame(page, true);
    frame.pins++;
    return frame.keys;
  }

  unpin(page: number): void {
    this.#cache.unpin(page);
  }

  /** Copies keys [at ... at + count) of a page to into[from ... from + count). */
  read(page: number, at: number, count: number, into: Float64Array, from: number): void {
    into.set(this.#frame(page, true).keys.subarray(at, at + count), from);
  }

  /** Copies keys[from ... to) to a page, at position `at`. From position 0 on, the previous content is void. */
  write(page: number, at: number, keys: Float64Array, from: number, to: number): void {
    assert(this.#inOperation, () => `${this.path}: pages are written inside an operation`);
    const frame = this.#frame(page, at > 0);
    frame.keys.set(keys.subarray(from, to), at);
    frame.dirty = true;
  }

  /**
   * Writes all pages, the tables and the header, and closes the file. After an error it is still open and unchanged.
   * Free pages at the end of the file are cut off.
   */
  close(kind: PagedQueueKind, block: number, size: number, tables: readonly Table[]): void {
    assert(!this.#closed && !this.#inOperation, () => `${this.path}: the queue is closed, or an operation under way`);
    this.#cache.flush();
    while (this.#pages > 0 && this.#state[this.#pages - 1] === FREE) this.#pages--;
    this.#free = this.#free.filter((page) => page < this.#pages);
    // A page freed before it was written, or after its write failed, may contain anything; a checksum must cover every
    // byte.
    const unknown = this.#free.filter((page) => this.#crc[page] === 0);
    if (unknown.length > 0) {
      const zeros = new Uint8Array(this.pageBytes);
      for (const page of unknown) this.#writePage(page, zeros);
    }
    const bytes = encodeTables([this.#crc.subarray(0, this.#pages), Uint32Array.from(this.#free), ...tables]);
    const end = HEADER_BYTES + this.#pages * this.pageBytes;
    this.#writing('tables', () => {
      this.#writeFully(bytes, end);
      this.#access.truncate(this.#descriptor, end + bytes.length);
      // Pages and tables reach the disk before the header that declares them valid.
      this.#access.sync(this.#descriptor);
      const tableCrc = crc32(bytes);
      const header = {
        kind, closed: true, block, pageBytes: this.pageBytes, pages: this.#pages, size, tableBytes: bytes.length,
        tableCrc,
      };
      this.#writeFully(encodeHeader(header), 0);
      this.#access.sync(this.#descriptor);
    });
    this.dispose();
  }

  /** Closes the file, if it is open, without storing anything: it will be refused from now on. */
  dispose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#access.close(this.#descriptor);
  }

  /** Throws AssertionError unless used and free pages are all pages, each once, and the cache is within its bound. */
  checkInvariants(pagesInUse: Iterable<number>): void {
    const times = new Uint8Array(this.#pages);
    for (const page of pagesInUse) {
      assert(this.#state[page] === LIVE, () => `${this.path}: page ${page} is listed as in use and is not`);
      times[page]++;
    }
    for (const page of this.#free) {
      assert(this.#state[page] === FREE, () => `${this.path}: page ${page} is in the free list and not free`);
      times[page]++;
    }
    assert(
      times.every((count) => count === 1),
      () => `${this.path}: some page is neither in use nor free, or is listed twice`,
    );
    this.#cache.checkInvariants();
  }

  #endOperation(): void {
    this.#born = [];
    this.#doomed = [];
    this.#inOperation = false;
  }

  #vacate(page: number): void {
    this.#state[page] = FREE;
    this.#free.push(page);
    this.#cache.drop(page);
  }

  #frame(page: number, load: boolean): Frame {
    this.assertOpen();
    return this.#cache.find(page) ?? this.#cache.add(page, load ? (frame) => this.#load(page, frame) : undefined);
  }

  #load(page: number, frame: Frame): void {
    try {
      this.#readFully(frame.bytes, HEADER_BYTES + page * this.pageBytes);
    } catch (error) {
      throw new WorldError(`${this.path}: page ${page} cannot be read: ${messageOf(error)}`, { cause: error });
    }
    if (crc32(frame.bytes) !== this.#crc[page])
      throw new WorldError(`${this.path}: page ${page} is not what was written`);
  }

  #writeBack(frame: Frame): void {
    this.#writePage(frame.page, frame.bytes);
  }

  #writePage(page: number, bytes: Uint8Array): void {
    // If the write fails, it is unknown what part of it reached the file.
    this.#crc[page] = 0;
    this.#writing(`page ${page}`, () => this.#writeFully(bytes, HEADER_BYTES + page * this.pageBytes));
    this.#crc[page] = crc32(bytes);
  }

  #writing(what: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new WorldError(`${this.path}: ${what} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }

  #writeFully(bytes: Uint8Array, position: number): void {
    for (let offset = 0; offset < bytes.length; ) {
      const count = this.#access.write(this.#descriptor, bytes, offset, bytes.length - offset, position + offset);
      this.io.writes++;
      this.io.bytesWritten += count;
      offset += count;
    }
  }

  #readFully(bytes: Uint8Array, position: number): void {
    for (let offset = 0; offset < bytes.length; ) {
      const count = this.#access.read(this.#descriptor, bytes, offset, bytes.length - offset, position + offset);
      if (count === 0) throw new WorldError('the file ends before it');
      this.io.reads++;
      this.io.bytesRead += count;
      offset += count;
    }
  }

  #markInUse(kind: PagedQueueKind, block: number): void {
    const header = {
      kind, closed: false, block, pageBytes: this.pageBytes, pages: 0, size: 0, tableBytes: 0, tableCrc: 0,
    };
    this.#writing('header', () => this.#writeFully(encodeHeader(header), 0));
  }

  #refuse(what: string): never {
    throw new InputError(`${this.path}: ${what}`);
  }

  #readHeader(length: number): PagedHeader {
    if (length < HEADER_BYTES) this.#refuse(`has ${length} bytes; a stored queue has at least ${HEADER_BYTES}`);
    const bytes = new Uint8Array(HEADER_BYTES);
    this.#readFully(bytes, 0);
    const header = decodeHeader(bytes);
    if (typeof header === 'string') this.#refuse(header);
    if (!header.closed)
      this.#refuse('was not closed: it is in use, or the process that used it ended early; its entries are lost');
    const expected = HEADER_BYTES + header.pages * header.pageBytes + header.tableBytes;
    if (length !== expected) this.#refuse(`has ${length} bytes; by its header it must have ${expected}`);
    return header;
  }

  #readTables({ pages, tableBytes, tableCrc }: PagedHeader): TableReader {
    const bytes = new Uint8Array(tableBytes);
    this.#readFully(bytes, HEADER_BYTES + pages * this.pageBytes);
    if (crc32(bytes) !== tableCrc) this.#refuse('tables: their checksum does not match: the file was altered');
    const tables = new TableReader(bytes);
    this.#pages = pages;
    this.#crc = tables.uint32();
    this.#free = [...tables.uint32()];
    this.#state = new Uint8Array(pages).fill(LIVE);
    for (const page of this.#free) this.#state[page] = FREE;
    return tables;
  }

  #verifyPages(): void {
    const bytes = new Uint8Array(this.pageBytes);
    for (let page = 0; page < this.#pages; page++) {
      this.#readFully(bytes, HEADER_BYTES + page * this.pageBytes);
      if (crc32(bytes) !== this.#crc[page])
        this.#refuse(`page ${page}: its checksum does not match: the file was altered`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function openDescriptor({ path, access = nodeFileAccess }: PageFileOptions, flags: 'r+' | 'wx+'): number {
  try {
    return access.open(path, flags);
  } catch (error) {
    const why = isOutOfDescriptors(error)
      ? 'each queue, or slice of one, has a file open, and the system allows no more'
      : messageOf(error);
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    const Kind = isFull ? WorldError : InputError;
    throw new Kind(`${path}: cannot be ${flags === 'r+' ? 'opened' : 'made'}: ${why}`, { cause: error });
  }
}

function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
