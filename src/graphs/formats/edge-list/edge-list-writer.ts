import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WebGraph } from '../../graph/index.ts';
import { idsOf, urlsOf, type LinkStoreOptions } from '../page-names.ts';
import { writeAll, writeFiles } from '../../../base/files/index.ts';

/** Text buffered before it is written; in a gzipped file each piece is a member. */
const BUFFER_BYTES = 1 << 22;

/**
 * Stores the links of a graph as text, `source TAB target` per line, after one comment; gzipped if `path` ends with
 * `.gz`. Pages are named by URL or by id, in the source if it had others.
 * Errors   as writeFiles; InputError if URLs are requested and there are none.
 * Cost     O(characters); memory 4 MiB.
 */
export async function writeEdgeList(graph: WebGraph, path: string, options: LinkStoreOptions = {}): Promise<void> {
  const nameOf = options.urls === true ? urlsOf(graph) : idsOf(graph);
  const packed = promisify(gzip);
  await writeFiles([path], async ([file]) => {
    let text = `# ${graph.pages} pages, ${graph.arcs} links: source TAB target\n`;
    const flush = async (): Promise<void> => {
      const bytes = Buffer.from(text);
      await writeAll(file, path.endsWith('.gz') ? await packed(bytes) : bytes);
      text = '';
    };
    for (let page = 0; page < graph.pages; page++) {
      const end = graph.outOffsets[page + 1];
      const source = graph.outOffsets[page] < end ? nameOf(page) : '';
      for (let i = graph.outOffsets[page]; i < end; i++) {
        text += `${source}\t${nameOf(graph.outTargets[i])}\n`;
        if (text.length > BUFFER_BYTES) await flush();
      }
    }
    await flush();
  });
}
