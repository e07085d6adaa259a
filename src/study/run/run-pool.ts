import { WorldError } from '../../base/index.ts';
import { EndedThread, threadModule, WorkerPool } from '../../base/threads/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { runOne, type ClonedContext, type StudyContext, type StudyRun } from './one-run.ts';

export interface PoolOptions {
  /** Worker threads; 1 = in this thread, by the same function. */
  readonly threads: number;
  readonly signal?: AbortSignal | undefined;
  /** Called if a thread died during a run, which is then repeated. */
  readonly onDeath?: ((run: string, why: string) => void) | undefined;
  /** Maximum heap of a worker in megabytes; by default Node's. */
  readonly workerHeapMegabytes?: number | undefined;
  /** The script that the threads run; set by tests of threads that die. */
  readonly worker?: URL | undefined;
}

/** Runs experiments on threads over one graph. */
export class RunPool {
  readonly #context: StudyContext;
  readonly #options: PoolOptions;
  readonly #pool: WorkerPool<Experiment, StudyRun | undefined> | undefined;

  constructor(context: StudyContext, options: PoolOptions) {
    const { threads, worker, workerHeapMegabytes } = options;
    this.#context = context;
    this.#options = options;
    if (threads === 1 && worker === undefined) return;
    const { prepared: { graph }, policies, ...shared } = context;
    const policyFiles = policies.flatMap(({ origin }) => origin ?? []);
    const data: ClonedContext = { graph, policyFiles, ...shared };
    this.#pool = new WorkerPool({
      name: "the study's threads", module: worker ?? threadModule(import.meta.url, 'worker'), threads, data,
      heapMegabytes: workerHeapMegabytes,
    });
  }

  /**
   * Runs an experiment; `name` is for messages. Undefined if the signal ended it.
   * Errors   what the run throws; WorldError if two threads died during it.
   */
  async run(experiment: Experiment, name: string): Promise<StudyRun | undefined> {
    const { signal, onDeath } = this.#options;
    const isAborted = (): boolean => signal?.aborted === true;
    for (let deaths = 0; !isAborted(); ) {
      try {
        return await (this.#pool?.run(experiment, { signal }) ?? runOne(this.#context, experiment, signal));
      } catch (error) {
        if (isAborted()) return undefined;
        if (!(error instanceof EndedThread)) throw error;
        if (++deaths > 1) {
          throw new WorldError(`${error.message}, the second in this run; finished runs are stored`, { cause: error });
        }
        onDeath?.(name, error.message);
      }
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
