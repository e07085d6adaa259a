import { closeSync, fstatSync, openSync } from 'node:fs';
import { graphOfRows, type WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { BitReader } from './bit-reader.ts';
import { kernelFor } from './bvgraph-kernel.ts';
import { beginsLikeProperties, readProperties, type BvGraphProperties } from './bvgraph-properties.ts';
import { BvGraphRows, tooLarge } from './bvgraph-rows.ts';
import { readError } from '../../../base/files/index.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { noteSyntheticHosts, type ReadOptions } from '../read-options.ts';

/** Zeros fill the last byte; in some copies (such as one of cnr-2000) more zeros fill a last word of 8 bytes. */
const PADDING_BITS = 64;

/** Basename of a BVGraph, from the basename or one of its files. */
export function basenameOfBvGraph(path: string): string {
  return path.replace(/\.(graph|properties|offsets)$/, '');
}

export const bvGraph = {
  name: 'bvgraph',
  title: 'BVGraph',
  holds: 'of the WebGraph framework',
  several: false,
  begins: ({ path, bytes }) => path.endsWith('.properties') && beginsLikeProperties(bytes),
  read: ([path], options) => readBvGraph(path, options),
} as const satisfies Format;

/**
 * Reads a graph of the WebGraph framework in its compressed form, BVGraph (Boldi & Vigna, "The WebGraph framework I:
 * compression techniques", WWW 2004; format version 0, with every code, window and interval length): the files
 * `.properties` and `.graph` of one basename, without `.offsets`. Hosts are drawn.
 * @param path the basename, or one of its files.
 * Errors   InputError with file and key, or with file, node and bit. Counts are believed as far as the size of the
 *          graph file allows: a node takes at least one bit.
 * Cost     O(bytes + n + m); memory: the graph, and one buffer. Reads the file without yielding to other work.
 */
export async function readBvGraph(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  const basename = basenameOfBvGraph(path);
  const properties = await readProperties(`${basename}.properties`);
  const rows = decodeFile(`${basename}.graph`, properties);
  const graph = graphOfRows({ name: options.name ?? graphName(basename), ...rows });
  noteSyntheticHosts(graph, options.onNote);
  return graph;
}

function decodeFile(file: string, properties: BvGraphProperties): { outOffsets: Uint32Array; outTargets: Uint32Array } {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const info = fstatSync(fd);
    if (!info.isFile()) throw new InputError(`${file}: is not a file`);
    const { nodes, arcs } = properties;
    if (nodes > 8 * info.size) {
      throw new InputError(
        `${file}: has ${info.size} bytes, too few for the ${nodes} nodes of its properties, at least one bit each. Is the file truncated?`,
      );
    }
    const kernel = kernelFor(properties);
    const bits: BitReader = new BitReader(fd, info.size, (what) => {
      throw new InputError(
        bits.ranOut
          ? `${file}: is truncated: it ends, at bit ${bits.length}, within the successors of node ${rows.page} of ${nodes}`
          : `${file}: node ${rows.page}, before bit ${bits.position}: ${what}`,
      );
    }, kernel?.words);
    const rows: BvGraphRows = new BvGraphRows(bits, properties, kernel);
    rows.decode();
    if (rows.outOffsets[nodes] < arcs) {
      throw new InputError(`${file}: has ${rows.outOffsets[nodes]} arcs, not ${arcs} as its properties say`);
    }
    const rest = bits.length - bits.position;
    // take() is exact up to 53 bits, and 0 for any number of zeros only.
    if (rest >= PADDING_BITS || bits.take(rest) !== 0) {
      throw new InputError(
        `${file}: continues for ${rest} bits after the successors of ${nodes} nodes, the number in its properties`,
      );
    }
    return rows;
  } catch (error) {
    throw tooLarge(readError(file, error), file, properties);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
