import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFiles, type RunResult } from '../measure/index.ts';
import { InputError, makeFolder } from '../std/index.ts';

/** Makes the folder of a new crawl. @throws InputError where there is something in it. */
export async function newFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    const held = await readdir(folder);
    if (held.includes('store')) throw new InputError(`${folder}: holds a crawl already; go on with it (--resume), or name a new folder`);
    if (held.length > 0) throw new InputError(`${folder}: holds other files; name a new folder, or an empty one`);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${folder}: cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/** Writes the run record, file by file: each holds the old session's or the new one's. */
export async function writeRun(folder: string, result: RunResult): Promise<void> {
  for (const [name, content] of recordFiles(result)) {
    const draft = join(folder, `.${name}-draft`);
    await writeFile(draft, content);
    await rename(draft, join(folder, name));
  }
}
