import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError, WorldError } from '../index.ts';

/** Bytes written in one call, well below the 2 GiB that the system takes. */
const CHUNK_BYTES = 1 << 26;

/** Tells apart the partial files of writes that one process has under way. */
let writes = 0;

/**
 * Writes files that belong together: each beside its final name, all flushed to the disk, then renamed in their order,
 * so that a path holds its whole file or what it held before.
 * @param fill writes the contents, into one handle a path; what it throws leaves nothing behind.
 * Errors   InputError where the folder is missing or may not be written; WorldError where the disk is full or fails.
 */
export async function writeFiles(
  paths: readonly string[], fill: (files: readonly FileHandle[]) => Promise<void>,
): Promise<void> {
  const partials = paths.map((path) => `${path}.${process.pid}-${++writes}.partial`);
  const files: FileHandle[] = [];
  try {
    try {
      for (const partial of partials) files.push(await open(partial, 'w'));
      await fill(files);
      for (const file of files) await file.sync();
    } finally {
      for (const file of files) await file.close();
    }
    for (const [i, path] of paths.entries()) await rename(partials[i], path);
    await syncFolder(dirname(paths[0]));
  } catch (error) {
    for (const partial of partials) await unlink(partial).catch(() => undefined);
    throw writeError(paths[0], error);
  }
}

/** Writes all of `bytes` from place `at` of the file; appends them where none is given. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at?: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const place = at === undefined ? null : at + done;
    done += (await file.write(bytes, done, Math.min(CHUNK_BYTES, bytes.length - done), place)).bytesWritten;
  }
}

/** Makes a rename last. Not every system lets a folder be flushed; there the rename is as safe as it gets. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** The InputError or WorldError for a failure to write `path`; any other error is given back unchanged. */
export function writeError(path: string, error: unknown): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EIO', 'EFBIG')) {
    return new WorldError(`${path}: could not be written: ${(error as Error).message}`);
  }
  if (hasCode(error, 'ENOENT', 'ENOTDIR'))
    return new InputError(`${path}: there is no folder ${dirname(path)} to write it to`);
  if (hasCode(error, 'EISDIR')) return new InputError(`${path}: is a folder; expected the name of a file to write`);
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS'))
    return new InputError(`${path}: may not be written (permission denied)`);
  return error;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
