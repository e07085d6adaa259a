import { buildGraph, type GraphParts, type WebGraph } from '../graph/index.ts';
import type { BytesOptions } from '../../base/files/index.ts';

export interface ReadOptions extends BytesOptions {
  /** Name of the graph; by default the file's, see graphName. */
  readonly name?: string | undefined;
  /** Called with one line of text for everything that a user should know about how the source was read. */
  readonly onNote?: ((note: string) => void) | undefined;
  /**
   * Called with one line of text for each damaged part that was left out while the rest was read, and for what the
   * source lacks so that figures of the graph mislead; by default `onNote`.
   */
  readonly onFault?: ((fault: string) => void) | undefined;
  /** The format was recognised by content and not named by the user: an ambiguous file is refused. */
  readonly isGuessed?: boolean | undefined;
}

export interface WarcOptions extends ReadOptions {
  /** Leave out pages that are only linked to. */
  readonly fetchedOnly?: boolean | undefined;
  /** Maximum size of a record, and of its decompressed body, bytes; the rest is skipped. By default 16 MiB. */
  readonly recordLimitBytes?: number | undefined;
  /** Query parameters that are dropped from every URL, as by `queryDropper`; none if it is left out. */
  readonly dropQuery?: readonly string[] | undefined;
}

export interface SiteOptions extends ReadOptions {
  /** Each top folder is its own host; by default the whole folder is one. */
  readonly hostPerFolder?: boolean | undefined;
  /** Bytes of a file that are searched for links. By default 16 MiB. */
  readonly recordLimitBytes?: number | undefined;
}

export interface TableOptions extends ReadOptions {
  /** The columns of a table that links come from and lead to: names, or numbers from 1. */
  readonly columns?: readonly [source: string, target: string] | undefined;
}

/** The options of all formats; each reads its own. */
export type OpenOptions = WarcOptions & SiteOptions & TableOptions;

/** buildGraph, noting the links that were mentioned more than once and hosts that were drawn. */
export function buildNoting(parts: GraphParts, onNote: ReadOptions['onNote']): WebGraph {
  const graph = buildGraph(parts);
  const duplicates = parts.sources.length - graph.arcs;
  if (duplicates > 0) {
    onNote?.(
      `${graph.name}: ${duplicates} ${duplicates === 1 ? 'link was' : 'links were'} repeated and left out`,
    );
  }
  noteSyntheticHosts(graph, onNote);
  return graph;
}

/** Notes hosts that were drawn. */
export function noteSyntheticHosts(graph: WebGraph, onNote: ReadOptions['onNote']): void {
  if (graph.hosts.synthetic) {
    onNote?.(
      `${graph.name}: has no URLs; its ${graph.hosts.count} hosts are synthetic (drawn, contiguous blocks of pages)`,
    );
  }
}
