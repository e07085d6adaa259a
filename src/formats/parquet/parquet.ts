import { open, type FileHandle } from 'node:fs/promises';
import { parquetMetadata, type FileMetaData, type RowGroup, type SchemaElement } from 'hyparquet';
import * as z from 'zod';
import type { WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../base/index.ts';
import { ArcList } from '../arc-list.ts';
import { readError } from '../../base/files/index.ts';
import { linkColumns, noColumn } from '../columns/column-names.ts';
import { graphOfIds } from '../edge-list/edge-list.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { NamedLinks } from '../url-lists/named-pairs.ts';
import { readChunk, type Values } from './parquet-pages.ts';
import type { ReadOptions } from '../read-options.ts';

/** Real footers have some KiB; with very many row groups, some MiB. */
const FOOTER_LIMIT_BYTES = 1 << 26;
/**
 * Rows that a file may state for any size, and additionally per byte: runs of one value take no space, but the links of
 * a graph are not all equal.
 */
const CREDIBLE_ROWS = 2 ** 24;
const CREDIBLE_ROWS_PER_BYTE = 64;

/**
 * Reads tables of links in Apache Parquet; several files make one graph. Two columns are read, by name: source (also
 * src, from, from_id, source_url, ...) and target (also dst, to, dest, ...), in any case; all others are ignored.
 * Integers are page ids as in an edge list, texts are names or URLs as in named pairs. Each row is a link.
 *
 * Errors   InputError with file, and row group and column if it is within one.
 * Cost     O(rows + bytes of both columns); memory: the graph, and both columns of one row group. Rows are believed up
 *          to 64 per byte of the file.
 */
export async function readParquet(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const ids = new ArcList();
  const names = new NamedLinks();
  for (const path of paths) {
    await readFile(path, (sources, targets) => {
      if (sources instanceof Uint32Array && targets instanceof Uint32Array) {
        if (names.hasPages) return 'contains ids, but the files before it contain texts';
        for (let i = 0; i < sources.length; i++) ids.add(sources[i], targets[i]);
        return undefined;
      }
      if (ids.length > 0) return 'contains texts, but the files before it contain ids';
      for (let i = 0; i < sources.length; i++) {
        const fault = names.link(String(sources[i]), String(targets[i]));
        if (fault !== undefined) return `row ${i}: ${fault}`;
      }
      return undefined;
    });
  }
  const name = options.name ?? graphNameOfParts(paths);
  if (names.hasPages) return names.graph(name, options);
  if (ids.length === 0) throw new InputError(`${paths[0]}: contains no links`);
  const { sources, targets, largestId } = ids;
  return graphOfIds({ name, sources, targets, largestId }, options);
}

/** Passes the columns of each row group to `take`, which returns what is wrong with them, if anything. */
async function readFile(path: string, take: (sources: Values, targets: Values) => string | undefined): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const metadata = await readFooter(file, size, path);
    const columns = columnsOf(metadata, path);
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
      const fault = take(values[0], values[1]);
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
  const fail = (what: string): never => {
    throw new InputError(`${path}: ${what}`);
  };
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

/** The columns of sources and targets. */
function columnsOf({ schema }: FileMetaData, path: string): [SchemaElement, SchemaElement] {
  // A column with children is a group; its members are ignored, as their names may equal those of columns.
  const columns: SchemaElement[] = [];
  for (let i = 1; i < schema.length; i++) {
    const nested = schema[i].num_children ?? 0;
    if (nested === 0) columns.push(schema[i]);
    for (let left = nested; left > 0 && i + 1 < schema.length; left--) left += schema[++i].num_children ?? 0;
  }
  const names = columns.map(({ name }) => name);
  const found = linkColumns(names).map((place, which) => {
    if (place < 0) throw new InputError(`${path}: ${noColumn(which, names)}`);
    const column = columns[place];
    if (
      column.type === undefined ||
      !['INT32', 'INT64', 'BYTE_ARRAY'].includes(column.type) ||
      column.repetition_type === 'REPEATED'
    ) {
      const kind = column.repetition_type === 'REPEATED' ? 'lists' : (column.type ?? 'nothing');
      throw new InputError(`${path}: column ${quoted(column.name)} contains ${kind}; expected integers or texts`);
    }
    return column;
  });
  if ((found[0].type === 'BYTE_ARRAY') !== (found[1].type === 'BYTE_ARRAY')) {
    throw new InputError(
      `${path}: one of the columns ${quoted(found[0].name)} and ${quoted(found[1].name)} contains texts, the other integers`,
    );
  }
  return [found[0], found[1]];
}
