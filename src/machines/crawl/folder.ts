import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAll, writeError, writeFiles, makeFolder } from '../../base/files/index.ts';
import { InputError, isOwnError, WorldError } from '../../base/index.ts';

/**
 * Creates the folder of a new crawl. One that contains only a store is accepted, as it may be from a crawl that ended
 * before its first commit: the store shows that. @throws InputError if it contains anything else or cannot be written.
 */
export async function newFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    const entries = await readdir(folder);
    const other = entries.filter((name) => name !== 'store');
    if (other.length > 0 && other.length < entries.length) {
      throw new InputError(`${folder}: already contains a crawl; continue it (--resume), or name a new folder`);
    }
    if (other.length > 0) throw new InputError(`${folder}: contains other files; name a new or an empty folder`);
  } catch (error) {
    const fault = writeError(folder, error);
    if (fault instanceof WorldError || !(error instanceof Error && 'code' in error) || isOwnError(error)) throw fault;
    throw new InputError(`${folder}: cannot be written (${String(error.code)})`);
  }
}

/**
 * Writes a set of files of a crawl: the files of an earlier session stay until all are written.
 * @throws as writeFiles.
 */
export async function writeInto(folder: string, contents: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  const bodies = [...contents.values()].map((content) =>
    typeof content === 'string' ? Buffer.from(content) : content,
  );
  await writeFiles([...contents.keys()].map((name) => join(folder, name)), async (files) => {
    for (const [i, file] of files.entries()) await writeAll(file, bodies[i]);
  }, { replacesLinks: true });
}

/** Writes a text that need not fit into memory, as writeInto writes. @throws as writeFiles. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  await writeFiles([path], async ([file]) => {
    for (const piece of pieces) await writeAll(file, Buffer.from(piece));
  }, { replacesLinks: true });
}
