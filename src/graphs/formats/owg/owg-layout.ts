import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { assert } from '../../../base/index.ts';
import type { GraphHash } from '../../graph/index.ts';

/**
 * The stored graph, file ending `.owg`. All numbers little-endian.
 *
 *   0   8  magic: 0x89 "OWG" CR LF 0x1a LF, which no text is and which a transfer as text destroys
 *   8   4  version, 1
 *   12  4  number of sections s
 *   16  4  pages
 *   20  4  hosts
 *   24  4  arcs
 *   28  4  flags: bit 0 set where the hosts are synthetic, other bits 0
 *   32  32s  section table: name (16 bytes ASCII, zero-padded), length in bytes (u64), CRC-32 (u32), 0 (u32)
 *   then 4  CRC-32 of all before, 4 zero bytes
 *
 * Sections follow in the table's order, each padded with zero bytes to a multiple of 8; a section's CRC-32 covers its
 * padding too. The file ends where the last section does.
 */
export const MAGIC = Uint8Array.of(0x89, 0x4f, 0x57, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
export const VERSION = 1;

const FIXED_BYTES = 32;
const ENTRY_BYTES = 32;
const NAME_BYTES = 16;

interface SectionKind {
  /** Bytes of an element. Elements of 8 bytes are ends of strings: the file leaves out the 0 where the first begins. */
  readonly bytes: 1 | 4 | 8;
  /** Number of elements, if the counts determine it. */
  readonly count?: (header: Header) => number;
  /** True if a graph may lack it, and the file then does. */
  readonly optional?: true;
  /** Its name in graphChecksum, which takes the sections in their order. */
  readonly part?: Parameters<GraphHash['begin']>[0];
}

const perPage = ({ pages }: Header): number => pages;

/** The sections, in file order. */
export const SECTIONS = {
  name: { bytes: 1 },
  'out-offsets': { bytes: 4, count: ({ pages }) => pages + 1, part: 'offsets' },
  'out-targets': { bytes: 4, count: ({ arcs }) => arcs, part: 'targets' },
  'host-of-page': { bytes: 4, count: perPage, part: 'hosts' },
  'host-name-ends': { bytes: 8, count: ({ hosts }) => hosts, part: 'host names' },
  'host-names': { bytes: 1, part: 'host names' },
  'path-ends': { bytes: 8, count: perPage, part: 'paths', optional: true },
  paths: { bytes: 1, part: 'paths', optional: true },
  'page-bytes': { bytes: 4, count: perPage, part: 'bytes', optional: true },
  'source-ids': { bytes: 4, count: perPage, part: 'source ids', optional: true },
  seeds: { bytes: 4, part: 'seeds', optional: true },
} as const satisfies Record<string, SectionKind>;

export type TypedArray = Uint8Array | Uint32Array | Float64Array;

export type SectionName = keyof typeof SECTIONS;
export const sectionNames = Object.keys(SECTIONS) as SectionName[];
const kindOf = (name: SectionName): SectionKind => SECTIONS[name];

export interface Section {
  readonly name: SectionName;
  /** Length in bytes, without padding. */
  readonly length: number;
  readonly crc: number;
}

export interface Header {
  readonly pages: number;
  readonly hosts: number;
  readonly arcs: number;
  readonly hostsAreSynthetic: boolean;
  readonly sections: readonly Section[];
}

/** Bytes of a header with this many sections. */
export function headerBytes(sections: number): number {
  return FIXED_BYTES + ENTRY_BYTES * sections + 8;
}

/** `length` rounded up to a multiple of 8. */
export function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

export function encodeHeader(header: Header): Uint8Array {
  const bytes = new Uint8Array(headerBytes(header.sections.length));
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  const fixed = [
    VERSION, header.sections.length, header.pages, header.hosts, header.arcs, header.hostsAreSynthetic ? 1 : 0,
  ];
  fixed.forEach((value, i) => view.setUint32(8 + 4 * i, value, true));
  header.sections.forEach(({ name, length, crc }, i) => {
    assert(name.length <= NAME_BYTES, () => `section name ${name} is too long`);
    const at = FIXED_BYTES + ENTRY_BYTES * i;
    bytes.set(new TextEncoder().encode(name), at);
    view.setBigUint64(at + NAME_BYTES, BigInt(length), true);
    view.setUint32(at + NAME_BYTES + 8, crc, true);
  });
  const end = bytes.length - 8;
  view.setUint32(end, crc32(bytes.subarray(0, end)), true);
  return bytes;
}

/** Number of sections that a file beginning with these 32 bytes has, or the error in them. */
export function sectionCount(fixed: Uint8Array): number | string {
  if (fixed[0] === 0x1f && fixed[1] === 0x8b) return 'is gzipped; a stored graph must not be compressed: gunzip it first';
  if (MAGIC.some((byte, i) => fixed[i] !== byte)) return 'is not a stored graph (its first 8 bytes differ)';
  const view = new DataView(fixed.buffer, fixed.byteOffset, fixed.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) return `header: has version ${version}; this program reads version ${VERSION}`;
  const count = view.getUint32(12, true);
  const most = sectionNames.length;
  return count > most ? `header: has ${count} sections; version ${VERSION} has at most ${most}` : count;
}

/** The header in `bytes`, or the error in it. Lengths are checked against the counts, not yet against the file. */
export function decodeHeader(bytes: Uint8Array): Header | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 8;
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end)) || view.getUint32(end + 4, true) !== 0) {
    return 'header: its checksum does not match: the file was altered';
  }
  const [pages, hosts, arcs, flags] = [16, 20, 24, 28].map((at) => view.getUint32(at, true));
  if (flags > 1) return `header: has unknown flags ${flags}`;
  const sections: Section[] = [];
  for (let at = FIXED_BYTES; at < end; at += ENTRY_BYTES) {
    const text = new TextDecoder('latin1').decode(bytes.subarray(at, at + NAME_BYTES)).replace(/\0+$/, '');
    const name = sectionNames.find((section) => section === text);
    if (name === undefined) return 'header: contains a section that this version does not know';
    const length = Number(view.getBigUint64(at + NAME_BYTES, true));
    sections.push({ name, length, crc: view.getUint32(at + NAME_BYTES + 8, true) });
  }
  const header = { pages, hosts, arcs, hostsAreSynthetic: flags === 1, sections };
  return sectionsFault(header) ?? header;
}

