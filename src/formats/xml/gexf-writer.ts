import { DirectedGraph } from 'graphology';
import { write } from 'graphology-gexf';
import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../base/index.ts';
import { idsOf, urlsOf } from '../page-names.ts';
import { writeAll, writeFiles } from '../../base/files/index.ts';

/** Programs that draw GEXF take no more, and the document is made in one piece. */
const MOST_ARCS = 100_000;
const MOST_PAGES = 100_000;

/**
 * Stores a small graph in GEXF 1.2, for programs that draw: nodes are pages, by id (that of the source, where it had
 * others), with their URL as label, and with host, path and size as attributes; edges are links. Synthetic hosts, seed
 * pages and the order of a page's links are left behind where a program does not keep the order of edges.
 *
 * Errors   those of writeFiles; InputError beyond 100,000 pages or links, and for text that XML cannot hold.
 * Cost     O(n + m), some KB a page and link.
 */
export async function writeGexf(graph: WebGraph, path: string): Promise<void> {
  const { pages, arcs, outOffsets, outTargets, hosts, paths, bytes } = graph;
  if (pages > MOST_PAGES || arcs > MOST_ARCS) {
    throw new InputError(
      `${graph.name}: has ${pages} pages and ${arcs} links; a GEXF file is written of at most ${MOST_PAGES} and ${MOST_ARCS}`,
    );
  }
  const idOf = idsOf(graph);
  const urlOf = hosts.synthetic ? undefined : urlsOf(graph);
  const document = new DirectedGraph({ allowSelfLoops: true });
  for (let page = 0; page < pages; page++) {
    const label = urlOf?.(page) ?? paths?.at(page).slice(1) ?? String(idOf(page));
     
    if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(label)) {
      throw new InputError(`${graph.name}: page ${page} has a character in its name that XML has not`);
    }
    document.addNode(idOf(page), {
      label,
      ...(urlOf && { host: hosts.names.at(hosts.ofPage[page]), path: paths?.at(page) ?? '/' }),
      ...(bytes && { bytes: bytes[page] }),
    });
  }
  let arc = 0;
  for (let page = 0; page < pages; page++) {
    for (; arc < outOffsets[page + 1]; arc++) document.addDirectedEdgeWithKey(arc, idOf(page), idOf(outTargets[arc]));
  }
  const text = write(document);
  await writeFiles([path], ([file]) => writeAll(file, new TextEncoder().encode(text)));
}
