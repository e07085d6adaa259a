import {
  closeSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync,
} from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createPagedQueue, openPagedQueue, pagedQueueKinds, type FileAccess } from '../../../src/core/queue/index.ts';
import { nodeFileAccess } from '../../../src/core/queue/paged/create-paged-queue.ts';
import { PageFile } from '../../../src/core/queue/paged/page-file.ts';
import { HEADER_BYTES } from '../../../src/core/queue/paged/stored-form.ts';
import { AssertionError, DrawStream, InputError, WorldError } from '../../../src/base/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { insert, queueFiles, small, sorted, take } from './paged-harness.ts';

const { folder, newPath, remove } = queueFiles('paged-files');
afterAll(remove);

/** Counts what is asked of the file system, and lets writes (or reads) from a chosen one on fail. */
class WatchedAccess implements FileAccess {
  reads = 0;
  writes = 0;
  bytesRead = 0;
  bytesWritten = 0;
  /** Calls until one fails; that one and all after it do, as on a full disk, or only that one. */
  failWriteIn = Infinity;
  failReadIn = Infinity;
  lasting = true;
  /** Bytes of a failing write that reach the disk nevertheless. */
  torn = 0;
  /** Most bytes a call moves. */
  most = Infinity;

  open: FileAccess['open'] = (path, flags) => nodeFileAccess.open(path, flags);
  size: FileAccess['size'] = (descriptor) => nodeFileAccess.size(descriptor);
  truncate: FileAccess['truncate'] = (descriptor, length) => nodeFileAccess.truncate(descriptor, length);
  sync: FileAccess['sync'] = (descriptor) => nodeFileAccess.sync(descriptor);
  close: FileAccess['close'] = (descriptor) => nodeFileAccess.close(descriptor);

  read(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number): number {
    if (this.failReadIn-- <= 0) throw new Error('EIO: i/o error, read');
    const moved = nodeFileAccess.read(descriptor, bytes, offset, Math.min(length, this.most), position);
    this.reads++;
    this.bytesRead += moved;
    return moved;
  }

  write(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number): number {
    if (this.failWriteIn-- <= 0) {
      if (!this.lasting) this.failWriteIn = Infinity;
      if (this.torn > 0) nodeFileAccess.write(descriptor, bytes, offset, Math.min(this.torn, length), position);
      throw new Error('ENOSPC: no space left on device, write');
    }
    const moved = nodeFileAccess.write(descriptor, bytes, offset, Math.min(length, this.most), position);
    this.writes++;
    this.bytesWritten += moved;
    return moved;
  }

  get counts(): object {
    const { reads, writes, bytesRead, bytesWritten } = this;
    return { reads, writes, bytesRead, bytesWritten };
  }
}

