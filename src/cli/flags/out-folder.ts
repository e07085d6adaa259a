import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { graphSource } from '../../graphs/catalogue/index.ts';
import {
  HOSTS_GIVEN_UP_FILE, DiskRecord, OutputFolder, partialOf, runFile, statisticsCsv, type RunOrigin, type RunResult,
} from '../../core/measure/index.ts';
import { InputError, WorldError } from '../../base/index.ts';
import { LOCK_FILE, readRegular } from '../../base/files/index.ts';
import { benchTableNames } from '../text/bench/bench-text.ts';
import { unfinished } from '../interrupt.ts';
import { wordWithoutPassword } from '../../machines/cluster/redis-url.ts';
import { invocation } from '../invocation.ts';
import { refusal } from './out-file.ts';
import { STANDARD_INPUT } from './standard-input.ts';
import { remark } from '../text/output.ts';
import { printableShort } from '../text/printable.ts';

/** Files of commands besides run records; any of them marks a folder as ours. */
const markers = [
  'run.json', 'runs.json', 'tour.json', 'tune.json', 'bench.json', 'info.json', 'study.json', 'compare.json',
  'plan.json', 'graphbench.json',
  // Last: a watched job that was stopped leaves nothing else.
  'job.json',
] as const;
export type Marker = (typeof markers)[number];

/** Names of the markers in a remark. */
const kinds: Readonly<Record<Marker, string>> = {
  'run.json': 'a run', 'runs.json': 'runs of --repeat', 'tour.json': 'a tour', 'tune.json': 'a tune',
  'bench.json': 'a benchmark', 'info.json': 'facts of a graph', 'study.json': 'a study',
  'compare.json': 'a comparison', 'plan.json': 'a plan', 'graphbench.json': 'a benchmark of growing graphs',
  'job.json': 'a job that was stopped',
};

const ourFiles: ReadonlySet<string> = new Set([
  ...markers, 'supersteps.csv', 'order.u32', 'times.f64', 'failures.csv', HOSTS_GIVEN_UP_FILE, 'report.html',
  'pages.csv', 'statistics.csv',
  'curves.json', 'curves.csv', 'feed.jsonl', 'tune.svg', 'results.csv', 'results.parquet', LOCK_FILE, 'started.json',
  'distances.csv', 'components.csv', 'space.csv', 'effectiveness.csv', 'agreement.csv',
  // A merge leaves these. The folder of a crawl has a store too, which is not ours to replace.
  'graph.owg', 'crawl.log',
]);

/**
 * Opens `--out DIR` before the work is done, so that a folder which cannot be written costs no run. A folder that
 * exists must be empty, or contain only what an earlier command of the same kind left there: then it is replaced. A
 * single run gives way to repeated ones.
 */
export async function openOutFolder(path: string, marker: Marker): Promise<OutFolder> {
  const names = await heldBy(path);
  const foreign = await foreignEntry(path);
  if (foreign !== undefined || (names.length > 0 && !names.some(isMarker))) {
    throw new InputError(
      `--out ${printableShort(path)}: holds ${foreign === undefined ? 'other files' : printableShort(foreign)}, which no run of Orbweaver left there; ` +
        'name a new folder, an empty one, or that of an earlier run',
    );
  }
  const former = markers.find((name) => names.includes(name) && name !== marker && name !== 'job.json');
  if (former !== undefined && !names.includes(marker) && !(former === 'run.json' && marker === 'runs.json')) {
    throw new InputError(
      `--out ${printableShort(path)}: has ${kinds[former]} (${former}), which would be lost; name another folder`,
    );
  }
  const folder = await OutputFolder.open(path, names.find(isMarker) ?? marker);
  // As it was typed, unless it is a link.
  const partial = folder.path === resolve(path) ? partialOf(path) : folder.partial;
  if (folder.wasLeft) remark(`${printableShort(partial)}: what a run left there that did not end is replaced`);
  return new OutFolder(folder);
}

/** Names in the folder at `path`; none where there is none yet. */
async function heldBy(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    const isFile = code === 'ENOTDIR' && (await lstat(path).catch(() => undefined)) !== undefined;
    throw new InputError(`--out ${printableShort(path)}: ${isFile ? 'is a file; name a folder' : refusal(error)}`);
  }
}

function isMarker(name: string): boolean {
  return (markers as readonly string[]).includes(name);
}

/** The first file below `folder` that is not our own; undefined if all are, or there is no folder. */
async function foreignEntry(folder: string, prefix = ''): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // A benchmark's tables are named by its parts: its own record lists them.
  const tables = benchTableNames(await readRegular(join(folder, 'bench.json')).then(String, () => ''));
  for (const entry of entries) {
    const name = join(prefix, entry.name);
    if (entry.isDirectory()) {
      const inside = await readdir(join(folder, entry.name)).catch(() => []);
      const foreign = inside.length === 0 ? name : await foreignEntry(join(folder, entry.name), name);
      if (foreign !== undefined) return foreign;
    } else if (!ourFiles.has(entry.name) && !tables.includes(entry.name)) return name;
  }
  return undefined;
}

/**
 * The folder of `--out`: `DIR.partial` until it is committed. It can be abandoned at any moment without leaving a
 * trace.
 */