function sectionsFault(header: Header): string | undefined {
  const names = header.sections.map(({ name }) => name);
  const inOrder = sectionNames.filter((name) => names.includes(name));
  if (names.join() !== inOrder.join()) return 'header: its sections are out of order or repeated';
  const missing = sectionNames.find((name) => kindOf(name).optional !== true && !names.includes(name));
  if (missing !== undefined) return `header: section ${missing} is missing`;
  if (names.includes('paths') !== names.includes('path-ends'))
    return 'header: has only one of paths and path-ends';
  for (const { name, length } of header.sections) {
    const { bytes, count } = kindOf(name);
    const expected = count && bytes * count(header);
    if (expected !== undefined && length !== expected) {
      return `section ${name}: has ${length} bytes by the section table but ${expected} by the counts`;
    }
    if (!Number.isSafeInteger(length) || length % bytes !== 0) return `section ${name}: cannot have ${length} bytes`;
  }
  return undefined;
}

/** Continues the CRC-32 `crc` with `bytes`. zlib's own function starts anew if an empty view has no address. */
export function crcOf(bytes: Uint8Array, crc: number): number {
  return bytes.length === 0 ? crc : crc32(bytes, crc);
}

export function assertLittleEndian(): void {
  assert(endianness() === 'LE', 'stored graphs are copied between file and memory, which must be little-endian');
}
