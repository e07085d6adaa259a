import { open, type FileHandle } from 'node:fs/promises';
import { AssertionError } from '../../../base/index.ts';
import {
  decodeHeader, headerBytes, padded, sectionCount, type Header, type Section, type SectionName,
} from './owg-layout.ts';

/**
 * In the order of `graphChecksum` (graphs/graph/derived/checksum.ts), which is that of the file: what each part is
 * there.
 */
const parts: readonly (readonly [SectionName, what: string, bytesPerElement: number])[] = [
  ['out-offsets', 'offsets', 4], ['out-targets', 'targets', 4], ['host-of-page', 'hosts', 4],
  ['host-name-ends', 'host names', 8], ['host-names', 'host names', 1],
  ['path-ends', 'paths', 8], ['paths', 'paths', 1],
  ['page-bytes', 'bytes', 4], ['source-ids', 'source ids', 4], ['seeds', 'seeds', 4],
];
const CHUNK_BYTES = 1 << 20;

/** What is known of a stored graph that has not been read into memory. */
export type StoredGraphFacts = Pick<Header, 'pages' | 'arcs' | 'hosts'> & { readonly sha256: string };

/**
 * Counts and `graphChecksum` of a stored graph that this process has written.
 *
 * Cost    one read of the file. Memory: some megabytes.
 * Errors  those of the file system; AssertionError if it is no stored graph.
 */
export async function storedGraphFacts(path: string): Promise<StoredGraphFacts> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const header = await headerOf(file, path);
    const { pages, arcs, hosts, hostsAreSynthetic, sections } = header;
    hash.update(`orbweaver graph 1\n${pages} ${arcs} ${hosts} ${hostsAreSynthetic ? 'synthetic' : 'real'}\n`);
    const places = placesOf(sections);
    for (const [name, what, elementBytes] of parts) {
      const place = places.get(name);
      // Where strings begin and end: the file leaves out the first 0.
      const isEnds = elementBytes === 8;
      if (place === undefined) hash.update(`${what} absent\n`);
      else {
        hash.update(`${what} ${place.length / elementBytes + Number(isEnds)}\n`);
        if (isEnds) hash.update(new Uint8Array(8));
        for await (const bytes of bytesOf(file, place)) hash.update(bytes);
      }
    }
    return { pages, arcs, hosts, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

interface Place {
  readonly at: number;
  readonly length: number;
}

async function headerOf(file: FileHandle, path: string): Promise<Header> {
  const fixed = await bytesAt(file, { at: 0, length: headerBytes(0) - 8 });
  const sections = sectionCount(fixed);
  const header = typeof sections === 'string'
    ? sections : decodeHeader(await bytesAt(file, { at: 0, length: headerBytes(sections) }));
  if (typeof header === 'string') throw new AssertionError(`a graph just written cannot be read: ${path}: ${header}`);
  return header;
}

function placesOf(sections: readonly Section[]): Map<SectionName, Place> {
  let at = headerBytes(sections.length);
  return new Map(sections.map(({ name, length }) => {
    const place = { at, length };
    at += padded(length);
    return [name, place];
  }));
}

async function* bytesOf(file: FileHandle, { at, length }: Place): AsyncIterable<Uint8Array> {
  for (let done = 0; done < length; done += CHUNK_BYTES)
    yield bytesAt(file, { at: at + done, length: Math.min(CHUNK_BYTES, length - done) });
}

async function bytesAt(file: FileHandle, { at, length }: Place): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new AssertionError('a graph just written is shorter than its header says');
    done += bytesRead;
  }
  return bytes;
}
