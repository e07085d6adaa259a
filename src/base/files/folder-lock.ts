import { spawnSync } from 'node:child_process';
import {
  closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../index.ts';
import { holderOf, holderText, isAlive, isElsewhere } from './holder.ts';
import { writeError } from './partial-file.ts';

/** File name of a folder's lock. */
export const LOCK_FILE = '.lock';

/** Refuses a folder that another process holds. */
export class HeldFolder extends InputError {
  /** Whether the holder is a process of this machine that runs. */
  readonly isHere: boolean;

  constructor(message: string, isHere: boolean) {
    super(message);
    this.isHere = isHere;
  }
}

/** Runs `work` while this process holds the lock of the folder. @throws as lockFolder, and as `work`. */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const unlock = lockFolder(folder);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * Locks the folder for this process; returns the function that releases it. It is a system lock on an open file, which
 * ends with the process, however that ends; the text in the file only names the holder. If several processes try at
 * once, exactly one succeeds.
 *
 * If the system has no such lock (no `flock` program, as on macOS and Windows, or a file system without locks), the
 * text decides: a holder on this machine that has ended is ignored, and two processes that start within a few
 * microseconds may both succeed.
 *
 * Errors   HeldFolder if another process, or this one, already holds it, or if the text names another machine, which
 *          this system's locks may not reach; InputError if the folder is not writable. WorldError if the disk is full
 *          or fails.
 * Cost     a few milliseconds: Node has no call for it, so a program is run.
 */
export function lockFolder(folder: string): () => void {
  const lock = takeFolder(folder);
  return () => { lock.release(); };
}

/** A folder that this process alone holds. */
export interface FolderLock {
  /** Gives the folder back. @param at where it is now, if it was renamed. */
  release(at?: string): void;
  /** Gives it back as a process does that is killed: the file stays, and says that the folder was ours. */
  leave(): void;
}

/** As lockFolder, for a folder that is renamed or left behind. */
export function takeFolder(folder: string): FolderLock {
  const path = join(folder, LOCK_FILE);
  for (;;) {
    const file = open(path);
    let isOurs = false;
    try {
      const text = readFileSync(file, 'utf8');
      const isHeld = !(takes(file) ?? !isAlive(text));
      if (isHeld || isElsewhere(text)) throw refused(folder, path, text, isHeld);
      // The previous holder may have removed the file since it was opened; others would then open a new one.
      if (!isAt(path, file)) {
        closeSync(file);
        continue;
      }
      isOurs = true;
      ftruncateSync(file);
      writeSync(file, holderText(), 0);
      return {
        release(at = folder) {
          // The order matters: while the folder is locked, nobody else can have taken it.
          if (isAt(join(at, LOCK_FILE), file)) rmSync(join(at, LOCK_FILE));
          closeSync(file);
        },
        leave() {
          closeSync(file);
        },
      };
    } catch (error) {
      if (isOurs) rmSync(path, { force: true });
      closeSync(file);
      throw writeError(path, error);
    }
  }
}

function open(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Whether this process now has the system's lock on an open file; undefined if there are no such locks. */
function takes(file: number): boolean | undefined {
  // The lock belongs to the open file, which the program shares with us, so it outlives the program.
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', file] });
  return status === 0 ? true : status === 1 ? false : undefined;
}

function isAt(path: string, file: number): boolean {
  const [there, opened] = [statSync(path, { throwIfNoEntry: false }), fstatSync(file)];
  return there?.ino === opened.ino && there.dev === opened.dev;
}

function refused(folder: string, path: string, text: string, isHeld: boolean): HeldFolder {
  const { pid = 'unknown', host = '' } = holderOf(text) ?? {};
  const isHere = isHeld && !isElsewhere(text);
  const who = `process ${pid}${isElsewhere(text) ? ` of ${host}` : ''}`;
  const otherwise = isHere ? '' : `, or remove ${path} if that process has ended`;
  return new HeldFolder(`${folder}: is being written by ${who}; wait for it${otherwise}`, isHere);
}
