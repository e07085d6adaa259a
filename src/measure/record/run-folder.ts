import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, WorldError } from '../../base/index.ts';
import { makeFolder } from '../../base/files/index.ts';
import { csv } from './csv.ts';
import type { RunResult } from './record.ts';
import { failureColumns, superstepColumns } from './events.ts';
import { littleEndian } from './numbers.ts';

/**
 * The files of a run record by name, the report apart. Their bytes may be views of the events: not to be written to.
 */
export function recordFiles({ run, events }: RunResult): Map<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    ['run.json', `${JSON.stringify(run, null, 2)}\n`],
    ['supersteps.csv', csv(superstepColumns, events.rows)],
    ['order.u32', littleEndian(events.order)],
    ['times.f64', littleEndian(events.times)],
    ['failures.csv', csv(failureColumns, events.failures)],
  ]);
}

/**
 * A folder that appears whole or not at all: files go to a sibling folder with a temporary name, which takes the place
 * of `path` on commit. An earlier folder of ours at `path` (one that holds `marker`) is replaced; anything else there
 * is refused.
 */
export class OutputFolder {
  readonly path: string;
  readonly #draft: string;
  /** The first of the parent folders that had to be made; undefined where all were there. */
  readonly #firstParentMade: string | undefined;

  private constructor(path: string, draft: string, firstParentMade: string | undefined) {
    this.path = path;
    this.#draft = draft;
    this.#firstParentMade = firstParentMade;
  }

  /** Opens the draft at once, so that a folder that cannot be written is found before the work is done. */
  static async open(path: string, marker: string): Promise<OutputFolder> {
    const target = resolve(path);
    let firstParentMade: string | undefined;
    try {
      if (existsSync(target)) {
        const held = await readdir(target);
        if (held.length > 0 && !held.includes(marker)) {
          throw new InputError(
            `${path}: the output folder holds other files; name a new folder, an empty one, or an earlier run`,
          );
        }
      }
      firstParentMade = await makeFolder(dirname(target));
      // A process that was killed may have had our id, and have left its draft behind.
      const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-draft-`));
      return new OutputFolder(target, draft, firstParentMade);
    } catch (error) {
      if (error instanceof InputError) throw error;
      await removeMade(target, firstParentMade);
      if (isFull(error)) throw new WorldError(`${path}: the output folder cannot be made: ${(error as Error).message}`);
      throw new InputError(`${path}: the output folder cannot be written (${reason(error)})`);
    }
  }

  /**
   * @param content whole, or in pieces that need not fit into memory together.
   * @throws WorldError where the disk is full.
   */
  async write(name: string, content: string | Uint8Array | Iterable<string>): Promise<void> {
    const file = join(this.#draft, name);
    try {
      await makeFolder(dirname(file));
      await writeFile(file, content);
    } catch (error) {
      if (!isFull(error)) throw error;
      throw new WorldError(
        `${join(this.path, name)}: could not be written: ${(error as Error).message}; nothing is saved in ${this.path}`,
      );
    }
  }

  /**
   * Puts the draft in place. An earlier run is moved aside first and removed last: a crash in between loses neither.
   */
  async commit(): Promise<void> {
    const former = `${this.#draft}-former`;
    const isReplaced = existsSync(this.path);
    if (isReplaced) await rename(this.path, former);
    await rename(this.#draft, this.path);
    if (isReplaced) await rm(former, { recursive: true });
  }

  /**
   * Leaves nothing behind, parent folders that were made for it included, unless someone has put something there since.
   */
  async discard(): Promise<void> {
    await rm(this.#draft, { recursive: true, force: true });
    await removeMade(this.path, this.#firstParentMade);
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

