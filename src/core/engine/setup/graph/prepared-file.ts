import { open, stat, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { InputError, packageVersion } from '../../../../base/index.ts';
import { isMissing, readError, writeAll, writeFiles } from '../../../../base/files/index.ts';
import type { PreparedGraph } from '../../../../graphs/graph/index.ts';
import type { SimulationSettings } from '../../../settings/index.ts';
import { datasetFacts } from '../../result/dataset-facts.ts';
import { trueRanks } from '../ranks.ts';
import { settleSeeds } from '../settled.ts';

/*
 * `GRAPH.owg.prepared`: results of a whole graph's links that each run needs, computed once. Numbers are little-endian.
 *
 *   0   8  magic: 0x89 "OWP" CR LF 0x1a LF, as of a stored graph
 *   8   4  version, 1
 *   12  4  length h of the header
 *   16  h  header: JSON, which `headerSchema` describes, with spaces behind it up to a multiple of 8 bytes
 *   then 4  CRC-32 of all before, 4 zero bytes
 *   then r  pages within reach: a bit each, the lowest first, in words of 8 bytes
 *   then 8n true PageRank of the n pages
 */
const MAGIC = Uint8Array.of(0x89, 0x4f, 0x57, 0x50, 0x0d, 0x0a, 0x1a, 0x0a);
const VERSION = 1;
const FIXED_BYTES = 16;
const CHUNK_BYTES = 1 << 23;

const count = z.int().min(0);
const degree = z.strictObject({ host: count, name: z.string(), links: count });
const headerSchema = z.strictObject({
  /** Version of Orbweaver: another one may compute other ranks. */
  version: z.string(),
  graph: z.strictObject({
    pages: count, arcs: count, hosts: count, hostsAreSynthetic: z.boolean(), sha256: z.string(),
    hostGraph: z.strictObject({
      density: z.number(), linkedPairs: count, links: count, linksWithinHosts: count,
      topOut: z.array(degree).readonly(), topIn: z.array(degree).readonly(),
    }),
  }),
  seeds: z.strictObject({
    origin: z.enum(['stored', 'host roots', 'largest out-degree', 'named']), pages: z.array(count),
    /** Pages and hosts that they reach. */
    reachedPages: count, reachedHosts: count,
  }),
  /** CRC-32 of what follows. */
  reachCrc: count, ranksCrc: count,
});

export type PreparedHeader = z.infer<typeof headerSchema>;

/** The path of a stored graph's prepared file. */
export function preparedPath(graphPath: string): string {
  return `${graphPath}.prepared`;
}

/**
 * Writes the results that runs from these seed pages need. It replaces a file of that name when all is written.
 * @throws InputError for seed pages that the graph does not have; as writeFiles.
 */
export async function writePrepared(
  path: string, prepared: PreparedGraph, experiment: Pick<SimulationSettings, 'seedPages'>,
): Promise<PreparedHeader> {
  const { pages, arcs, hosts, hostsAreSynthetic, sha256, hostGraph } = datasetFacts(prepared);
  const graph = { pages, arcs, hosts, hostsAreSynthetic, sha256, hostGraph };
  const { seedPages, origin, reachable, count: reachedPages, hosts: reachedHosts } = settleSeeds(prepared, experiment);
  const ranks = bytesOf(trueRanks(prepared));
  const reach = packed(reachable);
  const header = {
    version: packageVersion(), graph, seeds: { origin, pages: seedPages, reachedPages, reachedHosts },
    reachCrc: crc32(reach), ranksCrc: crcOf(ranks),
  };
  await writeFiles([path], async ([file]) => {
    for (const part of [encodeHeader(header), reach, ranks]) await writeAll(file, part);
  }, { replacesLinks: true });
  return header;
}

/** The file of a graph, open: its header was read, and its length is right. */
export class PreparedFile {
  readonly path: string;
  readonly header: PreparedHeader;
  readonly #reachAt: number;

  private constructor(path: string, header: PreparedHeader, reachAt: number) {
    this.path = path;
    this.header = header;
    this.#reachAt = reachAt;
  }

  /**
   * Undefined if there is no regular file of this name: a pipe would never end.
   * @throws InputError naming the file if it is damaged or of another version.
   */
  static async open(path: string): Promise<PreparedFile | undefined> {
    try {
      if (!(await stat(path)).isFile()) return undefined;
      return await withFile(path, async (file) => {
        const { size } = await file.stat();
        const { header, end } = await readHeader(path, file, size);
        const prepared = new PreparedFile(path, header, end);
        const expected = end + prepared.#reachBytes + 8 * header.graph.pages;
        if (size !== expected) throw damaged(path, `it has ${size} bytes, not ${expected}`);
        return prepared;
      });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw readError(path, error);
    }
  }

  /** 1 for each page within reach of the seed pages, otherwise 0. */
  async reachable(): Promise<Uint8Array> {
    const bits = new Uint8Array(this.#reachBytes);
    await this.#read(bits, this.#reachAt, this.header.reachCrc, 'pages within reach');
    return Uint8Array.from({ length: this.header.graph.pages }, (_, page) => bits[page >>> 3] >>> (page & 7) & 1);
  }

  /** True PageRank of every page. */
  async ranks(): Promise<Float64Array> {
    const ranks = new Float64Array(this.header.graph.pages);
    await this.#read(bytesOf(ranks), this.#reachAt + this.#reachBytes, this.header.ranksCrc, 'ranks');
    return ranks;
  }

  get #reachBytes(): number {
    return reachBytes(this.header.graph.pages);
  }

  async #read(bytes: Uint8Array, at: number, crc: number, what: string): Promise<void> {
    try {
      await withFile(this.path, (file) => fill(this.path, file, bytes, at));
    } catch (error) {
      throw readError(this.path, error);
    }
    if (crcOf(bytes) !== crc) throw damaged(this.path, `the checksum of its ${what} does not match`);
  }
}

