import { setTimeout as wait } from 'node:timers/promises';
import { resolve } from 'node:path';
import { RunControl } from '../engine/index.ts';
import { partialOf } from '../measure/index.ts';
import { Door, newCard, RunWatch, type RunCard } from '../watch/index.ts';
import { InputError } from '../base/index.ts';
import { explained } from './exit.ts';
import { commandLine } from './flags/out-folder.ts';
import { unfinished } from './interrupt.ts';
import { remark } from './text/output.ts';

/** States are sent this often. */
const TICK_MS = 250;

export interface WatchedRun extends Pick<RunCard, 'kind' | 'name'> {
  /** Of its record, if it writes one. */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
  readonly control?: RunControl | undefined;
}

/** What a run is given that can be joined. */
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
  const { kind, name, folder, signal, control = new RunControl() } = run;
  const path = folder === undefined ? null : resolve(folder);
  const card = newCard({
    kind, name, command: commandLine(), startedAt: new Date().toISOString(), folder: path,
  });
  const watch = new RunWatch({
    card, control, signal, now: () => performance.now(), sleep: wait,
    ...(path !== null && { folder: kind === 'simulation' ? partialOf(path) : path }),
  });
  const door = await opened(watch);
  unfinished.add(door);
  remark('watch: orbweaver dashboard shows this run', 'watch', { id: card.id });
  const timer = setInterval(() => { door.tick(); }, TICK_MS).unref();
  try {
    const result = await work({ watch, control });
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

async function opened(watch: RunWatch): Promise<Door> {
  try {
    return await Door.open(watch, { wait: (ms) => wait(ms, undefined, { ref: false }) });
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--watch: ${error.message}`) : error;
  }
}
