import { open, type FileHandle } from 'node:fs/promises';
import {
  sharedFloat64, sharedUint32, sharedUint8, StringTable, type GraphFault, type GraphPages,
} from '../../graph/index.ts';
import { assert, InputError } from '../../../base/index.ts';
import { readError } from '../../../base/files/index.ts';
import { CONTROL_CHARACTERS, graphName } from '../graph-name.ts';
import { failIn, type Fail } from '../text-lines.ts';
import {
  assertLittleEndian, crcOf, decodeHeader, headerBytes, MAGIC, padded, sectionCount, SECTIONS, type Header,
  type Section, type SectionName, type TypedArray,
} from './owg-layout.ts';

/** Bytes read per call: enough to make calls cheap, and few enough that the first chunk arrives soon. */
const CHUNK_BYTES = 1 << 23;

/** Whether a file that begins with these bytes is a stored graph, complete or not. */
export function beginsLikeOwg(head: Uint8Array): boolean {
  return head.length >= 4 && MAGIC.subarray(0, 4).every((byte, i) => head[i] === byte);
}

interface PlacedSection extends Section {
  /** Its position in the file. */
  readonly at: number;
}

/** An open stored graph, of which sections are read one by one. */
export class OwgFile {
  readonly path: string;
  readonly header: Header;
  readonly #file: FileHandle;
  readonly #sections: readonly PlacedSection[];

  private constructor(path: string, file: FileHandle, header: Header, sections: readonly PlacedSection[]) {
    this.path = path;
    this.header = header;
    this.#file = file;
    this.#sections = sections;
  }

  /**
   * Opens a stored graph for `work`, and closes it when that has ended. Sizes are checked against the file first.
   * @throws InputError naming file and section if it is truncated or not a stored graph; as `work`.
   */
  static async with<T>(path: string, work: (file: OwgFile) => Promise<T>): Promise<T> {
    assertLittleEndian();
    try {
      const file = await open(path);
      try {
        return await work(await opened(path, file, (...parts) => new OwgFile(path, file, ...parts)));
      } finally {
        await file.close();
      }
    } catch (error) {
      throw readError(path, error);
    }
  }

  fail(what: string): never {
    throw new InputError(`${this.path}: ${what}`);
  }

  /** @throws InputError for a graph whose invariants do not hold. */
  check(name: string, fault: GraphFault | undefined): void {
    if (name.search(CONTROL_CHARACTERS) >= 0) this.fail('section name: has control characters');
    if (fault !== undefined) this.fail(`section ${sectionOfPart[fault.part]}: ${fault.message}`);
  }

  /** A section in shared memory; undefined if the graph does not have it. Reads it whole, with CRC-32 in parallel. */
  async array(name: SectionName): Promise<TypedArray | undefined> {
    const section = this.#section(name);
    if (section === undefined) return undefined;
    const { length, at, crc } = section;
    const array = allocate(name, length);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, length);
    const actual = await readAll(this.#file, bytes, at, (what) => this.fail(what));
    await this.#checkCrc(section, actual, crc);
    return array;
  }

  /** A section that every stored graph has. */
  async integers(name: SectionName): Promise<Uint32Array> {
    const array = await this.array(name);
    assert(array !== undefined, `section ${name} must be present`);
    return array as Uint32Array;
  }

  /**
   * A section piece by piece, each valid until the next is requested: 8 MiB of memory. Its checksum is compared when
   * all have been read. Nothing if the graph does not have it.
   */
  async* pieces(name: SectionName): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    const section = this.#section(name);
    if (section === undefined) return;
    const { length, at, crc } = section;
    const memory = new Uint8Array(Math.min(length, CHUNK_BYTES));
    let actual = 0;
    for (let start = 0; start < length; start += memory.length) {
      const piece = memory.subarray(0, Math.min(memory.length, length - start));
      await readChunk(this.#file, piece, at + start, (what) => this.fail(what));
      actual = crcOf(piece, actual);
      yield piece;
    }
    await this.#checkCrc(section, actual, crc);
  }

