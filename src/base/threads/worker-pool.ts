import type { Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { assert, WorldError } from '../index.ts';
import { EndedThread, errorOf, type Reply } from './failure.ts';
import { startTask } from './in-thread.ts';
import { loaderArguments } from './thread-module.ts';

export interface PoolOptions {
  /** Name of its threads in messages, in the plural. */
  readonly name: string;
  /** Its default export is a poolWorker; see threadModule. */
  readonly module: URL;
  /** Maximum number of threads. */
  readonly threads: number;
  /** `workerData` of each thread, cloned except for shared memory. */
  readonly data?: unknown;
  readonly heapMegabytes?: number | undefined;
}

export interface RunOptions {
  /** On abort, the thread running the task is terminated, and `run` rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Parts of the task to transfer instead of copying. */
  readonly transfer?: readonly Transferable[];
  /**
   * Called when a started thread receives the task, with a function that terminates the thread: cheaper than a signal,
   * which costs 15 us.
   */
  readonly onBegin?: (end: () => void) => void;
}

/**
 * Worker threads for tasks of a kind. A thread is started when a task finds none idle, and then stays; tasks in
 * excess of the threads wait in order. Idle threads do not keep the process alive.
 *
 * Errors  an exception in a task rejects its `run`, with the same class and message, and the thread continues.
 *         EndedThread if the thread died in the task, or the pool was closed; WorldError if two threads died while
 *         starting; AssertionError once closed.
 */
export class WorkerPool<Task, Answer> {
  readonly #options: PoolOptions;
  readonly #threads = new Set<PoolThread<Task, Answer>>();
  readonly #idle: PoolThread<Task, Answer>[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async run(task: Task, options: RunOptions = {}): Promise<Answer> {
    assert(!this.#isClosed, `${this.#options.name}: asked after they were closed`);
    if (this.#running++ >= this.#options.threads) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const thread = await this.#idleThread(options.signal);
      options.onBegin?.(() => void thread.end());
      const reply = await this.#settled(thread, thread.run(task, options), options.signal);
      this.#idle.push(thread);
      if (reply.kind === 'failure') throw errorOf(reply.failure);
      return reply.answer;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /**
   * Terminates the threads at once; running and waiting tasks are rejected. Fulfilled when the threads have ended.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  async #idleThread(signal: AbortSignal | undefined): Promise<PoolThread<Task, Answer>> {
    this.#throwIfEnded(signal);
    for (let idle; (idle = this.#idle.pop()) !== undefined; this.#threads.delete(idle)) if (!idle.isDead) return idle;
    // Loaded when threads start, so that merely creating a pool does not load it.
    const { Piscina } = await import('piscina');
    for (let deaths = 0; ; ) {
      this.#throwIfEnded(signal);
      const thread = new PoolThread<Task, Answer>(Piscina, this.#options);
      this.#threads.add(thread);
      try {
        await this.#settled(thread, thread.start(signal), signal);
        return thread;
      } catch (error) {
        if (!(error instanceof EndedThread) || this.#isClosed) throw error;
        const why = (error.cause as Error).message;
        if (++deaths > 1) throw new WorldError(`${this.#options.name} do not start (${why})`, { cause: error });
      }
    }
  }

  /**
   * Awaits a thread's work; if it fails without an answer, the thread has ended, is terminated, or cannot be trusted.
   */
  async #settled<T>(thread: PoolThread<Task, Answer>, work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await thread.end();
      this.#threads.delete(thread);
      this.#throwIfEnded(signal);
      const why = error instanceof Error ? error.message : String(error);
      throw new EndedThread(`${this.#options.name}: one has ended (${why})`, { cause: error });
    }
  }

  #throwIfEnded(signal: AbortSignal | undefined): void {
    if (this.#isClosed) throw new EndedThread(`${this.#options.name}: closed`);
    signal?.throwIfAborted();
  }
}

/**
 * One thread: a piscina of size one, which never has more than one task, never replaces a thread that died, and has its
 * thread before its first task. In a piscina of any size, a task that is waiting when a thread dies during its start
 * waits forever (piscina 5, see `test/base/threads/piscina.test.ts`).
 */
class PoolThread<Task, Answer> {
  readonly #piscina: Piscina<Task | typeof startTask, Reply<Answer>>;
  #exited: Promise<void> | undefined;
  #end: Promise<void> | undefined;

  constructor(constructor: typeof Piscina, { module, data, heapMegabytes }: PoolOptions) {
    this.#piscina = new constructor({
      filename: module.href,
      execArgv: loaderArguments(module),
      ...(heapMegabytes === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      workerData: data,
    });
  }

  get isDead(): boolean {
    return this.#piscina.threads.length === 0;
  }

  /** Call once. Fulfilled when it is ready for a task. */
  start(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#piscina.run(startTask, { signal: signal ?? null }).then(() => { resolve(); }, reject);
      // These events are the only sign of a thread that dies without a task.
      let why = new Error('a thread has exited');
      this.#piscina.on('error', (error: Error) => (why = error));
      const [worker] = this.#piscina.threads;
      this.#exited = new Promise((exited) => worker.once('exit', () => {
        reject(why);
        exited();
      }));
    });
  }

  run(task: Task, { signal, transfer = [] }: RunOptions): Promise<Reply<Answer>> {
    return this.#piscina.run(task, { signal: signal ?? null, transferList: [...transfer] });
  }

  /** Fulfilled when the thread has ended. */
  end(): Promise<void> {
    return (this.#end ??= this.#piscina.destroy().then(() => this.#exited));
  }
}
