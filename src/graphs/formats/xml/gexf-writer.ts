import { write } from 'graphology-gexf';
import { toGraphology, type PageAttributes } from '../../graph/graphology/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { idsOf } from '../page-names.ts';
import { writeAll, writeFiles } from '../../../base/files/index.ts';

/** Programs that draw GEXF handle no more, and the document is built in memory. */
const MAX_ARCS = 100_000;
const MAX_PAGES = 100_000;

/**
 * Stores a small graph in GEXF 1.2, for programs that draw: nodes are pages, by id (in the source, if it had others),
 * with their URL as label, and with host, path and size as attributes; edges are links. Synthetic hosts and seed pages
 * are dropped.
 * Errors   as writeFiles; InputError beyond 100,000 pages or links, and for text that XML cannot contain.
 * Cost     O(n + m), some KB per page and link.
 */
export async function writeGexf(graph: WebGraph, path: string): Promise<void> {
  const { name, pages, arcs, hosts } = graph;
  if (pages > MAX_PAGES || arcs > MAX_ARCS) {
    throw new InputError(
      `${name}: has ${pages} pages and ${arcs} links; a GEXF file may have at most ${MAX_PAGES} and ${MAX_ARCS}`,
    );
  }
  const document = toGraphology(graph, idsOf(graph));
  // They would become elements of the document's head.
  document.replaceAttributes({});
  const formatNode = (key: string, { host, path, bytes }: PageAttributes) => {
    const label = hosts.synthetic ? path?.slice(1) ?? key : `http://${host}${path ?? '/'}`;
    if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(label))
      throw new InputError(`${name}: page ${key} has a character in its name that XML does not allow`);
    const place = hosts.synthetic ? {} : { host, path: path ?? '/' };
    return { label, attributes: { ...place, ...(bytes !== undefined && { bytes }) } };
  };
  const text = write(document, { formatNode });
  await writeFiles([path], ([file]) => writeAll(file, new TextEncoder().encode(text)));
}
