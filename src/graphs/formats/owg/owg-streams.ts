import { InputError } from '../../../base/index.ts';
import { writeFiles } from '../../../base/files/index.ts';
import { assertLittleEndian, type TypedArray } from './owg-layout.ts';
import { MAX_ARCS, SectionWriter, type Content } from './owg-writer.ts';

/** A graph of which no part needs to be in memory. Each call begins anew, and yields the same. */
export interface GraphStreams {
  readonly name: string;
  readonly pages: number;
  readonly hosts: number;
  /** The name of each host. */
  hostNames(): Iterable<string>;
  /** The host of each page. */
  hostOfPage(): Iterable<number>;
  paths(): Iterable<string>;
  bytes(): Iterable<number>;
  /** The targets of each page, without duplicates. */
  rows(): Iterable<Uint32Array>;
  seeds(): Iterable<number>;
}

/** Elements written per call. */
const CHUNK = 1 << 16;

/**
 * Stores a graph that is streamed; rows and texts are asked for twice.
 *
 * Errors   as writeOwgRows.
 * Memory   some megabytes, whatever the size of the graph.
 */
export async function writeOwgStreams(graph: GraphStreams, path: string): Promise<void> {
  assertLittleEndian();
  let arcs = 0;
  function* offsets(): Iterable<number> {
    yield arcs;
    for (const row of graph.rows()) {
      arcs += row.length;
      if (arcs > MAX_ARCS) throw new InputError(`more than ${MAX_ARCS} arcs, the maximum of a stored graph`);
      yield arcs;
    }
  }
  const contents: readonly Content[] = [
    ['name', [new TextEncoder().encode(graph.name)]],
    ['out-offsets', chunks(Uint32Array, offsets())], ['out-targets', graph.rows()],
    ['host-of-page', chunks(Uint32Array, graph.hostOfPage())],
    ['host-name-ends', chunks(Float64Array, ends(graph.hostNames()))], ['host-names', texts(graph.hostNames())],
    ['path-ends', chunks(Float64Array, ends(graph.paths()))], ['paths', texts(graph.paths())],
    ['page-bytes', chunks(Uint32Array, graph.bytes())], ['seeds', chunks(Uint32Array, graph.seeds())],
  ];
  await writeFiles([path], async ([file]) => {
    const writer = new SectionWriter(file, contents.length);
    for (const content of contents) await writer.add(content);
    await writer.finish({ pages: graph.pages, arcs, hosts: graph.hosts, hostsAreSynthetic: false });
  }, { replacesLinks: true });
}

/** The values in chunks, which reuse the same memory. */
function* chunks(
  array: Uint32ArrayConstructor | Float64ArrayConstructor, values: Iterable<number>,
): Iterable<TypedArray> {
  const chunk = new array(CHUNK);
  let count = 0;
  for (const value of values) {
    chunk[count++] = value;
    if (count < CHUNK) continue;
    yield chunk;
    count = 0;
  }
  yield chunk.subarray(0, count);
}

/** The end of each text, in bytes of UTF-8. */
function* ends(strings: Iterable<string>): Iterable<number> {
  let end = 0;
  for (const text of strings) yield end += Buffer.byteLength(text);
}

function* texts(strings: Iterable<string>): Iterable<Uint8Array> {
  let batch: string[] = [];
  let length = 0;
  for (const text of strings) {
    batch.push(text);
    length += text.length;
    if (length < CHUNK) continue;
    yield Buffer.from(batch.join(''));
    batch = [];
    length = 0;
  }
  yield Buffer.from(batch.join(''));
}