describe.each(pagedQueueKinds)('paged %s', (kind) => {
  const draws = new DrawStream(11, kind);
  const keys = (from: number, length: number): number[] => Array.from({ length }, (_, i) => draws.uniform(from + i));

  test.each([Infinity, 24])('I/O counts are those of the file system, which moves at most %d bytes a call', (most) => {
    const access = new WatchedAccess();
    access.most = most;
    const path = newPath();
    let queue = createPagedQueue({ kind, path, ...small, access });
    for (let round = 0; round < 50; round++) {
      insert(queue, keys(60 * round, 60));
      take(queue, 40);
      expect(queue.io).toEqual(access.counts);
    }
    expect(access.reads).toBeGreaterThan(100);
    expect(access.writes).toBeGreaterThan(100);
    queue.close();
    expect(queue.io).toEqual(access.counts);
    // The kind is looked up first, by one reading of the header that no queue counts yet.
    const { bytesRead, bytesWritten } = access;
    queue = openPagedQueue({ path, cacheBytes: small.cacheBytes, access, kind });
    expect(queue.io.bytesRead).toBe(access.bytesRead - bytesRead - HEADER_BYTES);
    expect(queue.io.bytesWritten).toBe(access.bytesWritten - bytesWritten);
    queue.dispose();
  });

  // Goal: a failure anywhere leaves no trace. Method: the same operation, failing at its 1st, 2nd, ... write until it
  // succeeds; after each failure everything is checked, once in a while all that is left is compared; then the run goes
  // on beside a model.
  test.each([
    { what: 'write', torn: 0, lasting: true }, { what: 'write', torn: 20, lasting: false },
    { what: 'read', torn: 0, lasting: true },
  ])(
    'every failing $what of an operation leaves the queue as it was (torn: $torn, lasting: $lasting)',
    ({ what, torn, lasting }) => {
      const access = new WatchedAccess();
      Object.assign(access, { torn, lasting });
      const path = newPath();
      let queue = createPagedQueue({ kind, path, ...small, access });
      // The same without failures: counts of comparisons, and so the draws made, must stay the same.
      const twin = createPagedQueue({ kind, path: newPath(), ...small });
      let model: number[] = [];
      let failures = 0;
      let made = 0;

      const failing = (operation: () => void): void => {
        for (let calls = 0; ; calls++) {
          const before = { size: queue.size, comparisons: { ...queue.comparisons }, structure: queue.structure };
          if (what === 'write') access.failWriteIn = calls;
          else access.failReadIn = calls;
          let failed = true;
          try {
            operation();
            failed = false;
          } catch (error) {
            expect(error).toBeInstanceOf(WorldError);
            expect((error as Error).message).toMatch(
              what === 'write' ? /cannot be written: ENOSPC/ : /cannot be read: EIO/,
            );
          }
          access.failWriteIn = access.failReadIn = Infinity;
          if (!failed) return;
          failures++;
          expect({ size: queue.size, comparisons: queue.comparisons, structure: queue.structure }).toEqual(before);
          queue.checkInvariants();
        }
      };
      for (let round = 0; round < (isFullSweep ? 12 : 6); round++) {
        const batch = keys(made, 30 + 40 * (round % 4));
        made += batch.length;
        failing(() => insert(queue, batch));
        insert(twin, batch);
        model = sorted([...model, ...batch]);
        let taken: number[] = [];
        const k = [3, 8, 40, 90][round % 4];
        failing(() => (taken = take(queue, k)));
        expect(taken).toEqual(model.splice(0, k));
        queue.checkInvariants();
        take(twin, k);
        expect({ ...queue.comparisons, ...queue.structure }).toEqual({ ...twin.comparisons, ...twin.structure });
      }
      twin.dispose();
      expect(failures).toBeGreaterThan(50);
      // A close that fails is no close: the queue goes on, and the next one stores it.
      for (let calls = 0; what === 'write'; calls++) {
        access.failWriteIn = calls;
        try {
          queue.close();
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(WorldError);
        }
        access.failWriteIn = Infinity;
        insert(queue, [calls]);
        model = sorted([...model, calls]);
        expect(take(queue, 5)).toEqual(model.splice(0, 5));
        queue.checkInvariants();
      }
      access.failWriteIn = Infinity;
      if (what === 'read') queue.close();
      queue = openPagedQueue({ path, cacheBytes: small.cacheBytes });
      expect(take(queue, queue.size)).toEqual(model);
      queue.dispose();
    },
  );

  test('a full disk when the file is made, or opened, is reported; the file opened stays as it was', () => {
    const access = new WatchedAccess();
    access.failWriteIn = 0;
    expect(() => createPagedQueue({ kind, path: newPath(), ...small, access })).toThrow(WorldError);
    const path = newPath();
    const queue = createPagedQueue({ kind, path, ...small });
    insert(queue, keys(0, 100));
    queue.close();
    const bytes = readFileSync(path);
    access.failWriteIn = 0;
    expect(() => openPagedQueue({ path, cacheBytes: small.cacheBytes, access })).toThrow(/cannot be opened: .*ENOSPC/);
    expect(bytes.equals(readFileSync(path))).toBe(true);
    openPagedQueue({ path, cacheBytes: small.cacheBytes }).dispose();
  });

  test('a page altered while the queue is in use is noticed when it is read, and nothing is lost but that', () => {
    const path = newPath();
    const queue = createPagedQueue({ kind, path, ...small });
    insert(queue, keys(0, 500));
    const before = readFileSync(path);
    // One byte of each page; put back where the failed operation has not written the page anew.
    const flip = (bytes: Uint8Array): void => {
      const descriptor = openSync(path, 'r+');
      const now = readFileSync(path);
      for (let at = HEADER_BYTES; at < before.length; at += 64) {
        if (now[at] === bytes[at]) writeSync(descriptor, Uint8Array.of(now[at] ^ 1), 0, 1, at);
      }
      closeSync(descriptor);
    };
    flip(before);
    expect(() => take(queue, 500)).toThrow(/page \d+ is not what was written/);
    flip(before.map((byte) => byte ^ 1));
    expect(take(queue, 500)).toEqual(sorted(keys(0, 500)));
    queue.dispose();
  });

  describe('a file is refused', () => {
    /** Of bytes: no power of two, so that it meets every place of an entry. */
    const step = isFullSweep ? 1 : 7;
    const stored = (): string => {
      const path = newPath();
      const queue = createPagedQueue({ kind, path, ...small });
      insert(queue, keys(0, 150));
      take(queue, 30);
      queue.close();
      return path;
    };
    const opening = (path: string) => () => openPagedQueue({ path, cacheBytes: small.cacheBytes }).dispose();
    const refusal = (path: string): string => {
      try {
        opening(path)();
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        const { message } = error as Error;
        expect(message.startsWith(`${path}: `)).toBe(true);
        return message.slice(path.length + 2);
      }
      return 'none';
    };

    test('at every length but its own', () => {
      const path = stored();
      const bytes = readFileSync(path);
      expect(bytes.length).toBeGreaterThan(HEADER_BYTES + 120 * 8);
      for (let length = bytes.length - 1; length >= 0; length -= length > HEADER_BYTES ? step : 64) {
        truncateSync(path, length);
        expect(refusal(path), `${length} bytes`).toMatch(/^has \d+ bytes/);
      }
      writeFileSync(path, Buffer.concat([bytes, Buffer.of(0)]));
      expect(refusal(path)).toMatch(/^has \d+ bytes; by its header it must have/);
      writeFileSync(path, bytes);
      expect(opening(path)).not.toThrow();
    });

    test('with any byte altered', () => {
      const path = stored();
      const bytes = readFileSync(path);
      // Every byte where a field begins, then here and there: each page has many.
      for (
        let at = 0;
        at < bytes.length;
        at += at < 64 || Math.abs(at - HEADER_BYTES) < 4 ? 1 : at < HEADER_BYTES - 64 ? 61 : 5 * step
      ) {
        const altered = Buffer.from(bytes);
        altered[at] ^= 1 << (at & 7);
        writeFileSync(path, altered);
        const expected =
          at < 8
            ? /^is not a stored queue/
            : at < HEADER_BYTES
              ? /^header: its checksum/
              : /^(page \d+|tables): .* altered/;
        expect(refusal(path), `byte ${at}`).toMatch(expected);
        expect(altered.equals(readFileSync(path))).toBe(true);
      }
    });

    test('of another kind, in use, crashed, missing; and none is overwritten', () => {
      const path = stored();
      const other = kind === 'cbt' ? 'quickheap' : 'cbt';
      expect(() => openPagedQueue({ path, cacheBytes: small.cacheBytes, kind: other })).toThrow(
        new InputError(`${path}: holds a queue of kind ${kind}, not ${other}`),
      );
      expect(() => createPagedQueue({ kind, path, ...small })).toThrow(/EEXIST/);
      const queue = openPagedQueue({ path, cacheBytes: small.cacheBytes, kind });
      expect(refusal(path)).toMatch(/^was not closed/);
      take(queue, 10);
      queue.dispose();
      expect(refusal(path)).toMatch(/^was not closed/);
      expect(refusal(newPath())).toMatch(/^cannot be opened: ENOENT/);
      expect(refusal(folder)).toMatch(/^cannot be opened: EISDIR/);
      const text = newPath();
      writeFileSync(text, 'a text\n'.repeat(1000));
      expect(refusal(text)).toMatch(/^is not a stored queue/);
    });

    test('with too little memory for its pages, and stays good', () => {
      const path = stored();
      expect(() => openPagedQueue({ path, cacheBytes: 200 })).toThrow(/200 bytes of memory/);
      expect(opening(path)).not.toThrow();
    });
  });
});

