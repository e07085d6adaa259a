import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WebGraph } from '../graph/index.ts';
import { checkFields, checkText, didYouMean, InputError, quoted } from '../../base/index.ts';
import {
  basenameOfBvGraph, readBvGraph, fileKind, type FileKind, startOf, formatNames, formats, type OpenOptions, graphName,
  hasHtmlName, partsBelow, readSite, readTables, isNamedArchive, mayBeTable, readWarc,
} from '../formats/index.ts';
import { checkRegular, entriesOf, fileNamesIn, isMissing, readError } from '../../base/files/index.ts';
import { catalogue, nearestNames } from './catalogue.ts';
import { datasetsFolder, fetchedFolder, readRecord, type DatasetRecord } from './fetched.ts';
import { publicDatasets, RECORD_FILE } from './public-datasets.ts';

/** Letters of a mistaken name that the message repeats, enough for most paths. */
const LONGEST_NAME = 200;

/**
 * Opens the graph that several files make up together, in their order, if their format allows several (formats.ts).
 * Returns  undefined if no file is of such a format.
 * Errors   InputError if some are not of the format that others are of, or one is damaged; the message names file
 *          and place.
 */
export async function openFiles(paths: readonly string[], options: OpenOptions = {}): Promise<WebGraph | undefined> {
  const kinds: (FileKind | undefined)[] = [];
  // One after the other: a crawl has more files than a process may have open.
  for (const path of paths) kinds.push(await fileKind(path));
  const format = formatNames
    .map((name) => formats[name])
    .find((candidate) => candidate.several && kinds.includes(candidate));
  if (format === undefined) return undefined;
  for (const [i, path] of paths.entries()) {
    if (kinds[i] === format || (kinds[i] !== undefined && kinds[i].name === format.partner)) continue;
    throw new InputError(`${path}: is not in the format of ${paths[kinds.indexOf(format)]} (${format.title})`);
  }
  return format.read(paths, { ...options, isGuessed: true });
}

const optionFields = {
  name: true, onNote: true, onFault: true, isGuessed: false, fetchedOnly: true, recordLimitBytes: true, dropQuery: true,
  hostPerFolder: true, columns: true, expansionLimit: true, onBytes: true,
} as const satisfies Record<keyof OpenOptions, boolean>;

/**
 * Opens the graph a user means by `nameOrPath`: a name of the catalogue, shipped or fetched (which wins over a file of
 * that name; write `./name` for the file), a folder of tables, of archives, of HTML files or of a fetched graph, or a
 * file in any format (formats.ts), recognised by its content; or a BVGraph, by its basename or one of its files. A
 * `.graph` is a BVGraph's if it has properties beside it, because its bits reveal nothing.
 *
 * @param nameOrPath - a name or a path.
 * @param options - a name for the graph, a listener for remarks, and the options of single formats.
 * @returns the graph, in shared memory.
 * @throws InputError if there is no such thing or it is damaged; the message names file and place.
 */
export async function openGraph(nameOrPath: string, options: OpenOptions = {}): Promise<WebGraph> {
  checkText('the graph', nameOrPath);
  checkFields('options', options, optionFields);
  const entry = catalogue.find(({ name }) => name === nameOrPath);
  const fetched = entry ? undefined : await fetchedHere(nameOrPath);
  const path = entry?.path ?? fetched ?? nameOrPath;
  const kind = await stat(path).catch((error: unknown) => {
    if (!isMissing(error) || entry) throw readError(path, error);
    return undefined;
  });
  if (!kind) {
    if ((await exists(`${path}.properties`)) || (await exists(`${path}.graph`))) return readBvGraph(path, options);
    throw await noSuchGraph(nameOrPath);
  }
  const withName: OpenOptions = { ...options, name: options.name ?? entry?.name };
  if (kind.isDirectory()) return openFolder(path, withName);
  if (!kind.isFile()) throw new InputError(`${path}: is neither a file nor a folder`);
  return openFile(path, withName);
}

/** @throws InputError, with the field `graph`, if openGraph would find nothing by this name. */
export async function checkGraphName(nameOrPath: string): Promise<void> {
  if (await isName(nameOrPath)) return;
  for (const path of [nameOrPath, `${nameOrPath}.properties`, `${nameOrPath}.graph`])
    if (await exists(path)) return;
  throw new InputError((await noSuchGraph(nameOrPath)).message, { field: 'graph' });
}

/**
 * What openGraph opens the same graph by from any folder: the name, where it is one of the catalogue or of a graph that
 * was fetched, else the absolute path.
 */
export async function graphSource(nameOrPath: string): Promise<string> {
  return (await isName(nameOrPath)) ? nameOrPath : resolve(nameOrPath);
}

/** Whether it is a name of the catalogue, or of a graph that was fetched. */
async function isName(nameOrPath: string): Promise<boolean> {
  return catalogue.some(({ name }) => name === nameOrPath) || (await fetchedHere(nameOrPath)) !== undefined;
}

/** The file, if openGraph would read a stored graph from one by this name; undefined where it reads anything else. */
export async function storedGraphFile(nameOrPath: string): Promise<string | undefined> {
  if (await isName(nameOrPath)) return undefined;
  const isFile = await stat(nameOrPath).then((kind) => kind.isFile(), () => false);
  return isFile && (await fileKind(nameOrPath)) === formats.owg ? nameOrPath : undefined;
}

