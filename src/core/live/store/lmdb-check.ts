import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { BitSet } from '../../../base/index.ts';

/**
 * Layout of lmdb's data file, version 2 on machines of 64 bits (mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node,
 * MDB_ovpage).
 */
const HEADER_BYTES = 24;
const META = { magic: 24, version: 28, pageBytes: 48, trees: [48, 96], transaction: 152, bootId: 160, bytes: 168 };
const TREE = { flags: 4, depth: 6, root: 40, bytes: 48 };
const NODE_BYTES = 8;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const [BRANCH, LEAF, OVERFLOW, META_PAGE] = [1, 2, 4, 8];
const [BIG_DATA, SUB_TREE] = [1, 2];
const INTEGER_KEYS = 8;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const MAX_DEPTH = 32;

/**
 * The first fault in the structure of an lmdb file; undefined if it is sound. lmdb maps the file and trusts it: a
 * truncated or altered one would end the process without a message. Every page that the trees reach is checked before
 * lmdb opens the file; the content of rows has its own checksums, and the list of free pages is not checked.
 *
 * Errors   as the file system.
 * Cost     one read of all pages except those that continue long rows; one bit per page.
 */
export function lmdbFault(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    return new LmdbFile(file).fault();
  } finally {
    closeSync(file);
  }
}

class LmdbFile {
  readonly #file: number;
  readonly #size: number;
  readonly #seen = new BitSet();
  #pageBytes = 4096;

  constructor(file: number) {
    this.#file = file;
    this.#size = fstatSync(file).size;
  }

  fault(): string | undefined {
    const first = this.#read(0, META.bytes);
    const pageBytes = first?.readUInt32LE(META.pageBytes) ?? 0;
    if (pageBytes < 512 || pageBytes > 65_536 || (pageBytes & (pageBytes - 1)) !== 0)
      return 'it does not begin like one';
    this.#pageBytes = pageBytes;
    const second = this.#read(pageBytes, META.bytes);
    for (const meta of [first, second]) {
      const isOne =
        meta?.readUInt32LE(META.magic) === MAGIC &&
        (meta.readUInt16LE(18) & META_PAGE) !== 0 &&
        meta.readUInt32LE(META.pageBytes) === pageBytes;
      if (!isOne) return 'it does not begin like one';
      if (meta.readUInt16LE(META.version) !== VERSION)
        return `it has version ${meta.readUInt16LE(META.version)} of lmdb's layout; expected ${VERSION}`;
    }
    const latest =
      first!.readBigUInt64LE(META.transaction) >= second!.readBigUInt64LE(META.transaction) ? first! : second!;
    // After a power failure lmdb returns to the state that it knew to be on the disk, which is in the middle of the
    // first page.
    const flushed = this.#read(pageBytes / 2, META.bytes)!;
    const isSameBoot = latest.readBigInt64LE(META.bootId) === (bootId() ?? latest.readBigInt64LE(META.bootId));
    const used = isSameBoot || flushed.readBigUInt64LE(META.transaction) === 0n ? latest : flushed;
    for (const at of META.trees) {
      const fault = this.#treeFault(used, at);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #treeFault(bytes: Buffer, at: number): string | undefined {
    const root = bytes.readBigUInt64LE(at + TREE.root);
    const depth = bytes.readUInt16LE(at + TREE.depth);
    if (root === NO_PAGE) return undefined;
    if (depth === 0 || depth > MAX_DEPTH) return `a tree is ${depth} levels deep`;
    return this.#pageFault(root, depth, (bytes.readUInt16LE(at + TREE.flags) & INTEGER_KEYS) !== 0);
  }

  /** The first fault of the page and all below it; `depth` is 1 at the leaves. */
  #pageFault(number: bigint, depth: number, hasIntegerKeys: boolean): string | undefined {
    const page = this.#take(number);
    if (typeof page === 'string') return page;
    const damaged = `page ${number} is damaged`;
    // Positions are relative to the end of the page's header.
    const [flags, lower, upper] = [
      page.readUInt16LE(18), HEADER_BYTES + page.readUInt16LE(20), HEADER_BYTES + page.readUInt16LE(22),
    ];
    const isLeaf = depth === 1;
    if ((flags & (BRANCH | LEAF | OVERFLOW | META_PAGE)) !== (isLeaf ? LEAF : BRANCH)) return damaged;
    if (lower > upper || upper > this.#pageBytes || lower % 2 !== 0) return damaged;
    const nodes = (lower - HEADER_BYTES) / 2;
    if (nodes < (isLeaf ? 1 : 2)) return damaged;
    for (let i = 0; i < nodes; i++) {
      const at = HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + 2 * i);
      if (at < upper || at + NODE_BYTES > this.#pageBytes) return damaged;
      const nodeFlags = page.readUInt16LE(at + 4);
      const keyBytes = page.readUInt16LE(at + 6);
      const data = at + NODE_BYTES + keyBytes;
      if (!isLeaf) {
        if (data > this.#pageBytes) return damaged;
        const child = BigInt(page.readUInt32LE(at)) | (BigInt(nodeFlags) << 32n);
        const fault = this.#pageFault(child, depth - 1, hasIntegerKeys);
        if (fault !== undefined) return fault;
        continue;
      }
      if (hasIntegerKeys ? keyBytes !== 4 && keyBytes !== 8 : keyBytes === 0) return damaged;
      const length = page.readUInt32LE(at);
      const inPage = (nodeFlags & BIG_DATA) !== 0 ? 24 : length;
      if (data + inPage > this.#pageBytes || (nodeFlags & ~(BIG_DATA | SUB_TREE)) !== 0) return damaged;
      let fault: string | undefined;
      if ((nodeFlags & BIG_DATA) !== 0) fault = this.#longRowFault(page.readBigUInt64LE(data), length);
      else if ((nodeFlags & SUB_TREE) !== 0) fault = length === TREE.bytes ? this.#treeFault(page, data) : damaged;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** The first fault of a row that has separate pages. */
  #longRowFault(number: bigint, length: number): string | undefined {
    const page = this.#take(number);
    if (typeof page === 'string') return page;
    const pages = page.readUInt32LE(20);
    if ((page.readUInt16LE(18) & OVERFLOW) === 0 || pages * this.#pageBytes < HEADER_BYTES + length)
      return `page ${number} is damaged`;
    if ((Number(number) + pages) * this.#pageBytes > this.#size)
      return `it was truncated: page ${Number(number) + pages - 1} is missing`;
    for (let i = 1; i < pages; i++)
      if (!this.#seen.add(Number(number) + i)) return `page ${Number(number) + i} has two uses`;
    return undefined;
  }

  /** The page, if nothing else uses it; otherwise its fault. */
  #take(number: bigint): Buffer | string {
    const bytes =
      number < BigInt(Math.ceil(this.#size / this.#pageBytes))
        ? this.#read(Number(number) * this.#pageBytes, this.#pageBytes)
        : undefined;
    if (!bytes) return `it was truncated: page ${number} is missing`;
    if (bytes.readBigUInt64LE(0) !== number) return `page ${number} is damaged`;
    return this.#seen.add(Number(number)) ? bytes : `page ${number} has two uses`;
  }

  #read(at: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    return readSync(this.#file, bytes, 0, length, at) === length ? bytes : undefined;
  }
}

/** The identity of the machine's current boot, as lmdb reads it; undefined if it is unknown. */
function bootId(): bigint | undefined {
  try {
    return BigInt(`0x${/^[0-9a-f]+/.exec(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))?.[0] ?? ''}`);
  } catch {
    return undefined;
  }
}