describe('page file', () => {
  const keysOf = (page: number): Float64Array => Float64Array.from({ length: 8 }, (_, i) => 8 * page + i);

  function filled(pages: number, frames: number): { file: PageFile; access: WatchedAccess } {
    const access = new WatchedAccess();
    const file = PageFile.create({ path: newPath(), access }, 'cbt', 8, 64, 64 * frames);
    file.begin();
    for (let page = 0; page < pages; page++) file.write(file.allocate(), 0, keysOf(page), 0, 8);
    file.commit();
    access.reads = 0;
    access.writes = 0;
    return { file, access };
  }

  const readKeys = (file: PageFile, page: number): Float64Array => {
    const into = new Float64Array(8);
    file.read(page, 0, 8, into, 0);
    return into;
  };

  test('evicts the page unused for longest, writes only dirty ones, reads none twice while it is held', () => {
    const { file, access } = filled(6, 3);
    // Pages 3, 4, 5 are held, dirty.
    for (const page of [3, 4, 5, 4, 3]) expect(readKeys(file, page)).toEqual(keysOf(page));
    expect([access.reads, access.writes]).toEqual([0, 0]);
    readKeys(file, 0);
    expect([access.reads, access.writes]).toEqual([1, 1]);
    // 5 has left, 3 and 4 have not.
    readKeys(file, 4);
    readKeys(file, 3);
    expect(access.reads).toBe(1);
    // 0, unused for longest, was clean.
    readKeys(file, 5);
    expect([access.reads, access.writes]).toEqual([2, 1]);
    expect(file.cachedBytes).toBe(3 * 64);
    file.dispose();
  });

  test('a pinned page stays, and pinning all is an error', () => {
    const { file, access } = filled(6, 3);
    const keys = file.pin(3);
    for (const page of [0, 1, 2, 0, 1]) readKeys(file, page);
    expect(keys).toEqual(keysOf(3));
    const { reads } = access;
    readKeys(file, 3);
    expect(access.reads).toBe(reads);
    file.pin(0);
    file.pin(1);
    expect(() => readKeys(file, 2)).toThrow(AssertionError);
    for (const page of [3, 0, 1]) file.unpin(page);
    expect(readKeys(file, 2)).toEqual(keysOf(2));
    expect(() => file.unpin(2)).toThrow(AssertionError);
    file.dispose();
  });

  test('rolled back, it has the pages of before; committed, pages given up are free', () => {
    const { file } = filled(6, 3);
    file.begin();
    file.release(2);
    const page = file.allocate();
    expect(page).toBe(6);
    file.write(page, 0, keysOf(9), 0, 8);
    readKeys(file, 0);
    readKeys(file, 1);
    readKeys(file, 3);
    file.rollback();
    file.checkInvariants([0, 1, 2, 3, 4, 5]);
    expect(readKeys(file, 2)).toEqual(keysOf(2));
    expect(file.freePages).toBe(1);
    file.begin();
    file.release(2);
    expect(file.allocate()).toBe(6);
    file.commit();
    expect(file.freePages).toBe(1);
    file.begin();
    expect(() => file.release(2)).toThrow(AssertionError);
    expect(file.allocate()).toBe(2);
    file.rollback();
    expect(() => file.checkInvariants([0, 1, 2, 3, 4, 5, 6])).toThrow(AssertionError);
    file.dispose();
  });

  test('a page given up after a torn write has a checksum all the same', () => {
    const { file, access } = filled(6, 2);
    file.begin();
    file.write(1, 1, keysOf(9), 0, 1);
    file.commit();
    readKeys(file, 0);
    access.failWriteIn = 0;
    access.torn = 20;
    expect(() => readKeys(file, 2)).toThrow(WorldError);
    access.failWriteIn = Infinity;
    file.begin();
    file.release(1);
    file.commit();
    file.close('cbt', 8, 0, []);
    PageFile.open({ path: file.path }, () => 128, (opened) => {
      expect(opened.freePages).toBe(1);
      return opened;
    }).dispose();
  });

  test('beyond 4 GiB', () => {
    const pageBytes = 2 ** 20;
    const path = newPath();
    const file = PageFile.create({ path }, 'cbt', pageBytes / 8, pageBytes, 2 * pageBytes);
    file.begin();
    // Pages allocated and not written take no room.
    const far = Array.from({ length: 4200 }, () => file.allocate()).filter((page) => page % 4096 < 3);
    expect(far).toEqual([0, 1, 2, 4096, 4097, 4098]);
    for (const page of far) file.write(page, 0, keysOf(page), 0, 8);
    file.commit();
    for (const page of far) expect(readKeys(file, page), `page ${page}`).toEqual(keysOf(page));
    expect(statSync(path).size).toBeGreaterThan(2 ** 32);
    file.dispose();
  });
});

test('nothing is left beside the files asked for', () => {
  expect(readdirSync(folder).every((name) => /^\d+\.owq$/.test(name))).toBe(true);
});

test('a file for which the disk has no room is the world\'s fault', () => {
  const access = new WatchedAccess();
  access.open = () => { throw Object.assign(new Error('ENOSPC: no space left on device, open'), { code: 'ENOSPC' }); };
  expect(() => createPagedQueue({ kind: 'cbt', path: newPath(), ...small, access })).toThrow(WorldError);
});
