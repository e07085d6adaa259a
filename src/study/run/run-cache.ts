import { createHash } from 'node:crypto';
import { readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeError, makeFolder } from '../../base/files/index.ts';
import { InputError, WorldError } from '../../base/index.ts';
import type { Experiment } from '../../settings/index.ts';

/** Everything that determines the result of a run. */
export interface RunIdentity {
  /** SHA-256 of the graph. */
  readonly graph: string;
  readonly experiment: Experiment;
  /** SHA-256 of the scores, if any; otherwise null. */
  readonly scores: string | null;
  readonly code: string;
}

/**
 * SHA-256, in hexadecimal, of the identity as JSON with its names in order. The content of scores and policies is part
 * of it, their origin is not.
 */
export function runKey({ graph, experiment, scores, code }: RunIdentity): string {
  const userPolicies = experiment.userPolicies?.map(({ name, sha256: checksum }) => ({ name, checksum }));
  return contentKey({ graph, experiment: { ...experiment, scores: undefined, userPolicies }, scores, code });
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

/**
 * Finished runs in a folder, one file per run, named by its key: `ab/abcd....run`. A file's first line is the checksum
 * of its key and of the JSON after it. Files are written as a whole or not at all, so that a killed study can continue.
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
      for (const name of await readdir(folder)) {
        if (!/^[0-9a-f]{2}$/.test(name)) continue;
        for (const file of await readdir(join(folder, name)))
          if (isLeftBehind(file)) await unlink(join(folder, name, file));
      }
    } catch (error) {
      const known = writeError(folder, error);
      if (known instanceof WorldError) throw known;
      throw new InputError(
        `${folder}: cannot store finished runs (${(error as NodeJS.ErrnoException).code ?? String(error)}); name another folder with --cache`,
      );
    }
    return new RunCache<Run>(folder);
  }

  pathOf(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key}.run`);
  }

  /** The run stored under `key`; undefined if there is none, 'damaged' if it is not what was written. */
  async read(key: string): Promise<Run | undefined | 'damaged'> {
    let text: string;
    try {
      text = await readFile(this.pathOf(key), 'utf8');
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'damaged';
    }
    const end = text.indexOf('\n');
    const json = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== sha256(key, json)) return 'damaged';
    return JSON.parse(json) as Run;
  }

  /**
   * Stores a run. Nothing is flushed to the disk: that would take longer than a short run, and what a power failure
   * damages is detected by its checksum.
   * Errors   WorldError if the disk is full or fails, InputError if the folder may not be written.
   */
  async write(key: string, run: Run): Promise<void> {
    const json = `${JSON.stringify(run)}\n`;
    const path = this.pathOf(key);
    const partial = `${path}.${process.pid}-${++this.#writes}.partial`;
    try {
      await makeFolder(dirname(path));
      await writeFile(partial, `${sha256(key, json)}\n${json}`);
      await rename(partial, path);
    } catch (error) {
      await unlink(partial).catch(() => undefined);
      throw writeError(path, error);
    }
  }
}

/** Whether the process that was writing the file has ended. */
function isLeftBehind(name: string): boolean {
  const match = /\.([0-9]{1,10})-[0-9]+\.partial$/.exec(name);
  if (match === null) return false;
  try {
    // Signal 0 only asks whether the process exists.
    process.kill(Number(match[1]), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
