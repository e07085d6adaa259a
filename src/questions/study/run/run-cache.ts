import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkRegular, machineName, makeFolder, readRegular, writeError } from '../../../base/files/index.ts';
import { InputError, WorldError } from '../../../base/index.ts';
import type { Experiment } from '../../../core/settings/index.ts';

/** Everything that determines the result of a run. */
export interface RunIdentity {
  /** SHA-256 of the graph. */
  readonly graph: string;
  readonly experiment: Experiment;
  /** SHA-256 of the scores, if any; otherwise null. */
  readonly scores: string | null;
  readonly code: string;
  /** Whether the stored run has the order of its pages. */
  readonly withOrder: boolean;
}

/**
 * SHA-256, in hexadecimal, of the identity as JSON with its names in order. The content of scores and policies is part
 * of it, their origin is not.
 */
export function runKey({ graph, experiment, scores, code, withOrder }: RunIdentity): string {
  const userPolicies = experiment.userPolicies?.map(({ name, sha256: checksum }) => ({ name, checksum }));
  return contentKey({
    graph, experiment: { ...experiment, scores: undefined, userPolicies }, scores, code,
    ...(withOrder && { withOrder }),
  });
}

/** SHA-256, in hexadecimal, of a value as JSON with its names in order. */
export function contentKey(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** JSON that is equal for equal values: names ascending, absent ones left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner);
}

function sha256(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** The order of the pages of a large run has some hundred megabytes. */
const maxRunBytes = 2 ** 29;

/** What another machine left half-written is removed after a day: it takes milliseconds to write. */
const maxPartialAgeMs = 24 * 3600 * 1000;

/**
 * Finished runs in a folder, one file per run, named by its key: `ab/abcd....run`. A file's first line is the checksum
 * of its key and of the JSON after it. Files are written as a whole or not at all, so that a killed study can continue,
 * and processes of many machines can share the folder. What has the name of a run and is no regular file, a link
 * included, is skipped: it is neither read nor written through.
 */
export class RunCache<Run> {
  readonly folder: string;
  /** Distinguishes concurrent writes of one process. */
  #writes = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens the folder, creating it if necessary, and removes what killed processes left half-written. */
  static async open<Run>(folder: string): Promise<RunCache<Run>> {
    try {
      await makeFolder(folder);
      await sweep(folder);
    } catch (error) {
      const cause = writeError(folder, error);
      if (cause instanceof WorldError) throw cause;
      throw new InputError(
        `${folder}: cannot store finished runs (${(error as NodeJS.ErrnoException).code ?? String(error)}); name another folder with --cache`,
      );
    }
    return new RunCache<Run>(folder);
  }

  pathOf(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key}.run`);
  }

  /**
   * The run stored under `key`; undefined if there is none, 'damaged' if it is not what was written.
   * @param read - throws InputError for a value that is no run of this key, which counts as 'damaged'.
   */
  async read(key: string, read: (value: unknown) => Run): Promise<Run | undefined | 'damaged'> {
    const path = this.pathOf(key);
    let text: string;
    try {
      checkRegular(path, await lstat(path));
      text = (await readRegular(path, maxRunBytes)).toString();
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'damaged';
    }
    const end = text.indexOf('\n');
    const json = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== sha256(key, json)) return 'damaged';
    try {
      return read(JSON.parse(json));
    } catch (error) {
      // What is nested too deeply is a RangeError.
      if (error instanceof InputError || error instanceof SyntaxError || error instanceof RangeError) return 'damaged';
      throw error;
    }
  }

  /** Removes a run, if it is there; a folder stays, and so does the target of a link. */
  async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    if ((await entryAt(dirname(path)))?.isDirectory() !== true) return;
    await unlink(path).catch(() => undefined);
  }

  /**
   * Stores a run. Nothing is flushed to the disk: that would take longer than a short run, and what a power failure
   * damages is detected by its checksum. Where a folder has its name, it is not stored.
   * Errors   WorldError if the disk is full or fails, InputError if the folder may not be written.
   */
  async write(key: string, run: Run): Promise<void> {
    const json = `${JSON.stringify(run)}\n`;
    const path = this.pathOf(key);
    let partial: string | undefined;
    try {
      const [folder, entry] = await Promise.all([entryAt(dirname(path)), entryAt(path)]);
      if (entry?.isDirectory() === true) return;
      // Making it would follow a link.
      if (folder?.isDirectory() === false) throw noFolder(path);
      await makeFolder(dirname(path));
      partial = await this.#writePartial(path, `${sha256(key, json)}\n${json}`);
      await rename(partial, path);
    } catch (error) {
      if (partial !== undefined) await rm(partial, { force: true }).catch(() => undefined);
      throw writeError(path, error);
    }
  }

  /** Under a name that nothing has: writing would follow a link, or wait for the reader of a pipe. */
  async #writePartial(path: string, text: string): Promise<string> {
    for (;;) {
      const partial = `${path}.${machineName()}-${process.pid}-${++this.#writes}.partial`;
      try {
        await writeFile(partial, text, { flag: 'wx' });
        return partial;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        await rm(partial, { force: true }).catch(() => undefined);
        throw error;
      }
    }
  }
}

/** Undefined if nothing has this name. Of a link, the link itself. */
function entryAt(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

function noFolder(path: string): InputError {
  return new InputError(`${path}: there is no folder ${dirname(path)} to write it to`);
}

/** Removes what processes that have ended left half-written. Another process may be removing the same files. */
async function sweep(folder: string): Promise<void> {
  const foreign: string[] = [];
  for (const { name, isFolder } of await entriesOf(folder)) {
    if (!isFolder || !/^[0-9a-f]{2}$/.test(name)) continue;
    for (const { name: file, isFolder: isOther } of await entriesOf(join(folder, name))) {
      if (isOther || !file.endsWith('.partial')) continue;
      const path = join(folder, name, file);
      const pid = ownPid(file);
      if (pid === undefined) foreign.push(path);
      else if (!isRunning(pid)) await rm(path, { force: true });
    }
  }
  if (foreign.length === 0) return;
  const nowMs = await clockOf(folder);
  for (const path of foreign) {
    const changedMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? nowMs;
    if (nowMs - changedMs > maxPartialAgeMs) await rm(path, { force: true });
  }
}

async function entriesOf(folder: string): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

/** The process of this machine that was writing the file; undefined if it was one of another machine. */
function ownPid(name: string): number | undefined {
  const match = /\.run\.(.+)-([0-9]{1,10})-[0-9]+\.partial$/.exec(name);
  return match?.[1] === machineName() ? Number(match[2]) : undefined;
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The time by the clock that the files of the folder have theirs from, which may be a server's. */
async function clockOf(folder: string): Promise<number> {
  const path = join(folder, `clock.${randomUUID()}.partial`);
  await writeFile(path, '');
  const { mtimeMs } = await stat(path);
  await rm(path, { force: true });
  return mtimeMs;
}
