import { resolve } from 'node:path';
import type { Queue } from 'bullmq';
import { scoresChecksum } from '../../formats/index.ts';
import { graphChecksum, prepare } from '../../graph/index.ts';
import type { Runner, RunWork } from '../../study/index.ts';
import { goodbye } from '../index.ts';
import { storeGraph } from './graph-store.ts';
import { failureOf, type NeededFile, type RunJob, type RunNeeds } from './job.ts';

/** Runs queued at once: enough for many workers, and what a server holds without noticing. */
const maxQueued = 1000;
/** Trouble of a machine is met again this often, perhaps on another machine. */
const attempts = 3;

interface OpenRun<Run> {
  readonly job: RunJob;
  readonly promise: Promise<Run | undefined>;
  readonly resolve: (run: Run | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface RemoteRunnerOptions<Task, Run> {
  readonly queue: Queue<RunJob>;
  readonly work: RunWork<Task, Run>;
  /** The folder in which the graph is stored for the workers. */
  readonly graphs: string;
  readonly signal: AbortSignal | undefined;
  readonly onClose: () => void;
}

/**
 * Has tasks run by the workers of a queue. The id of a job is the key of its result, so that a result that came while
 * nobody waited for it is found by the next who asks.
 */
export class RemoteRunner<Task, Run> implements Runner<Task, Run> {
  readonly width = maxQueued;
  readonly #options: RemoteRunnerOptions<Task, Run>;
  readonly #open = new Map<string, OpenRun<Run>>();
  /** Fulfilled once the signal has come, and what nobody has begun is taken back, or the server is away. */
  readonly #interrupted: Promise<void>;
  #onAbort = (): void => undefined;
  #needs: Promise<RunNeeds> | undefined;
  /** A run has failed, or the signal came: nothing more is begun. */
  #hasEnded = false;

  constructor(options: RemoteRunnerOptions<Task, Run>) {
    this.#options = options;
    this.#interrupted = new Promise((resolve) => {
      this.#onAbort = () => void this.#withdraw(true).then(resolve);
    });
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  async run(task: Task, _name: string, key: string): Promise<Run | undefined> {
    const before = this.#open.get(key);
    if (before !== undefined) return before.promise;
    this.#needs ??= this.#storedNeeds();
    const needs = await this.#needs;
    if (this.#hasEnded || this.#options.signal?.aborted === true) return undefined;
    const { kind } = this.#options.work;
    const run = newRun<Run>({ kind, needs, task });
    this.#open.set(key, run);
    try {
      const begun = this.#queued(key, run).then(() => this.#lookFor(key, run, true));
      // Where the server is away, an interrupt ends the run before it has begun.
      return await Promise.race([begun.then(() => run.promise), run.promise]);
    } catch (error) {
      void this.#withdraw(false);
      throw error;
    } finally {
      this.#open.delete(key);
    }
  }

  async stored(key: string): Promise<void> {
    // What an interrupt leaves on a server that is away ends there by its age.
    await Promise.race([this.#options.queue.remove(key), this.#interrupted]);
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#options.onClose();
    await Promise.resolve();
  }

  /** An event of the queue. */
  completed(key: string, result: unknown): void {
    this.#open.get(key)?.resolve(result as Run);
  }

  /** An event of the queue. The job is removed: whoever asks again has it run again. */
  failed(key: string, why: string): void {
    const run = this.#open.get(key);
    if (run === undefined) return;
    run.reject(failureOf(why));
    void this.#options.queue.remove(key).catch(() => undefined);
  }

  /** Finds what no event reported: events are lost where a server loses what it had, or has too many of them. */
  async look(): Promise<void> {
    await Promise.all([...this.#open].map(([key, run]) => this.#lookFor(key, run, false)));
  }

  async #queued(key: string, { job }: OpenRun<Run>): Promise<void> {
    const backoff = { type: 'exponential', delay: 1000 };
    await this.#options.queue.add(job.kind, job, { jobId: key, attempts, backoff });
  }

  /** @param isNew whether the run was just asked for: then a failure is of an earlier time. */
  async #lookFor(key: string, run: OpenRun<Run>, isNew: boolean): Promise<void> {
    const { queue } = this.#options;
    const state = await queue.getJobState(key);
    if (state === 'unknown') await this.#queued(key, run);
    if (state !== 'completed' && state !== 'failed') return;
    if (state === 'failed' && isNew) {
      await queue.remove(key);
      await this.#queued(key, run);
      return;
    }
    const job = await queue.getJob(key);
    if (job?.finishedOn === undefined) return;
    if (state === 'completed') this.completed(key, job.returnvalue);
    else this.failed(key, job.failedReason);
  }

  /** Takes back the runs that no worker has begun; those begun go on, and after an interrupt nobody waits for them. */
  async #withdraw(isInterrupted: boolean): Promise<void> {
    if (this.#hasEnded && !isInterrupted) return;
    this.#hasEnded = true;
    const { queue } = this.#options;
    const goodbyes = [...this.#open].map(async ([key, run]) => {
      const state = await queue.getJobState(key);
      const isWaiting = state === 'waiting' || state === 'delayed' || state === 'prioritized';
      if (isWaiting && (await queue.remove(key)) === 1) run.resolve(undefined);
    });
    await goodbye(...goodbyes);
    if (isInterrupted) for (const run of this.#open.values()) run.resolve(undefined);
  }

  /** What the runs share, by checksums; the graph is stored first. */
  async #storedNeeds(): Promise<RunNeeds> {
    const { graphs, work: { data: { graph, scores, fitOrigin, policyFiles } } } = this.#options;
    const prepared = prepare(graph);
    await storeGraph(prepared, graphs);
    return {
      graph: { checksum: graphChecksum(prepared), name: graph.name },
      scores: scores && needed({ file: scores.file, sha256: scoresChecksum(scores.values) }),
      fit: fitOrigin && needed(fitOrigin),
      policyFiles: policyFiles.map(needed),
    };
  }
}

const needed = ({ file, sha256 }: Omit<NeededFile, 'path'>): NeededFile => ({ file, sha256, path: resolve(file) });

function newRun<Run>(job: RunJob): OpenRun<Run> {
  let settle: Pick<OpenRun<Run>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<Run | undefined>((resolve, reject) => (settle = { resolve, reject }));
  // Whoever runs it hears of it; an event may come before.
  promise.catch(() => undefined);
  return { job, promise, ...settle! };
}
