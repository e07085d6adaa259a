import type { WebGraph } from '../../graph/index.ts';
import { idsOf, urlsOf, type LinkStoreOptions } from '../page-names.ts';
import { writeTable, type WrittenColumn } from './parquet-table-writer.ts';

/**
 * Stores the links of a graph as a table in Apache Parquet, columns `source` and `target`: unsigned 32-bit ids (those
 * of the source, if it had others), or URLs.
 *
 * Errors   as writeFiles; InputError if URLs are requested and there are none.
 * Cost     O(links); memory: one row group of 262,144 links.
 */
export async function writeParquet(graph: WebGraph, path: string, options: LinkStoreOptions = {}): Promise<void> {
  const { arcs, outOffsets, outTargets } = graph;
  let page = 0;
  const sourceOf = (arc: number): number => {
    while (outOffsets[page + 1] <= arc) page++;
    return page;
  };
  const column = options.urls === true ? urlColumn(graph) : idColumn(graph);
  await writeTable(path, {
    name: 'links',
    rows: arcs,
    columns: [column('source', sourceOf), column('target', (arc) => outTargets[arc])],
  });
}

type ColumnOfPages = (name: string, pageAt: (row: number) => number) => WrittenColumn;

function idColumn(graph: WebGraph): ColumnOfPages {
  const idOf = idsOf(graph);
  return (name, pageAt) => ({ name, kind: 'ids', at: (row) => idOf(pageAt(row)) });
}

function urlColumn(graph: WebGraph): ColumnOfPages {
  const urlOf = urlsOf(graph);
  return (name, pageAt) => ({ name, kind: 'texts', at: (row) => urlOf(pageAt(row)) });
}
