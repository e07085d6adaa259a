import type { WebGraph } from '../graph/index.ts';
import { writeBvGraph } from './bvgraph/bvgraph-writer.ts';
import { writeEdgeList } from './edge-list/edge-list-writer.ts';
import { writeOwg } from './owg/owg-writer.ts';
import { leftBehind, type LinkStoreOptions } from './page-names.ts';

export interface Store {
  /** Possible endings of its file's name. */
  readonly endings: readonly string[];
  readonly title: string;
  readonly write: (graph: WebGraph, path: string, options: LinkStoreOptions) => Promise<void>;
  /** The parts of the graph that are not stored, in words. */
  readonly leaves: (graph: WebGraph, options: LinkStoreOptions) => string[];
  /** Whether pages may be named by URL instead of id. */
  readonly urls: boolean;
}

const orderOfLinks = 'the order of links';

/** Every form in which a graph is stored. */
export const stores: readonly Store[] = [
  { endings: ['.owg'], title: 'the whole graph, which opens at once', urls: false, write: writeOwg, leaves: () => [] },
  {
    endings: ['.graph'], title: 'a BVGraph, with .offsets and .properties', urls: false,
    write: (graph, path) => writeBvGraph(graph, path.slice(0, -'.graph'.length)), leaves: leftByBvGraph,
  },
  {
    endings: ['.tsv', '.txt', '.tsv.gz', '.txt.gz'], title: 'an edge list', urls: true, write: writeEdgeList,
    leaves: leftBehind,
  },
  {
    endings: ['.parquet'], title: 'a table of links', urls: true,
    write: async (...of) => (await import('./parquet/parquet-writer.ts')).writeParquet(...of), leaves: leftBehind,
  },
  {
    endings: ['.gexf'], title: 'a small graph for programs that draw', urls: false,
    write: async (graph, path) => (await import('./xml/gexf-writer.ts')).writeGexf(graph, path), leaves: leftByGexf,
  },
];

function leftByBvGraph(graph: WebGraph): string[] {
  return [
    graph.hosts.synthetic ? [] : 'hosts', graph.paths ? 'paths' : [], graph.bytes ? 'sizes' : [],
    graph.seeds ? 'seed pages' : [], graph.sourceIds ? 'ids of the source' : [], orderOfLinks,
  ].flat();
}

function leftByGexf(graph: WebGraph): string[] {
  return graph.seeds ? ['seed pages'] : [];
}
