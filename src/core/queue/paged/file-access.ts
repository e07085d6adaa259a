import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * The file system as a page file needs it: synchronous, at explicit positions. Tests replace it to count calls or to
 * make a call fail. Errors are those of node:fs. `read` and `write` return the bytes moved, which may be fewer than
 * asked.
 */
export interface FileAccess {
  /** 'r+' an existing file, 'wx+' a new one; fails if that does not hold. */
  open(path: string, flags: 'r+' | 'wx+'): number;
  size(descriptor: number): number;
  read(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  write(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  truncate(descriptor: number, length: number): void;
  sync(descriptor: number): void;
  close(descriptor: number): void;
}

export const nodeFileAccess: FileAccess = {
  open: (path, flags) => openSync(path, flags),
  size: (descriptor) => fstatSync(descriptor).size,
  read: (descriptor, bytes, offset, length, position) => readSync(descriptor, bytes, offset, length, position),
  write: (descriptor, bytes, offset, length, position) => writeSync(descriptor, bytes, offset, length, position),
  truncate: (descriptor, length) => ftruncateSync(descriptor, length),
  sync: (descriptor) => fsyncSync(descriptor),
  close: (descriptor) => closeSync(descriptor),
};
