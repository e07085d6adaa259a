import { assert, checkArrays } from '../../base/index.ts';
import { syntheticHosts } from './hosts.ts';
import { asSharedUint32, sharedUint32 } from './memory/shared-arrays.ts';
import type { StringTable } from './memory/string-table.ts';
import type { Hosts, WebGraph } from './web-graph.ts';

/** A graph as read from a source: arc i goes from page sources[i] to page targets[i], in the source's order. */
export interface GraphParts {
  /** Name of the graph in messages and records. */
  readonly name: string;
  /** Pages are numbered 0 ... pages-1. */
  readonly pages: number;
  /** Page that each link comes from. */
  readonly sources: Uint32Array;
  /** Page that each link leads to. */
  readonly targets: Uint32Array;
  /** Generated (see syntheticHosts) if absent. */
  readonly hosts?: Hosts | undefined;
  /** Path of each page on its host, from its leading slash. */
  readonly paths?: StringTable | undefined;
  /** Size of each page in bytes. */
  readonly bytes?: Uint32Array | undefined;
  /** Ids of the pages in the source, all distinct. */
  readonly sourceIds?: Uint32Array | undefined;
  /** Seed pages stored with the graph. */
  readonly seeds?: Uint32Array | undefined;
}

/**
 * A web graph from its arcs in any order. Duplicate arcs are dropped, self-loops retained; the links of a page are in
 * order of first mention. `parts.sources.length - graph.arcs` arcs were duplicates.
 *
 * Shapes   sources and targets: m each; hosts.ofPage, paths, bytes, sourceIds: one per page.
 * Cost     O(n + m) time: one pass if arcs ascend strictly, by source and then target, which copies no targets that are
 *          in shared memory; otherwise a stable counting sort by source, which is a copy if sources ascend, then one
 *          pass, with one mark per page if the links of a page do not ascend. 4n bytes besides the result, and 4m if
 *          there are duplicates.
 *
 * @param parts - links, and what else is known about the pages.
 * @returns a graph whose numeric arrays are all in shared memory (arrays already there are used as they are, not
 *          copied).
 * @throws AssertionError for shapes that disagree or an id out of range: readers check their input first.
 */
export function buildGraph(parts: GraphParts): WebGraph {
  checkArrays('parts', parts, ['sources', 'targets']);
  const { name, pages, sources, targets, seeds } = parts;
  assert(Number.isInteger(pages) && pages >= 0 && pages < 2 ** 32 - 1, () => `${pages} pages are not a count`);
  assert(sources.length === targets.length, () => `${sources.length} sources but ${targets.length} targets`);
  assert(sources.length < 2 ** 32, () => `${sources.length} arcs: offsets have 32 bits`);
  const { outOffsets, outTargets } =
    ascendingRows(pages, sources, targets) ?? compressedRows(pages, sources, targets);
  const hosts = parts.hosts ?? syntheticHosts(pages);
  assert(hosts.ofPage.length === pages, () => `hosts of ${hosts.ofPage.length} pages, but ${pages} pages`);
  assert(below(hosts.ofPage, hosts.count), () => `a page's host is not below ${hosts.count}`);
  for (const [what, length] of [
    ['paths', parts.paths?.count], ['bytes', parts.bytes?.length], ['sourceIds', parts.sourceIds?.length],
  ] as const) {
    assert(length === undefined || length === pages, () => `${what} of ${length ?? 0} pages, but ${pages} pages`);
  }
  assert(seeds === undefined || below(seeds, pages), () => `a seed page is not below ${pages}`);
  return {
    name,
    pages,
    arcs: outTargets.length,
    outOffsets,
    outTargets,
    hosts: { ...hosts, ofPage: asSharedUint32(hosts.ofPage) },
    paths: parts.paths,
    bytes: parts.bytes && asSharedUint32(parts.bytes),
    sourceIds: parts.sourceIds && asSharedUint32(parts.sourceIds),
    seeds: seeds && asSharedUint32(seeds),
  };
}

/**
 * A web graph from finished rows: offsets and targets as in WebGraph, no duplicate arcs. Hosts are generated. Arrays in
 * shared memory are used as they are, not copied. O(n).
 * Errors   AssertionError for offsets that do not span the targets; readers check the rest.
 */
