import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { isMissing, rawBytesOf, readError, writeFiles } from '../../base/files/index.ts';
import { datasetName, fieldOf, fileName, parsedJson, RECORD_FILE, shortText, webAddress } from './public-datasets.ts';

const hex = z.string().regex(/^[0-9a-f]+$/);

const fileRecord = z.strictObject({
  name: fileName,
  url: webAddress,
  bytes: z.int().min(0),
  /** The checksum of the first fetch. */
  sha256: hex.length(64),
  /** Checksums published for the file, if any. */
  published: z.strictObject({ md5: hex.length(32).optional(), sha256: hex.length(64).optional() }),
  opens: z.boolean(),
});

const recordSchema = z.strictObject({
  name: datasetName,
  /** Whether all files are there and the counts were what the catalogue says, or were not asked for. */
  complete: z.boolean(),
  licence: z.string(),
  citation: z.string(),
  files: z.array(fileRecord),
});

/** A file that was fetched. */
export type FileRecord = Readonly<z.output<typeof fileRecord>>;
/** The record of a fetched graph, stored in its folder. */
export type DatasetRecord = Readonly<z.output<typeof recordSchema>>;

/** The parts of the system that decide where fetched graphs are. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: () => string;
}

const ours: Surroundings = { env: process.env, platform: process.platform, home: homedir };

/**
 * The folder of fetched graphs, one folder per graph: `ORBWEAVER_DATASETS`, otherwise `orbweaver/datasets` in the
 * user's cache folder by the custom of the system (XDG Base Directory Specification; `~/Library/Caches`;
 * `%LOCALAPPDATA%`). It may not exist yet.
 * Errors   InputError if the user has no home.
 */
export function datasetsFolder(surroundings: Surroundings = ours): string {
  return userFolder('datasets', 'ORBWEAVER_DATASETS', 'fetched graphs', surroundings);
}

/**
 * The folder of the finished runs of studies, likewise: `ORBWEAVER_STUDIES`, otherwise `orbweaver/studies` in the
 * user's cache folder.
 */
export function studiesFolder(surroundings: Surroundings = ours): string {
  return userFolder('studies', 'ORBWEAVER_STUDIES', 'the runs of studies', surroundings);
}

/** The folder of the graphs that workers read, likewise: `ORBWEAVER_GRAPHS`, otherwise `orbweaver/graphs`. */
export function graphsFolder(surroundings: Surroundings = ours): string {
  return userFolder('graphs', 'ORBWEAVER_GRAPHS', 'the graphs of workers', surroundings);
}

function userFolder(name: string, variable: string, what: string, { env, platform, home }: Surroundings): string {
  const fromUser = env[variable];
  if (fromUser !== undefined && fromUser !== '') return fromUser;
  // The specification has relative paths ignored.
  const absolute = (path: string | undefined): string | undefined =>
    path !== undefined && isAbsolute(path) ? path : undefined;
  const ofUser = (...path: string[]): string => {
    try {
      return join(home(), ...path);
    } catch {
      throw new InputError(`there is no home folder for ${what}; name one for them in ${variable}`);
    }
  };
  const cache =
    platform === 'win32'
      ? (absolute(env['LOCALAPPDATA']) ?? ofUser('AppData', 'Local'))
      : platform === 'darwin'
        ? ofUser('Library', 'Caches')
        : (absolute(env['XDG_CACHE_HOME']) ?? ofUser('.cache'));
  return join(cache, 'orbweaver', name);
}

/** The folder of a graph fetched by this name to `root`, whole or in part; undefined if there is none. */
export async function fetchedFolder(name: string, root: string): Promise<string | undefined> {
  if (!datasetName.safeParse(name).success) return undefined;
  const folder = join(root, name);
  return (await stat(join(folder, RECORD_FILE)).catch(() => undefined)) ? folder : undefined;
}

/** Names of the graphs in a folder of fetched ones, ascending. Errors   InputError if it may not be read. */
export async function fetchedNames(root: string): Promise<string[]> {
  const names = await readdir(root).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw readError(root, error);
  });
  const fetched: string[] = [];
  for (const name of names.sort()) if (await fetchedFolder(name, root)) fetched.push(name);
  return fetched;
}

/** The record of the graph in `folder`; undefined if there is none. Errors   InputError if it is damaged. */
export async function readRecord(folder: string): Promise<DatasetRecord | undefined> {
  const path = join(folder, RECORD_FILE);
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isFile() !== true) return undefined;
  const parsed = recordSchema.safeParse(parsedJson(path, await shortText(path)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InputError(`${path}: ${fieldOf(issue.path)}: ${issue.message}; remove the file to fetch the graph again`);
}

/** Errors   as writeFiles. */
export async function writeRecord(folder: string, record: DatasetRecord): Promise<void> {
  await writeFiles([join(folder, RECORD_FILE)], async ([file]) =>
    file.writeFile(`${JSON.stringify(record, null, 2)}\n`), { replacesLinks: true });
}

/** What became of a file since it was fetched. */
export interface VerifiedFile {
  readonly file: string;
  readonly bytes: number;
  /** The checksums compared: the SHA-256 of its first fetch, and those published. */
  readonly against: readonly ('recorded sha256' | 'published md5' | 'published sha256')[];
  /** The error in it. */
  readonly damage?: string;
}

/** Called as a file is read. */
export type VerifyProgress = (file: string, bytes: number) => void;

/**
 * Checks every file of a fetched graph against the record: size, SHA-256 of the first fetch, and the publisher's
 * checksums. Changes nothing. Errors InputError if there is no record. Cost: one pass over the files.
 */
export async function verifyDataset(folder: string, onProgress?: VerifyProgress): Promise<VerifiedFile[]> {
  const record = await readRecord(folder);
  if (!record) throw new InputError(`${folder}: holds no fetched graph`);
  const verified: VerifiedFile[] = [];
  for (const file of record.files) verified.push(await verifyFile(folder, file, onProgress));
  return verified;
}

async function verifyFile(folder: string, record: FileRecord, onProgress?: VerifyProgress): Promise<VerifiedFile> {
  const { name, bytes, sha256, published } = record;
  const path = join(folder, name);
  const hashes = { sha256: createHash('sha256'), md5: createHash('md5') };
  const info = await stat(path).catch(() => undefined);
  const against: VerifiedFile['against'][number][] = ['recorded sha256'];
  if (published.md5 !== undefined) against.push('published md5');
  if (published.sha256 !== undefined) against.push('published sha256');
  const damaged = (damage: string): VerifiedFile => ({ file: path, bytes: info?.size ?? 0, against, damage });
  if (!info?.isFile()) return damaged('is not there');
  if (info.size !== bytes) return damaged(`has ${info.size} bytes, not ${bytes}`);
  let bytesRead = 0;
  for await (const chunk of rawBytesOf(path)) {
    hashes.sha256.update(chunk);
    if (published.md5 !== undefined) hashes.md5.update(chunk);
    onProgress?.(path, (bytesRead += chunk.length));
  }
  const actual = hashes.sha256.digest('hex');
  if (actual !== sha256) return damaged(`has the SHA-256 ${actual}, not ${sha256} as when it was fetched`);
  const md5 = hashes.md5.digest('hex');
  if (actual !== (published.sha256 ?? actual))
    return damaged(`has the SHA-256 ${actual}, not ${published.sha256} as published`);
  if (published.md5 !== undefined && md5 !== published.md5)
    return damaged(`has the MD5 ${md5}, not ${published.md5} as published`);
  return { file: path, bytes, against };
}
