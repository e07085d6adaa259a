/**
 * The formats that are read, by the names that a user may give them. Of several files, the first here that any is of
 * counts.
 */
export const formatNames = [
  'warc', 'host-table', 'host-graph', 'url-blocks', 'named-pairs', 'parquet', 'edges', 'adjacency', 'matrix',
  'numbered-urls', 'tagged-urls', 'gexf', 'graphml', 'tables', 'site', 'bvgraph', 'owg',
] as const;

export type FormatName = (typeof formatNames)[number];