  /** Length of a section in bytes; undefined if the graph does not have it. */
  lengthOf(name: SectionName): number | undefined {
    return this.#section(name)?.length;
  }

  /** The pages, without their links. @param paths whether to read their paths. */
  async pages({ name, paths }: { readonly name?: string | undefined; readonly paths: boolean }): Promise<GraphPages> {
    const { pages, hosts, arcs, hostsAreSynthetic } = this.header;
    const storedName = new TextDecoder().decode((await this.array('name') as Uint8Array).slice());
    const names = await this.#strings('host-name-ends', 'host-names');
    assert(names !== undefined, 'section host-name-ends must be present');
    return {
      name: name ?? (storedName || graphName(this.path)), pages, arcs,
      hosts: { count: hosts, ofPage: await this.integers('host-of-page'), names, synthetic: hostsAreSynthetic },
      paths: paths ? await this.#strings('path-ends', 'paths') : undefined,
      bytes: await this.array('page-bytes') as Uint32Array | undefined,
      sourceIds: await this.array('source-ids') as Uint32Array | undefined,
      seeds: await this.array('seeds') as Uint32Array | undefined,
    };
  }

  async #strings(endsName: SectionName, bytesName: SectionName): Promise<StringTable | undefined> {
    const ends = await this.array(endsName);
    return ends && new StringTable(new Float64Array(ends.buffer), await this.array(bytesName) as Uint8Array);
  }

  #section(name: SectionName): PlacedSection | undefined {
    return this.#sections.find((section) => section.name === name);
  }

  async #checkCrc({ name, length, at }: PlacedSection, actual: number, expected: number): Promise<void> {
    const padding = new Uint8Array(padded(length) - length);
    await readChunk(this.#file, padding, at + length, (what) => this.fail(what));
    if (crcOf(padding, actual) !== expected || padding.some((byte) => byte !== 0))
      this.fail(`section ${name}: its checksum does not match: the file was altered`);
  }
}

async function opened(
  path: string, file: FileHandle, make: (header: Header, sections: readonly PlacedSection[]) => OwgFile,
): Promise<OwgFile> {
  const fail = failIn(path);
  const info = await file.stat();
  if (!info.isFile()) fail('is not a file');
  const header = await readHeader(file, info.size, fail);
  let end = headerBytes(header.sections.length);
  const sections = header.sections.map((section) => {
    const at = end;
    end += padded(section.length);
    if (end > info.size)
      fail(`section ${section.name}: is truncated: it ends at byte ${end}, the file at ${info.size}`);
    return { ...section, at };
  });
  if (end < info.size) fail(`continues for ${info.size - end} bytes after its last section`);
  return make(header, sections);
}

async function readHeader(file: FileHandle, size: number, fail: Fail): Promise<Header> {
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
  await readChunk(file, bytes, 0, fail);
  const header = decodeHeader(bytes);
  return typeof header === 'string' ? fail(header) : header;
}

function allocate(name: SectionName, length: number): TypedArray {
  switch (SECTIONS[name].bytes) {
    case 1:
      return sharedUint8(length);
    case 4:
      return sharedUint32(length / 4);
    case 8:
      // After the 0 that begins every array of offsets.
      return sharedFloat64(length / 8 + 1).subarray(1);
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

/**
 * Fills `bytes` from position `at` of the file, which the caller knows to be long enough; returns their CRC-32. It is
 * computed for one chunk while another thread reads the next.
 */
async function readAll(file: FileHandle, bytes: Uint8Array, at: number, fail: Fail): Promise<number> {
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

async function readChunk(file: FileHandle, bytes: Uint8Array, at: number, fail: Fail): Promise<void> {
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, at + filled);
    if (bytesRead === 0) fail('shrank while it was read');
    filled += bytesRead;
  }
}
