import { availableParallelism } from 'node:os';
import type { WebGraph } from '../../graph/index.ts';
import { threadModule, WorkerPool } from '../../base/threads/index.ts';
import { runTrial, type SweepRow, type Trial, type TuneContext } from './trial.ts';

/** The context as a thread is given it: what is prepared stays in its thread. */
export interface ClonedContext extends Omit<TuneContext, 'prepared'> {
  readonly graph: WebGraph;
}

/** Runs trials on worker threads, or in this thread where one is asked for: the same function either way. */
export class Workers {
  readonly #context: TuneContext;
  readonly #pool: WorkerPool<Trial, SweepRow | undefined> | undefined;

  constructor(context: TuneContext, threads = availableParallelism()) {
    this.#context = context;
    if (threads === 1) return;
    const { prepared: { graph }, ...shared } = context;
    const data: ClonedContext = { graph, ...shared };
    this.#pool = new WorkerPool({
      name: 'the threads that tune', module: threadModule(import.meta.url, 'worker'), threads, data,
    });
  }

  /** The trial's row; undefined where the signal ended it. */
  async run(trial: Trial, signal?: AbortSignal): Promise<SweepRow | undefined> {
    if (signal?.aborted === true) return undefined;
    if (this.#pool === undefined) return runTrial(this.#context, trial, { signal });
    try {
      return await this.#pool.run(trial, { signal });
    } catch (error) {
      if (isAborted(signal)) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}

/** Asked anew: it may have come to be while something was awaited. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
