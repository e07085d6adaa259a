import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError, WorldError } from '../index.ts';
import { machineName } from './holder.ts';
import { checkRegular } from './regular-file.ts';
import { targetOf } from './target.ts';

/** Maximum bytes per write call, well below the system's limit of 2 GiB. */
const CHUNK_BYTES = 1 << 26;

/** Distinguishes the partial files of concurrent writes in one process. */
let writes = 0;

/**
 * Writes files that belong together: each beside its final name, all flushed to disk, then renamed in order, so that a
 * path has either the whole new file or its previous contents.
 * @param fill writes the contents, into one handle per path; if it throws, nothing is left behind.
 * @param targets the paths. By default the target of a link is written, as of a path that a user names; `replacesLinks`
 * is for names in a folder that a stranger may have filled: there the link is replaced.
 * Errors   InputError if the folder is missing or not writable, or a path is a pipe or a device; WorldError if the disk
 *          is full or fails.
 */
export async function writeFiles(
  targets: readonly string[], fill: (files: readonly FileHandle[]) => Promise<void>,
  { replacesLinks = false }: { readonly replacesLinks?: boolean } = {},
): Promise<void> {
  const paths = replacesLinks ? targets : await Promise.all(targets.map(writableTarget));
  // Machines may share the folder, and number their processes alike.
  const partials = paths.map((path) => `${path}.${machineName()}-${process.pid}-${++writes}.partial`);
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

/**
 * The file that a path which a user names leads to. What is at its end is replaced as a whole, so it must be a regular
 * file, or nothing yet. @throws InputError for anything else.
 */
export async function writableTarget(path: string): Promise<string> {
  const target = await targetOf(path);
  const stats = await stat(target).catch(() => undefined);
  if (stats?.isDirectory() === true) throw new InputError(`${path}: is a folder; expected the name of a file to write`);
  if (stats !== undefined) checkRegular(path, stats);
  return target;
}

/** Writes all of `bytes` at position `at` of the file; without a position, appends them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at?: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const place = at === undefined ? null : at + offset;
    offset += (await file.write(bytes, offset, Math.min(CHUNK_BYTES, bytes.length - offset), place)).bytesWritten;
  }
}

/** Makes a rename durable. Not every system can flush a folder; on those, nothing more can be done. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** The InputError or WorldError for a failure to write `path`; any other error is returned unchanged. */
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
