import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAll, writeError, writeFiles, makeFolder } from '../base/files/index.ts';
import { InputError, isOwnError, WorldError } from '../base/index.ts';

/**
 * Makes the folder of a new crawl. One that holds a store alone is taken, for that may be of a crawl that ended before
 * its first commit: the store tells. @throws InputError where there is anything else in it, or it may not be written.
 */
export async function newFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    const held = await readdir(folder);
    const other = held.filter((name) => name !== 'store');
    if (other.length > 0 && other.length < held.length) {
      throw new InputError(`${folder}: holds a crawl already; go on with it (--resume), or name a new folder`);
    }
    if (other.length > 0) throw new InputError(`${folder}: holds other files; name a new folder, or an empty one`);
  } catch (error) {
    const told = writeError(folder, error);
    if (told instanceof WorldError || !(error instanceof Error && 'code' in error) || isOwnError(error)) throw told;
    throw new InputError(`${folder}: cannot be written (${String(error.code)})`);
  }
}

/**
 * Writes files of a crawl that belong together: those of an earlier session stay until all are written.
 * @throws as writeFiles.
 */
export async function writeInto(folder: string, contents: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  const written = [...contents.values()].map((content) =>
    typeof content === 'string' ? Buffer.from(content) : content,
  );
  await writeFiles([...contents.keys()].map((name) => join(folder, name)), async (files) => {
    for (const [i, file] of files.entries()) await writeAll(file, written[i]);
  });
}
