import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { InputError } from '../../../../base/index.ts';
import { figureOf } from '../../../../core/measure/figures/index.ts';
import { isIncomplete, partialOf, recordPartial, STARTED_FILE, type ForkOf } from '../../../../core/measure/index.ts';
import type { ListedRun, RunFigures } from '../api.ts';
import { RecordedJobs } from '../jobs/recorded-jobs.ts';
import { changedAt, checkRecordFiles, hasOwnFile, timeOf } from './record-files.ts';
import { readRecordedRun, readStartedRun, type RecordedRun } from './recorded-run.ts';

/** Folders within folders that are looked into: `runs/tour/opic`. */
const MAX_DEPTH = 3;
const MAX_RUNS = 2000;
/** Folders that are looked into. */
const MAX_FOLDERS = 50_000;
/** A list has the commands of all runs: one of ten thousand URLs is left out. */
const MAX_COMMAND = 50_000;
/** What the name of a simulation's folder ends with while it is written. */
const PARTIAL = partialOf('');

/** A run's id from the folder of its record, so that it stays the same while the run goes on and afterwards. */
export function idOfFolder(folder: string): string {
  return createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
}

/**
 * The records in some folders, which strangers may have made: each is read once, and again when it has changed. One
 * that cannot be read is listed as damaged, with the reason.
 *
 * Cost  a look at each folder and the names of a record's files per call; run.json is read where it is new.
 */
export class RecordedRuns {
  readonly #roots: readonly string[];
  readonly #jobs = new RecordedJobs();
  readonly #known = new Map<string, { readonly changed: string; readonly listed: ListedRun }>();
  /** Folders that the present call has looked into. */
  #folders = 0;

  constructor(roots: readonly string[]) {
    this.#roots = roots.map((root) => resolve(root));
  }

  /** All runs, unsorted; at most 2,000. */
  async list(): Promise<readonly ListedRun[]> {
    const runs: ListedRun[] = [];
    this.#folders = 0;
    for (const root of this.#roots) await this.#look(root, dirname(root), 0, runs);
    return runs;
  }

  async #look(folder: string, above: string, depth: number, runs: ListedRun[]): Promise<void> {
    if (runs.length >= MAX_RUNS || depth > MAX_DEPTH || ++this.#folders > MAX_FOLDERS) return;
    const listed = await this.#listed(folder, relative(above, folder));
    if (listed !== undefined) runs.push(listed);
    else await this.#lookForJob(folder, folder, runs);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === recordPartial) continue;
      if (!path.endsWith(PARTIAL)) await this.#look(path, above, depth + 1, runs);
      else {
        const whole = path.slice(0, -PARTIAL.length);
        if (isIncomplete(path)) runs.push(this.#killed(whole, relative(above, path), path));
        else await this.#lookForJob(path, whole, runs);
      }
    }
  }

  /** A plan, a tune or a study at a path. @param folder its name once it is whole. */
  async #lookForJob(path: string, folder: string, runs: ListedRun[]): Promise<void> {
    const job = await this.#jobs.of(path);
    if (job === undefined) return;
    const name = job.name || basename(folder);
    runs.push({ ...plain(folder, name, undefined), ...job, name });
  }

  async #listed(folder: string, name: string): Promise<ListedRun | undefined> {
    const partial = [join(folder, recordPartial)].find(isIncomplete);
    const stats = lstatSync(join(folder, 'run.json'), { throwIfNoEntry: false });
    if (stats === undefined) return partial === undefined ? undefined : this.#killed(folder, name, partial);
    const fault = faultOf(() => { checkRecordFiles(folder); });
    if (fault !== undefined) return damaged(folder, name, stats, fault);
    const cached = this.#known.get(folder);
    // A crawl's report is written after its run.json.
    if (cached?.changed === changedAt(stats)) return { ...cached.listed, hasReport: hasReport(folder) };
    const listed = await readListed(folder, name, stats);
    this.#known.set(folder, { changed: changedAt(stats), listed });
    return listed;
  }

  /** A run that did not come to its end. @param partial where its record is. */
  #killed(folder: string, name: string, partial: string): ListedRun {
    const stats = lstatSync(join(partial, STARTED_FILE), { throwIfNoEntry: false });
    const fault = faultOf(() => { checkRecordFiles(partial); });
    if (fault !== undefined) return damaged(folder, name, stats, fault);
    const listed: ListedRun = {
      ...plain(folder, name, lstatSync(partial, { throwIfNoEntry: false })), state: 'interrupted',
      problem: 'its process ended before the record was complete; orbweaver compare reads it up to its last superstep',
    };
    // It was killed as it began.
    if (stats === undefined) return listed;
    const cached = this.#known.get(partial);
    if (cached?.changed === changedAt(stats)) return { ...cached.listed, hasReport: hasReport(folder) };
    const wrong = faultOf(() => { readStartedRun(partial); });
    const result = wrong === undefined ? listed : damaged(folder, name, stats, wrong);
    this.#known.set(partial, { changed: changedAt(stats), listed: result });
    return result;
  }
}

/** Why a record cannot be read; undefined if it can. */
function faultOf(look: () => void): string | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

function plain(folder: string, name: string, stats: Stats | undefined): Omit<ListedRun, 'state' | 'problem'> {
  return {
    id: idOfFolder(folder), kind: 'simulation', name, command: '', folder: resolve(folder), startedAt: timeOf(stats),
    figures: null, answer: null, forkOf: null, hasReport: hasReport(folder),
  };
}

function damaged(folder: string, name: string, stats: Stats | undefined, problem: string): ListedRun {
  return { ...plain(folder, name || basename(folder), stats), state: 'damaged', problem };
}

function hasReport(folder: string): boolean {
  return hasOwnFile(folder, 'report.html');
}

async function readListed(folder: string, name: string, stats: Stats): Promise<ListedRun> {
  try {
    const run = await readRecordedRun(folder);
    const { command = '' } = run.origin ?? {};
    return {
      ...plain(folder, run.dataset.name, stats), problem: null, figures: figuresOf(run), forkOf: forkOfIn(run),
      kind: 'live' in run.experiment ? 'live' : 'simulation', command: command.length > MAX_COMMAND ? '' : command,
      state: run.summary.ended === 'interrupted' ? 'interrupted' : 'finished',
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return damaged(folder, name, stats, error.message);
  }
}

/** The run that a record names as the one it began as. */
export function forkOfIn({ forkOf }: { readonly forkOf?: ForkOf | undefined }): ListedRun['forkOf'] {
  return forkOf === undefined ? null : { id: idOfFolder(forkOf.folder), superstep: forkOf.superstep };
}

/** The figures of a record of any version; missing ones are null. */
function figuresOf({ experiment: { policy, processors, robots }, summary, replayHash }: RecordedRun): RunFigures {
  return {
    policy, processors, robots, pages: summary.pagesFetched, seconds: figureOf(summary, 'virtualSeconds') ?? 0,
    supersteps: figureOf(summary, 'supersteps') ?? 0, rank: figureOf(summary, 'rankGathered'),
    pagerankArea: figureOf(summary, 'pagerankArea'), balance: figureOf(summary, 'balancePages'), replayHash,
  };
}
