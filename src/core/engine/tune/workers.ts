import { availableParallelism } from 'node:os';
import type { PreparedGraph, WebGraph } from '../../../graphs/graph/index.ts';
import { WorkerPool } from '../../../base/threads/index.ts';

/** What all trials of a tuning share, as threads get it: prepared data stays in its thread. */
export type Cloned<Context extends { readonly prepared: PreparedGraph }> =
  Omit<Context, 'prepared'> & { readonly graph: WebGraph };

interface WorkersOptions<Context, Trial, Row> {
  readonly context: Context;
  /** The script of the threads, which does the same as `run`; see threadModule. */
  readonly module: URL;
  readonly run: (context: Context, trial: Trial, signal: AbortSignal | undefined) => Promise<Row | undefined>;
  /** All cores by default. */
  readonly threads: number | undefined;
}

/** Runs trials on worker threads, or on this thread if only one is asked for: the same function in both cases. */
export class Workers<Context extends { readonly prepared: PreparedGraph }, Trial, Row> {
  readonly #options: WorkersOptions<Context, Trial, Row>;
  readonly #pool: WorkerPool<Trial, Row | undefined> | undefined;

  constructor(options: WorkersOptions<Context, Trial, Row>) {
    const { context, module, threads = availableParallelism() } = options;
    this.#options = options;
    if (threads === 1) return;
    const { prepared: { graph }, ...shared } = context;
    const data: Cloned<Context> = { graph, ...shared };
    this.#pool = new WorkerPool({ name: 'the tuning threads', module, threads, data });
  }

  /** The trial's row; undefined if the signal ended it. */
  async run(trial: Trial, signal?: AbortSignal): Promise<Row | undefined> {
    if (signal?.aborted === true) return undefined;
    const { context, run } = this.#options;
    if (this.#pool === undefined) return run(context, trial, signal);
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
