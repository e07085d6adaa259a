import { WorldError } from '../../base/index.ts';
import { EndedThread, WorkerPool } from '../../base/threads/index.ts';

/** Runs of one kind: in this thread by a function, in others by a script that calls the same one. */
export interface RunWork<Task, Run> {
  readonly here: (task: Task, signal?: AbortSignal) => Promise<Run | undefined>;
  /** Name of the threads in messages, in the plural. */
  readonly name: string;
  readonly module: URL;
  /** What all runs share, as the threads receive it. */
  readonly data: unknown;
}

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

/** Runs tasks on threads, and repeats one whose thread died. */
export class RunPool<Task, Run> {
  readonly #work: RunWork<Task, Run>;
  readonly #options: PoolOptions;
  readonly #pool: WorkerPool<Task, Run | undefined> | undefined;

  constructor(work: RunWork<Task, Run>, options: PoolOptions) {
    const { threads, worker, workerHeapMegabytes } = options;
    const { name, module, data } = work;
    this.#work = work;
    this.#options = options;
    if (threads === 1 && worker === undefined) return;
    this.#pool = new WorkerPool({
      name, module: worker ?? module, threads, data, heapMegabytes: workerHeapMegabytes,
    });
  }

  /**
   * Runs a task; `name` is for messages. Undefined if the signal ended it.
   * Errors   what the run throws; WorldError if two threads died during it.
   */
  async run(task: Task, name: string): Promise<Run | undefined> {
    const { signal, onDeath } = this.#options;
    const isAborted = (): boolean => signal?.aborted === true;
    for (let deaths = 0; !isAborted(); ) {
      try {
        return await (this.#pool?.run(task, { signal }) ?? this.#work.here(task, signal));
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
