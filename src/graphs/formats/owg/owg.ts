import { graphFault, type WebGraph } from '../../graph/index.ts';
import type { Format } from '../format.ts';
import { beginsLikeOwg, OwgFile } from './owg-file.ts';
import type { ReadOptions } from '../read-options.ts';

export const owg = {
  name: 'owg',
  title: 'stored graph',
  holds: 'the format written by import',
  several: false,
  hasName: (path) => /\.owg$/i.test(path),
  begins: ({ bytes }) => beginsLikeOwg(bytes),
  read: ([path], options) => readOwg(path, options),
} as const satisfies Format;

/**
 * Reads a stored graph into shared memory. Sizes are checked against the file before anything is allocated, every byte
 * against a checksum, and then the graph's invariants, because a checksum only proves that nothing changed.
 *
 * Errors   InputError naming file and section if the file is truncated, altered, of another version, or not a graph.
 * Cost     O(bytes): one read with CRC-32 in parallel, and a scan of the arcs, about 5 ns per arc in all from the
 *          system's cache. Memory: the graph; 4n bytes more for the scan if the links of a page do not ascend.
 */
export async function readOwg(path: string, { name }: ReadOptions = {}): Promise<WebGraph> {
  return OwgFile.with(path, async (file) => {
    const outOffsets = await file.integers('out-offsets');
    const outTargets = await file.integers('out-targets');
    const graph = { ...await file.pages({ name, paths: true }), outOffsets, outTargets };
    file.check(graph.name, graphFault(graph));
    return graph;
  });
}
