import { readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InputError, WorldError, quoted } from '../../base/index.ts';
import { makeFolder, withLock, writeError } from '../../base/files/index.ts';
import { download, thisMachine, type DownloadOptions, type Expected } from './download.ts';
import { datasetsFolder, readRecord, writeRecord, type DatasetRecord, type FileRecord } from './fetched.ts';
import { openRecorded } from './open.ts';
import { partOf } from './part-file.ts';
import { fileName, isWebAddress, type PublicDataset } from './public-datasets.ts';

/** Lists of parts and of checksums are small; a longer one is refused, as one that expands to more. */
const LONGEST_LIST_BYTES = 1 << 24;
const MAX_PARTS = 10_000;

/** Graphs with more arcs are opened and counted only on request: it takes gigabytes. */
const MAX_COUNTED_ARCS = 200_000_000;

export interface FetchOptions extends Omit<DownloadOptions, 'onProgress'> {
  /** The folder of fetched graphs; by default datasetsFolder(). */
  readonly root?: string | undefined;
  /** Whether to open the graph and count it; by default where the catalogue has at most 2 * 10^8 arcs. */
  readonly check?: boolean | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
}

export interface FetchProgress {
  readonly file: string;
  /** Bytes of the file. */
  readonly bytes: number;
  readonly bytesTotal: number | undefined;
}

export interface FetchedDataset {
  readonly folder: string;
  readonly record: DatasetRecord;
  /** Whether it was here already, complete. */
  readonly wasHere: boolean;
  /** As counted in what was fetched; undefined if it was not opened. */
  readonly counts?: { readonly pages: number; readonly arcs: number };
}

interface Job {
  readonly name: string;
  readonly url: string;
  readonly expected: Expected;
  readonly opens: boolean;
}

/**
 * Downloads a public graph into its folder below `root`, file by file; existing files are left as they are. The SHA-256
 * of each file is recorded. Then the graph is opened and its counts are compared with the catalogue's.
 * Errors   as download; InputError if another process fetches it, or counts differ; WorldError if the disk has no
 *          room for it.
 */
export async function fetchDataset(dataset: PublicDataset, options: FetchOptions = {}): Promise<FetchedDataset> {
  const folder = join(options.root ?? datasetsFolder(), dataset.name);
  await makeFolder(folder).catch((error: unknown) => {
    throw writeError(folder, error);
  });
  return withLock(folder, async () => {
    const recorded = await readRecord(folder);
    if (recorded?.complete === true && (await areThere(folder, recorded.files)))
      return { folder, record: recorded, wasHere: true };
    const fetching = new Fetching(dataset, folder, options, recorded?.files ?? []);
    const record = await fetching.run();
    options.signal?.throwIfAborted();
    const counts =
      (options.check ?? (dataset.arcs ?? 0) <= MAX_COUNTED_ARCS) ? await counted(dataset, folder, record) : undefined;
    const complete = { ...record, complete: true };
    await writeRecord(folder, complete);
    return { folder, record: complete, wasHere: false, ...(counts && { counts }) };
  });
}

/** Fetches a graph. */
class Fetching {
  readonly #dataset: PublicDataset;
  readonly #folder: string;
  readonly #options: FetchOptions;
  readonly #recorded: Map<string, FileRecord>;

  constructor(dataset: PublicDataset, folder: string, options: FetchOptions, recorded: readonly FileRecord[]) {
    this.#dataset = dataset;
    this.#folder = folder;
    this.#options = options;
    this.#recorded = new Map(recorded.map((file) => [file.name, file]));
  }

