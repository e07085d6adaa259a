import { isUtf8 } from 'node:buffer';
import { InputError, quoted } from '../../../base/index.ts';
import { bytesOf } from '../../../base/files/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { ArcParser, LineError } from '../edge-list/arc-parser.ts';
import { isUndirected } from '../direction.ts';
import { graphOfIds, withDirection } from '../edge-list/edge-list.ts';
import type { Format } from '../format.ts';
import { graphNameOfParts } from '../graph-name.ts';
import type { ReadOptions, TableOptions } from '../read-options.ts';
import { eachByteLine, failIn, utf8 } from '../text-lines.ts';
import { fieldsOf } from './csv-fields.ts';
import { graphOfTexts, type TakeLink } from './ids-or-names.ts';
import { beginsTable, layoutOf, type TableLayout } from './table-layout.ts';

/** Bounds of a record with line breaks in a quoted field: each further line has it parsed again. */
const MAX_RECORD_LINES = 1000;
const MAX_RECORD_CHARACTERS = 1 << 20;

export const csv = {
  name: 'csv',
  title: 'table of links',
  holds: 'two columns of page ids, URLs or names, by their names or --columns',
  several: true,
  begins: beginsTable,
  read: readCsv,
} as const satisfies Format;

/**
 * Reads tables of links as texts, plain or gzipped: records as RFC 4180 defines them, separated by commas, semicolons,
 * tabs or blanks; several files make one graph, and each may have a header. The user names the columns of sources and
 * targets; otherwise they are recognised by name (column-names.ts), or are the first two of a table without header
 * whose first record has two ids or two URLs there. Pages are ids if all are, otherwise URLs or names
 * (ids-or-names.ts). A record is a link both ways if its column Type says Undirected, as Gephi's does, or if comments
 * above say that the graph is undirected. Other columns are not stored. Lines that begin with `#` are comments.
 * Errors   InputError with file and line: columns that are not there, another number of fields, a record over 1 MiB or
 *          1000 lines, bytes that are not UTF-8.
 * Cost     O(bytes + n + m). Ids in the first two columns, and otherwise only numbers, are read as an edge list is;
 *          other tables take about a microsecond per line, and twice that if the first page that is no id comes late.
 */
export async function readCsv(paths: readonly string[], options: TableOptions = {}): Promise<WebGraph> {
  const layouts = new Map<string, TableLayout>();
  const graph = await plainGraph(paths, options, layouts) ?? await graphOfTexts(
    paths, options, () => tookColumns([...layouts.values()][0]), async (take) => {
      layouts.clear();
      for (const path of paths) layouts.set(path, await readLinks(path, take, options));
    },
  );
  noteOtherColumns(graph.name, [...layouts.values()], options);
  return graph;
}

/** The graph of tables of numbers that differ from edge lists by a header; undefined if one has another form. */
async function plainGraph(
  paths: readonly string[], options: TableOptions, layouts: Map<string, TableLayout>,
): Promise<WebGraph | undefined> {
  let parser: ArcParser | undefined;
  try {
    for (const path of paths) {
      const { layout, headerLine } = await layoutIn(path, options);
      const { header, separator, source, target, type } = layout;
      if (header === undefined || separator === ';' || source !== 0 || target !== 1 || type >= 0) return undefined;
      layouts.set(path, layout);
      parser ??= new ArcParser({ file: path, numbers: layout.fields - 2 });
      parser.startFile(path);
      for await (const chunk of linesAfter(bytesOf(path, options), headerLine)) parser.push(chunk);
      parser.finish();
    }
  } catch (error) {
    if (error instanceof LineError) return undefined;
    throw error;
  }
  if (parser === undefined || parser.sources.length === 0) return undefined;
  const { sources, targets, largestId } = parser;
  const name = options.name ?? graphNameOfParts(paths);
  const links = withDirection(name, { sources, targets }, await isUndirected(paths), options);
  return graphOfIds({ name, ...links, largestId }, options);
}

/** The bytes after line `number`. */
async function* linesAfter(chunks: AsyncIterable<Uint8Array>, number: number): AsyncGenerator<Uint8Array> {
  let lines = number;
  for await (const chunk of chunks) {
    let at = 0;
    while (lines > 0) {
      const end = chunk.indexOf(10, at);
      if (end < 0) break;
      at = end + 1;
      lines--;
    }
    if (lines === 0 && at < chunk.length) yield chunk.subarray(at);
  }
}

