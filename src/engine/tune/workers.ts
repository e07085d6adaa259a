import { availableParallelism } from 'node:os';
import type { WebGraph } from '../../graph/index.ts';
import { threadModule, WorkerPool } from '../../base/threads/index.ts';
import { runTrial, type SweepRow, type Trial, type TuneContext } from './trial.ts';

/** The context that threads get: prepared data stays in its thread. */
export interface ClonedContext extends Omit<TuneContext, 'prepared'> {
  readonly graph: WebGraph;
}

/** Runs trials on worker threads, or on this thread if only one is asked for: the same function in both cases. */
export class Workers {
  readonly #context: TuneContext;
  readonly #pool: WorkerPool<Trial, SweepRow | undefined> | undefined;

  constructor(context: TuneContext, threads = availableParallelism()) {
    this.#context = context;
    if (threads === 1) return;
    const { prepared: { graph }, ...shared } = context;
    const data: ClonedContext = { graph, ...shared };
    this.#pool = new WorkerPool({
      name: 'the tuning threads', module: threadModule(import.meta.url, 'worker'), threads, data,
    });
  }

  /** The trial's row; undefined if the signal ended it. */
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

/** Read again, as it may have changed during an await. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
