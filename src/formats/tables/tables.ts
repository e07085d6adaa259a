import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { sharedFloat64, sharedUint32, sharedUint8, StringTable, type Hosts, type WebGraph } from '../../graph/index.ts';
import { grown, InputError, LargeMap, quoted } from '../../base/index.ts';
import { ArcParser } from '../edge-list/arc-parser.ts';
import { bytesOf, entriesOf, eachLine } from '../../base/files/index.ts';
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
 * Cost     O(bytes + n + m); memory: about that of the graph, and 8 to 16 bytes per page.
 */
export async function readTables(folder: string, options: ReadOptions = {}): Promise<WebGraph> {
  const entries = new Set((await entriesOf(folder)).map(({ name }) => name));
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
  const hostIds = new LargeMap<string, number>();
  let pages = 0;
  let hostOf = new Uint32Array(1 << 12);
  let sizes = new Uint32Array(1 << 12);
  let pathEnds = new Float64Array(1 << 12);
  let pathBytes = new Uint8Array(1 << 16);
  let pathLength = 0;
  let lastHost: Uint8Array = new Uint8Array(0);
  let lastHostId = 0;
  await eachLine(bytesOf(file, options), file, (line, number) => {
    if (number === 1 && line[0] === 35) return;
    const fail = (what: string): never => {
      throw new InputError(`${file}: line ${number}: ${what}: ${quoted(line)}`);
    };
    const firstTab = line.indexOf(9);
    const secondTab = firstTab < 0 ? -1 : line.indexOf(9, firstTab + 1);
    if (secondTab < 0 || line.includes(9, secondTab + 1)) fail('expected host, path and bytes between two tabs');
    if (!isUtf8(line)) fail('is not UTF-8');
    const host = line.subarray(0, firstTab);
    // Pages of a host are mostly adjacent: comparing bytes then saves making the string.
    if (pages === 0 || !sameBytes(host, lastHost)) {
      if (!isHostName(host)) fail('the host is empty or has blanks or control characters');
      const name = new TextDecoder().decode(host);
      lastHostId = hostIds.get(name) ?? hostIds.size;
      hostIds.set(name, lastHostId);
      lastHost = host.slice();
    }
    const path = line.subarray(firstTab + 1, secondTab);
    if (path[0] !== 47) fail('the path does not begin with a slash');
    if (hasControl(path)) fail('the path has control characters');
    const size = uint32In(line.subarray(secondTab + 1));
    if (size === undefined) fail('bytes is not an integer from 0 to 4294967295');

    hostOf = grown(hostOf, pages + 1);
    sizes = grown(sizes, pages + 1);
    pathEnds = grown(pathEnds, pages + 1);
    pathBytes = grown(pathBytes, pathLength + path.length);
    hostOf[pages] = lastHostId;
    sizes[pages] = size ?? 0;
    pathBytes.set(path, pathLength);
    pathLength += path.length;
    pathEnds[pages++] = pathLength;
  });
  if (pages === 0) throw new InputError(`${file}: contains no pages`);

  const ofPage = sharedUint32(pages);
  ofPage.set(hostOf.subarray(0, pages));
  const bytes = sharedUint32(pages);
  bytes.set(sizes.subarray(0, pages));
  const offsets = sharedFloat64(pages + 1);
  offsets.set(pathEnds.subarray(0, pages), 1);
  const paths = sharedUint8(pathLength);
  paths.set(pathBytes.subarray(0, pathLength));
  const hosts = { count: hostIds.size, ofPage, names: StringTable.from([...hostIds.keys()]), synthetic: false };
  return { pages, hosts, paths: new StringTable(offsets, paths), bytes };
}

/**
 * Number of pages that have the host and path of an earlier page. By a hash table of page ids with open addressing.
 * O(bytes of paths), 8 to 16 bytes per page: paths crafted to collide end the count.
 */
function pagesTwice({ pages, hosts, paths }: PageTable): number {
  const pathOf = (page: number): Uint8Array => paths.bytes.subarray(paths.offsets[page], paths.offsets[page + 1]);
  const mask = 2 ** Math.ceil(Math.log2(2 * pages)) - 1;
  const slots = new Uint32Array(mask + 1); // A page + 1; 0: none.
  let twice = 0;
  let probes = 64 * pages;
  for (let page = 0; page < pages && probes > 0; page++) {
    const path = pathOf(page);
    let hash = hosts.ofPage[page];
    for (let i = 0; i < path.length; i++) hash = Math.imul(hash ^ path[i], 0x01000193); // FNV-1a.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] !== 0 && probes-- > 0; slot = (slot + 1) & mask) {
      const other = slots[slot] - 1;
      if (hosts.ofPage[other] === hosts.ofPage[page] && sameBytes(pathOf(other), path)) break;
    }
    if (slots[slot] === 0) slots[slot] = page + 1;
    else twice++;
  }
  return twice;
}

async function readSeeds(file: string, pages: number, pagesFile: string, options: ReadOptions): Promise<Uint32Array> {
  const seeds: number[] = [];
  const seen = new Set<number>();
  await eachLine(bytesOf(file, options), file, (line, number) => {
    if (line.length === 0 || line[0] === 35) return;
    const seed = uint32In(line);
    const fail = (what: string): never => {
      throw new InputError(`${file}: line ${number}: ${quoted(line)} ${what}`);
    };
    if (seed === undefined) return fail('is not a page id');
    if (seed >= pages) fail(`is not one of the ${pages} pages of ${pagesFile}`);
    if (seen.has(seed)) fail('appears a second time');
    seen.add(seed);
    seeds.push(seed);
  });
  if (seeds.length === 0) throw new InputError(`${file}: contains no seed page; expected a page id per line`);
  const shared = sharedUint32(seeds.length);
  shared.set(seeds);
  return shared;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function hasControl(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] < 32 || bytes[i] === 127) return true;
  return false;
}

/** The unsigned 32-bit integer that decimal digits, and nothing else, spell; otherwise undefined. */
function uint32In(digits: Uint8Array): number | undefined {
  if (digits.length === 0 || digits.length > 10) return undefined;
  let value = 0;
  for (const byte of digits) {
    if (byte < 48 || byte > 57) return undefined;
    value = value * 10 + (byte - 48);
  }
  return value < 2 ** 32 ? value : undefined;
}
