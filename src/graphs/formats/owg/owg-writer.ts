import type { FileHandle } from 'node:fs/promises';
import { checkIsGraph, type GraphRows, type WebGraph } from '../../graph/index.ts';
import { assert, checkText, InputError } from '../../../base/index.ts';
import {
  assertLittleEndian, crcOf, encodeHeader, headerBytes, padded, type Section, type SectionName, type TypedArray,
} from './owg-layout.ts';
import { writeAll, writeFiles } from '../../../base/files/index.ts';

/** Bytes checksummed per call, below zlib's limit. */
const CHECKED_BYTES = 1 << 26;
/** Arcs buffered before they are written: 4 MiB. */
const BUFFER_ARCS = 1 << 20;
/** The header counts arcs in 32 bits, and an offset points after the last one. */
export const MAX_ARCS = 2 ** 32 - 1;

/**
 * Stores a graph in one file (layout: owg-layout.ts). Written under a temporary name, flushed to the disk and renamed,
 * so that `path` contains either the whole graph or its previous contents.
 *
 * Cost     O(bytes), once over memory and once over the disk.
 *
 * @param graph - the graph to store.
 * @param path - its file, which `openGraph` opens; by convention it ends in .owg.
 * @throws InputError if the folder is missing or not writable; WorldError if the disk is full or fails.
 */
export async function writeOwg(graph: WebGraph, path: string): Promise<void> {
  checkIsGraph(graph);
  checkText('path', path);
  assertLittleEndian();
  const contents = sectionContents(graph);
  await writeFiles([path], async ([file]) => {
    const sections: Section[] = [];
    let at = headerBytes(contents.length);
    for (const [name, array] of contents) {
      const section = await writeSection(file, at, name, [array]);
      sections.push(section);
      at += padded(section.length);
    }
    const { pages, arcs, hosts } = graph;
    await writeAll(
      file, encodeHeader({ pages, arcs, hosts: hosts.count, hostsAreSynthetic: hosts.synthetic, sections }), 0,
    );
  });
}

export interface WriteRowsOptions {
  /** Called from time to time with the number of pages written. */
  readonly onPages?: ((pages: number) => void) | undefined;
  /** If aborted, the writing ends with the signal's reason and leaves nothing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores a graph row by row. Returns the number of arcs.
 *
 * Errors   those of writeOwg; InputError for more arcs than the format allows.
 * Memory   4 bytes per page and 4 MiB besides the graph itself, whatever the number of arcs.
 */
export async function writeOwgRows(graph: GraphRows, path: string, options: WriteRowsOptions = {}): Promise<number> {
  assertLittleEndian();
  const { pages, hosts, paths, bytes, seeds } = graph;
  const known: readonly (readonly [SectionName, TypedArray | undefined])[] = [
    ['host-of-page', hosts.ofPage], ['host-name-ends', hosts.names.offsets.subarray(1)],
    ['host-names', hosts.names.bytes], ['path-ends', paths?.offsets.subarray(1)], ['paths', paths?.bytes],
    ['page-bytes', bytes], ['seeds', seeds],
  ];
  const offsets = new Uint32Array(pages + 1);
  await writeFiles([path], async ([file]) => {
    const sections: Section[] = [];
    let at = headerBytes(3 + known.filter(([, array]) => array !== undefined).length);
    const add = async (name: SectionName, contents: Iterable<TypedArray>): Promise<void> => {
      const section = await writeSection(file, at, name, contents, options.signal);
      sections.push(section);
      at += padded(section.length);
    };
    await add('name', [new TextEncoder().encode(graph.name)]);
    // The length of the offsets is known now, their values only after the rows are written behind them.
    const offsetsAt = at;
    at += padded(offsets.byteLength);
    await add('out-targets', chunksOf(graph, offsets, options.onPages));
    sections.splice(1, 0, await writeSection(file, offsetsAt, 'out-offsets', [offsets]));
    for (const [name, array] of known) if (array !== undefined) await add(name, [array]);
    const header = { pages, arcs: offsets[pages], hosts: hosts.count, hostsAreSynthetic: hosts.synthetic, sections };
    await writeAll(file, encodeHeader(header), 0);
  });
  return offsets[pages];
}

/** The targets of all rows, some megabytes at a time in reused memory; fills in the offsets. */
function* chunksOf(
  graph: GraphRows, offsets: Uint32Array, onPages: WriteRowsOptions['onPages'],
): Iterable<Uint32Array> {
  const buffer = new Uint32Array(BUFFER_ARCS);
  let count = 0;
  let page = 0;
  let arcs = 0;
  for (const row of graph.rows()) {
    arcs += row.length;
    if (arcs > MAX_ARCS)
      throw new InputError(`more than ${MAX_ARCS} arcs up to page ${page}, the maximum of a stored graph`);
    offsets[++page] = arcs;
    if (count + row.length > BUFFER_ARCS) {
      yield buffer.subarray(0, count);
      count = 0;
      onPages?.(page);
    }
    if (row.length > BUFFER_ARCS) yield row;
    else {
      buffer.set(row, count);
      count += row.length;
    }
  }
  assert(page === graph.pages, () => `${page} rows of ${graph.pages} pages`);
  yield buffer.subarray(0, count);
}

/** Writes a section's contents, one after the other, and its padding, from position `at` of the file. */
export async function writeSection(
  file: FileHandle, at: number, name: SectionName, contents: Iterable<TypedArray>, signal?: AbortSignal,
): Promise<Section> {
  let length = 0;
  let crc = 0;
  for (const array of contents) {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let start = 0; start < bytes.length; start += CHECKED_BYTES)
      crc = crcOf(bytes.subarray(start, start + CHECKED_BYTES), crc);
    await writeAll(file, bytes, at + length);
    length += bytes.length;
  }
  const padding = new Uint8Array(padded(length) - length);
  await writeAll(file, padding, at + length);
  return { name, length, crc: crcOf(padding, crc) };
}

function sectionContents(graph: WebGraph): [SectionName, TypedArray][] {
  const { hosts, paths } = graph;
  const arrays: Record<SectionName, TypedArray | undefined> = {
    name: new TextEncoder().encode(graph.name),
    'out-offsets': graph.outOffsets,
    'out-targets': graph.outTargets,
    'host-of-page': hosts.ofPage,
    'host-name-ends': hosts.names.offsets.subarray(1),
    'host-names': hosts.names.bytes,
    'path-ends': paths?.offsets.subarray(1),
    paths: paths?.bytes,
    'page-bytes': graph.bytes,
    'source-ids': graph.sourceIds,
    seeds: graph.seeds,
  };
  return Object.entries(arrays).flatMap(([name, array]) => (array ? [[name as SectionName, array]] : []));
}