export class OutFolder {
  readonly #folder: OutputFolder;
  /**
   * The last step begun: one that is under way when the folder is abandoned would else write after the files are gone.
   */
  #step: Promise<unknown> = Promise.resolve();
  #abandoned = false;
  /** The record of the run under way. */
  #record: DiskRecord | undefined;
  #hasRecord = false;

  constructor(folder: OutputFolder) {
    this.#folder = folder;
  }

  get path(): string {
    return this.#folder.path;
  }

  get partial(): string {
    return this.#folder.partial;
  }

  /** Begins the record of a run, below `prefix`. `completed` is to follow before the next. */
  record(prefix: string, origin: RunOrigin): Promise<DiskRecord> {
    return this.#next(() => {
      this.#record = new DiskRecord(join(this.#folder.partial, prefix), origin);
      return Promise.resolve(this.#record);
    });
  }

  completed(): Promise<void> {
    return this.#next(() => {
      this.#record?.complete();
      this.#hasRecord ||= this.#record !== undefined;
      this.#record = undefined;
      return Promise.resolve();
    });
  }

  write(name: string, content: string | Uint8Array | Iterable<string>): Promise<void> {
    return this.#next(() => this.#folder.write(name, content));
  }

  commit(): Promise<void> {
    return this.#next(() => this.#folder.commit());
  }

  /** Removes files that are not committed. Later steps never end: the process is about to. */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    await this.#step.catch(() => undefined);
    await this.#folder.discard();
  }

  /** Leaves a record where it is. @returns whether there is one; otherwise the folder is abandoned. */
  async leave(): Promise<boolean> {
    const isRecorded = this.#hasRecord || (this.#record?.supersteps ?? 0) > 0;
    if (isRecorded && !this.#abandoned) this.#folder.leave();
    else await this.abandon();
    return isRecorded;
  }

  close(): void {
    this.#record?.close();
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const step = this.#abandoned ? new Promise<T>(() => undefined) : work();
    this.#step = step;
    return step;
  }
}

/**
 * Opens `--out` before `work`, which fills the folder, and makes the folder appear after it. A failure leaves nothing
 * behind, but a run that found no room leaves what it recorded in `DIR.partial`.
 * @throws as openOutFolder; WorldError where the system refuses (disk full).
 */
export async function filled<T>(
  out: string | undefined, marker: Marker, work: (folder: OutFolder | undefined) => Promise<T>,
): Promise<T> {
  if (out === undefined) return work(undefined);
  const folder = await openOutFolder(out, marker);
  unfinished.add(folder);
  try {
    const result = await work(folder);
    await folder.commit();
    return result;
  } catch (error) {
    if (!isOfTheWorld(error)) {
      await folder.abandon();
      throw error;
    }
    const where = (await folder.leave())
      ? `what was recorded until then is in ${printableShort(folder.partial)}: orbweaver compare reads it`
      : `nothing is saved in ${printableShort(folder.path)}`;
    throw new WorldError(`${error.message}; ${where}`);
  } finally {
    unfinished.delete(folder);
    folder.close();
  }
}

function isOfTheWorld(error: unknown): error is Error {
  return error instanceof WorldError || (error instanceof Error && 'syscall' in error && 'code' in error);
}

/**
 * Writes what the record of a run that `folder` has begun below `prefix` still lacks.
 * @param more the pieces of `pages.csv`, if it is wanted; where the run came from; `curves.json` of a watched run.
 */
export async function completeRecord(
  folder: OutFolder, prefix: string, label: string, result: RunResult,
  { pages, origin, curves }: {
    readonly pages?: Iterable<string> | undefined; readonly origin?: RunOrigin; readonly curves?: object | undefined;
  } = {},
): Promise<void> {
  if (pages !== undefined) await folder.write(join(prefix, 'pages.csv'), pages);
  if (result.statistics !== undefined)
    await folder.write(join(prefix, 'statistics.csv'), statisticsCsv(result.statistics.rows));
  await folder.write(join(prefix, 'run.json'), runFile({ ...result.run, ...(origin && { origin }) }));
  if (curves !== undefined) await folder.write(join(prefix, 'curves.json'), `${JSON.stringify(curves)}\n`);
  const { curvesCsv, reportHtml } = await import('../../views/report/index.ts');
  const { statisticsParts } = await import('../text/findings/statistics-shown.ts');
  const options = { title: label, command: commandLine(), parts: statisticsParts(result) };
  await folder.write(join(prefix, 'report.html'), reportHtml([{ label, result }], options));
  await folder.write(join(prefix, 'curves.csv'), curvesCsv([{ label, result }]));
  await folder.completed();
}

/** The origin of the runs of this command. @param scores file of the scores that the policy needs. */
export async function runOrigin(graph: string, scores?: string): Promise<RunOrigin> {
  return {
    ...(graph !== STANDARD_INPUT && { graph: await graphSource(graph) }),
    ...(scores !== undefined && { scores: resolve(scores) }),
    command: commandLine(),
  };
}

/** The command as one would type it, for reports; without passwords. */
export function commandLine(): string {
  return ['orbweaver', ...invocation().words.map((word) => shellWord(wordWithoutPassword(word)))].join(' ');
}

export function shellWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
