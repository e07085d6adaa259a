import type { FileHandle } from 'node:fs/promises';
import type { DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeAll, writeFiles } from '../../../base/files/index.ts';

/** Rows per row group, the amount that the writer buffers. */
const GROUP_ROWS = 1 << 18;

const types = {
  /** Unsigned, of 32 bits. */
  ids: { type: 'INT32', converted_type: 'UINT_32' },
  numbers: { type: 'DOUBLE' },
  texts: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<string, Partial<SchemaElement>>;

/** A column of a table that is written. `at` is called once for each row, in ascending order. */
export type WrittenColumn = { readonly name: string } & (
  | { readonly kind: 'ids' | 'numbers'; readonly at: (row: number) => number }
  | { readonly kind: 'texts'; readonly at: (row: number) => string }
);

/** A table whose rows come in groups. */
export interface GroupedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: keyof typeof types | 'lists of texts' }[];
  /** The values of each column, group by group. */
  readonly groups: Iterable<readonly DecodedArray[]> | AsyncIterable<readonly DecodedArray[]>;
}

/**
 * Stores a table in Apache Parquet, compressed with Snappy, without rows that lack a value.
 *
 * Errors   as writeFiles.
 * Cost     O(rows); memory: one row group of 262,144 rows.
 */
export async function writeTable(
  path: string, { name, rows, columns }: { name: string; rows: number; columns: readonly WrittenColumn[] },
): Promise<void> {
  const groups = function* (): Generator<readonly DecodedArray[]> {
    for (let from = 0; from < rows; from += GROUP_ROWS)
      yield columns.map((column) => valuesOf(column, from, Math.min(GROUP_ROWS, rows - from)));
  };
  await writeGroups(path, { name, columns, groups: groups() });
}

/** As writeTable, for rows that arrive in groups. Memory: one group. */
export async function writeGroups(path: string, { name, columns, groups }: GroupedTable): Promise<void> {
  await writeFiles([path], async ([file]) => {
    const writer = new FileWriter(file);
    const table = new ParquetWriter({
      writer,
      createdBy: 'orbweaver',
      // The library orders unsigned numbers as signed ones, and no statistics are better than wrong ones.
      statistics: false,
      schema: [{ name, num_children: columns.length }, ...columns.flatMap(elementsOf)],
    });
    for await (const group of groups) {
      const columnData = columns.map((column, i) => ({ name: column.name, data: group[i] }));
      await table.write({ columnData, rowGroupSize: group[0].length });
    }
    await table.finish();
    await writer.flush();
  });
}

function elementsOf({ name, kind }: GroupedTable['columns'][number]): SchemaElement[] {
  if (kind !== 'lists of texts') return [{ name, repetition_type: 'REQUIRED', ...types[kind] }];
  return [
    { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...types.texts },
  ];
}

function valuesOf({ kind, at }: WrittenColumn, from: number, rows: number): DecodedArray {
  if (kind === 'texts') return Array.from({ length: rows }, (_, i) => at(from + i));
  const values = kind === 'ids' ? new Uint32Array(rows) : new Float64Array(rows);
  for (let i = 0; i < rows; i++) values[i] = at(from + i);
  // The library refuses ids from 2^31 on in typed arrays, and accepts them in plain ones, which cost more.
  return kind === 'ids' && values.some((id) => id >= 2 ** 31) ? Array.from(values) : values;
}

/** Writes the output to a file after each row group. */
class FileWriter extends ByteWriter {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    super(1 << 20);
    this.#file = file;
  }

  async flush(): Promise<void> {
    await writeAll(this.#file, this.getBytes());
    this.index = 0;
  }
}
