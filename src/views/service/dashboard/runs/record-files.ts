import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { InputError } from '../../../../base/index.ts';
import { checkRegular } from '../../../../base/files/index.ts';
import { STARTED_FILE, JOURNAL_FILE } from '../../../../core/measure/index.ts';
import { feedFile, outcomesFile } from '../../../watch/index.ts';

const MiB = 2 ** 20;
/** Rows become objects of four times their bytes. */
const MAX_ROWS_BYTES = 128 * MiB;
/** Order and times of up to so many pages are read at once. */
const MAX_PAGES = 2 ** 27;

/** The files of a record that are read, and the most bytes of each. Infinity: it is read in pieces. */
const maxBytes: Readonly<Record<string, number>> = {
  'run.json': 64 * MiB, [STARTED_FILE]: 64 * MiB, [JOURNAL_FILE]: MAX_ROWS_BYTES, 'supersteps.csv': MAX_ROWS_BYTES,
  'failures.csv': MAX_ROWS_BYTES, 'order.u32': 4 * MAX_PAGES, 'times.f64': 16 * MAX_PAGES, 'curves.json': 4 * MiB,
  'report.html': 256 * MiB, [feedFile]: Infinity, [outcomesFile]: Infinity, 'crawl.log': Infinity,
  'graph.owg': Infinity,
};

/**
 * Checks the files of a record that are there: a stranger may have made the folder. Each must be a regular file of
 * bounded size, in this folder: a link to another one would show whatever its target holds.
 *
 * Cost  a look at each name. @throws InputError naming the first file that is refused.
 */
export function checkRecordFiles(folder: string): void {
  for (const name of Object.keys(maxBytes)) checkOwnFile(folder, name);
}

/**
 * The same for one file.
 *
 * @param limit - the most bytes, of a file that is none of a record.
 * @returns whether there is one.
 */
export function checkOwnFile(folder: string, name: string, limit = maxBytes[name]): boolean {
  const path = join(folder, name);
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return false;
    if (entry.isSymbolicLink() && !isWithin(folder, path))
      throw new InputError(`${path}: is a link that leads out of the folder of its run, or nowhere; it is not read`);
    const stats = statSync(path);
    checkRegular(path, stats);
    if (stats.size <= limit) return true;
    throw new InputError(`${path}: has ${stats.size} bytes; the dashboard reads such a file up to ${limit}`);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/** Whether such a file is there, and may be read. */
export function hasOwnFile(folder: string, name: string): boolean {
  try {
    return checkOwnFile(folder, name);
  } catch {
    return false;
  }
}

function isWithin(folder: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

/** Another text whenever a file has changed. */
export function changedAt({ mtimeMs, size, ino }: Stats): string {
  return [mtimeMs, size, ino].join(' ');
}

/** ISO 8601, UTC; null for a moment that no calendar has, which a file can claim. */
export function timeOf(stats: Stats | undefined): string | null {
  const { mtime } = stats ?? {};
  return mtime === undefined || Number.isNaN(mtime.getTime()) ? null : mtime.toISOString();
}
