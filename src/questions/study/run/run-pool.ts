import { WorldError } from '../../../base/index.ts';
import { EndedThread, WorkerPool } from '../../../base/threads/index.ts';
import type { ClonedContext } from './run-context.ts';

/** Checks that a value is the run of a task. @throws InputError with the reason, if it is not. */
export type ReadRun<Task, Run> = (task: Task, value: unknown) => Run;

/** Runs tasks: on threads of this process (`RunPool`), or on other machines. */
export interface Runner<Task, Run> {
  /** How many tasks it is worth giving it at once. */
  readonly width: number;
  /**
   * Runs a task; `name` is for messages, `key` identifies its result. Undefined if the signal ended it.
   * Errors   what the run throws; WorldError if what runs it died more than once.
   */
  run(task: Task, name: string, key: string): Promise<Run | undefined>;
  /**
   * To be called when a result is stored: nothing else needs to hold it from now on. False if it has turned out
   * meanwhile that the result may be false: it is to be taken back.
   */
  stored?(key: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Takes a result that was stored and may be false out of the cache, and out of whatever is made of it. */
export type TakeBack = (key: string) => Promise<void>;

export type MakeRunner = <Task, Run>(work: RunWork<Task, Run>, takeBack: TakeBack) => Runner<Task, Run>;

/** The script by which threads run tasks of one kind. */
export interface RunScript {
  readonly kind: 'study' | 'plan';
  /** Name of the threads in messages, in the plural. */
  readonly name: string;
  readonly module: URL;
}

/** Runs tasks of a kind: in this thread by a function, in others by a script that calls the same function. */
export interface RunWork<Task, Run> extends RunScript {
  /** Without it, a single thread is another one, too. */
  readonly here?: ((task: Task, signal?: AbortSignal) => Promise<Run | undefined>) | undefined;
  /** What all runs share, as the threads receive it. */
  readonly data: ClonedContext;
  /** Reads what comes from elsewhere. */
  readonly read: ReadRun<Task, Run>;
}

/** What threads of this process answer needs no reading. */
type PoolWork<Task, Run> = Omit<RunWork<Task, Run>, 'read'>;

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
export class RunPool<Task, Run> implements Runner<Task, Run> {
  readonly #work: PoolWork<Task, Run>;
  readonly #options: PoolOptions;
  readonly #pool: WorkerPool<Task, Run | undefined> | undefined;

  constructor(work: PoolWork<Task, Run>, options: PoolOptions) {
    const { threads, worker, workerHeapMegabytes } = options;
    const { name, module, data, here } = work;
    this.#work = work;
    this.#options = options;
    if (threads === 1 && here !== undefined && worker === undefined) return;
    this.#pool = new WorkerPool({
      name, module: worker ?? module, threads, data, heapMegabytes: workerHeapMegabytes,
    });
  }

  get width(): number {
    return this.#options.threads;
  }

  async run(task: Task, name: string): Promise<Run | undefined> {
    const { signal, onDeath } = this.#options;
    const isAborted = (): boolean => signal?.aborted === true;
    for (let deaths = 0; !isAborted(); ) {
      try {
        return await (this.#pool?.run(task, { signal }) ?? this.#work.here?.(task, signal));
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
