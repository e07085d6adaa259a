import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import {
  asSharedUint32, sharedFloat64, sharedUint8, StringTable, type Hosts, type WebGraph,
} from '../../graph/index.ts';
import { grown, InputError, LargeMap, quoted } from '../../../base/index.ts';
import { ArcParser } from '../edge-list/arc-parser.ts';
import { bytesOf, eachLine, eachLineIn, fileNamesIn, textBytes } from '../../../base/files/index.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { isHostName } from '../hosts/host-names.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';

export const tables = {
  name: 'tables',
  title: 'folder of tables',
  holds: 'pages.tsv, arcs.tsv, optionally seeds.txt',
  several: false,
  read: ([folder], options) => readTables(folder, options),
} as const satisfies Format;

/**
 * Reads a folder of tables, each plain or gzipped (`.gz`):
 *
 *     pages.tsv  one page per line, its id being its position (from 0): `host TAB path TAB bytes`
 *     arcs.tsv   one link per line: `source TAB target`
 *     seeds.txt  optional; one page id per line, in the order in which a crawl uses them
 *
 * The first line of each may be a header that begins with `#`. Pages with the host and path of an earlier page are
 * retained, counted and reported.
 * Errors   InputError with file and line number.
 * Cost     O(bytes + n + m); memory: about as much as the graph, and 8 to 16 bytes per page.
 */
export async function readTables(folder: string, options: ReadOptions = {}): Promise<WebGraph> {
  const entries = new Set(await fileNamesIn(folder));
  const pagesFile = entryOf(folder, entries, 'pages.tsv');
  const arcsFile = entryOf(folder, entries, 'arcs.tsv');
  if (pagesFile === undefined || arcsFile === undefined) {
    const missing = pagesFile === undefined ? 'pages.tsv' : 'arcs.tsv';
    throw new InputError(
      `${folder}: contains no ${missing} or ${missing}.gz; a folder is a graph when it has pages.tsv and arcs.tsv`,
    );
  }
  const table = await readPages(pagesFile, options);
  const arcs = new ArcParser({
    file: arcsFile,
    idBound: table.pages,
    boundReason: `is not one of the ${table.pages} pages of ${pagesFile}`,
  });
  arcs.expect(await textBytes(arcsFile));
  for await (const chunk of bytesOf(arcsFile, options)) arcs.push(chunk);
  arcs.finish();
  const seedsFile = entryOf(folder, entries, 'seeds.txt');
  const seeds = seedsFile === undefined ? undefined : await readSeeds(seedsFile, table.pages, pagesFile, options);
  const name = options.name ?? graphName(folder);
  const twice = pagesTwice(table);
  if (twice > 0)
    options.onNote?.(
      `${name}: ${twice} ${twice === 1 ? 'page has' : 'pages have'} the URL of an earlier page; both are stored`,
    );
  return buildNoting({ name, ...table, sources: arcs.sources, targets: arcs.targets, seeds }, options.onNote);
}

function entryOf(folder: string, entries: ReadonlySet<string>, name: string): string | undefined {
  const entry = [name, `${name}.gz`].find((candidate) => entries.has(candidate));
  return entry && join(folder, entry);
}

interface PageTable {
  readonly pages: number;
  readonly hosts: Hosts;
  readonly paths: StringTable;
  readonly bytes: Uint32Array;
}

async function readPages(file: string, options: ReadOptions): Promise<PageTable> {
  const lines = new PageLines(file);
  await eachLineIn(bytesOf(file, options), file, (bytes, start, end, number) => {
    if (number > 1 || bytes[start] !== 35) lines.take(bytes, start, end, number);
  });
  return lines.table();
}

/** The lines of pages.tsv, read where they are: views of their parts would cost more than all the rest. */
class PageLines {
  readonly #file: string;
  readonly #hostIds = new LargeMap<string, number>();
  #pages = 0;
  #hostOf = new Uint32Array(1 << 12);
  #sizes = new Uint32Array(1 << 12);
  #pathEnds = new Float64Array(1 << 12);
  #pathBytes = new Uint8Array(1 << 16);
  #pathLength = 0;
  #lastHost: Uint8Array = new Uint8Array(0);
  #lastHostId = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes the line bytes[start ... end). @throws InputError if it is not `host TAB path TAB bytes`. */
  take(bytes: Uint8Array, start: number, end: number, number: number): void {
    if (!this.#takePlain(bytes, start, end)) this.#takeAny(bytes.subarray(start, end), number);
  }

  /** Takes a line of printable ASCII but for its two tabs, as most are. @returns false for any other, not taken. */
  #takePlain(bytes: Uint8Array, start: number, end: number): boolean {
    const hostEnd = placeOfOther(bytes, start, end);
    const pathEnd = placeOfOther(bytes, hostEnd + 1, end);
    if (pathEnd >= end || bytes[hostEnd] !== 9 || bytes[pathEnd] !== 9 || bytes[hostEnd + 1] !== 47) return false;
    const size = uint32In(bytes, pathEnd + 1, end);
    if (size === undefined) return false;
    // Pages of a host are mostly adjacent: comparing bytes then saves making the string.
    if (this.#pages === 0 || !isSame(bytes, start, hostEnd, this.#lastHost)) {
      const host = bytes.slice(start, hostEnd);
      if (!isHostName(host)) return false;
      this.#setHost(host);
    }
    this.#add(bytes, hostEnd + 1, pathEnd, size);
    return true;
  }