export function graphOfRows({
  name, outOffsets, outTargets,
}: Pick<WebGraph, 'name' | 'outOffsets' | 'outTargets'>): WebGraph {
  const pages = outOffsets.length - 1;
  const arcs = outTargets.length;
  assert(
    outOffsets[0] === 0 && outOffsets[pages] === arcs,
    () => `rows end at ${outOffsets[pages]}, but there are ${arcs} targets`,
  );
  return {
    name, pages, arcs,
    outOffsets: asSharedUint32(outOffsets),
    outTargets: asSharedUint32(outTargets),
    hosts: syntheticHosts(pages),
  };
}

/**
 * The rows of arcs that ascend strictly, by source and then target, as most lists do: the targets as they are.
 * Undefined if they do not ascend so, or have an id out of range.
 */
function ascendingRows(
  pages: number, sources: Uint32Array, targets: Uint32Array,
): { outOffsets: Uint32Array; outTargets: Uint32Array } | undefined {
  const arcs = sources.length;
  const outOffsets = sharedUint32(pages + 1);
  let page = 0; // The first page whose row has not begun.
  for (let i = 0; i < arcs; ) {
    const source = sources[i];
    if (source < page || source >= pages) return undefined;
    while (page <= source) outOffsets[page++] = i;
    let last = targets[i++];
    for (; i < arcs && sources[i] === source; i++) {
      const target = targets[i];
      if (target <= last) return undefined;
      last = target;
    }
    if (last >= pages) return undefined;
  }
  outOffsets.fill(arcs, page);
  return { outOffsets, outTargets: asSharedUint32(targets) };
}

/** Arcs sorted stably by source, second and later mentions of an arc dropped. Asserts that ids are below `pages`. */
function compressedRows(
  pages: number, sources: Uint32Array, targets: Uint32Array,
): { outOffsets: Uint32Array; outTargets: Uint32Array } {
  const mentions = sources.length;
  const outOffsets = sharedUint32(pages + 1);
  let isAscending = true;
  for (let i = 0, last = 0; i < mentions; i++) {
    const source = sources[i];
    if (source < last) isAscending = false;
    last = source;
    // A source out of range is ignored here and reported below.
    outOffsets[source + 1]++;
  }
  assert(
    isAscending ? mentions === 0 || sources[mentions - 1] < pages : below(sources, pages),
    () => `an arc comes from a page not below ${pages}`,
  );
  for (let page = 0; page < pages; page++) outOffsets[page + 1] += outOffsets[page];

  const row = sharedUint32(mentions);
  if (isAscending) {
    row.set(targets);
    outOffsets.copyWithin(0, 1);
  } else {
    // Scattering moves each offset from its page's start to its end, that is, to the next page's start.
    for (let i = 0; i < mentions; i++) row[outOffsets[sources[i]]++] = targets[i];
  }

  let lastSource: Uint32Array | undefined; // The page + 1 that last linked here.
  let isInRange = true;
  let length = 0;
  let start = 0;
  for (let page = 0; page < pages; page++) {
    const end = outOffsets[page];
    outOffsets[page] = length;
    // An ascending row has no duplicates; most sources list links so.
    let rises = start;
    while (rises + 1 < end && row[rises] < row[rises + 1]) rises++;
    if (rises + 1 >= end) {
      if (end > start && row[rises] >= pages) isInRange = false;
      if (length !== start) row.copyWithin(length, start, end);
      length += end - start;
      start = end;
      continue;
    }
    lastSource ??= new Uint32Array(pages);
    for (let i = start; i < end; i++) {
      const target = row[i];
      if (target >= pages) isInRange = false;
      if (lastSource[target] === page + 1) continue;
      lastSource[target] = page + 1;
      row[length++] = target;
    }
    start = end;
  }
  assert(isInRange, () => `an arc leads to a page not below ${pages}`);
  outOffsets[pages] = length;
  if (length === mentions) return { outOffsets, outTargets: row };
  const outTargets = sharedUint32(length);
  outTargets.set(row.subarray(0, length));
  return { outOffsets, outTargets };
}

function below(ids: Uint32Array, bound: number): boolean {
  for (let i = 0; i < ids.length; i++) if (ids[i] >= bound) return false;
  return true;
}
