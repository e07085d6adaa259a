import type { WebGraph } from '../../graph/index.ts';
import { grown, InputError, quoted } from '../../base/index.ts';
import { idsFromOne } from '../arc-list.ts';
import { ArcParser } from '../edge-list/arc-parser.ts';
import { bytesOf } from '../../base/files/index.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';

/** Maximum bytes of comments before the sizes; a file with more is not one of these. */
const LONGEST_HEADER_BYTES = 1 << 20;
/**
 * Pages that a sizes line may promise whatever the entries, and for each entry: a lying count must not fill the memory.
 */
const PAGES_BELIEVED = 2 ** 24;
const PAGES_BELIEVED_PER_ENTRY = 64;

/** The header before the entries. */
interface Header {
  readonly pages: number;
  readonly entries: number;
  /** Numbers behind row and column. */
  readonly values: number;
  /** Whether entry (i, j) also means (j, i). */
  readonly isSymmetric: boolean;
  readonly firstId: 0 | 1;
  /** Line of the sizes, and the place behind it. */
  readonly line: number;
  readonly end: number;
}

export const matrix = {
  name: 'matrix',
  title: 'sparse matrix',
  holds: 'Matrix Market coordinates, SMAT',
  several: false,
  begins: ({ lines }) => /^%%MatrixMarket/i.test(lines[0]) || beginsLikeSmat(lines),
  read: ([path], options) => readMatrix(path, options),
} as const satisfies Format;

/**
 * Reads a square sparse matrix, plain or gzipped; entry (i, j) is a link from page i to page j, whatever its value.
 * Either Matrix Market's coordinate form, ids from 1 and kept as `sourceIds`, symmetric ones as links both ways; or
 * SMAT: a line `rows columns entries`, then `row column value` a line, ids from 0. Hosts are drawn.
 *
 * Errors   InputError with file and line; also for `array` matrices, and where the entries are not as many as promised.
 * Cost     O(bytes + n + m). Sizes are believed only as far as the entries bear them out, so a lying count costs no
 *          memory.
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
  if (header.values > 0) options.onNote?.(`${name}: the values of the matrix are not kept`);
  if (header.isSymmetric) options.onNote?.(`${name}: the matrix is symmetric, so each entry is a link both ways`);
  return buildNoting({ name, ...partsOf(header, parser) }, options.onNote);
}

/**
 * Whether line 1 is `n n entries` and all ids of the whole lines behind it are below n. A list of weighted links would
 * have to begin with a link of its largest page to itself to look so.
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

function checkSizes({ pages, entries, line }: Header, found: number, file: string): void {
  if (found < entries) {
    throw new InputError(
      `${file}: ends after ${found} entries; line ${line} promises ${entries}. Is the file cut short?`,
    );
  }
  if (found > entries) throw new InputError(`${file}: has ${found} entries; line ${line} promises ${entries}`);
  if (pages > Math.max(PAGES_BELIEVED, PAGES_BELIEVED_PER_ENTRY * entries)) {
    throw new InputError(`${file}: line ${line}: ${pages} rows are not believed of a matrix of ${entries} entries`);
  }
}

function partsOf({ pages, isSymmetric, firstId }: Header, parser: ArcParser) {
  let { sources, targets } = parser;
  let sourceIds: Uint32Array | undefined;
  if (firstId === 1) {
    for (let i = 0; i < sources.length; i++) {
      sources[i]--;
      targets[i]--;
    }
    sourceIds = idsFromOne(pages);
  }
  if (isSymmetric) {
    const entries = sources.length;
    let arcs = entries;
    let from = sources;
    let to = targets;
    for (let i = 0; i < entries; i++) {
      if (sources[i] === targets[i]) continue;
      from = grown(from, arcs + 1);
      to = grown(to, arcs + 1);
      from[arcs] = targets[i];
      to[arcs++] = sources[i];
    }
    sources = from.subarray(0, arcs);
    targets = to.subarray(0, arcs);
  }
  return { pages, sources, targets, sourceIds };
}

const valuesOf: Readonly<Record<string, number>> = { pattern: 0, integer: 1, real: 1, double: 1, complex: 2 };

/** The header that `bytes` begin with; undefined if it goes on behind them. */
function headerIn(bytes: Uint8Array, file: string): Header | undefined {
  let kind = { values: 1, isSymmetric: false, firstId: 0 as 0 | 1 };
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(10, start);
    if (end < 0) return undefined;
    const text = new TextDecoder('latin1').decode(bytes.subarray(start, end));
    start = end + 1;
    if (line === 1 && /^%%MatrixMarket/i.test(text)) kind = { ...bannerKind(text, file), firstId: 1 };
    if (/^[ \t]*%|^\s*$/.test(text)) continue;
    const fail = (what: string): never => {
      throw new InputError(`${file}: line ${line}: ${what}`);
    };
    const sizes = text.trim().split(/\s+/);
    if (sizes.length !== 3 || !sizes.every((size) => /^[0-9]+$/.test(size)))
      fail(`expected rows, columns and entries: ${quoted(text)}`);
    const [rows, columns, entries] = sizes.map(Number);
    if (rows !== columns) fail(`the matrix has ${rows} rows and ${columns} columns; that of a graph is square`);
    if (rows < 1) fail('the matrix has no rows');
    if (rows >= 2 ** 32 - 1) fail(`${rows} rows are more than 4294967294, the most pages of a graph`);
    return { ...kind, pages: rows, entries, line, end: start };
  }
}

function bannerKind(text: string, file: string): { values: number; isSymmetric: boolean } {
  const fail = (what: string): never => {
    throw new InputError(`${file}: line 1: ${what}: ${quoted(text.trimEnd(), 100)}`);
  };
  const [, object, format, field, symmetry, ...more] = text.trim().toLowerCase().split(/\s+/);
  if (object === 'matrix' && format === 'array') fail('an array is a dense matrix; a graph is read from coordinates');
  if (object !== 'matrix' || format !== 'coordinate' || more.length > 0)
    fail('expected "matrix coordinate", a field and a symmetry');
  if (!Object.hasOwn(valuesOf, field)) fail('the field is none of pattern, real, integer, complex');
  if (!['general', 'symmetric', 'skew-symmetric', 'hermitian'].includes(symmetry)) {
    fail('the symmetry is none of general, symmetric, skew-symmetric, hermitian');
  }
  return { values: valuesOf[field], isSymmetric: symmetry !== 'general' };
}
