import { open, type FileHandle } from 'node:fs/promises';
import {
  graphFault, sharedFloat64, sharedUint32, sharedUint8, StringTable, type GraphFault, type WebGraph,
} from '../../graph/index.ts';
import { assert, InputError } from '../../base/index.ts';
import { readError } from '../../base/files/index.ts';
import type { Format } from '../format.ts';
import { CONTROL_CHARACTERS, graphName } from '../graph-name.ts';
import {
  assertLittleEndian, crcOf, decodeHeader, headerBytes, MAGIC, padded, sectionCount, type Header, type Section,
  type SectionName, type TypedArray,
} from './owg-layout.ts';
import type { ReadOptions } from '../read-options.ts';

/** Bytes read per call: enough to make calls cheap, and few enough that the first chunk arrives soon. */
const CHUNK_BYTES = 1 << 23;

/** Whether a file that begins with these bytes is a stored graph, complete or not. */
function beginsLikeOwg(head: Uint8Array): boolean {
  return head.length >= 4 && MAGIC.subarray(0, 4).every((byte, i) => head[i] === byte);
}

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
export async function readOwg(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  assertLittleEndian();
  try {
    const file = await open(path);
    try {
      const graph = await readGraph(file, path);
      return options.name === undefined ? graph : { ...graph, name: options.name };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readError(path, error);
  }
}

async function readGraph(file: FileHandle, path: string): Promise<WebGraph> {
  const fail = (what: string): never => {
    throw new InputError(`${path}: ${what}`);
  };
  const info = await file.stat();
  if (!info.isFile()) fail('is not a file');
  const header = await readHeader(file, info.size, fail);
  let end = headerBytes(header.sections.length);
  for (const { name, length } of header.sections) {
    end += padded(length);
    if (end > info.size) fail(`section ${name}: is truncated: it ends at byte ${end}, the file at ${info.size}`);
  }
  if (end < info.size) fail(`continues for ${info.size - end} bytes after its last section`);

  const arrays = new Map<SectionName, TypedArray>();
  let at = headerBytes(header.sections.length);
  for (const section of header.sections) {
    arrays.set(section.name, await readSection(file, at, section, fail));
    at += padded(section.length);
  }
  const graph = graphOf(header, arrays, path);
  if (graph.name.search(CONTROL_CHARACTERS) >= 0) fail('section name: has control characters');
  const fault = graphFault(graph);
  if (fault) fail(`section ${sectionOfPart[fault.part]}: ${fault.message}`);
  return graph;
}

async function readHeader(file: FileHandle, size: number, fail: (what: string) => never): Promise<Header> {
  const fixedBytes = headerBytes(0) - 8;
  const fixed = new Uint8Array(fixedBytes);
  const { bytesRead } = await file.read(fixed, 0, fixedBytes, 0);
  if (bytesRead < fixedBytes) {
    fail(beginsLikeOwg(fixed) ? `header: is truncated: the file has ${size} bytes` : 'is not a stored graph');
  }
  const sections = sectionCount(fixed);
  if (typeof sections === 'string') return fail(sections);
  const length = headerBytes(sections);
  if (length > size) fail(`header: is truncated: it has ${length} bytes, the file ${size}`);
  const bytes = new Uint8Array(length);
  await readAll(file, bytes, 0, fail);
  const header = decodeHeader(bytes);
  return typeof header === 'string' ? fail(header) : header;
}

/** Allocates and fills the array of a section. */
async function readSection(
  file: FileHandle, at: number, { name, length, crc }: Section, fail: (what: string) => never,
): Promise<TypedArray> {
  const array = allocate(name, length);
  const bytes = new Uint8Array(array.buffer, array.byteOffset, length);
  let actual = await readAll(file, bytes, at, fail);
  const padding = new Uint8Array(padded(length) - length);
  await readAll(file, padding, at + length, fail);
  actual = crcOf(padding, actual);
  if (actual !== crc || padding.some((byte) => byte !== 0))
    fail(`section ${name}: its checksum does not match: the file was altered`);
  return array;
}

function allocate(name: SectionName, length: number): TypedArray {
  switch (name) {
    case 'host-name-ends':
    case 'path-ends':
      // After the 0 that begins every array of offsets.
      return sharedFloat64(length / 8 + 1).subarray(1);
    case 'name':
    case 'host-names':
    case 'paths':
      return sharedUint8(length);
    case 'out-offsets':
    case 'out-targets':
    case 'host-of-page':
    case 'page-bytes':
    case 'source-ids':
    case 'seeds':
      return sharedUint32(length / 4);
  }
}

const sectionOfPart: Record<GraphFault['part'], SectionName> = {
  outOffsets: 'out-offsets',
  outTargets: 'out-targets',
  'hosts.ofPage': 'host-of-page',
  'hosts.names': 'host-name-ends',
  paths: 'path-ends',
  bytes: 'page-bytes',
  sourceIds: 'source-ids',
  seeds: 'seeds',
};

function graphOf(header: Header, arrays: ReadonlyMap<SectionName, TypedArray>, path: string): WebGraph {
  const integers = (name: SectionName): Uint32Array | undefined => arrays.get(name) as Uint32Array | undefined;
  const required = (name: SectionName): Uint32Array => {
    const array = integers(name);
    assert(array !== undefined, `section ${name} must be present`);
    return array;
  };
  const strings = (endsName: SectionName, bytesName: SectionName): StringTable | undefined => {
    const ends = arrays.get(endsName);
    return ends && new StringTable(new Float64Array(ends.buffer), arrays.get(bytesName) as Uint8Array);
  };
  const names = strings('host-name-ends', 'host-names');
  assert(names !== undefined, 'section host-name-ends must be present');
  const name = new TextDecoder().decode((arrays.get('name') as Uint8Array).slice());
  return {
    name: name === '' ? graphName(path) : name,
    pages: header.pages,
    arcs: header.arcs,
    outOffsets: required('out-offsets'),
    outTargets: required('out-targets'),
    hosts: { count: header.hosts, ofPage: required('host-of-page'), names, synthetic: header.hostsAreSynthetic },
    paths: strings('path-ends', 'paths'),
    bytes: integers('page-bytes'),
    sourceIds: integers('source-ids'),
    seeds: integers('seeds'),
  };
}

/**
 * Fills `bytes` from position `at` of the file, which the caller knows to be long enough; returns their CRC-32. It is
 * computed for one chunk while another thread reads the next.
 */
async function readAll(
  file: FileHandle, bytes: Uint8Array, at: number, fail: (what: string) => never,
): Promise<number> {
  const chunk = (start: number): Uint8Array => bytes.subarray(start, start + CHUNK_BYTES);
  let crc = 0;
  let ahead = readChunk(file, chunk(0), at, fail);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    await ahead;
    ahead = readChunk(file, chunk(start + CHUNK_BYTES), at + start + CHUNK_BYTES, fail);
    crc = crcOf(chunk(start), crc);
  }
  return crc;
}

async function readChunk(
  file: FileHandle, bytes: Uint8Array, at: number, fail: (what: string) => never,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, at + done);
    if (bytesRead === 0) fail('shrank while it was read');
    done += bytesRead;
  }
}
