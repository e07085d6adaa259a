import { GraphHash, pagesFault, PartRows, type GraphPages } from '../../graph/index.ts';
import { OwgFile } from './owg-file.ts';
import { SECTIONS, sectionNames, type Header, type SectionName } from './owg-layout.ts';

/**
 * The pages of a stored graph, without their links.
 *
 * Errors   as readOwg, for the sections that are read.
 * Cost     8 bytes per page, and the host names; with paths, 8 more per page, and the paths.
 *
 * @param paths whether the paths of the pages are read, too.
 */
export async function readOwgPages(
  path: string, options: { readonly name?: string | undefined; readonly paths: boolean },
): Promise<GraphPages> {
  return OwgFile.with(path, async (file) => {
    const pages = await file.pages(options);
    file.check(pages.name, pagesFault(pages));
    return pages;
  });
}

export interface OwgRows {
  readonly rows: PartRows;
  /** The graphChecksum of the whole graph. A graph with the checksum of a valid graph is valid. */
  readonly sha256: string;
}

/**
 * The links of some pages of a stored graph. The whole file is read, in pieces, so that its checksums are compared.
 *
 * Errors   InputError naming file and section if it is truncated or altered, or offsets or targets are out of range.
 * Cost     O(bytes of the file) in time. Memory: the rows, 8 MiB, and 4 bytes per page while it is read.
 *
 * @param isHere whether the links of a page are wanted.
 * @param onLinks hears all links of all pages, in pieces that end with a page or not; they are borrowed.
 */
export async function readOwgRows(
  path: string, isHere: (page: number) => boolean, onLinks?: (page: number, targets: Uint32Array) => void,
): Promise<OwgRows> {
  return OwgFile.with(path, async (file) => {
    const hash = new GraphHash(file.header);
    const offsets = await file.integers('out-offsets');
    checkOffsets(file, offsets);
    hash.begin('offsets', offsets.length);
    hash.add(new Uint8Array(offsets.buffer));
    const rows = new PartRows(offsets, isHere);
    hash.begin('targets', file.header.arcs);
    for await (const { first, targets } of targetsOf(file, hash)) {
      for (let page = pageOf(offsets, first), done = 0; done < targets.length; page++) {
        const end = Math.min(offsets[page + 1] - first, targets.length);
        if (end === done) continue;
        const links = targets.subarray(done, end);
        if (rows.has(page)) rows.set(page, first + done - offsets[page], links);
        onLinks?.(page, links);
        done = end;
      }
    }
    for (const name of hashed.slice(2)) await addSection(file, hash, name);
    return { rows, sha256: hash.digest() };
  });
}

const hashed = sectionNames.filter((name) => name !== 'name');

/** The facts of a stored graph that has not been read into memory. */
export type StoredGraphFacts = Pick<Header, 'pages' | 'arcs' | 'hosts'> & { readonly sha256: string };

/**
 * Counts and `graphChecksum` of a stored graph.
 *
 * Errors   as readOwgRows.
 * Cost     one read of the file. Memory: 8 MiB.
 */
export async function storedGraphFacts(path: string): Promise<StoredGraphFacts> {
  return OwgFile.with(path, async (file) => {
    const { pages, arcs, hosts } = file.header;
    const hash = new GraphHash(file.header);
    for (const name of hashed) await addSection(file, hash, name);
    return { pages, arcs, hosts, sha256: hash.digest() };
  });
}

/** Continues the checksum with a section, and with the 0 that the file leaves out before ends of strings. */
async function addSection(file: OwgFile, hash: GraphHash, name: Exclude<SectionName, 'name'>): Promise<void> {
  const { bytes, part } = SECTIONS[name];
  const length = file.lengthOf(name);
  hash.begin(part, length === undefined ? undefined : length / bytes + (bytes === 8 ? 1 : 0));
  if (length === undefined) return;
  if (bytes === 8) hash.add(new Uint8Array(8));
  for await (const piece of file.pieces(name)) hash.add(piece);
}

/** All targets in pieces, each with the number of its first. @throws InputError for one that is no page. */
async function* targetsOf(
  file: OwgFile, hash: GraphHash,
): AsyncGenerator<{ readonly first: number; readonly targets: Uint32Array }, void, void> {
  const { pages } = file.header;
  let first = 0;
  for await (const piece of file.pieces('out-targets')) {
    hash.add(piece);
    const targets = new Uint32Array(piece.buffer, piece.byteOffset, piece.length / 4);
    const wrong = targets.findIndex((target) => target >= pages);
    if (wrong >= 0) {
      file.fail(`section out-targets: element ${first + wrong} is ${targets[wrong]}, which is not below ${pages}`);
    }
    yield { first, targets };
    first += targets.length;
  }
}

function checkOffsets(file: OwgFile, offsets: Uint32Array): void {
  const { pages, arcs } = file.header;
  if (offsets[0] !== 0 || offsets[pages] !== arcs)
    file.fail(`section out-offsets: runs from ${offsets[0]} to ${offsets[pages]}, not from 0 to ${arcs}`);
  for (let page = 0; page < pages; page++)
    if (offsets[page] > offsets[page + 1]) file.fail(`section out-offsets: falls after page ${page}`);
}

/** The last page whose links begin at `arc` or before. O(log pages). */
function pageOf(offsets: Uint32Array, arc: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle] <= arc) low = middle;
    else high = middle;
  }
  return low;
}
