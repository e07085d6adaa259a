import type { PartRows } from './memory/part-rows.ts';
import type { StringTable } from './memory/string-table.ts';

/**
 * A web graph in compressed sparse rows, read-only. Pages are numbered 0 ... pages-1, hosts 0 ... hosts.count-1.
 *
 * Invariants (checkGraph): outOffsets rises from 0 to arcs; targets are below pages; no duplicate arcs; a page's links
 * are in the order of the source; self-loops are retained; hosts.ofPage is below hosts.count. Every array may be backed
 * by a SharedArrayBuffer, so that workers read one copy.
 */
export interface WebGraph {
  /** What the user called it: a catalogue name or a file name. */
  readonly name: string;
  /** Number of pages. */
  readonly pages: number;
  /** Number of links. */
  readonly arcs: number;
  /** pages + 1 offsets into outTargets. */
  readonly outOffsets: Uint32Array;
  /** Page that each link leads to, page by page. */
  readonly outTargets: Uint32Array;
  /** Which host serves each page. */
  readonly hosts: Hosts;
  /** Path of each page on its host, from its leading slash; absent if the source has no URLs. */
  readonly paths?: StringTable | undefined;
  /** Size of each page in bytes; absent if the source has no sizes. */
  readonly bytes?: Uint32Array | undefined;
  /**
   * The source's ids of the pages, all different, unless these are 0 ... pages-1. They ascend unless pages were
   * reordered.
   */
  readonly sourceIds?: Uint32Array | undefined;
  /** Seed pages stored with the graph, in their order. */
  readonly seeds?: Uint32Array | undefined;
}

/** The pages of a graph, without their links. */
export type GraphPages = Omit<WebGraph, 'outOffsets' | 'outTargets'>;

/** A graph in which only some pages have their links here; counts are of the whole graph. */
export interface GraphPart extends GraphPages {
  readonly rows: PartRows;
}

/** Whether the links of all pages are here. */
export function isWhole(graph: WebGraph | GraphPart): graph is WebGraph {
  return !('rows' in graph);
}

/**
 * The links of a page, in the order of the source; borrowed from the graph.
 * @throws AssertionError for a page of a part whose links are elsewhere.
 */
export function linksOf(graph: WebGraph | GraphPart, page: number): Uint32Array {
  if (!isWhole(graph)) return graph.rows.of(page);
  return graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]);
}

/** Bytes for offsets and targets in memory, per link of the whole graph. */
export function bytesPerArc(graph: WebGraph | GraphPart): number {
  const bytes = isWhole(graph) ? graph.outOffsets.byteLength + graph.outTargets.byteLength : graph.rows.bytes;
  return bytes / Math.max(1, graph.arcs);
}

export interface Hosts {
  readonly count: number;
  /** Host of each page. */
  readonly ofPage: Uint32Array;
  readonly names: StringTable;
  /** True if the source has no URLs and the hosts were generated: every output that depends on them says so first. */
  readonly synthetic: boolean;
}

/** URL of a page without its scheme; undefined if the source has none. */
export function urlOf({ hosts, paths }: GraphPages, page: number): string | undefined {
  return hosts.synthetic ? undefined : hosts.names.at(hosts.ofPage[page]) + (paths?.at(page) ?? '');
}

/**
 * A web graph given row by row, by a source that need not store its arcs. Every call of rows() yields the same rows.
 */
export interface GraphRows {
  /** Must say that the graph is synthetic, so that all output about it does. */
  readonly name: string;
  readonly pages: number;
  readonly hosts: Hosts;
  /** As in WebGraph. */
  readonly paths?: StringTable | undefined;
  readonly bytes?: Uint32Array | undefined;
  readonly seeds?: Uint32Array | undefined;
  /** The targets of page 0, 1, ... pages-1, without duplicates; a row is valid until the next one is requested. */
  rows(): Iterable<Uint32Array>;
}
