import { bitsSet, sharedUint32, type GraphParts, type WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { noteBothWays } from '../arc-list.ts';
import { bothWays, isUndirected } from '../direction.ts';
import { ArcParser, LineError } from './arc-parser.ts';
import { bytesOf, textBytes } from '../../../base/files/index.ts';
import type { Format } from '../format.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { likeness, refuseAmbiguous } from './number-lines.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { refuseUnread } from '../unread-formats.ts';

export const edgeList = {
  name: 'edges',
  title: 'edge list',
  holds: 'two page ids per line, optionally weights',
  several: true,
  begins: ({ firstLine }) => firstLine === undefined || /^[ \t]*[0-9]+([ \t]+|[ \t]*,[ \t]*)[0-9]/.test(firstLine),
  read: readEdgeLists,
} as const satisfies Format;

/**
 * Reads an edge list as published by SNAP, plain or gzipped: the grammar is ArcParser's. Ids are any unsigned 32-bit
 * integers; if they are not exactly 0 ... n-1 they are renumbered in ascending order and stored as `sourceIds`. Numbers
 * after the two ids, such as weights, must be as many on every line; they are dropped with a note. If comments above
 * say that the graph is undirected, each line is a link both ways. Hosts are drawn.
 * Errors   InputError with file and line and what the file resembles, or if it has no pairs, or says that it is
 *          bipartite.
 * Cost     O(bytes + n + m), bound by the parse or by gunzip; sparse ids beyond 2^28 cost a sort of all mentions.
 */
export async function readEdgeList(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  return readEdgeLists([path], options);
}

/** Reads several edge lists, in their order, as if they were one file. */
export async function readEdgeLists(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const undirected = await isUndirected(paths);
  const parser = new ArcParser({ file: paths[0], numbers: 'constant' });
  for (const path of paths) {
    const first = parser.sources.length;
    await readLines(path, parser, options);
    const links = parser.sources.length - first;
    if (options.isGuessed !== true || links === 0) continue;
    await refuseAmbiguous(
      path, { link: [parser.sources[first], parser.targets[first]], links, lines: parser.lines }, options,
    );
  }
  const { sources, targets, largestId, linesWithNumbers } = parser;
  const name = options.name ?? graphNameOfParts(paths);
  if (sources.length === 0) {
    throw new InputError(
      `${paths.length === 1 ? paths[0] : `${paths.length} files`}: contains no links; expected two page ids per line`,
    );
  }
  if (linesWithNumbers > 0) {
    const lines = linesWithNumbers === 1 ? '1 line has' : `${linesWithNumbers} lines have`;
    options.onNote?.(`${name}: ${lines} further columns of numbers, such as weights, which are not stored`);
  }
  return graphOfIds({ name, ...withDirection(name, { sources, targets }, undirected, options), largestId }, options);
}

/** Links as they are, or if they are undirected both ways, with a note. */
export function withDirection(
  name: string, links: { readonly sources: Uint32Array; readonly targets: Uint32Array }, undirected: boolean,
  { onNote }: ReadOptions,
): { readonly sources: Uint32Array; readonly targets: Uint32Array } {
  if (!undirected) return links;
  noteBothWays(name, links.sources.length, onNote);
  return bothWays(links.sources, links.targets);
}

/** Reads one file; if a line is refused, the message also says what the file resembles. */
async function readLines(path: string, parser: ArcParser, options: ReadOptions): Promise<void> {
  parser.startFile(path);
  parser.expect(await textBytes(path));
  let isFirst = true;
  try {
    for await (const chunk of bytesOf(path, options)) {
      if (isFirst) {
        refuseUnread(chunk, path);
        refuseMatrix(chunk, path);
      }
      isFirst = false;
      parser.push(chunk);
    }
    parser.finish();
  } catch (error) {
    const like = error instanceof LineError ? await likeness(path, options) : undefined;
    throw like === undefined ? error : new InputError(`${(error as LineError).message}. It resembles ${like}`);
  }
}

/** Otherwise its comments would be skipped, its sizes read as a link, and its ids, which begin at 1, misread. */
function refuseMatrix(start: Uint8Array, path: string): void {
  if (/^%%?MatrixMarket/i.test(Buffer.from(start.subarray(0, 14)).toString('latin1'))) {
    throw new InputError(
      `${path}: line 1: is a Matrix Market matrix, not an edge list: its first line of numbers is its size`,
    );
  }
}

/** The graph of links between pages of any ids up to `largestId`, which occurs; renumbered in place if sparse. */
export function graphOfIds(
  {
    name, sources, targets, largestId,
  }: Pick<GraphParts, 'name' | 'sources' | 'targets'> & { readonly largestId: number },
  { onNote }: ReadOptions,
): WebGraph {
  const { pages, sourceIds } = renumber(sources, targets, largestId);
  return buildNoting({ name, pages, sources, targets, sourceIds }, onNote);
}

/** Bit sets up to this many ids (64 MiB with their ranks) are cheap enough for any file. */
const SMALL_ID_RANGE = 2 ** 28;

/**
 * Replaces the ids in both arrays, in place, by their rank among all ids that occur. Memory stays within 64 MiB plus a
 * small multiple of the arrays, however sparse the ids are.
 */
function renumber(
  sources: Uint32Array, targets: Uint32Array, largestId: number,
): { pages: number; sourceIds: Uint32Array | undefined } {
  const mentions = 2 * sources.length;
  let sourceIds: Uint32Array | undefined;
  if (largestId < mentions) sourceIds = rankByTable(sources, targets, largestId);
  else if (largestId < Math.max(SMALL_ID_RANGE, 64 * mentions)) sourceIds = rankByBitSet(sources, targets, largestId);
  else sourceIds = rankBySorting(sources, targets);
  return { pages: sourceIds?.length ?? largestId + 1, sourceIds };
}

/** Undefined if all ids up to the largest occur, and are therefore their own ranks. For ids denser than one a word. */
function rankByTable(sources: Uint32Array, targets: Uint32Array, largestId: number): Uint32Array | undefined {
  const ranks = new Uint32Array(largestId + 1); // 1 for each id that occurs, then its rank.
  for (const ids of [sources, targets]) for (let i = 0; i < ids.length; i++) ranks[ids[i]] = 1;
  let pages = 0;
  for (let id = 0; id <= largestId; id++) pages += ranks[id];
  if (pages === largestId + 1) return undefined;
  const distinct = sharedUint32(pages);
  for (let id = 0, rank = 0; id <= largestId; id++) {
    if (ranks[id] === 0) continue;
    ranks[id] = rank;
    distinct[rank++] = id;
  }
  for (const ids of [sources, targets]) for (let i = 0; i < ids.length; i++) ids[i] = ranks[ids[i]];
  return distinct;
}

/** As rankByTable, with a bit and a share of a count per id. */
function rankByBitSet(sources: Uint32Array, targets: Uint32Array, largestId: number): Uint32Array | undefined {
  const words = new Uint32Array(Math.floor(largestId / 32) + 1);
  mark(words, sources);
  mark(words, targets);
  const earlier = new Uint32Array(words.length); // Number of ids in earlier words.
  let pages = 0;
  for (let word = 0; word < words.length; word++) {
    earlier[word] = pages;
    pages += bitsSet(words[word]);
  }
  if (pages === largestId + 1) return undefined;
  const distinct = sharedUint32(pages);
  for (let word = 0, next = 0; word < words.length; word++) {
    for (let bits = words[word]; bits !== 0; bits &= bits - 1)
      distinct[next++] = word * 32 + bitsSet((bits & -bits) - 1);
  }
  for (const ids of [sources, targets]) {
    for (let i = 0, last = ~ids[0], rank = 0; i < ids.length; i++) {
      const id = ids[i] | 0;
      if (id !== last) rank = earlier[id >>> 5] + bitsSet(words[id >>> 5] & ((1 << id) - 1));
      last = id;
      ids[i] = rank;
    }
  }
  return distinct;
}

/**
 * Sets the bit of each id. In a list sorted by source an id often occurs many times. Ids are compared as signed
 * integers: if -1 and 2^32 - 1 could both occur, an engine would use float64.
 */
function mark(words: Uint32Array, ids: Uint32Array): void {
  for (let i = 0, last = ~ids[0]; i < ids.length; i++) {
    const id = ids[i] | 0;
    if (id === last) continue;
    last = id;
    words[id >>> 5] |= 1 << id;
  }
}

function rankBySorting(sources: Uint32Array, targets: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(sources.length + targets.length);
  sorted.set(sources);
  sorted.set(targets, sources.length);
  sorted.sort();
  let pages = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[pages - 1]) sorted[pages++] = sorted[i];
  }
  const distinct = sharedUint32(pages);
  distinct.set(sorted.subarray(0, pages));
  for (const ids of [sources, targets]) {
    for (let i = 0; i < ids.length; i++) ids[i] = rankIn(distinct, ids[i]);
  }
  return distinct;
}

/** Position of `id`, which occurs, in an ascending array. */
function rankIn(ascending: Uint32Array, id: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
