import { assert } from '../../../base/index.ts';
import { defaultSeeds } from '../seeds.ts';
import { sharedFloat64, sharedUint32, sharedUint8 } from '../memory/shared-arrays.ts';
import { StringTable } from '../memory/string-table.ts';
import type { WebGraph } from '../web-graph.ts';

/**
 * Pages by URL: by host name, then by path, both bytewise; otherwise in their previous order. Pages of a host then have
 * neighbouring ids, and most links stay on a host: lists of links become short to encode and quick to follow (Boldi &
 * Vigna, "The WebGraph framework I", 2004, section 3.1). O(n log n).
 * @returns the page that comes first, second, ...
 */
export function hostOrder({ pages, hosts, paths }: WebGraph): Uint32Array {
  const hostsByName = Uint32Array.from({ length: hosts.count }, (_, host) => host)
    .sort((a, b) => compareStrings(hosts.names, a, b) || a - b);
  const starts = new Uint32Array(hosts.count + 1);
  const place = new Uint32Array(hosts.count);
  hostsByName.forEach((host, i) => (place[host] = i));
  for (let page = 0; page < pages; page++) starts[place[hosts.ofPage[page]] + 1]++;
  for (let i = 0; i < hosts.count; i++) starts[i + 1] += starts[i];
  const order = new Uint32Array(pages);
  for (let page = 0; page < pages; page++) order[starts[place[hosts.ofPage[page]]]++] = page;
  if (paths === undefined) return order;
  // Each start has moved to its host's end.
  for (let i = 0, start = 0; i < hosts.count; start = starts[i++]) {
    order.subarray(start, starts[i]).sort((a, b) => compareStrings(paths, a, b) || a - b);
  }
  return order;
}

/**
 * Pages in the order of a breadth-first search from the graph's seed pages, with links in their order; then, while
 * pages are left, from the lowest of them. O(n + m).
 * @returns the page that comes first, second, ...
 */
export function breadthFirstOrder(graph: WebGraph): Uint32Array {
  const { pages, outOffsets, outTargets } = graph;
  const order = new Uint32Array(pages);
  const isFound = new Uint8Array(pages);
  let end = 0;
  let head = 0;
  const visit = (page: number): void => {
    if (isFound[page] === 1) return;
    isFound[page] = 1;
    order[end++] = page;
  };
  defaultSeeds(graph).seeds.forEach(visit);
  for (let start = 0; start < pages; start++) {
    for (; head < end; head++) {
      for (let i = outOffsets[order[head]]; i < outOffsets[order[head] + 1]; i++) visit(outTargets[i]);
    }
    visit(start);
  }
  return order;
}

/**
 * The same graph with its pages in another order: page i is the former page order[i]. Links keep their order on the
 * page, hosts their numbers. The ids of the source are stored as sourceIds, unless they are 0 ... pages-1 again.
 *
 * Shapes   order: a permutation of the pages.
 * Cost     O(n + m) time; a second graph.
 */
export function reordered(graph: WebGraph, order: Uint32Array): WebGraph {
  const { pages, arcs, outOffsets, outTargets, hosts, paths, bytes, sourceIds, seeds } = graph;
  assert(order.length === pages, () => `an order of ${order.length} pages for ${pages}`);
  const numberOf = new Uint32Array(pages).fill(pages); // The new number of each page.
  order.forEach((page, i) => (numberOf[page] = i));
  assert(!numberOf.includes(pages), 'an order that leaves pages out');
  const newOffsets = sharedUint32(pages + 1);
  const newTargets = sharedUint32(arcs);
  let end = 0;
  for (let page = 0; page < pages; page++) {
    const was = order[page];
    for (let i = outOffsets[was]; i < outOffsets[was + 1]; i++) newTargets[end++] = numberOf[outTargets[i]];
    newOffsets[page + 1] = end;
  }
  const ids = permuted(sourceIds ?? order, sourceIds ? order : undefined);
  return {
    ...graph,
    outOffsets: newOffsets,
    outTargets: newTargets,
    hosts: { ...hosts, ofPage: permuted(hosts.ofPage, order) },
    paths: paths && permutedStrings(paths, order),
    bytes: bytes && permuted(bytes, order),
    sourceIds: ids.every((id, page) => id === page) ? undefined : ids,
    seeds: seeds && permuted(numberOf, seeds),
  };
}

/** values[order[0]], values[order[1]], ...; a copy if there is no order. */
function permuted(values: Uint32Array, order?: Uint32Array): Uint32Array {
  const result = sharedUint32(order?.length ?? values.length);
  if (order === undefined) result.set(values);
  else for (let i = 0; i < order.length; i++) result[i] = values[order[i]];
  return result;
}

function permutedStrings({ offsets, bytes }: StringTable, order: Uint32Array): StringTable {
  const newOffsets = sharedFloat64(offsets.length);
  const newBytes = sharedUint8(bytes.length);
  for (let i = 0; i < order.length; i++) {
    const string = bytes.subarray(offsets[order[i]], offsets[order[i] + 1]);
    newBytes.set(string, newOffsets[i]);
    newOffsets[i + 1] = newOffsets[i] + string.length;
  }
  return new StringTable(newOffsets, newBytes);
}

/** Compares bytes, which is the order of code points; a string comes before its continuations. */
function compareStrings({ offsets, bytes }: StringTable, a: number, b: number): number {
  const [from, end, other, otherEnd] = [offsets[a], offsets[a + 1], offsets[b], offsets[b + 1]];
  const length = Math.min(end - from, otherEnd - other);
  for (let i = 0; i < length; i++) {
    const difference = bytes[from + i] - bytes[other + i];
    if (difference !== 0) return difference;
  }
  return end - from - (otherEnd - other);
}
