import { InputError } from '../../../base/index.ts';
import { bytesOf } from '../../../base/files/index.ts';
import { startOf } from '../file-start.ts';
import type { ReadOptions } from '../read-options.ts';

/** The form of a text of numbers, line by line. Comments (`#`, `%`) do not count as lines. */
interface NumberLines {
  /** The first line that is not blank: its position, and its numbers, at most five of them. */
  readonly firstLine: number;
  readonly first: readonly number[];
  /** Lines after it: those with numbers; all up to the last of these; all. */
  readonly filled: number;
  readonly upToLast: number;
  readonly all: number;
  /**
   * After it: how many numbers there are, the fewest and most per line, and the minimum and maximum of the first two of
   * each line; NaN if one is not an integer.
   */
  readonly numbers: number;
  readonly fewest: number;
  readonly most: number;
  readonly least: number;
  readonly largest: number;
  /** Whether no line begins with the same number as the line before. */
  readonly beginsAnew: boolean;
}

const letters = (text: string): ReadonlySet<number> => new Set(Buffer.from(text));
const [separators, parts, commentMarks] = [letters(' \t\r,'), letters('+-.eE'), letters('#%')];

/**
 * Determines the form of a text; undefined if it contains anything that is not part of a number. O(bytes).
 */
async function numberLines(path: string, { expansionLimit }: ReadOptions): Promise<NumberLines | undefined> {
  const first: number[] = [];
  let [firstLine, filled, upToLast, all, numbers, fewest, most, least, largest] = [
    0, 0, 0, 0, 0, Infinity, 0, Infinity, 0,
  ];
  let beginsAnew = true;
  let lastBegin = NaN;
  let line: number[] = []; // The first numbers of the current line.
  let [lineNumber, count, value] = [1, 0, -1];
  let inComment = false;
  const endNumber = (): void => {
    if (value === -1) return;
    if (count++ < 5) line.push(value);
    value = -1;
  };
  const endLine = (): void => {
    endNumber();
    if (firstLine > 0 && !inComment) {
      all++;
      if (count > 0)
        [filled, upToLast, fewest, most] = [filled + 1, all, Math.min(fewest, count), Math.max(most, count)];
      numbers += count;
      [least, largest] = [Math.min(least, ...line.slice(0, 2)), Math.max(largest, ...line.slice(0, 2))];
    } else if (count > 0) {
      firstLine = lineNumber;
      first.push(...line);
    }
    if (count > 0) {
      beginsAnew &&= line[0] !== lastBegin;
      [lastBegin] = line;
    }
    [line, count, inComment] = [[], 0, false];
    lineNumber++;
  };
  let lastByte = 10;
  for await (const chunk of bytesOf(path, { expansionLimit })) {
    for (const byte of chunk) {
      if (byte === 10) endLine();
      else if (inComment) continue;
      else if (byte >= 48 && byte <= 57) value = Math.max(0, value) * 10 + (byte - 48);
      else if (separators.has(byte)) endNumber();
      else if (parts.has(byte)) value = NaN;
      else if (commentMarks.has(byte) && count === 0) inComment = true;
      else return undefined;
    }
    lastByte = chunk[chunk.length - 1];
  }
  if (lastByte !== 10) endLine();
  return { firstLine, first, filled, upToLast, all, numbers, fewest, most, least, largest, beginsAnew };
}

/**
 * Whether the first line counts the lines after it as METIS does: including blank ones, which are nodes without
 * neighbours.
 */
function countsNodes({ first: [nodes], upToLast, all }: NumberLines): boolean {
  return upToLast <= nodes && nodes <= all;
}

/**
 * Whether it has as many lines as the first line of a METIS graph states, and only ids of its nodes on them if it has
 * no weights.
 */
function hasMetisNodes(lines: NumberLines): boolean {
  const [nodes, edges, format = 0] = lines.first;
  if (lines.first.length > 4 || !(edges >= 1) || !/^[01]{1,3}$/.test(String(format)) || !countsNodes(lines))
    return false;
  return format > 0 || (lines.least >= 1 && lines.largest <= nodes);
}

/**
 * Whether the count of its numbers is right too: each edge twice, and the weights that the third and fourth number of
 * the first line announce.
 */
function isMetis(lines: NumberLines): boolean {
  const [nodes, edges, format = 0, constraints = 1] = lines.first;
  const [sizes, weights, edgeWeights] = String(format).padStart(3, '0').split('').map(Number);
  return (
    hasMetisNodes(lines) && lines.numbers === 2 * edges * (1 + edgeWeights) + nodes * (sizes + weights * constraints)
  );
}

/**
 * Whether the first line is `pages links` or `rows columns entries` of the lines after it, whose ids begin at 0 or 1.
 */
function hasSizes({ first, filled, fewest, most, least, largest }: NumberLines): boolean {
  const pages = Math.max(...first.slice(0, -1));
  return first.length < 4 && first.at(-1) === filled && fewest === most && largest <= (least === 0 ? pages - 1 : pages);
}

/**
 * The form that a text resembles which was refused as an edge list, and what can be done with it; undefined if unknown.
 * Errors   as bytesOf.
 */
export async function likeness(path: string, options: ReadOptions): Promise<string | undefined> {
  const lines = await numberLines(path, options);
  if (lines === undefined) return undefined;
  const { first, firstLine, most, beginsAnew } = lines;
  if (first.length === 1) {
    if (!countsNodes(lines)) return undefined;
    return `an adjacency list after comments, which can be read (--format adjacency) if line 1 is the number of pages`;
  }
  if (!isMetis(lines) && hasSizes(lines))
    return `a list of links after its sizes (line ${firstLine}): leave that line out`;
  if (hasMetisNodes(lines))
    return `a METIS graph of ${first[0]} pages (line ${firstLine}), which orbweaver import with --format metis reads`;
  const isAdjacency = beginsAnew && Math.max(first.length, most) > 2;
  return isAdjacency
    ? 'an adjacency list, each line a page and its links, which is not supported: write each link on its own line'
    : undefined;
}

/** Whether a comment says that lines are links, as ours (`source TAB target`) and SNAP's (`FromNodeId ToNodeId`) do. */
function namesColumns(start: string): boolean {
  return /^[#%].*\b(source\W.*\btarget|from\w*\s+to\w*)/im.test(start);
}

/**
 * Refuses an edge list whose first link may also be the sizes of what follows, and the whole file another graph, unless
 * a comment says what it is. The counts rule out nearly all files, which are not read a second time.
 * Errors   InputError naming both readings; as bytesOf.
 */
export async function refuseAmbiguous(
  path: string,
  {
    link: [source, target], links, lines: all,
  }: { readonly link: readonly [number, number]; readonly links: number; readonly lines: number },
  options: ReadOptions,
): Promise<void> {
  const further = links - 1;
  if (!(source >= further && source < all) && target !== further && source !== target) return;
  const lines = await numberLines(path, options);
  if (lines === undefined || !(isMetis(lines) || hasSizes(lines)) || namesColumns((await startOf(path)).text)) return;
  const isOfMetis = isMetis(lines);
  const other = isOfMetis
    ? `a METIS graph of ${source} pages and ${lines.first[1]} links`
    : 'a list of links after its sizes';
  throw new InputError(
    `${path}: line ${lines.firstLine}: ${lines.first.join(' ')} may be a link, or the first line of ${other}; ` +
      `orbweaver import with --format edges reads it as a link${isOfMetis ? ', with --format metis as that graph' : ''}`,
  );
}
