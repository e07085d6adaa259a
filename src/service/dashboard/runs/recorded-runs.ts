import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { InputError } from '../../../base/index.ts';
import { isIncomplete, partialOf, readRunJson, recordPartial, type RunJson } from '../../../measure/index.ts';
import type { ListedRun, RunFigures } from '../api.ts';
import { RecordedJobs } from '../jobs/recorded-jobs.ts';

type Recorded = RunJson<Readonly<Record<string, unknown>>>;

/** Folders within folders that are looked into: `runs/tour/opic`. */
const MAX_DEPTH = 3;
const MAX_RUNS = 2000;
/** What the name of a simulation's folder ends with while it is written. */
const PARTIAL = partialOf('');

/** A run's id from the folder of its record, so that it stays the same while the run goes on and afterwards. */
export function idOfFolder(folder: string): string {
  return createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
}

/**
 * The records in some folders: read once, and again when run.json has changed.
 *
 * Cost  a look at each folder per call; run.json is read where it is new.
 */
export class RecordedRuns {
  readonly #roots: readonly string[];
  readonly #jobs = new RecordedJobs();
  readonly #known = new Map<string, { readonly changedMs: number; readonly listed: ListedRun }>();

  constructor(roots: readonly string[]) {
    this.#roots = roots.map((root) => resolve(root));
  }

  /** In no particular order; at most 2,000. */
  async list(): Promise<readonly ListedRun[]> {
    const found: ListedRun[] = [];
    for (const root of this.#roots) await this.#look(root, dirname(root), 0, found);
    return found;
  }

  async #look(folder: string, above: string, depth: number, found: ListedRun[]): Promise<void> {
    if (found.length >= MAX_RUNS || depth > MAX_DEPTH) return;
    const listed = await this.#listed(folder, relative(above, folder));
    if (listed !== undefined) found.push(listed);
    else await this.#lookForJob(folder, folder, found);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === recordPartial) continue;
      if (!path.endsWith(PARTIAL)) await this.#look(path, above, depth + 1, found);
      else if (isIncomplete(path)) found.push(killed(path.slice(0, -PARTIAL.length), relative(above, path), path));
      else await this.#lookForJob(path, path.slice(0, -PARTIAL.length), found);
    }
  }

  /** A plan, a tune or a study at a path. @param folder its name once it is whole. */
  async #lookForJob(path: string, folder: string, found: ListedRun[]): Promise<void> {
    const job = await this.#jobs.of(path);
    if (job === undefined) return;
    const name = job.name || basename(folder);
    found.push({ ...plain(folder, name, new Date()), ...job, name });
  }

  async #listed(folder: string, name: string): Promise<ListedRun | undefined> {
    const partial = [join(folder, recordPartial)].find(isIncomplete);
    const file = join(folder, 'run.json');
    const changed = await stat(file).catch(() => undefined);
    if (changed === undefined) return partial === undefined ? undefined : killed(folder, name, partial);
    const before = this.#known.get(folder);
    // A crawl's report is written after its run.json.
    if (before?.changedMs === changed.mtimeMs) return { ...before.listed, hasReport: hasReport(folder) };
    const listed = await readListed(folder, name, changed.mtime);
    this.#known.set(folder, { changedMs: changed.mtimeMs, listed });
    return listed;
  }
}

function killed(folder: string, name: string, partial: string): ListedRun {
  return {
    ...plain(folder, name, statSync(partial).mtime), state: 'interrupted',
    problem: 'its process ended before the record was complete; orbweaver compare reads it up to its last superstep',
  };
}

function plain(folder: string, name: string, at: Date): Omit<ListedRun, 'state' | 'problem'> {
  return {
    id: idOfFolder(folder), kind: 'simulation', name, command: '', folder: resolve(folder), startedAt: at.toISOString(),
    figures: null, answer: null, forkOf: null, hasReport: hasReport(folder),
  };
}

function hasReport(folder: string): boolean {
  return existsSync(join(folder, 'report.html'));
}

async function readListed(folder: string, name: string, at: Date): Promise<ListedRun> {
  const listed = plain(folder, name, at);
  try {
    const run = await readRunJson<Recorded['experiment']>(folder);
    return {
      ...listed, kind: 'live' in run.experiment ? 'live' : 'simulation', problem: null, figures: figuresOf(run),
      command: run.origin?.command ?? '', forkOf: forkOfIn(run),
      state: run.summary.ended === 'interrupted' ? 'interrupted' : 'finished', name: run.dataset.name,
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...listed, name: name || basename(folder), state: 'damaged', problem: error.message };
  }
}

/** The run that a record names as the one it began as. */
export function forkOfIn({ forkOf }: Partial<Pick<Recorded, 'forkOf'>>): ListedRun['forkOf'] {
  return forkOf === undefined ? null : { id: idOfFolder(forkOf.folder), superstep: forkOf.superstep };
}

/** Of a record of whatever version: what it lacks is null. */
function figuresOf({ experiment, summary, replayHash }: Recorded): RunFigures {
  const figures = summary as unknown as Readonly<Record<string, unknown>>;
  const at = (path: string): number | null => {
    const value = path.split('.').reduce<unknown>((within, step) =>
      (within as Readonly<Record<string, unknown>> | undefined)?.[step], figures);
    return typeof value === 'number' ? value : null;
  };
  return {
    policy: String(experiment['policy']), processors: Number(experiment['processors']),
    robots: Number(experiment['robots']), pages: summary.pagesFetched, seconds: at('virtualSeconds') ?? 0,
    supersteps: at('supersteps') ?? 0, rank: at('rankGathered.ofReachable'), pagerankArea: at('quality.pagerankArea'),
    balance: at('balance.pages'), replayHash,
  };
}
