import { open, type FileHandle } from 'node:fs/promises';
import { parquetMetadata, type FileMetaData, type RowGroup, type SchemaElement } from 'hyparquet';
import * as z from 'zod';
import { InputError, quoted } from '../../../base/index.ts';
import { readError } from '../../../base/files/index.ts';
import { failIn } from '../text-lines.ts';
import { readChunk, type Values } from './parquet-pages.ts';

/** Real footers have some KiB; with very many row groups, some MiB. */
const FOOTER_LIMIT_BYTES = 1 << 26;
/**
 * Rows that a file may state for any size, and additionally per byte: runs of one value take no space, but the links of
 * a graph are not all equal.
 */
const CREDIBLE_ROWS = 2 ** 24;
const CREDIBLE_ROWS_PER_BYTE = 64;

/**
 * Reads some columns of a table in Apache Parquet, one row group at a time.
 *
 * @param choose - selects the columns from those that are no groups; throws an InputError if they are not there.
 * @param take - gets the columns of a row group, in the order chosen, and returns their fault, if any.
 * Errors   InputError with file, and row group and column if it is within one.
 * Cost     O(rows + bytes of the columns); memory: the columns of one row group. Rows are believed up to 64 per byte of
 *          the file.
 */
export async function readTable(
  path: string, choose: (columns: readonly SchemaElement[], path: string) => readonly SchemaElement[],
  take: (values: readonly Values[]) => string | undefined,
): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const metadata = await readFooter(file, size, path);
    const columns = choose(leavesOf(metadata), path);
    let rowsBefore = 0;
    for (const [i, group] of metadata.row_groups.entries()) {
      const rows = Number(group.num_rows);
      rowsBefore += rows;
      if (rows < 0 || rowsBefore > Math.max(CREDIBLE_ROWS, CREDIBLE_ROWS_PER_BYTE * size)) {
        throw new InputError(`${path}: row group ${i}: ${rowsBefore} rows are too many for a file of ${size} bytes`);
      }
      if (rows === 0) continue;
      const values: Values[] = [];
      for (const element of columns)
        values.push(await readColumn(file, size, group, element, `${path}: row group ${i}`));
      const fault = take(values);
      if (fault !== undefined) throw new InputError(`${path}: row group ${i}: ${fault}`);
    }
  } catch (error) {
    throw readError(path, error);
  } finally {
    await file?.close();
  }
}

async function readColumn(
  file: FileHandle, fileBytes: number, group: RowGroup, element: SchemaElement, place: string,
): Promise<Values> {
  const fail = (what: string): never => {
    throw new InputError(`${place}: column ${quoted(element.name)} ${what}`);
  };
  const chunk = group.columns.find(
    ({ meta_data: meta }) => meta?.path_in_schema.length === 1 && meta.path_in_schema[0] === element.name,
  );
  const meta = chunk?.meta_data ?? fail('is missing');
  if (chunk?.file_path !== undefined) fail('is in another file');
  if (meta.type !== element.type) fail(`is ${meta.type}, but ${element.type ?? 'nothing'} in the schema`);
  const rows = Number(group.num_rows);
  if (Number(meta.num_values) !== rows) fail(`has ${meta.num_values} values for ${rows} rows`);
  try {
    return await readChunk(file, fileBytes, { meta, element, rows }, fail);
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error) || 'syscall' in error) throw error;
    // Whatever the decoder cannot parse; its messages vary.
    return fail(`is damaged: ${quoted(error.message, 120)}`);
  }
}

async function readFooter(file: FileHandle, size: number, path: string): Promise<FileMetaData> {
  const fail = failIn(path);
  const end = new Uint8Array(8);
  if (size >= 12) await file.read(end, 0, 8, size - 8);
  if (Buffer.from(end.subarray(4)).toString('latin1') !== 'PAR1')
    fail('is not a Parquet file, or is truncated: it does not end with PAR1');
  const length = new DataView(end.buffer).getUint32(0, true) + 8;
  if (length > size - 4)
    fail(`its footer of ${length} bytes is longer than the file, ${size} bytes. Is the file truncated?`);
  if (length > FOOTER_LIMIT_BYTES) fail(`its footer has ${length} bytes; at most ${FOOTER_LIMIT_BYTES} are read`);
  const footer = new Uint8Array(length);
  await file.read(footer, 0, length, size - length);
  let metadata: FileMetaData;
  try {
    metadata = parquetMetadata(footer, { geoparquet: false });
  } catch (error) {
    return fail(`its footer is damaged: ${quoted(error instanceof Error ? error.message : '', 120)}`);
  }
  // Only footers with the fields that the library's types declare are accepted.
  const shape = footerShape.safeParse(metadata);
  if (!shape.success)
    fail(`its footer is damaged: ${shape.error.issues[0].path.map(String).join('.')} is not what it should be`);
  return metadata;
}

const footerShape = z.object({
  schema: z
    .array(z.object({ name: z.string(), type: z.string().optional(), num_children: z.int().min(0).optional() }))
    .min(1),
  row_groups: z.array(
    z.object({
      num_rows: z.bigint(),
      columns: z.array(
        z.object({
          meta_data: z
            .object({
              type: z.string(), path_in_schema: z.array(z.string()), codec: z.string(), num_values: z.bigint(),
              total_compressed_size: z.bigint(), data_page_offset: z.bigint(),
              dictionary_page_offset: z.bigint().optional(),
            })
            .optional(),
        }),
      ),
    }),
  ),
});

/** The columns that are no groups; members of groups are left out, as their names may equal those of columns. */
function leavesOf({ schema }: FileMetaData): SchemaElement[] {
  const columns: SchemaElement[] = [];
  for (let i = 1; i < schema.length; i++) {
    const nested = schema[i].num_children ?? 0;
    if (nested === 0) columns.push(schema[i]);
    for (let rest = nested; rest > 0 && i + 1 < schema.length; rest--) rest += schema[++i].num_children ?? 0;
  }
  return columns;
}

/** What a column contains: integers, texts, or a type in the words of the format. */
export function kindOf({ type, repetition_type: repetition }: SchemaElement): string {
  if (repetition === 'REPEATED') return 'lists';
  if (type === 'BYTE_ARRAY') return 'texts';
  return type === 'INT32' || type === 'INT64' ? 'integers' : (type ?? 'nothing');
}