  async run(): Promise<DatasetRecord> {
    const { checksums, files, lists } = this.#dataset;
    const names = new Set<string>();
    const sums = checksums ? await this.#checksums(checksums, names) : new Map<string, string>();
    const jobs: Job[] = files.map(({ name, url, bytes, md5 = sums.get(name), sha256, opens }) => ({
      name, url, opens, expected: { bytes, md5, sha256 },
    }));
    for (const list of lists) jobs.push(...(await this.#parts(list, names)));
    for (const job of jobs) addName(names, job.name);
    await this.#checkSpace(jobs);
    for (const job of jobs) await this.#fetchFile(job);
    // Files that the graph had when it was fetched before, and has no more.
    for (const name of this.#recorded.keys()) if (!names.has(name.toLowerCase())) this.#recorded.delete(name);
    return this.#record();
  }

  #record(): DatasetRecord {
    const { name, licence, citation } = this.#dataset;
    return { name, complete: false, licence, citation, files: [...this.#recorded.values()] };
  }

  async #fetchFile({ name, url, expected, opens }: Job): Promise<void> {
    const { onProgress, ...options } = this.#options;
    const path = join(this.#folder, name);
    const earlier = this.#recorded.get(name);
    if (earlier?.url === url && (await areThere(this.#folder, [earlier]))) return;
    const { bytes, sha256 } = await download(url, path, expected, {
      ...options,
      onProgress: (received, bytesTotal) =>
        onProgress?.({ file: name, bytes: received, bytesTotal: bytesTotal ?? expected.bytes }),
    });
    if (earlier?.url === url && earlier.sha256 !== sha256)
      options.onNote?.(`${url}: is another file than when it was first fetched`);
    this.#recorded.delete(name);
    this.#recorded.set(name, {
      name, url, bytes, sha256, published: { md5: expected.md5, sha256: expected.sha256 }, opens,
    });
    await writeRecord(this.#folder, this.#record());
  }

  /** Fetches the publisher's MD5 sums; returns them by file name. */
  async #checksums({ name, url }: { name: string; url: string }, names: Set<string>): Promise<Map<string, string>> {
    addName(names, name);
    await this.#fetchFile({ name, url, expected: { maxBytes: LONGEST_LIST_BYTES }, opens: false });
    const sums = new Map<string, string>();
    for (const line of (await readFile(join(this.#folder, name), 'latin1')).split(/\r?\n/)) {
      // As md5sum writes it; an asterisk marks a file read as binary.
      const match = /^([0-9a-fA-F]{32})[ \t]+\*?(?:\.\/)?(\S+)\s*$/.exec(line);
      if (match) sums.set(match[2], match[1].toLowerCase());
    }
    const without = this.#dataset.files.filter((file) => !sums.has(file.name)).map((file) => file.name);
    if (without.length > 0) this.#options.onNote?.(`${url}: has no checksum of ${without.join(', ')}`);
    return sums;
  }

  /** Fetches a list of parts; returns the parts. */
  async #parts({ name, url, base, prefix }: PublicDataset['lists'][number], names: Set<string>): Promise<Job[]> {
    addName(names, name);
    await this.#fetchFile({ name, url, expected: { maxBytes: LONGEST_LIST_BYTES }, opens: false });
    const path = join(this.#folder, name);
    const lines = (await textOf(path)).split(/\r?\n/).filter((line) => line !== '');
    if (lines.length === 0 || lines.length > MAX_PARTS) {
      throw new InputError(`${path}: lists ${lines.length} files; expected 1 to ${MAX_PARTS}`);
    }
    return lines.map((line, i) => {
      const part = URL.canParse(line, base) ? new URL(line, base) : undefined;
      const partName = part && fileName.safeParse(`${prefix}-${posix.basename(part.pathname)}`);
      if (
        !part ||
        !partName?.success ||
        !isWebAddress(part.href) ||
        !part.href.startsWith(base) ||
        part.pathname.endsWith('/')
      ) {
        throw new InputError(`${path}: line ${i + 1}: ${quoted(line)} is not a file below ${base}`);
      }
      return { name: partName.data, url: part.href, expected: {}, opens: true };
    });
  }

  /** Errors   WorldError if the bytes still to come, as far as they are known, do not fit on the disk. */
  async #checkSpace(jobs: readonly Job[]): Promise<void> {
    let missing = 0;
    for (const { name, expected } of jobs) {
      if (expected.bytes === undefined || (await sizeOf(join(this.#folder, name))) === expected.bytes) continue;
      missing += expected.bytes - ((await sizeOf(partOf(join(this.#folder, name)))) ?? 0);
    }
    const free = await (this.#options.machine ?? thisMachine).freeBytes(this.#folder);
    if (free !== undefined && missing > free) {
      throw new WorldError(
        `${this.#dataset.name}: ${missing} bytes are still to come, and ${this.#folder} has room for ${free}`,
      );
    }
  }
}

/** Errors   InputError if two files would have one name, also on file systems that ignore case. */
function addName(names: Set<string>, name: string): void {
  if (names.has(name.toLowerCase())) throw new InputError(`two files would be called ${name}, letter case apart`);
  names.add(name.toLowerCase());
}

/** Opens what was fetched and compares its counts with the catalogue's. */
async function counted(
  dataset: PublicDataset, folder: string, record: DatasetRecord,
): Promise<{ pages: number; arcs: number }> {
  const { pages, arcs } = await openRecorded(folder, record, {});
  const { pages: knownPages = pages, arcs: knownArcs = arcs } = dataset;
  if (!dataset.rounded && (pages !== knownPages || arcs !== knownArcs)) {
    throw new InputError(
      `${dataset.name}: what came has ${pages} pages and ${arcs} arcs; the catalogue says ${knownPages} pages and ${knownArcs} arcs ` +
        `(--no-check takes it as it is; the files are in ${folder})`,
    );
  }
  return { pages, arcs };
}

async function areThere(folder: string, files: readonly FileRecord[]): Promise<boolean> {
  for (const { name, bytes } of files) if ((await sizeOf(join(folder, name))) !== bytes) return false;
  return true;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then((info) => info.size, () => undefined);
}

/** The text of a short list, gunzipped where it is gzip. */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('utf8');
  return promisify(gunzip)(bytes, { maxOutputLength: LONGEST_LIST_BYTES }).then(
    (text) => text.toString('utf8'),
    () => {
      throw new InputError(`${path}: its gzip data are damaged, or expand to more than ${LONGEST_LIST_BYTES} bytes`);
    },
  );
}