/** The folder of a graph fetched by this name; without a home there is none, and a file may still be meant. */
async function fetchedHere(name: string): Promise<string | undefined> {
  try {
    return await fetchedFolder(name, datasetsFolder());
  } catch {
    return undefined;
  }
}

/** The error for a name that nothing has: perhaps it is a public graph that was not fetched. */
async function noSuchGraph(name: string): Promise<InputError> {
  const publicNames = (await publicDatasets()).map((dataset) => dataset.name);
  if (publicNames.includes(name)) {
    return new InputError(
      `${name}: is a public graph that was not fetched yet; fetch it with: orbweaver datasets fetch ${name}`,
    );
  }
  const shipped = nearestNames(name, catalogue.map((entry) => entry.name));
  const [nearest] = nearestNames(name, publicNames);
  return new InputError(
    `no graph ${quoted(name, LONGEST_NAME)}: there is no such file or folder, and the catalogue has ${shipped.join(', ')}, ` +
      `and to fetch ${nearest} and others (orbweaver datasets list)${didYouMean(name, [...shipped, ...publicNames])}`,
  );
}

/** The graph that the files of a record make up. */
export function openRecorded(folder: string, { name, files }: DatasetRecord, options: OpenOptions): Promise<WebGraph> {
  const paths = files.filter(({ opens }) => opens).map((file) => join(folder, file.name));
  return openParts(paths, { ...options, name: options.name ?? name });
}

async function openParts(paths: readonly string[], options: OpenOptions): Promise<WebGraph> {
  for (const path of paths) {
    checkRegular(path, await stat(path).catch((error: unknown) => {
      throw readError(path, error);
    }));
  }
  if (paths.length === 1) return openFile(paths[0], options);
  const graph = await openFiles(paths, options);
  if (!graph)
    throw new InputError(
      `${paths.length} files (${paths[0]}, ...): are of no format of which several files make one graph`,
    );
  return graph;
}

/**
 * A folder is one of a fetched graph where it has a record, otherwise of tables where it has pages.tsv, otherwise of
 * archives where it holds one, of Parquet where one lies in it or below it, otherwise of HTML files where one does.
 */
async function openFolder(path: string, options: OpenOptions): Promise<WebGraph> {
  const entries = await entriesOf(path);
  const names = await fileNamesIn(path);
  const record = names.includes(RECORD_FILE) ? await readRecord(path) : undefined;
  if (record) {
    if (!record.complete)
      throw new InputError(`${path}: was fetched in part; to continue: orbweaver datasets fetch ${record.name}`);
    return openRecorded(path, record, options);
  }
  const isOfCommand = /^(run|runs|study|tour|plan|tune|compare)\.json$/;
  if (names.includes('report.html') && names.some((name) => isOfCommand.test(name)))
    throw new InputError(`${path}: has what a command left with --out, and no graph; name the graph that it was about`);
  const archives = names.filter(isNamedArchive).map((name) => join(path, name));
  if (names.some((name) => name.startsWith('pages.tsv') || name.startsWith('arcs.tsv')))
    return readTables(path, options);
  const withName = { ...options, name: options.name ?? graphName(path) };
  if (archives.length > 0) return readWarc(archives, withName);
  // A site may have tables to download; a folder that has some itself holds tables.
  const tables = await partsBelow(path, names.some((name) => name.endsWith('.parquet')) ? undefined : hasHtmlName);
  if (tables.length > 0) return formats.parquet.read(tables, withName);
  if (entries.some((entry) => entry.isDirectory() || hasHtmlName(entry.name))) return readSite(path, options);
  return readTables(path, options); // Reports the missing file.
}

async function openFile(path: string, requested: OpenOptions): Promise<WebGraph> {
  const options: OpenOptions = { ...requested, isGuessed: true };
  const properties = `${basenameOfBvGraph(path)}.properties`;
  const isOfBvGraph = /\.(graph|offsets)$/.test(path);
  if (isOfBvGraph && (await exists(properties))) return readBvGraph(path, options);
  const kind = await fileKind(path);
  const start = kind === undefined || kind === formats.edges ? await startOf(path) : undefined;
  if (start?.bytes.length === 0) throw new InputError(`${path}: is empty`);
  if (kind !== undefined && 'read' in kind) return kind.read([path], options);
  if (isOfBvGraph && start?.isPlainText === false) {
    throw new InputError(`${path}: is not text, and a BVGraph needs ${properties} beside it, which is not there`);
  }
  if (start !== undefined && /^\s*</.test(start.text)) {
    throw new InputError(`${path}: is markup, but neither GEXF nor GraphML; of HTML files, name their folder`);
  }
  // Links without their partner file: the format's reader reports the missing file.
  if (kind?.name === formats['url-blocks'].partner) return formats['url-blocks'].read([path], options);
  if (mayBeTable(await startOf(path))) return formats.csv.read([path], options);
  // A file of unknown kind is read as links, and its errors are reported as such.
  return formats.edges.read([path], options);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
