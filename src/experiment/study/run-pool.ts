import { Piscina } from 'piscina';
import type { Experiment } from '../schema.ts';
import { WorldError } from '../../std/index.ts';
import { runOne, type RunReply, type StudyContext } from './one-run.ts';

export interface PoolOptions {
  /** Worker threads; 1 = in this thread, by the same function. */
  readonly threads: number;
  readonly signal?: AbortSignal | undefined;
  /** Told when a worker died in a run, which is then run again. */
  readonly onDeath?: ((experiment: Experiment, why: string) => void) | undefined;
  /** Megabytes of heap a worker may have; as Node has it by default. */
  readonly workerHeapMegabytes?: number | undefined;
  /** What the threads run, for tests of threads that die. */
  readonly worker?: URL | undefined;
}

/** Runs experiments on threads over one graph. */
export class RunPool {
  readonly #context: StudyContext;
  readonly #options: PoolOptions;
  readonly #pool: Piscina<Experiment, RunReply> | undefined;

  constructor(context: StudyContext, options: PoolOptions) {
    this.#context = context;
    this.#options = options;
    const { threads, workerHeapMegabytes: heap } = options;
    if (threads === 1 && options.worker === undefined) return;
    // From source, under a test runner or tsx, the worker is TypeScript too and needs the loader.
    const isSource = import.meta.url.endsWith('.ts');
    this.#pool = new Piscina({
      filename: (options.worker ?? new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)).href,
      ...(isSource ? { execArgv: ['--import', import.meta.resolve('tsx')] } : {}),
      ...(heap === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heap } }),
      // All at once, and none is ended while its last run is being kept: each has read code and graph.
      minThreads: threads,
      maxThreads: threads,
      workerData: context,
    });
    // A thread that dies while it has no run harms none.
    this.#pool.on('error', () => undefined);
  }

  /** Runs one. Errors   WorldError where two threads died in it, one after the other. */
  async run(experiment: Experiment): Promise<RunReply> {
    const { signal, onDeath } = this.#options;
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) return { kind: 'interrupted' };
    if (this.#pool === undefined) return runOne(this.#context, experiment, signal);
    for (let deaths = 0; ; ) {
      try {
        return await this.#pool.run(experiment, { signal: signal ?? null });
      } catch (error) {
        // What a run throws comes back as a reply: here the thread itself has ended, or was ended with the study.
        if (isAborted()) return { kind: 'interrupted' };
        const why = error instanceof Error ? error.message : String(error);
        if (++deaths > 1) throw new WorldError(`two worker threads died in the same run (${why})`);
        onDeath?.(experiment, why);
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
