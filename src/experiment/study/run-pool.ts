import { Piscina } from 'piscina';
import type { Experiment } from '../schema.ts';
import { WorldError } from '../../std/index.ts';
import { runOne, type RunReply, type StudyContext } from './one-run.ts';

export interface PoolOptions {
  /** Worker threads; 1 = in this thread, by the same function. */
  readonly threads: number;
  readonly signal?: AbortSignal | undefined;
  /** Told when a worker died in a run, which is then run again. */
  readonly onDeath?: ((run: string, why: string) => void) | undefined;
  /** Megabytes of heap a worker may have; as Node has it by default. */
  readonly workerHeapMegabytes?: number | undefined;
  /** What the threads run, for tests of threads that die. */
  readonly worker?: URL | undefined;
}

type Thread = Piscina<Experiment, RunReply>;

/**
 * Runs experiments on threads over one graph. Each thread is a pool of one: a pool of several leaves a task waiting for ever once one of
 * its threads has died before it was ready (piscina 5), and ends threads that have no task for a moment, with the code they have read.
 */
export class RunPool {
  readonly #context: StudyContext;
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];

  constructor(context: StudyContext, options: PoolOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Runs one; callers see to it that no more are under way than there are to be threads; `name` is for messages. Errors   WorldError where two threads died in it. */
  async run(experiment: Experiment, name: string): Promise<RunReply> {
    const { threads, worker, signal, onDeath } = this.#options;
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) return { kind: 'interrupted' };
    if (threads === 1 && worker === undefined) return runOne(this.#context, experiment, signal);
    for (let deaths = 0; ; ) {
      const thread = this.#idle.pop() ?? this.#start();
      try {
        const reply = await replyOf(thread, experiment, signal);
        this.#idle.push(thread);
        return reply;
      } catch (error) {
        this.#threads.delete(thread);
        await thread.destroy();
        // What a run throws comes back as a reply: here the thread itself has ended, or was ended with the study.
        if (isAborted()) return { kind: 'interrupted' };
        const why = error instanceof Error ? error.message : String(error);
        if (++deaths > 1) throw new WorldError(`two worker threads died in the run of ${name} (${why}); what was finished is kept`);
        onDeath?.(name, why);
      }
    }
  }

  #start(): Thread {
    const { worker, workerHeapMegabytes: heap } = this.#options;
    // From source, under a test runner or tsx, the worker is TypeScript too and needs the loader.
    const isSource = import.meta.url.endsWith('.ts');
    const thread: Thread = new Piscina({
      filename: (worker ?? new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)).href,
      ...(isSource ? { execArgv: ['--import', import.meta.resolve('tsx')] } : {}),
      ...(heap === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heap } }),
      minThreads: 1,
      maxThreads: 1,
      workerData: this.#context,
    });
    // A thread that dies while it has no run harms none.
    thread.on('error', () => undefined);
    this.#threads.add(thread);
    return thread;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.destroy()));
  }
}

/** The reply, or why there is none: a thread that dies before it is ready tells so by an event alone. */
async function replyOf(thread: Thread, experiment: Experiment, signal: AbortSignal | undefined): Promise<RunReply> {
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  thread.on('error', fail);
  try {
    return await Promise.race([thread.run(experiment, { signal: signal ?? null }), failed]);
  } finally {
    thread.off('error', fail);
  }
}
