import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { runTrial, type SweepRow, type Trial, type TuneContext } from './trial.ts';

/** Runs trials on worker threads through piscina, or in this thread where one is asked for: the same function either way. */
export class Workers {
  readonly #context: TuneContext;
  readonly #pool: Piscina<Trial, SweepRow | undefined> | undefined;

  constructor(context: TuneContext, threads = availableParallelism()) {
    this.#context = context;
    if (threads === 1) return;
    // From source, under a test runner or tsx, the worker is TypeScript too and needs the loader.
    const isSource = import.meta.url.endsWith('.ts');
    this.#pool = new Piscina({
      filename: new URL(isSource ? './worker.ts' : './worker.js', import.meta.url).href,
      ...(isSource ? { execArgv: ['--import', import.meta.resolve('tsx')] } : {}),
      minThreads: 1,
      maxThreads: threads,
      workerData: context,
    });
  }

  /** The trial's row; undefined where the signal ended it. */
  async run(trial: Trial, signal?: AbortSignal): Promise<SweepRow | undefined> {
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) return undefined;
    if (this.#pool === undefined) return runTrial(this.#context, trial, { signal });
    try {
      return await this.#pool.run(trial, { signal: signal ?? null });
    } catch (error) {
      // Aborting a task ends its thread; piscina starts another where it needs one.
      if (isAborted()) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
