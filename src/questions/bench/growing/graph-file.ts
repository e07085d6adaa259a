import { open, type FileHandle } from 'node:fs/promises';
import { assert, InputError } from '../../../base/index.ts';
import { readError, writeAll, writeFiles } from '../../../base/files/index.ts';
import { asSharedUint32 } from '../../../graphs/graph/index.ts';
import { INFINITE, type ArcSequence } from './sequence.ts';
import { lowestPages, wholeComponents, wholeDistances } from './whole-results.ts';

/** SPAWC's graph file: README.md has its form, and what of it SPAWC's text leaves open. */

/** The first 10 bytes. */
export const GRAPH_FILE_MAGIC = 'GRAPHBENCH';
/** Bytes of the name in UTF-8, without its NUL. */
const LONGEST_NAME_BYTES = 1024;
const COUNTS_BYTES = 12;
/** Bytes per read, below the system's limit of 2 GiB. */
const READ_BYTES = 1 << 26;

/** Whether a file begins with the magic; false if it cannot be read. */
export async function isGraphFile(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    return (await readUpTo(file, 0, GRAPH_FILE_MAGIC.length)).toString('latin1') === GRAPH_FILE_MAGIC;
  } catch {
    return false; // A folder.
  } finally {
    await file.close();
  }
}

/**
 * Reads SPAWC's graph file. Memory is allocated only after the counts are found to fit the file's length.
 * @throws InputError naming file and place if it is damaged.
 */
export async function readGraphFile(path: string): Promise<ArcSequence> {
  const file = await open(path).catch((error: unknown) => {
    throw readError(path, error);
  });
  try {
    return await readFrom(file, path);
  } catch (error) {
    throw error instanceof InputError ? error : readError(path, error);
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle, path: string): Promise<ArcSequence> {
  const fail = (text: string): never => {
    throw new InputError(`${path}: ${text}`);
  };
  const { size } = await file.stat();
  const { name, pages, arcs, components, bodyAt } = headOf(
    await readUpTo(file, 0, GRAPH_FILE_MAGIC.length + LONGEST_NAME_BYTES + 1 + COUNTS_BYTES), fail);
  const expected = bodyAt + 4 * pages * pages + 4 * pages + pages * pages + 8 * arcs;
  if (size !== expected) {
    fail(`${size < expected ? 'is truncated' : 'goes on after its end'}: ${pages} vertices and ${arcs} edges take ` +
      `${expected} bytes; it has ${size}`);
  }
  if (5 * size > 2 * process.availableMemory())
    fail(`reading its ${size} bytes takes ${2.5 * size}; ${process.availableMemory()} are free`);
  let at = bodyAt;
  const next = async (bytes: number): Promise<Buffer> => {
    const block = await readUpTo(file, at, bytes);
    if (block.length < bytes) fail(`ended at byte ${at + block.length} while it was read`);
    at += bytes;
    return block;
  };
  const words = async (length: number): Promise<Uint32Array> => wordsOf(await next(4 * length));
  const distances = asSharedUint32(await words(pages * pages));
  const labels = await words(pages);
  const adjacency = await next(pages * pages);
  const ends = await words(2 * arcs);
  checkLabels(labels, components, fail);
  checkArcs(ends, pages, fail);
  checkAdjacency(adjacency, ends, pages, fail);
  return {
    name, description: `the graph file ${path}`, isSynthetic: false, pages, notes: [],
    sources: asSharedUint32(ends.filter((_, i) => i % 2 === 0)),
    targets: asSharedUint32(ends.filter((_, i) => i % 2 === 1)),
    stored: { distances, components: lowestPages(labels) },
  };
}

type Fail = (text: string) => never;

function headOf(head: Buffer, fail: Fail): {
  name: string; pages: number; arcs: number; components: number; bodyAt: number;
} {
  const nameAt = GRAPH_FILE_MAGIC.length;
  if (head.subarray(0, nameAt).toString('latin1') !== GRAPH_FILE_MAGIC)
    fail(`does not begin with ${GRAPH_FILE_MAGIC}, as SPAWC's graph files do here`);
  const end = head.indexOf(0, nameAt);
  if (end < 0 && head.length > nameAt + LONGEST_NAME_BYTES)
    fail(`its name has no NUL within ${LONGEST_NAME_BYTES} bytes`);
  if (end < 0 || end + 1 + COUNTS_BYTES > head.length) fail(`is truncated: its head ends at byte ${head.length}`);
  let name = '';
  try {
    name = new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(nameAt, end));
  } catch {
    fail(`its name, from byte ${nameAt}, is not UTF-8`);
  }
  const [pages, arcs, components] = [1, 5, 9].map((offset) => head.readUInt32LE(end + offset));
  return { name, pages, arcs, components, bodyAt: end + 1 + COUNTS_BYTES };
}

