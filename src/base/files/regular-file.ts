import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { InputError } from '../index.ts';

/**
 * An open must not wait for whoever writes a pipe, and must not make a terminal this process's own. Windows has neither
 * flag.
 */
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants as Partial<typeof constants> & { readonly O_RDONLY: number };
const toRead = O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);

/** Text files that people and programs write about a run are far smaller. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file that others may have written, to read it. A pipe would never end, and a device may answer anything.
 *
 * @returns its number; the caller closes it.
 * @throws InputError if it is no regular file; the error of the system if it cannot be opened.
 */
export function openRegular(path: string): number {
  checkRegular(path, statSync(path));
  const file = openSync(path, toRead);
  try {
    // Another one may have taken its place.
    checkRegular(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * The bytes of such a file.
 *
 * @param maxBytes - 64 MiB by default.
 * @throws InputError if it is no regular file, or longer; the error of the system if it cannot be read.
 */
export async function readRegular(path: string, maxBytes = DEFAULT_MAX_BYTES): Promise<Buffer> {
  checkRegular(path, statSync(path));
  const file = await open(path, toRead);
  try {
    const stats = await file.stat();
    checkRegular(path, stats);
    if (stats.size > maxBytes)
      throw new InputError(`${path}: has ${stats.size} bytes; such a file has at most ${maxBytes}`);
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** @throws InputError that says which kind of thing is at `path` instead of a regular file. */
export function checkRegular(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new InputError(`${path}: is ${kindOf(stats)}, not a regular file`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isSymbolicLink() ? 'a link' : 'a device';
}