function damaged(path: string, why: string): InputError {
  return new InputError(`${path}: is damaged: ${why}; orbweaver simulate GRAPH --prepare makes it again`);
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function readHeader(
  path: string, file: FileHandle, size: number,
): Promise<{ readonly header: PreparedHeader; readonly end: number }> {
  const fixed = new Uint8Array(FIXED_BYTES);
  if (size < FIXED_BYTES) throw damaged(path, `it has ${size} bytes`);
  await fill(path, file, fixed, 0);
  const view = new DataView(fixed.buffer);
  if (MAGIC.some((byte, i) => fixed[i] !== byte)) throw damaged(path, 'its first 8 bytes are of another kind of file');
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw damaged(path, `it has version ${version}; this program reads version ${VERSION}`);
  const end = FIXED_BYTES + view.getUint32(12, true) + 8;
  if (end > size) throw damaged(path, `its header ends at byte ${end}, the file at ${size}`);
  const bytes = new Uint8Array(end);
  await fill(path, file, bytes, 0);
  const crc = new DataView(bytes.buffer).getUint32(end - 8, true);
  if (crc !== crc32(bytes.subarray(0, end - 8))) throw damaged(path, 'the checksum of its header does not match');
  const header = headerSchema.safeParse(jsonOf(bytes.subarray(FIXED_BYTES, end - 8)));
  if (!header.success) throw damaged(path, 'its header lacks what it should say');
  const { data } = header;
  if (data.version !== packageVersion())
    throw damaged(path, `it was made by version ${data.version}, and this is ${packageVersion()}`);
  return { header: data, end };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function encodeHeader(header: PreparedHeader): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(FIXED_BYTES + length + 8);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, length, true);
  bytes.fill(0x20, FIXED_BYTES, FIXED_BYTES + length);
  bytes.set(text, FIXED_BYTES);
  view.setUint32(FIXED_BYTES + length, crc32(bytes.subarray(0, FIXED_BYTES + length)), true);
  return bytes;
}

const reachBytes = (pages: number): number => Math.ceil(pages / 64) * 8;

function packed(marks: Uint8Array): Uint8Array {
  const bits = new Uint8Array(reachBytes(marks.length));
  for (let page = 0; page < marks.length; page++) bits[page >>> 3] |= marks[page] << (page & 7);
  return bits;
}

const bytesOf = (array: Float64Array): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Computes in pieces: zlib takes less than 4 GiB at once. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0;
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    crc = crc32(bytes.subarray(start, start + CHUNK_BYTES), crc);
  return crc;
}

async function fill(path: string, file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesRead } = await file.read(bytes, offset, Math.min(CHUNK_BYTES, bytes.length - offset), at + offset);
    if (bytesRead === 0) throw damaged(path, 'it shrank while it was read');
    offset += bytesRead;
  }
}
