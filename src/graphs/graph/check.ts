import { assert } from '../../base/index.ts';
import type { StringTable } from './memory/string-table.ts';
import type { GraphPages, WebGraph } from './web-graph.ts';

/** A broken invariant: the array that breaks it, and how. */
export interface GraphFault {
  readonly part:
    | 'outOffsets' | 'outTargets' | 'hosts.ofPage' | 'hosts.names' | 'paths' | 'bytes' | 'sourceIds' | 'seeds';
  readonly message: string;
}

/**
 * Asserts every invariant of WebGraph. O(n + m) time, about 1 ns per arc if rows ascend; 4n bytes if one does not.
 */
export function checkGraph(graph: WebGraph): void {
  const fault = graphFault(graph);
  assert(fault === undefined, () => `${graph.name}: ${fault?.part ?? ''}: ${fault?.message ?? ''}`);
}

/** The first broken invariant of a graph, for callers whose graph came from outside; undefined when all hold. */
export function graphFault(graph: WebGraph): GraphFault | undefined {
  return arcsFault(graph) ?? pagesFault(graph);
}

/** The first broken invariant of the pages, without their links. */
export function pagesFault(graph: GraphPages): GraphFault | undefined {
  const { pages, hosts } = graph;
  return (
    lengthFault('hosts.ofPage', hosts.ofPage.length, pages) ??
    idsFault('hosts.ofPage', hosts.ofPage, hosts.count) ??
    stringsFault('hosts.names', hosts.names, hosts.count) ??
    (graph.paths && stringsFault('paths', graph.paths, pages)) ??
    (graph.bytes && lengthFault('bytes', graph.bytes.length, pages)) ??
    (graph.sourceIds && sourceIdsFault(graph.sourceIds, pages)) ??
    (graph.seeds && idsFault('seeds', graph.seeds, pages))
  );
}

function arcsFault({ pages, arcs, outOffsets, outTargets }: WebGraph): GraphFault | undefined {
  const shape =
    lengthFault('outOffsets', outOffsets.length, pages + 1) ?? lengthFault('outTargets', outTargets.length, arcs);
  if (shape) return shape;
  if (outOffsets[0] !== 0 || outOffsets[pages] !== arcs) {
    return { part: 'outOffsets', message: `runs from ${outOffsets[0]} to ${outOffsets[pages]}, not from 0 to ${arcs}` };
  }
  for (let page = 0; page < pages; page++) {
    if (outOffsets[page] > outOffsets[page + 1]) return { part: 'outOffsets', message: `falls after page ${page}` };
  }
  // An ascending row has no duplicate targets, and its last one is the greatest: enough for most rows of most graphs.
  let lastSource: Uint32Array | undefined;
  for (let page = 0; page < pages; page++) {
    const end = outOffsets[page + 1];
    let last = -1;
    let i = outOffsets[page];
    for (; i < end; i++) {
      const target = outTargets[i];
      if (target <= last) break;
      last = target;
    }
    if (i === end && last < pages) continue;
    lastSource ??= new Uint32Array(pages);
    const fault = rowFault(page, outOffsets[page], end, outTargets, lastSource);
    if (fault) return fault;
  }
  return undefined;
}

/** The fault of a row in any order. @param lastSource the page + 1 that last linked to each page. */
function rowFault(
  page: number, start: number, end: number, targets: Uint32Array, lastSource: Uint32Array,
): GraphFault | undefined {
  const pages = lastSource.length;
  for (let i = start; i < end; i++) {
    const target = targets[i];
    if (target >= pages) return boundFault('outTargets', i, target, pages);
    if (lastSource[target] === page + 1)
      return { part: 'outTargets', message: `page ${page} links to page ${target} twice` };
    lastSource[target] = page + 1;
  }
  return undefined;
}

function lengthFault(part: GraphFault['part'], length: number, expected: number): GraphFault | undefined {
  return length === expected ? undefined : { part, message: `has ${length} elements, not ${expected}` };
}

function idsFault(part: GraphFault['part'], ids: Uint32Array, bound: number): GraphFault | undefined {
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] >= bound) return boundFault(part, i, ids[i], bound);
  }
  return undefined;
}

function boundFault(part: GraphFault['part'], i: number, id: number, bound: number): GraphFault {
  return { part, message: `element ${i} is ${id}, which is not below ${bound}` };
}

function sourceIdsFault(ids: Uint32Array, pages: number): GraphFault | undefined {
  const rises = (row: Uint32Array): boolean => row.every((id, i) => i === 0 || row[i - 1] < id);
  // Sorted only if necessary: ids ascend unless the graph's pages were reordered.
  const sorted = rises(ids) ? ids : ids.slice().sort();
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i - 1] === sorted[i]) return { part: 'sourceIds', message: `has ${sorted[i]} twice` };
  }
  return lengthFault('sourceIds', ids.length, pages);
}

function stringsFault(part: GraphFault['part'], table: StringTable, count: number): GraphFault | undefined {
  const { offsets, bytes } = table;
  if (table.count !== count) return lengthFault(part, table.count, count);
  if (offsets[0] !== 0 || offsets[count] !== bytes.length) {
    return { part, message: `offsets run from ${offsets[0]} to ${offsets[count]}, not from 0 to ${bytes.length}` };
  }
  for (let i = 0; i < count; i++) {
    // Written so that NaN is also an error.
    if (!(Number.isInteger(offsets[i]) && offsets[i] <= offsets[i + 1])) {
      return { part, message: `offset ${i} is ${offsets[i]}, the next ${offsets[i + 1]}` };
    }
  }
  return undefined;
}
