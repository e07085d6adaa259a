import type { FileHandle } from 'node:fs/promises';
import { checkIsGraph, type GraphPages, type GraphRows, type WebGraph } from '../../graph/index.ts';
import { assert, checkText, InputError } from '../../../base/index.ts';
import {
  assertLittleEndian, crcOf, encodeHeader, headerBytes, padded, type Header, type Section, type SectionName,
  type TypedArray,
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
  const { pages, arcs, hosts } = graph;
  const contents: readonly Content[] = [
    nameSection(graph), ['out-offsets', [graph.outOffsets]], ['out-targets', [graph.outTargets]],
    ...pageSections(graph),
  ];
  await writeFiles([path], async ([file]) => {
    const writer = new SectionWriter(file, contents.length);
    for (const content of contents) await writer.add(content);
    await writer.finish({ pages, arcs, hosts: hosts.count, hostsAreSynthetic: hosts.synthetic });
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
 * Errors   as writeOwg; InputError for more arcs than the format allows.
 * Memory   4 bytes per page and 4 MiB besides the graph itself, whatever the number of arcs.
 */
export async function writeOwgRows(graph: GraphRows, path: string, options: WriteRowsOptions = {}): Promise<number> {
  assertLittleEndian();
  const { pages, hosts } = graph;
  const contents = pageSections(graph);
  const offsets = new Uint32Array(pages + 1);
  await writeFiles([path], async ([file]) => {
    const writer = new SectionWriter(file, 3 + contents.length, options.signal);
    await writer.add(nameSection(graph));
    // The length of the offsets is known now, their values only after the rows are written behind them.
    const writeOffsets = writer.leave('out-offsets', offsets.byteLength);
    await writer.add(['out-targets', chunksOf(graph, offsets, options.onPages)]);
    await writeOffsets([offsets]);
    for (const content of contents) await writer.add(content);
    await writer.finish({ pages, arcs: offsets[pages], hosts: hosts.count, hostsAreSynthetic: hosts.synthetic });
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

/** A section, and the arrays that it consists of. */
export type Content = readonly [name: SectionName, arrays: Iterable<TypedArray>];

function nameSection({ name }: Pick<GraphPages, 'name'>): Content {
  return ['name', [new TextEncoder().encode(name)]];
}

/** The sections behind the links, as far as the graph has them. */
function pageSections(graph: Pick<GraphPages, 'hosts' | 'paths' | 'bytes' | 'sourceIds' | 'seeds'>): Content[] {
  const { hosts, paths, bytes, sourceIds, seeds } = graph;
  const arrays: readonly (readonly [SectionName, TypedArray | undefined])[] = [
    ['host-of-page', hosts.ofPage], ['host-name-ends', hosts.names.offsets.subarray(1)],
    ['host-names', hosts.names.bytes], ['path-ends', paths?.offsets.subarray(1)], ['paths', paths?.bytes],
    ['page-bytes', bytes], ['source-ids', sourceIds], ['seeds', seeds],
  ];
  return arrays.flatMap(([name, array]) => (array ? [[name, [array]] satisfies Content] : []));
}

/** Writes the sections of a stored graph one after the other, and its header last. */
export class SectionWriter {
  readonly #file: FileHandle;
  readonly #signal: AbortSignal | undefined;
  readonly #sections: Section[] = [];
  #at: number;

  constructor(file: FileHandle, sections: number, signal?: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
    this.#at = headerBytes(sections);
  }

  /** Writes the next section. */
  async add([name, arrays]: Content): Promise<void> {
    const section = await this.#write(this.#at, name, arrays);
    this.#sections.push(section);
    this.#at += padded(section.length);
  }

  /** Leaves room for the next section. @returns what writes it there. */
  leave(name: SectionName, length: number): (arrays: Iterable<TypedArray>) => Promise<void> {
    const [at, place] = [this.#at, this.#sections.push({ name, length, crc: 0 }) - 1];
    this.#at += padded(length);
    return async (arrays) => {
      this.#sections[place] = await this.#write(at, name, arrays);
    };
  }

  async finish(header: Omit<Header, 'sections'>): Promise<void> {
    await writeAll(this.#file, encodeHeader({ ...header, sections: this.#sections }), 0);
  }

  /** Writes arrays one after the other, and their padding, from position `at` of the file. */
  async #write(at: number, name: SectionName, arrays: Iterable<TypedArray>): Promise<Section> {
    let length = 0;
    let crc = 0;
    for (const array of arrays) {
      this.#signal?.throwIfAborted();
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let start = 0; start < bytes.length; start += CHECKED_BYTES)
        crc = crcOf(bytes.subarray(start, start + CHECKED_BYTES), crc);
      await writeAll(this.#file, bytes, at + length);
      length += bytes.length;
    }
    const padding = new Uint8Array(padded(length) - length);
    await writeAll(this.#file, padding, at + length);
    return { name, length, crc: crcOf(padding, crc) };
  }
}
