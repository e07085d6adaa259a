import { spawnSync } from 'node:child_process';
import {
  closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../index.ts';
import { writeError } from './partial-file.ts';

/** What a folder's lock is called. */
export const LOCK_FILE = '.lock';

/** Runs `work` while this process alone holds the folder. Errors   those of lockFolder, and of the work. */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const unlock = lockFolder(folder);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * Takes the folder for this process alone; returns what gives it back. The lock is the system's, on an open file: it
 * ends with the process, however that ends, and the text in the file only names the holder. Of any number of processes
 * that begin at once, one gets it.
 *
 * Where the system has no such lock (no program `flock`, as on macOS and Windows, or a disk that knows none), the text
 * decides: a holder of this machine that has ended is passed over, and of two that begin within some microseconds both
 * may get it.
 *
 * Errors   InputError where another process holds it, or this one does already; where the text names another machine,
 *          which locks of this system may not reach; where the folder may not be written. WorldError where the disk is
 *          full or fails.
 * Cost     some milliseconds: Node has no call for it, so a program is run.
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
      // Whoever held it may have removed it since it was opened: then others open another one.
      if (!isAt(path, file)) {
        closeSync(file);
        continue;
      }
      isOurs = true;
      ftruncateSync(file);
      writeSync(file, holderText(), 0);
      return {
        release(at = folder) {
          // In this order: while it is locked, nobody else can have taken it.
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

/** Whether this process now has the system's lock on an open file; undefined where there are no such locks. */
function takes(file: number): boolean | undefined {
  // The lock belongs to what was opened, which the program shares with us: it stays when the program ends.
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', file] });
  return status === 0 ? true : status === 1 ? false : undefined;
}

function isAt(path: string, file: number): boolean {
  const [there, opened] = [statSync(path, { throwIfNoEntry: false }), fstatSync(file)];
  return there?.ino === opened.ino && there.dev === opened.dev;
}

/** Process, machine, start of the machine and of the process; the last two only where the system tells them. */
const holderForm = /^(?<pid>[0-9]{1,10}) (?<host>\S+)(?: (?<boot>\S+) (?<start>\S+))?\n$/;

function named(text: string): Partial<Record<string, string>> | undefined {
  return holderForm.exec(text)?.groups;
}

function holderText(): string {
  const [boot, start] = [bootOf(), startOf('self')];
  return `${process.pid} ${hostname()}${boot === undefined || start === undefined ? '' : ` ${boot} ${start}`}\n`;
}

/**
 * Whether the text names another machine. Containers of one machine have names of their own, and its start in common.
 */
function isElsewhere(text: string): boolean {
  const holder = named(text);
  return (
    holder !== undefined &&
    holder['host'] !== hostname() &&
    (holder['boot'] === undefined || holder['boot'] !== bootOf())
  );
}

/** Whether the process that the text names is one of this machine that is still there. */
function isAlive(text: string): boolean {
  const holder = named(text);
  if (holder === undefined) return false;
  const { pid = '', boot, start } = holder;
  try {
    // Signal 0 asks only whether there is such a process.
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  // Another process may have got its number.
  return start === undefined || (boot === bootOf() && start === (startOf(pid) ?? start));
}

function bootOf(): string | undefined {
  return textOf('/proc/sys/kernel/random/boot_id')?.trim();
}

/** When a process began, in the machine's clock ticks. The name before it may hold blanks and parentheses (proc(5)). */
function startOf(pid: string): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function refused(folder: string, path: string, text: string, isHeld: boolean): InputError {
  const { pid = 'unknown', host = '' } = named(text) ?? {};
  const who = `process ${pid}${isElsewhere(text) ? ` of ${host}` : ''}`;
  const otherwise = isHeld && !isElsewhere(text) ? '' : `, or remove ${path} if there is none`;
  return new InputError(`${folder}: is being written by ${who}; wait for it${otherwise}`);
}
