import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { resolve } from 'node:path';
import { RunControl } from '../core/engine/index.ts';
import { partialOf } from '../core/measure/index.ts';
import { Door, JobWatch, newCard, RunWatch, type JobKind, type RunCard, type Watchable } from '../views/watch/index.ts';
import { targetOf } from '../base/files/index.ts';
import { InputError } from '../base/index.ts';
import { explained } from './exit.ts';
import { commandLine } from './flags/out-folder.ts';
import { unfinished } from './interrupt.ts';
import { remark } from './text/output.ts';

/** States are sent this often. */
const TICK_MS = 250;

export interface WatchedRun extends Pick<RunCard, 'kind' | 'name'> {
  /** The folder of its record, if it writes one. */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
  readonly control?: RunControl | undefined;
}

/** The watch and the control of a run that others can join. */
export interface Watching {
  readonly watch: RunWatch;
  readonly control: RunControl;
}

/**
 * Does `work`, a run. If `run` is given (`--watch`), others can join it from now on, until the work is done.
 * @throws InputError if nobody could join; otherwise as `work`.
 */
export async function watched<T>(
  run: WatchedRun | undefined, work: (watching: Watching | undefined) => Promise<T>,
): Promise<T> {
  if (run === undefined) return work(undefined);
  const { signal, control = new RunControl() } = run;
  const card = await cardOf(run);
  const { kind, folder } = card;
  const watch = new RunWatch({
    card, control, signal, now, sleep: wait,
    ...(folder !== null && { folder: kind === 'simulation' ? partialOf(folder) : folder }),
  });
  return behindDoor(watch, () => work({ watch, control }));
}

export interface WatchedJob extends Omit<WatchedRun, 'kind' | 'control'> {
  readonly kind: JobKind;
}

/** The watch and the signal of a job: a watcher's `stop` aborts it too. */
export interface WatchingJob {
  readonly watch: JobWatch | undefined;
  readonly signal: AbortSignal;
}

/**
 * Does `work`, a plan, a tune or a study, and lets others join it if `isWatched`.
 * @throws InputError if nobody could join; otherwise as `work`.
 */
export async function watchedJob<T>(
  isWatched: boolean, job: WatchedJob, work: (watching: WatchingJob) => Promise<T>,
): Promise<T> {
  if (!isWatched) return work({ watch: undefined, signal: job.signal });
  const stopped = new AbortController();
  const signal = AbortSignal.any([job.signal, stopped.signal]);
  // Every open trial listens.
  setMaxListeners(0, signal);
  const watch = new JobWatch({ card: await cardOf(job), now, signal, stop: () => { stopped.abort(); } });
  return behindDoor(watch, () => work({ watch, signal }));
}

const now = (): number => performance.now();

/** A link is followed to the folder that has the record. */
async function cardOf(
  { kind, name, folder }: Pick<RunCard, 'kind' | 'name'> & Pick<WatchedRun, 'folder'>,
): Promise<RunCard> {
  return newCard({
    kind, name, command: commandLine(), startedAt: new Date().toISOString(),
    folder: folder === undefined ? null : await targetOf(resolve(folder)),
  });
}

async function behindDoor<T>(
  watch: Watchable & Pick<RunWatch, 'finish'>, work: () => Promise<T>,
): Promise<T> {
  const door = await opened(watch);
  unfinished.add(door);
  remark('watch: orbweaver dashboard shows this run', 'watch', { id: watch.card.id });
  const timer = setInterval(() => { door.tick(); }, TICK_MS).unref();
  try {
    const result = await work();
    watch.finish();
    return result;
  } catch (error) {
    watch.finish(explained(error, undefined).text);
    throw error;
  } finally {
    clearInterval(timer);
    await door.close();
    unfinished.delete(door);
  }
}

async function opened(watch: Watchable): Promise<Door> {
  try {
    return await Door.open(watch, { wait: (ms) => wait(ms, undefined, { ref: false }) });
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--watch: ${error.message}`) : error;
  }
}
