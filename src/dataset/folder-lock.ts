import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../std/index.ts';
import { writeError } from './partial-file.ts';

const LOCK_FILE = '.lock';

/** Runs `work` while this process alone holds the folder. Errors   those of lockFolder, and of the work. */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockFolder(folder);
  try {
    return await work();
  } finally {
    await unlock();
  }
}

/**
 * Takes the folder for this process alone, by a file in it that names the holder; returns what gives it back. A lock that a process of
 * this machine left behind when it ended is taken over. Between finding one and removing it another process may do the same: the window
 * is a few microseconds.
 * Errors   InputError where another process holds it, or this one does already.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, LOCK_FILE);
  const holder = `${process.pid} ${hostname()}\n`;
  while (!(await takes(lock, holder))) {
    const held = await readFile(lock, 'utf8').catch(() => '');
    if (!isLeftBehind(held)) {
      const [pid] = held.split(' ');
      throw new InputError(`${folder}: is being written by process ${pid || 'unknown'}; wait for it, or remove ${lock} if there is none`);
    }
    if ((await readFile(lock, 'utf8').catch(() => '')) === held) await rm(lock, { force: true });
  }
  return () => rm(lock, { force: true });
}

async function takes(lock: string, holder: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    try {
      await file.writeFile(holder);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw writeError(lock, error);
  }
}

/** Whether the process that the lock names was one of this machine and has ended. */
function isLeftBehind(held: string): boolean {
  const match = /^([0-9]{1,10}) (.*)\n$/.exec(held);
  if (match?.[2] !== hostname()) return false;
  try {
    // Signal 0 asks only whether there is such a process.
    process.kill(Number(match[1]), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