/** The layout of a file, and the line of its first record. */
async function layoutIn(path: string, options: TableOptions): Promise<{ layout: TableLayout; headerLine: number }> {
  const first: { text: string; line: number }[] = [];
  const enough = new Error('two records suffice');
  try {
    await eachRecord(path, { expansionLimit: options.expansionLimit }, (text, line) => {
      first.push({ text, line });
      if (first.length === 2) throw enough;
      return undefined;
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
  if (first.length === 0) throw new InputError(`${path}: contains no records; expected two columns or more`);
  const layout = layoutOf(first[0].text, first[1]?.text, options.columns);
  if (typeof layout === 'string') throw new InputError(`${path}: line ${first[0].line}: ${layout}`);
  return { layout, headerLine: first[0].line };
}

/** Passes the links of a file on. The column of types in what it returns is -1 if it says nothing of directions. */
async function readLinks(path: string, take: TakeLink, options: TableOptions): Promise<TableLayout> {
  const { layout, headerLine } = await layoutIn(path, options);
  let saysDirection = false as boolean;
  const isUnnamed = layout.header === undefined && options.columns === undefined;
  await eachRecord(path, options, (text, line, isWhole) => {
    if (line === headerLine && layout.header !== undefined) return undefined;
    const fields = fieldsOf(text, layout.separator);
    if (fields === undefined) return isWhole ? 'a quoted field does not end' : 'more';
    if (typeof fields === 'string') return fields;
    if (fields.length !== layout.fields) {
      return `has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} where line ${headerLine} has ` +
        `${layout.fields}; a field with a separator in it needs quotation marks`;
    }
    if (isUnnamed && fields.length > 2 && fields.slice(2).some((field) => field.includes('://'))) {
      return 'has a third URL, as an adjacency list has; orbweaver import --columns FROM,TO numbers the two columns ' +
        'of links from 1';
    }
    const edge = isEdge(fields[layout.type]);
    saysDirection ||= edge !== undefined;
    return take(fields[layout.source], fields[layout.target], edge);
  });
  return saysDirection ? layout : { ...layout, type: -1 };
}

/**
 * Passes each record, without blank lines and comments, to `take` with its first line. `take` returns `more` if the
 * record goes on in the next line, or the fault of the record; `isWhole` says that there is no more.
 */
async function eachRecord(
  path: string, options: ReadOptions, take: (text: string, line: number, isWhole: boolean) => string | undefined,
): Promise<void> {
  let open: { text: string; line: number } | undefined;
  const failAt = (line: number, what: string, text: string): never =>
    failIn(`${path}: line ${line}`)(`${what}: ${quoted(text)}`);
  const pass = (text: string, line: number, isWhole: boolean): void => {
    const fault = take(text, line, isWhole);
    open = fault === 'more' ? { text, line } : undefined;
    if (fault !== undefined && fault !== 'more') failAt(line, fault, text);
  };
  await eachByteLine(path, options, (bytes, fail, number) => {
    if (open === undefined && (bytes.length === 0 || bytes[0] === 35)) return;
    if (!isUtf8(bytes)) fail('is not UTF-8');
    const line = utf8(bytes);
    if (open === undefined) {
      if (line.trim() !== '') pass(line, number, false);
      return;
    }
    const text = `${open.text}\n${line}`;
    if (number - open.line >= MAX_RECORD_LINES || text.length > MAX_RECORD_CHARACTERS) {
      failAt(open.line, `a quoted field does not end within ${MAX_RECORD_LINES} lines and 1 MiB`, open.text);
    }
    if (line.includes('"')) pass(text, open.line, false);
    else open = { text, line: open.line };
  });
  if (open !== undefined) pass(open.text, open.line, true);
}

/** The end of a message that a table has no links. */
function tookColumns({ header, source, target }: TableLayout): string {
  const columns = [source, target].map((place) => (header === undefined ? place + 1 : quoted(header[place], 30)));
  return `expected page ids, URLs or names in its columns ${columns.join(' and ')}; orbweaver import --columns FROM,TO ` +
    'names two others, or numbers them from 1';
}

/** Whether a column of types says that a link is undirected; undefined if it says nothing of its direction. */
function isEdge(type: string | undefined): boolean | undefined {
  const word = type?.toLowerCase();
  return word === 'undirected' || word === 'mutual' ? true : word === 'directed' ? false : undefined;
}

function noteOtherColumns(name: string, layouts: readonly TableLayout[], { onNote }: ReadOptions): void {
  const [{ header, fields, source, target, type }] = layouts;
  const others = (header ?? []).filter((_, column) => column !== source && column !== target && column !== type);
  const count = fields - (type < 0 ? 2 : 3);
  if (count === 0) return;
  const what = count === 1 ? 'column' : 'columns';
  const listed = others.slice(0, 5).map((other) => quoted(other, 30)).join(', ') + (others.length > 5 ? ', ...' : '');
  onNote?.(
    `${name}: ${header === undefined ? `${count} further ${what}` : `the ${what} ${listed}`} ` +
      `${count === 1 ? 'is' : 'are'} not stored`,
  );
}
