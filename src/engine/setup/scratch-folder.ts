import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldError } from '../../base/index.ts';

/** A new folder for the files of one run, below the system's temporary folder. */
export interface ScratchFolder {
  readonly path: string;
  /**
   * Removes it with all that is in it. Also done when the process exits before; one that is killed leaves it to the
   * system.
   */
  remove(): void;
}

/** Throws WorldError where none can be made. */
export function newScratchFolder(): ScratchFolder {
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
    `${folder}: no folder for the queues' files can be made there (TMPDIR names another place): ${why}`,
    { cause },
  );
}

/**
 * Makes a folder within ours, or removes what is in it, where queues make their files anew: those of a crashed
 * processor are of no more use. Throws WorldError where it cannot be made.
 */
export function emptyScratchFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw noRoom(path, cause);
  }
  for (const name of readdirSync(path)) rmSync(join(path, name));
}
