import { writeOwgRows } from '../../../graphs/formats/index.ts';
import { hostsFromNames, sharedUint32, StringTable } from '../../../graphs/graph/index.ts';
import { graphPageOf, linksOf } from '../../../core/live/index.ts';
import type { MergedPages } from './merged-pages.ts';
import type { NodeFolder } from './node-folder.ts';

const LARGEST_UINT32 = 2 ** 32 - 1;
const noLinks = new Uint32Array(0);
const nowhere = 2 ** 32 - 1;

/**
 * Stores the pages of all nodes as one graph: each with the links and the size of its visit by the node that fetches
 * its host, if it had one.
 *
 * @param seeds ids among all pages.
 * Errors   as writeOwgRows, and the stores.
 * Memory   the graph without its links, and some 200 bytes per page while hosts and paths are gathered.
 */
export async function writeMergedGraph(
  nodes: readonly NodeFolder[], pages: MergedPages, seeds: readonly number[], path: string,
): Promise<void> {
  const hostNames: string[] = [];
  const paths: string[] = [];
  for (let page = 0; page < pages.count; page++) {
    const { host, pathname, search } = new URL(pages.url(page));
    hostNames.push(host);
    paths.push(pathname + search);
  }
  const bytes = sharedUint32(pages.count);
  /** The id of each page in the store of the node that visited it. */
  const visited = new Uint32Array(pages.count).fill(nowhere);
  for (const { node, store } of nodes) {
    for (const visit of store.visits()) {
      const page = pages.idOf[node][visit.page];
      visited[page] = visit.page;
      bytes[page] = Math.min(visit.bytes, LARGEST_UINT32);
    }
  }
  await writeOwgRows({
    // Readers name the graph after the file.
    name: '',
    pages: pages.count,
    hosts: hostsFromNames(hostNames),
    paths: StringTable.from(paths),
    bytes,
    seeds: Uint32Array.from(seeds),
    rows: () => rows(nodes, pages, visited),
  }, path);
}

function* rows(nodes: readonly NodeFolder[], pages: MergedPages, visited: Uint32Array): Iterable<Uint32Array> {
  for (let page = 0; page < pages.count; page++) {
    const node = pages.nodeOf(page);
    const visit = visited[page] === nowhere ? undefined : nodes[node].store.visit(visited[page]);
    const { store } = nodes[node];
    yield visit === undefined
      ? noLinks : linksOf(store, visit).map((target) => pages.idOf[node][graphPageOf(store, target)]);
  }
}
