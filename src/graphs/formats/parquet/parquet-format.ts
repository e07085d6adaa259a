import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../../base/index.ts';
import { entriesOf, fileNamesIn, readError } from '../../../base/files/index.ts';
import { startOf } from '../file-start.ts';
import type { Format } from '../format.ts';
import type { GroupedTable } from './parquet-table-writer.ts';

/** Its reader needs a large library and is loaded on demand: otherwise every command would wait for it. */
export const parquet = {
  name: 'parquet',
  title: 'Parquet table',
  holds: 'columns source and target, of ids, names or URLs',
  several: true,
  begins: ({ text }) => text.startsWith('PAR1'),
  read: async (paths, options) => (await import('./parquet.ts')).readParquet(paths, options),
} as const satisfies Format;

/** Stores a table of any columns: `writeGroups`, whose library is loaded on demand too. */
export async function writeParquetTable(path: string, table: GroupedTable): Promise<void> {
  await (await import('./parquet-table-writer.ts')).writeGroups(path, table);
}

/**
 * The Parquet files of a table: itself, or the files of a folder, as Spark writes them; undefined for another file.
 * @throws InputError if it cannot be read, or is a folder without such files.
 */
export async function partsOfTable(path: string): Promise<readonly string[] | undefined> {
  const { isFolder } = await stat(path).then(
    (entry) => ({ isFolder: entry.isDirectory() }),
    (error: unknown) => { throw readError(path, error); },
  );
  if (!isFolder) return path.endsWith('.parquet') || (await beginsAsTable(path)) ? [path] : undefined;
  const parts = await partsBelow(path);
  if (parts.length === 0) throw new InputError(`${path}: is a folder without Parquet files`);
  return parts;
}

/**
 * The Parquet files of a folder and of the folders in it, as Hive and Spark write the parts of one table
 * (`year=2020/part-0.parquet`), in the order of their paths. Names that begin with `_` or `.` are notes of such tools.
 *
 * @param isOther whether a file's name shows that the folder holds something else: then there are no parts.
 */
export async function partsBelow(
  folder: string, isOther: (name: string) => boolean = () => false,
): Promise<readonly string[]> {
  const parts: string[] = [];
  const visit = async (path: string): Promise<boolean> => {
    const names = (await fileNamesIn(path)).filter((name) => !/^[_.]/.test(name));
    if (names.some(isOther)) return false;
    parts.push(...names.filter((name) => name.endsWith('.parquet')).map((name) => join(path, name)));
    const folders = (await entriesOf(path)).filter((entry) => entry.isDirectory() && !/^[_.]/.test(entry.name));
    for (const name of folders.map((entry) => entry.name).sort()) if (!await visit(join(path, name))) return false;
    return true;
  };
  return await visit(folder) ? parts : [];
}

async function beginsAsTable(path: string): Promise<boolean> {
  return Buffer.from((await startOf(path)).stored.subarray(0, 4)).toString('latin1') === 'PAR1';
}
