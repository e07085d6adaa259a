import type { WebGraph } from '../graph/index.ts';
import { readAdjacencyList } from './adjacency-list/adjacency-list.ts';
import { readBvGraph } from './bvgraph/bvgraph.ts';
import { readEdgeLists } from './edge-list/edge-list.ts';
import type { FormatName } from './format-names.ts';
import { readHostTables } from './hosts/host-table.ts';
import { readMatrix } from './matrix/matrix.ts';
import { readNamedPairs } from './url-lists/named-pairs.ts';
import { readNumberedUrls } from './url-lists/numbered-urls.ts';
import { readOwg } from './owg/owg.ts';
import { readSite, type SiteOptions } from './site/site.ts';
import { readTables } from './tables/tables.ts';
import { readTaggedUrls } from './url-lists/tagged-urls.ts';
import { readUrlBlocks } from './url-lists/url-blocks.ts';
import { readHostGraph } from './hosts/vertices.ts';
import { readWarc, type WarcOptions } from './warc/read-warc.ts';

export type OpenOptions = WarcOptions & SiteOptions;

export interface Format {
  /** What one of its files is, in a message. */
  readonly title: string;
  /** What stands in it, in a few words for a help text. */
  readonly holds: string;
  /** Whether several files make one graph; else `paths` below has one. */
  readonly several: boolean;
  readonly read: (paths: readonly string[], options: OpenOptions) => Promise<WebGraph>;
}

function one(title: string, holds: string, read: (path: string, options: OpenOptions) => Promise<WebGraph>): Format {
  return { title, holds, several: false, read: (paths, options) => read(paths[0], options) };
}

function several(title: string, holds: string, read: Format['read']): Format {
  return { title, holds, several: true, read };
}

/**
 * Every form in which a graph is read, by the name that a user may give it.
 * Readers that stand on large libraries are loaded when they are needed: every command would wait for them.
 */
export const formats: Readonly<Record<FormatName, Format>> = {
  warc: several('WARC archive', 'also WAT', readWarc),
  'host-table': several('host table', 'year|host|host TAB links', readHostTables),
  'host-graph': several('part of a host graph', 'vertices and edges as Common Crawl has them', readHostGraph),
  'url-blocks': several(
    'part of a graph of URL blocks', 'blocks of id, URL and title, and lists of links', readUrlBlocks,
  ),
  'named-pairs': several('list of named links', 'two URLs or names, between them a tab', readNamedPairs),
  parquet: several('Parquet table', 'columns source and target, of ids, names or URLs', async (paths, options) =>
    (await import('./parquet/parquet.ts')).readParquet(paths, options),
  ),
  edges: several('edge list', 'two page ids a line, perhaps weights', readEdgeLists),
  adjacency: one('adjacency list', 'the number of pages, then a line of links each', readAdjacencyList),
  matrix: one('sparse matrix', 'Matrix Market coordinates, SMAT', readMatrix),
  'numbered-urls': one(
    'list of numbered URLs', 'counts, then id and URL a line, then source and target', readNumberedUrls,
  ),
  'tagged-urls': one('list of tagged URLs', 'n id URL, e source target', readTaggedUrls),
  gexf: one('GEXF document', 'also of undirected graphs', async (path, options) =>
    (await import('./xml/xml-graph.ts')).readGexf(path, options),
  ),
  graphml: one('GraphML document', 'also of undirected graphs', async (path, options) =>
    (await import('./xml/xml-graph.ts')).readGraphMl(path, options),
  ),
  tables: one('folder of tables', 'pages.tsv, arcs.tsv, perhaps seeds.txt', readTables),
  site: one('folder of HTML files', 'a folder of HTML files', readSite),
  bvgraph: one('BVGraph', 'of the WebGraph framework', readBvGraph),
  owg: one('stored graph', 'what import stores', readOwg),
};
