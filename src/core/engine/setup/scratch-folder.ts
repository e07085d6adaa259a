import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldError } from '../../../base/index.ts';

/**
 * A new folder for the files of one run, below the system's temporary folder. `remove` removes it with its content, as
 * does the end of the process; a killed process leaves it to the system.
 * @throws WorldError if it cannot be created.
 */
export function newScratchFolder(): { readonly path: string; remove(): void } {
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), 'orbweaver-queues-'));
  } catch (cause) {
    throw noRoom(tmpdir(), cause);
  }
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path, remove };
}

function noRoom(folder: string, cause: unknown): WorldError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new WorldError(
    `${folder}: no folder for the queues' files can be created there (set TMPDIR to use another place): ${why}`,
    { cause },
  );
}

/** Creates a subfolder, or empties it: the files of a crashed processor are useless. Throws WorldError if it cannot. */
export function emptyScratchFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw noRoom(path, cause);
  }
  for (const name of readdirSync(path)) rmSync(join(path, name));
}
