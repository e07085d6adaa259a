import type { Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { assert, WorldError } from '../index.ts';
import { EndedThread, errorOf, type Reply } from './failure.ts';
import { startTask } from './in-thread.ts';
import { loaderArguments } from './thread-module.ts';

export interface PoolOptions {
  /** What messages call its threads, in the plural. */
  readonly name: string;
  /** Its default export is a poolWorker; see threadModule. */
  readonly module: URL;
  /** Most threads. */
  readonly threads: number;
  /** `workerData` of each thread: cloned, what lies in shared memory apart. */
  readonly data?: unknown;
  readonly heapMegabytes?: number | undefined;
}

export interface RunOptions {
  /** Aborted, the thread that has the task is ended, and `run` rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** What of the task is handed over and not copied. */
  readonly transfer?: readonly Transferable[];
  /**
   * Called when a started thread is given the task, with what ends that thread: cheaper than a signal, of which each
   * costs 15 us.
   */
  readonly onBegin?: (end: () => void) => void;
}

/**
 * Worker threads for tasks of one kind. A thread is started when a task finds none idle, and stays; tasks beyond the
 * number of threads wait, in order. Threads without a task do not keep the process alive.
 *
 * Errors  what a task throws rejects its `run`: same class, same message, and the thread goes on. EndedThread where the
 *         thread died in the task, or the pool was closed; WorldError where two threads died while starting;
 *         AssertionError once closed.
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
   * Ends the threads at once, whatever they do; tasks under way and waiting are rejected. Fulfilled when the threads
   * have ended.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  async #idleThread(signal: AbortSignal | undefined): Promise<PoolThread<Task, Answer>> {
    this.#throwIfEnded(signal);
    for (let idle; (idle = this.#idle.pop()) !== undefined; this.#threads.delete(idle)) if (!idle.isDead) return idle;
    // Loaded where threads start, so that whoever only names a pool does not load it.
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

  /** What comes of a thread's work: where it comes to nothing, the thread has ended, is ended, or cannot be trusted. */
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
 * One thread: a piscina of at most one, which never has more than one task, starts no other thread in place of one that
 * died, and has its thread before its first task. In a piscina of any size, a task that waits when a thread dies while
 * starting waits for ever (piscina 5, see `test/base/threads/piscina.test.ts`).
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

  /** Once. Fulfilled when it can be given a task. */
  start(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#piscina.run(startTask, { signal: signal ?? null }).then(() => { resolve(); }, reject);
      // Of a thread that dies without a task, these events are all that is heard.
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
