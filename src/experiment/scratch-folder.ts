import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldError } from '../std/index.ts';

/** A new folder for the files of one run, below the system's temporary folder. */
export interface ScratchFolder {
  readonly path: string;
  /** Removes it with all that is in it. Also done when the process exits before; one that is killed leaves it to the system. */
  remove(): void;
}

/** Throws WorldError where none can be made. */
export function newScratchFolder(): ScratchFolder {
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), 'orbweaver-queues-'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WorldError(`${tmpdir()}: no folder for the queues' files can be made there (TMPDIR names another place): ${why}`, { cause });
  }
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path, remove };
}

/** Makes a folder within ours, or removes what is in it, where queues make their files anew: those of a crashed processor are of no more use. */
export function emptyScratchFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  for (const name of readdirSync(path)) rmSync(join(path, name));
}
