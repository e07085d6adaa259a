import type { WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { idsFromOne } from '../arc-list.ts';
import { ArcParser } from '../edge-list/arc-parser.ts';
import { bytesOf } from '../../../base/files/index.ts';
import { bothWays } from '../direction.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { failIn } from '../text-lines.ts';

/** Maximum bytes of comments before the sizes; a file with more is not one of these. */
const LONGEST_HEADER_BYTES = 1 << 20;
/**
 * Pages that a line of sizes may state for any number of entries, and additionally per entry: a false count must not
 * fill the memory.
 */
const CREDIBLE_PAGES = 2 ** 24;
const CREDIBLE_PAGES_PER_ENTRY = 64;

/** The header before the entries. */
interface Header {
  readonly pages: number;
  readonly entries: number;
  /** Numbers after row and column. */
  readonly values: number;
  /** Whether entry (i, j) also means (j, i). */
  readonly isSymmetric: boolean;
  readonly firstId: 0 | 1;
  /** Line of the sizes, and the position after it. */
  readonly line: number;
  readonly end: number;
}

export const matrix = {
  name: 'matrix',
  title: 'sparse matrix',
  holds: 'Matrix Market coordinates, SMAT',
  several: false,
  begins: ({ lines }) => /^%%?MatrixMarket/i.test(lines[0]) || beginsLikeSmat(lines),
  read: ([path], options) => readMatrix(path, options),
} as const satisfies Format;

/**
 * Reads a square sparse matrix, plain or gzipped; entry (i, j) is a link from page i to page j, whatever its value.
 * Either Matrix Market's coordinate form, with ids from 1, stored as `sourceIds`, and symmetric matrices as links both
 * ways; or SMAT: `rows columns entries`, then `row column value` per line, with ids from 0. Hosts are drawn.
 * Errors   InputError with file and line; also for `array` matrices, and if the number of entries is not as stated.
 * Cost     O(bytes + n + m). Sizes are believed only in proportion to the entries, so a false count costs no memory.
 */
export async function readMatrix(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  let front: Uint8Array = new Uint8Array(0);
  let header: Header | undefined;
  let parser: ArcParser | undefined;
  const begin = (bytes: Uint8Array): ArcParser | undefined => {
    header = headerIn(bytes, path);
    if (header && !parser) {
      parser = entryParser(header, path);
      parser.push(bytes.subarray(header.end));
    }
    return parser;
  };
  for await (const chunk of bytesOf(path, options)) {
    if (parser) parser.push(chunk);
    else if (!begin((front = Buffer.concat([front, chunk]))) && front.length > LONGEST_HEADER_BYTES) {
      throw new InputError(`${path}: has no line of sizes in its first ${LONGEST_HEADER_BYTES} bytes`);
    }
  }
  parser ??= begin(Buffer.concat([front, Uint8Array.of(10)]));
  if (!parser || !header)
    throw new InputError(`${path}: ends before its line of sizes; expected rows, columns and entries`);
  parser.finish();
  checkSizes(header, parser.sources.length, path);
  const name = options.name ?? graphName(path);
  if (header.values > 0) options.onNote?.(`${name}: the values of the matrix are not stored`);
  if (header.isSymmetric) options.onNote?.(`${name}: the matrix is symmetric, so each entry is a link both ways`);
  return buildNoting({ name, ...partsOf(header, parser) }, options.onNote);
}

/**
 * Whether line 1 is `n n entries` and all ids of the following whole lines are below n. A list of weighted links looks
 * like this only if it begins with a link of its largest page to itself.
 */
function beginsLikeSmat(lines: readonly string[]): boolean {
  const sizes = /^([0-9]+)[ \t]+([0-9]+)[ \t]+[0-9]+[ \t]*$/.exec(lines[0]);
  const entries = lines.slice(1, -1);
  if (sizes === null || sizes[1] !== sizes[2] || entries.length === 0) return false;
  return entries.every((line) => {
    const entry = /^([0-9]+)[ \t]+([0-9]+)[ \t]+[^ \t]+[ \t]*$/.exec(line);
    return entry !== null && Math.max(Number(entry[1]), Number(entry[2])) < Number(sizes[1]);
  });
}

function entryParser(header: Header, file: string): ArcParser {
  const { pages, firstId, values, line } = header;
  return new ArcParser({
    file,
    firstLine: line + 1,
    firstId,
    idBound: pages + firstId,
    boundReason:
      firstId === 1
        ? `is larger than ${pages}, the rows of line ${line}`
        : `is not below ${pages}, the rows of line ${line}`,
    numbers: values,
  });
}

function checkSizes({ pages, entries, line }: Header, count: number, file: string): void {
  if (count < entries)
    failIn(file)(`ends after ${count} entries; line ${line} states ${entries}. Is the file truncated?`);
  if (count > entries) throw new InputError(`${file}: has ${count} entries; line ${line} states ${entries}`);
  if (pages > Math.max(CREDIBLE_PAGES, CREDIBLE_PAGES_PER_ENTRY * entries)) {
    throw new InputError(`${file}: line ${line}: ${pages} rows are too many for a matrix of ${entries} entries`);
  }
}

function partsOf({ pages, isSymmetric, firstId }: Header, { sources, targets }: ArcParser) {
  if (firstId === 1) {
    for (let i = 0; i < sources.length; i++) {
      sources[i]--;
      targets[i]--;
    }
  }
  const links = isSymmetric ? bothWays(sources, targets) : { sources, targets };
  return { pages, ...links, sourceIds: firstId === 1 ? idsFromOne(pages) : undefined };
}

const valuesOf: Readonly<Record<string, number>> = { pattern: 0, integer: 1, real: 1, double: 1, complex: 2 };

/** The header at the beginning of `bytes`; undefined if it continues after them. */
function headerIn(bytes: Uint8Array, file: string): Header | undefined {
  let kind = { values: 1, isSymmetric: false, firstId: 0 as 0 | 1 };
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(10, start);
    if (end < 0) return undefined;
    const text = new TextDecoder('latin1').decode(bytes.subarray(start, end));
    start = end + 1;
    if (line === 1 && /^%%?MatrixMarket/i.test(text)) kind = { ...bannerKind(text, file), firstId: 1 };
    if (/^[ \t]*%|^\s*$/.test(text)) continue;
    const fail = failIn(`${file}: line ${line}`);
    const sizes = text.trim().split(/\s+/);
    if (sizes.length !== 3 || !sizes.every((size) => /^[0-9]+$/.test(size)))
      fail(`expected rows, columns and entries: ${quoted(text)}`);
    const [rows, columns, entries] = sizes.map(Number);
    if (rows !== columns) fail(`the matrix has ${rows} rows and ${columns} columns; it must be square`);
    if (rows < 1) fail('the matrix has no rows');
    if (rows >= 2 ** 32 - 1) fail(`${rows} rows are more than 4294967294, the maximum number of pages of a graph`);
    return { ...kind, pages: rows, entries, line, end: start };
  }
}

function bannerKind(text: string, file: string): { values: number; isSymmetric: boolean } {
  const fail = (what: string): never => failIn(`${file}: line 1`)(`${what}: ${quoted(text.trimEnd(), 100)}`);
  const [, object, format, field, symmetry, ...more] = text.trim().toLowerCase().split(/\s+/);
  if (object === 'matrix' && format === 'array') fail('an array is a dense matrix; only coordinates are supported');
  if (object !== 'matrix' || format !== 'coordinate' || more.length > 0)
    fail('expected "matrix coordinate", a field and a symmetry');
  if (!Object.hasOwn(valuesOf, field)) fail('the field must be one of pattern, real, integer, complex');
  if (!['general', 'symmetric', 'skew-symmetric', 'hermitian'].includes(symmetry)) {
    fail('the symmetry must be one of general, symmetric, skew-symmetric, hermitian');
  }
  return { values: valuesOf[field], isSymmetric: symmetry !== 'general' };
}
