import { existsSync } from 'node:fs';
import type { RemoteWorkers } from '../../machines/cluster/studies/index.ts';
import type { JobFile, JobWatch } from '../../views/watch/index.ts';
import { filled, type Marker, type OutFolder } from '../flags/out-folder.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { withProgress, type ProgressLine } from '../text/progress.ts';
import { watchedJob, type WatchedJob, type WatchingJob } from '../watched.ts';
import { workersOf, type WorkersFlags } from './workers.ts';

export interface JobEnd {
  readonly isWhole: boolean;
  /** The job has no result. */
  readonly isEmpty?: true;
  readonly printAnswer: () => void;
}

/** A job without a result, whose folder is discarded. */
class Discarded extends Error {
  readonly printAnswer: () => void;

  constructor(printAnswer: () => void) {
    super('the job was interrupted before it had a result');
    this.printAnswer = printAnswer;
  }
}

/**
 * Does the work of a plan, a tune or a study: others may join it, and its folder appears when it ends. The result is
 * printed last.
 * @throws as watchedJob and filled.
 */
export async function runJob(
  isWatched: boolean, job: WatchedJob, marker: Marker,
  work: (watching: WatchingJob, folder: OutFolder | undefined) => Promise<JobEnd>,
): Promise<void> {
  const ending = watchedJob(isWatched, job, (watching) => filled(job.folder, marker, async (folder) => {
    await writeJob(folder, watching.watch, null);
    const { isWhole, isEmpty, printAnswer } = await work(watching, folder);
    // A folder without a result is for those who watched the job, and replaces none that has a result.
    if (isEmpty && (watching.watch === undefined || (folder && existsSync(folder.path))))
      throw new Discarded(printAnswer);
    await writeJob(folder, watching.watch, isWhole ? 'finished' : 'interrupted');
    return printAnswer;
  }));
  const printAnswer = await ending.catch((error: unknown) => {
    if (error instanceof Discarded) return error.printAnswer;
    throw error;
  });
  printAnswer();
}

/** Writes `job.json` of a watched job: when it begins, so that a killed job can be found, and when it ends. */
async function writeJob(
  folder: OutFolder | undefined, watch: JobWatch | undefined, ended: JobFile['ended'],
): Promise<void> {
  if (watch !== undefined) await folder?.write('job.json', `${JSON.stringify(watch.file(ended))}\n`);
}

/** A progress line, remarks that watchers hear too, and the workers of `--workers`. */
interface Crew {
  readonly line: ProgressLine;
  readonly onRemark: (text: string) => void;
  readonly workers: RemoteWorkers | undefined;
}

/** Does the runs of a plan or a study, with the workers that `--workers` names. */
export function withCrew<T>(
  flags: WorkersFlags, { watch, signal }: WatchingJob, work: (crew: Crew) => Promise<T>,
): Promise<T> {
  return withProgress(async (line) => {
    const onRemark = (text: string): void => {
      line.clear();
      remark(`warning: ${printable(text)}`);
      watch?.say(text);
    };
    const workers = await workersOf(flags, { signal, onRemark });
    try {
      return await work({ line, onRemark, workers });
    } finally {
      await workers?.close();
    }
  });
}
