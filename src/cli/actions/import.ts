import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as z from 'zod';
import {
  fieldsOf, fileKind, formatNames, formats, isNamedArchive, stores, type Format, type FormatName, type OpenOptions,
  type Store,
} from '../../graphs/formats/index.ts';
import { graphChecksum, breadthFirstOrder, hostOrder, reordered, type WebGraph } from '../../graphs/graph/index.ts';
import { openFiles, openGraph } from '../../graphs/catalogue/index.ts';
import { InputError } from '../../base/index.ts';
import { fileNamesIn } from '../../base/files/index.ts';
import { ownFlags, type OutFlags } from '../flags/flags.ts';
import { readWithProgress } from '../flags/named-graph.ts';
import { checkWritable } from '../flags/out-file.ts';
import { namesIn } from '../flags/words.ts';
import { print } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { graphSentence } from '../text/run/simulate-text.ts';

const orders = {
  source: undefined,
  host: hostOrder,
  bfs: breadthFirstOrder,
} satisfies Record<string, ((graph: WebGraph) => Uint32Array) | undefined>;

const own = z.object({
  format: z.enum(['auto', ...formatNames]).default('auto'),
  order: z.enum(Object.keys(orders) as [keyof typeof orders, ...(keyof typeof orders)[]]).default('source'),
  recordLimitMib: z.number().int().min(1).max(1024).optional(),
  expansionLimit: z.number().min(1).max(2000).optional(),
});

interface Flags extends OutFlags {
  readonly fetchedOnly?: true;
  readonly hostPerFolder?: true;
  readonly urls?: true;
  readonly columns?: string;
  readonly dropQuery?: string;
}

export async function runImport(files: readonly string[], flags: Flags): Promise<void> {
  const { format: formatName, order, recordLimitMib, expansionLimit } = ownFlags(own, flags);
  const columns = columnsOf(flags);
  const format = columns === undefined ? formatName : 'csv';
  if (columns !== undefined && formatName !== 'auto' && formatName !== 'csv')
    throw new InputError(`--columns: is for tables as texts (csv), not for ${formatName}`);
  const out = String(flags.out);
  const store = storeFor(out, flags);
  await checkWritable(out);
  const notes: string[] = [];
  const readFiles = async (paths: readonly string[], options: OpenOptions): Promise<WebGraph> =>
    (await readerFor(paths, format, flags))(options);
  const asRead = await readWithProgress(files, async (paths, { inWords, ...progress }) => readFiles(paths, {
    ...progress,
    onNote: (note) => notes.push(inWords(note)),
    fetchedOnly: flags.fetchedOnly,
    hostPerFolder: flags.hostPerFolder,
    recordLimitBytes: recordLimitMib && recordLimitMib * 2 ** 20,
    expansionLimit,
    columns,
    dropQuery: flags.dropQuery === undefined ? undefined : namesIn(flags.dropQuery),
  })).catch((error: unknown) => {
    if (!(error instanceof InputError) || error.field !== 'live.dropQuery') throw error;
    throw new InputError(error.message.replace(/^dropQuery/, '--drop-query'));
  });
  const graph = orders[order] ? reordered(asRead, orders[order](asRead)) : asRead;
  if (order !== 'source')
    notes.push(`Pages are renumbered, ${order === 'host' ? 'by host and path' : 'breadth first'}`);
  await store.write(graph, out, { urls: flags.urls });
  const omissions = store.leaves(graph, { urls: flags.urls });
  if (omissions.length > 0) notes.push(`${out} does not contain ${omissions.join(', ')}`);
  const sha256 = graphChecksum(graph);
  print(
    flags.json,
    () => ({
      graph: graph.name, pages: graph.pages, arcs: graph.arcs, hosts: graph.hosts.count,
      hostsAreSynthetic: graph.hosts.synthetic, sha256, file: out, notes,
    }),
    () =>
      [
        graphSentence(graph),
        ...notes.map((note) => `${printable(note)}.`),
        `sha256 ${sha256}`,
        `Stored in ${printable(out)}`,
      ].join('\n'),
  );
}

/** The two columns of `--columns`, which may be in quotation marks as in a table. */
function columnsOf({ columns }: Flags): readonly [string, string] | undefined {
  if (columns === undefined) return undefined;
  const fields = fieldsOf(columns, ',');
  if (!Array.isArray(fields) || fields.length !== 2 || fields.includes('') || fields[0] === fields[1])
    throw new InputError(`--columns ${printableShort(columns)}: expected two columns as FROM,TO, by name or by number`);
  return [fields[0], fields[1]];
}

function storeFor(out: string, { urls }: Flags): Store {
  const store = stores.find(({ endings }) => endings.some((ending) => out.endsWith(ending)));
  if (store === undefined) {
    throw new InputError(
      `--out ${printableShort(out)}: must end with one of ${stores.flatMap(({ endings }) => endings).join(', ')}, the formats that import writes`,
    );
  }
  if (urls === true && !store.urls) {
    throw new InputError(
      `--urls: ${printableShort(out)} identifies pages by id (${store.title}); use --urls with edge lists or Parquet`,
    );
  }
  return store;
}

/** Like readerOf. @throws InputError for `--drop-query` and a format that would ignore it. */
async function readerFor(
  paths: readonly string[], format: FormatName | 'auto', { dropQuery }: Flags,
): Promise<ReturnType<typeof readerOf>> {
  for (const path of dropQuery === undefined ? [] : paths) {
    if (format === 'auto' ? await mayDropQuery(path) : formats[format].dropsQuery === true) continue;
    throw new InputError(
      `--drop-query: is for WARC and WAT archives, crawl logs of Heritrix and dumps of Nutch; ${printableShort(path)} is ` +
        (format === 'auto' ? 'none of them' : `read as ${format}`),
    );
  }
  return readerOf(paths, format);
}

/** Whether a file or folder is of a format that drops parameters. */
async function mayDropQuery(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) {
    const names = await fileNamesIn(path);
    return names.some(isNamedArchive) && !names.some((name) => /^(pages|arcs)\.tsv/.test(name));
  }
  const kind = stats === undefined ? undefined : await fileKind(path);
  return kind !== undefined && 'dropsQuery' in kind;
}

/**
 * The reader for the named files: one file or folder; the tables of one folder named one by one, as a shell's
 * `folder/*` does; or the files of a format in which several form one graph.
 */
function readerOf(files: readonly string[], format: FormatName | 'auto'): (options: OpenOptions) => Promise<WebGraph> {
  const reader: Format | undefined = format === 'auto' ? undefined : formats[format];
  if (files.length === 1) return (options) => reader?.read(files, options) ?? openGraph(files[0], options);
  const folders = new Set(files.map((file) => dirname(file)));
  const areTables = files.every((file) => /^(pages\.tsv|arcs\.tsv|seeds\.txt)(\.gz)?$/.test(basename(file)));
  if (areTables && folders.size === 1 && (format === 'auto' || format === 'tables')) {
    return (options) => formats.tables.read([dirname(files[0])], options);
  }
  return async (options) => {
    const graph = reader
      ? reader.several && (await reader.read(files, options))
      : !areTables && (await openFiles(files, options));
    if (graph) return graph;
    throw new InputError(
      `${files.length} files (${printableShort(files.join(', '))}): import takes one file, or the tables of one folder ` +
        '(pages.tsv, arcs.tsv, seeds.txt), or several WARC and WAT archives, edge lists or host tables, or the vertices and edges of a host graph',
    );
  };
}