  #takeAny(line: Uint8Array, number: number): void {
    const fail = (what: string): never => {
      throw new InputError(`${this.#file}: line ${number}: ${what}: ${quoted(line)}`);
    };
    const hostEnd = line.indexOf(9);
    const pathEnd = hostEnd < 0 ? -1 : line.indexOf(9, hostEnd + 1);
    if (pathEnd < 0 || line.includes(9, pathEnd + 1)) fail('expected host, path and bytes between two tabs');
    if (!isUtf8(line)) fail('is not UTF-8');
    const host = line.slice(0, hostEnd);
    if (!isHostName(host)) fail('the host is empty or has blanks or control characters');
    if (line[hostEnd + 1] !== 47) fail('the path does not begin with a slash');
    if (hasControl(line.subarray(hostEnd + 1, pathEnd))) fail('the path has control characters');
    const size = uint32In(line, pathEnd + 1, line.length);
    if (size === undefined) return fail('bytes is not an integer from 0 to 4294967295');
    this.#setHost(host);
    this.#add(line, hostEnd + 1, pathEnd, size);
  }

  #setHost(host: Uint8Array): void {
    const name = new TextDecoder().decode(host);
    this.#lastHostId = this.#hostIds.get(name) ?? this.#hostIds.size;
    this.#hostIds.set(name, this.#lastHostId);
    this.#lastHost = host;
  }

  #add(bytes: Uint8Array, pathStart: number, pathEnd: number, size: number): void {
    const page = this.#pages++;
    let length = this.#pathLength;
    this.#hostOf = grown(this.#hostOf, page + 1);
    this.#sizes = grown(this.#sizes, page + 1);
    this.#pathEnds = grown(this.#pathEnds, page + 1);
    const paths = this.#pathBytes = grown(this.#pathBytes, length + pathEnd - pathStart);
    for (let i = pathStart; i < pathEnd; i++) paths[length++] = bytes[i];
    this.#hostOf[page] = this.#lastHostId;
    this.#sizes[page] = size;
    this.#pathEnds[page] = this.#pathLength = length;
  }

  /** @throws InputError if there are no pages. */
  table(): PageTable {
    const pages = this.#pages;
    if (pages === 0) throw new InputError(`${this.#file}: contains no pages`);
    const ofPage = asSharedUint32(this.#hostOf.subarray(0, pages));
    const bytes = asSharedUint32(this.#sizes.subarray(0, pages));
    const offsets = sharedFloat64(pages + 1);
    offsets.set(this.#pathEnds.subarray(0, pages), 1);
    const paths = sharedUint8(this.#pathLength);
    paths.set(this.#pathBytes.subarray(0, this.#pathLength));
    const names = StringTable.from([...this.#hostIds.keys()]);
    const hosts = { count: this.#hostIds.size, ofPage, names, synthetic: false };
    return { pages, hosts, paths: new StringTable(offsets, paths), bytes };
  }
}

/**
 * Number of pages that have the host and path of an earlier page. By a hash table of page ids with open addressing.
 * O(bytes of paths), 8 to 16 bytes per page: paths crafted to collide end the count.
 */
function pagesTwice({ pages, hosts: { ofPage }, paths: { offsets, bytes } }: PageTable): number {
  const mask = 2 ** Math.ceil(Math.log2(2 * pages)) - 1;
  const slots = new Uint32Array(mask + 1); // A page + 1; 0: none.
  const hashes = new Uint32Array(pages);
  let twice = 0;
  let probes = 64 * pages;
  for (let page = 0; page < pages && probes > 0; page++) {
    const hash = hashes[page] = hashOf(bytes, offsets[page], offsets[page + 1], ofPage[page]);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] !== 0 && probes-- > 0; slot = (slot + 1) & mask) {
      const other = slots[slot] - 1;
      if (hashes[other] !== hash || ofPage[other] !== ofPage[page]) continue;
      const path = bytes.subarray(offsets[other], offsets[other + 1]);
      if (isSame(bytes, offsets[page], offsets[page + 1], path)) break;
    }
    if (slots[slot] === 0) slots[slot] = page + 1;
    else twice++;
  }
  return twice;
}

/** FNV-1a of bytes[start ... end). */
function hashOf(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash >>> 0;
}

async function readSeeds(file: string, pages: number, pagesFile: string, options: ReadOptions): Promise<Uint32Array> {
  const seeds = new Set<number>();
  await eachLine(bytesOf(file, options), file, (line, number) => {
    if (line.length === 0 || line[0] === 35) return;
    const seed = uint32In(line, 0, line.length);
    const fail = (what: string): never => {
      throw new InputError(`${file}: line ${number}: ${quoted(line)} ${what}`);
    };
    if (seed === undefined) return fail('is not a page id');
    if (seed >= pages) fail(`is not one of the ${pages} pages of ${pagesFile}`);
    if (seeds.has(seed)) fail('appears a second time');
    seeds.add(seed);
  });
  if (seeds.size === 0) throw new InputError(`${file}: contains no seed page; expected a page id per line`);
  return asSharedUint32(Uint32Array.from(seeds));
}

/** The place of the first byte in bytes[start ... end) that is not a printable character of ASCII; `end` if all are. */
function placeOfOther(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) if (bytes[i] < 32 || bytes[i] > 126) return i;
  return end;
}

/** Whether bytes[start ... end) equal `other`. */
function isSame(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  if (end - start !== other.length) return false;
  for (let i = 0; i < other.length; i++) if (bytes[start + i] !== other[i]) return false;
  return true;
}

function hasControl(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 32 || byte === 127);
}

/** The unsigned 32-bit integer that decimal digits, and nothing else, spell; otherwise undefined. */
function uint32In(digits: Uint8Array, start: number, end: number): number | undefined {
  if (end === start || end - start > 10) return undefined;
  let value = 0;
  for (let i = start; i < end; i++) {
    if (digits[i] < 48 || digits[i] > 57) return undefined;
    value = value * 10 + (digits[i] - 48);
  }
  return value < 2 ** 32 ? value : undefined;
}