function checkLabels(labels: Uint32Array, components: number, fail: Fail): void {
  const wrong = labels.findIndex((label) => label >= labels.length);
  if (wrong >= 0) fail(`component of vertex ${wrong}: ${labels[wrong]} is not below ${labels.length}`);
  const count = new Set(labels).size;
  if (count !== components) fail(`its head says ${components} components, its list has ${count}`);
}

function checkArcs(ends: Uint32Array, pages: number, fail: Fail): void {
  const wrong = ends.findIndex((page) => page >= pages);
  if (wrong >= 0) {
    fail(`edge ${Math.floor(wrong / 2) + 1} of ${ends.length / 2}: its ${wrong % 2 === 0 ? 'tail' : 'head'} ` +
      `${ends[wrong]} is not below ${pages}`);
  }
}

function checkAdjacency(adjacency: Uint8Array, ends: Uint32Array, pages: number, fail: Fail): void {
  const expected = adjacencyOf(ends, pages);
  const wrong = adjacency.findIndex((value, at) => value !== expected[at]);
  if (wrong >= 0) {
    fail(`adjacency of ${Math.floor(wrong / pages)} -> ${wrong % pages} is ${adjacency[wrong]}, ` +
      `but its edges have ${expected[wrong] === 1 ? 'this one' : 'none'}`);
  }
}

/** @param ends - tail, head, tail, head, ... */
function adjacencyOf(ends: Uint32Array, pages: number): Uint8Array {
  const adjacency = new Uint8Array(pages * pages);
  for (let at = 0; at < ends.length; at += 2) adjacency[ends[at] * pages + ends[at + 1]] = 1;
  return adjacency;
}

/**
 * Writes SPAWC's graph file, with the results of breadth-first searches and of Tarjan's algorithm, whatever the
 * sequence has stored. Components are numbered in the order of their lowest pages.
 * @throws InputError for a name that is too long or has a NUL, or more pages than there is memory for; WorldError if
 * the disk is full.
 */
export async function writeGraphFile(path: string, sequence: ArcSequence): Promise<void> {
  const { pages, sources, targets } = sequence;
  const name = Buffer.from(sequence.name);
  if (name.includes(0) || name.length > LONGEST_NAME_BYTES)
    throw new InputError(`name: must have at most ${LONGEST_NAME_BYTES} bytes, and no NUL`);
  const distances = wholeDistances(sequence);
  const { labels, count } = numbered(wholeComponents(sequence));
  const ends = new Uint32Array(2 * sources.length);
  for (let arc = 0; arc < sources.length; arc++) {
    ends[2 * arc] = sources[arc];
    ends[2 * arc + 1] = targets[arc];
  }
  await writeFiles([path], async ([file]) => {
    await writeAll(file, Buffer.concat([Buffer.from(GRAPH_FILE_MAGIC), name, Buffer.of(0)]));
    await writeAll(file, bytesOf(Uint32Array.of(pages, sources.length, count)));
    // Not from shared memory, from which files cannot be written.
    for (let page = 0; page < pages; page++)
      await writeAll(file, bytesOf(distances.slice(page * pages, (page + 1) * pages)));
    await writeAll(file, bytesOf(labels));
    await writeAll(file, adjacencyOf(ends, pages));
    await writeAll(file, bytesOf(ends));
  });
}

function numbered(lowest: Uint32Array): { labels: Uint32Array; count: number } {
  const labels = new Uint32Array(lowest.length).fill(INFINITE);
  let count = 0;
  for (const [page, first] of lowest.entries()) labels[page] = first === page ? count++ : labels[first];
  return { labels, count };
}

/** Up to so many bytes from there, fewer at the end of the file. */
async function readUpTo(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(bytes, Math.max(0, (await file.stat()).size - at)));
  for (let offset = 0; offset < buffer.length;) {
    const { bytesRead } = await file.read(buffer, offset, Math.min(READ_BYTES, buffer.length - offset), at + offset);
    if (bytesRead === 0) return buffer.subarray(0, offset);
    offset += bytesRead;
  }
  return buffer;
}

function wordsOf(bytes: Buffer): Uint32Array {
  assertLittleEndian();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function bytesOf(words: Uint32Array): Uint8Array {
  assertLittleEndian();
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

function assertLittleEndian(): void {
  assert(new Uint8Array(Uint32Array.of(1).buffer)[0] === 1, 'graph files need a little-endian machine');
}
