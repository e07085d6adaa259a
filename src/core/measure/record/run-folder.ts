import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, WorldError, wrongArgument } from '../../../base/index.ts';
import { LOCK_FILE, makeFolder, takeFolder, targetOf, type FolderLock } from '../../../base/files/index.ts';
import { csv } from './csv.ts';
import type { RunJson, RunResult } from './record.ts';
import {
  failureColumns, givenUpColumns, HOSTS_GIVEN_UP_FILE, statisticsColumns, superstepColumns, type HostGivenUpRow,
  type StatisticsRow,
} from './events.ts';
import { littleEndian } from './numbers.ts';

/**
 * The files of a run record by name, without the report: what `simulate --out` writes, and `compare` reads.
 *
 * @param result - a finished run.
 * @returns texts and bytes by name. Bytes are borrowed: they may be views of the result's arrays.
 */
export function recordFiles(result: RunResult): Map<string, string | Uint8Array> {
  if ((result as RunResult | undefined)?.events === undefined)
    throw wrongArgument('result', 'what simulate returns', result);
  const { run, events, statistics, hostsGivenUp } = result;
  return new Map<string, string | Uint8Array>([
    ['run.json', runFile(run)],
    ['supersteps.csv', csv(superstepColumns, events.rows)],
    ['order.u32', littleEndian(events.order)],
    ['times.f64', littleEndian(events.times)],
    ['failures.csv', csv(failureColumns, events.failures)],
    ...(hostsGivenUp ? [[HOSTS_GIVEN_UP_FILE, givenUpCsv(hostsGivenUp)] as const] : []),
    ...(statistics ? [['statistics.csv', statisticsCsv(statistics.rows)] as const] : []),
  ]);
}

/** The text of `statistics.csv`; cells without a figure are empty. */
export function statisticsCsv(rows: readonly StatisticsRow[]): string {
  return csv(statisticsColumns, rows.map((row) =>
    Object.fromEntries(statisticsColumns.map((column) => [column, row[column] ?? '']))));
}

/** The text of `hosts-given-up.csv`. */
export function givenUpCsv(rows: readonly HostGivenUpRow[]): string {
  return csv(givenUpColumns, rows);
}

/** The text of `run.json`. */
export function runFile(run: RunJson): string {
  return `${JSON.stringify(run, null, 2)}\n`;
}

/**
 * A folder that appears whole: files go to `path.partial`, which becomes `path` on commit. An earlier folder of ours at
 * `path` (one that holds `marker`) stays until then, and is replaced; anything else there is refused. The partial
 * folder is locked while this process writes it: what a process that was killed left there is replaced. Where `path` is
 * a link, the folder is its target, and the partial folder is beside that.
 */
export class OutputFolder {
  readonly path: string;
  /** Folder of the files until the commit. */
  readonly partial: string;
  /** Whether there was something in the partial folder, of a run that was killed. */
  readonly wasLeft: boolean;
  readonly #lock: FolderLock;
  /** The first of the parent folders that had to be made; undefined where all were there. */
  readonly #firstParentMade: string | undefined;

  private constructor(path: string, { lock, wasLeft }: Claim, firstParentMade: string | undefined) {
    this.path = path;
    this.partial = partialOf(path);
    this.wasLeft = wasLeft;
    this.#lock = lock;
    this.#firstParentMade = firstParentMade;
  }

  /** Opens the partial folder at once, so that one that cannot be written is found before the work is done. */
  static async open(path: string, marker: string): Promise<OutputFolder> {
    const target = await targetOf(resolve(path));
    let firstParentMade: string | undefined;
    try {
      if (existsSync(target)) {
        const names = await readdir(target);
        if (names.length > 0 && !names.includes(marker)) {
          throw new InputError(
            `${path}: the output folder holds other files; name a new folder, an empty one, or an earlier run`,
          );
        }
      }
      firstParentMade = await makeFolder(dirname(target));
      return new OutputFolder(target, await claimed(partialOf(target)), firstParentMade);
    } catch (error) {
      await removeMade(target, firstParentMade);
      if (error instanceof InputError || error instanceof WorldError) throw error;
      if (isFull(error)) throw new WorldError(`${path}: the output folder cannot be made: ${(error as Error).message}`);
      throw new InputError(`${path}: the output folder cannot be written (${reason(error)})`);
    }
  }

  /** @param content whole, or in pieces that need not fit into memory together. @throws WorldError for a full disk. */
  async write(name: string, content: string | Uint8Array | Iterable<string>): Promise<void> {
    const file = join(this.partial, name);
    try {
      await makeFolder(dirname(file));
      await writeFile(file, content);
    } catch (error) {
      if (!isFull(error)) throw error;
      throw new WorldError(`${file}: could not be written: ${(error as Error).message}`);
    }
  }

  /** Puts the folder in place. An earlier run moves aside first and goes last: a crash in between loses neither. */
  async commit(): Promise<void> {
    const former = existsSync(this.path)
      ? await mkdtemp(join(dirname(this.path), `.${basename(this.path)}-former-`))
      : undefined;
    if (former !== undefined) await rename(this.path, join(former, 'run'));
    await rename(this.partial, this.path);
    this.#lock.release(this.path);
    if (former !== undefined) await rm(former, { recursive: true });
  }

  /** Removes all, with the parent folders that were made for it unless someone has put something there since. */
  async discard(): Promise<void> {
    await rm(this.partial, { recursive: true, force: true });
    this.#lock.leave();
    await removeMade(this.path, this.#firstParentMade);
  }

  /** Leaves the partial folder to its readers; the next run to `path` replaces it. */
  leave(): void {
    this.#lock.leave();
  }
}

/** Folder of a folder's files until it is whole. */
export function partialOf(path: string): string {
  return `${path}.partial`;
}

interface Claim {
  readonly lock: FolderLock;
  readonly wasLeft: boolean;
}

/**
 * Makes the partial folder, or empties one that a killed process left: its lock is still in it.
 * @throws InputError where another process writes it, or it is not a folder of Orbweaver.
 */
async function claimed(partial: string): Promise<Claim> {
  const isNew = await mkdir(partial).then(() => true, (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  });
  const names = await readdir(partial);
  if (names.length > 0 && !names.includes(LOCK_FILE)) {
    throw new InputError(
      `${partial}: holds other files, and is where a run is written until it ends; remove it, or name another folder`,
    );
  }
  try {
    const lock = takeFolder(partial);
    for (const name of names) if (name !== LOCK_FILE) await rm(join(partial, name), { recursive: true });
    return { lock, wasLeft: names.length > 0 };
  } catch (error) {
    if (isNew) await rmdir(partial).catch(() => undefined);
    throw error;
  }
}

/** Removes the parent folders of `path` from the first that was made on, those that are empty. */
async function removeMade(path: string, firstMade: string | undefined): Promise<void> {
  if (firstMade === undefined) return;
  for (let folder = dirname(path); folder.length >= firstMade.length; folder = dirname(folder)) {
    const isGone = await rmdir(folder).then(() => true, () => false);
    if (!isGone) break;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(String(error.code));
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

