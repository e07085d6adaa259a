import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { WorldError } from '../../../base/index.ts';
import { scoresChecksum } from '../../../graphs/formats/index.ts';
import { graphChecksum, prepare } from '../../../graphs/graph/index.ts';
import { RunPool, type Runner, type RunWork } from '../../../questions/study/index.ts';
import { goodbye } from '../index.ts';
import { Checks, marksOf, maxAnswerBytes, type ChecksOptions } from './checks.ts';
import { storeGraph } from './graph-store.ts';
import { failureOf, jobKey, type NeededFile, type RunJob, type RunNeeds } from './job.ts';

/** Runs queued at once: enough for many workers, and what a server holds without noticing. */
const maxQueued = 1000;
/** Trouble of a machine is met again this often, perhaps on another machine. */
const attempts = 3;
/** Longer reasons of failures, and longer names, are not read. */
const maxTextBytes = 2 ** 16;

interface OpenRun<Task, Run> {
  readonly job: RunJob & { readonly task: Task };
  /** Whether what a worker left is being checked: an event and a look may both find it. */
  isEnding: boolean;
  readonly promise: Promise<Run | undefined>;
  readonly resolve: (run: Run | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface RemoteRunnerOptions<Task, Run> extends Pick<ChecksOptions<Task, Run>, 'trust' | 'takeBack'> {
  readonly queue: Queue<RunJob>;
  readonly redis: Redis;
  readonly version: string;
  readonly work: RunWork<Task, Run>;
  /** The folder in which the graph is stored for the workers. */
  readonly graphs: string;
  readonly signal: AbortSignal | undefined;
  readonly onRemark: (text: string) => void;
  readonly onClose: () => void;
}

/**
 * Has tasks run by the workers of a queue. The id of a job is the key of its result, so that a result that came while
 * nobody waited for it is found by the next who asks. What workers answer is checked (`checks.ts`).
 */
export class RemoteRunner<Task, Run> implements Runner<Task, Run> {
  readonly width = maxQueued;
  readonly #options: RemoteRunnerOptions<Task, Run>;
  readonly #open = new Map<string, OpenRun<Task, Run>>();
  /** Fulfilled once the signal has come, and what nobody has begun is taken back, or the server is away. */
  readonly #interrupted: Promise<void>;
  readonly #checks: Checks<Task, Run>;
  /** Threads of this process, which repeat runs; they start with the first. */
  readonly #own: RunPool<Task, Run>;
  #onAbort = (): void => undefined;
  #needs: Promise<RunNeeds> | undefined;
  /** A run has failed, or the signal came: nothing more is begun. */
  #hasEnded = false;

  constructor(options: RemoteRunnerOptions<Task, Run>) {
    this.#options = options;
    const { work, signal, trust, takeBack, onRemark } = options;
    this.#own = new RunPool({ ...work, here: undefined }, {
      threads: availableParallelism(), signal, onDeath: (_, why) => onRemark(`${why}; the run is repeated`),
    });
    this.#checks = new Checks({ trust, takeBack, read: work.read, here: (task, key) => this.#own.run(task, key) });
    this.#interrupted = new Promise((resolve) => {
      this.#onAbort = () => void this.#withdraw(true).then(resolve);
    });
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  async run(task: Task, _name: string, key: string): Promise<Run | undefined> {
    const open = this.#open.get(key);
    if (open !== undefined) return open.promise;
    this.#needs ??= this.#storedNeeds();
    const needs = await this.#needs;
    if (this.#hasEnded || this.#options.signal?.aborted === true) return undefined;
    const { kind } = this.#options.work;
    const run = newRun<Task, Run>({ kind, needs, task });
    this.#open.set(key, run);
    try {
      const begun = this.#queued(key, run).then(() => this.#lookFor(key, run, true));
      // While the server is away, an interrupt ends the run before it has begun.
      return await Promise.race([begun.then(() => run.promise), run.promise]);
    } catch (error) {
      void this.#withdraw(false);
      throw error;
    } finally {
      this.#open.delete(key);
    }
  }

  async stored(key: string): Promise<boolean> {
    // What an interrupt leaves on a server that is away ends there by its age.
    await Promise.race([this.#options.queue.remove(key), this.#interrupted]);
    return this.#checks.stored(key);
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#options.onClose();
    await this.#own.close();
  }

  /** An event of the queue: a run may have ended. */
  ended(key: string): void {
    const run = this.#open.get(key);
    // What goes wrong here, the next look meets too.
    if (run !== undefined) void this.#lookFor(key, run, false).catch(() => undefined);
  }

  /** Finds what no event reported: events are lost where a server loses what it had, or has too many of them. */
  async look(): Promise<void> {
    await Promise.all([...this.#open].map(async ([key, run]) => {
      try {
        await this.#lookFor(key, run, false);
      } catch (error) {
        // The server is full. Else the connection was lost.
        if (!(error instanceof WorldError)) throw error;
        run.reject(error);
      }
    }));
  }

  async #queued(key: string, { job }: OpenRun<Task, Run>): Promise<void> {
    const backoff = { type: 'exponential', delay: 1000 };
    await this.#options.queue.add(job.kind, job, { jobId: key, attempts, backoff });
  }

  /** @param isNew whether the run was just asked for: then a failure is of an earlier time. */
  async #lookFor(key: string, run: OpenRun<Task, Run>, isNew: boolean): Promise<void> {
    const { queue } = this.#options;
    const state = await queue.getJobState(key);
    if (run.isEnding) return;
    if (state === 'unknown') await this.#queued(key, run);
    if (state !== 'completed' && state !== 'failed') return;
    if (state === 'failed' && isNew) {
      await queue.remove(key);
      await this.#queued(key, run);
      return;
    }
    run.isEnding = true;
    try {
      run.resolve(await this.#result(key, run, state));
    } catch (error) {
      run.reject(error);
      // Whoever asks again has it run again.
      void queue.remove(key).catch(() => undefined);
    }
  }

  /** What counts as the result of a run that a worker has ended; undefined if the signal ended its repetition. */
  async #result(key: string, { job }: OpenRun<Task, Run>, state: 'completed' | 'failed'): Promise<Run | undefined> {
    const { version, trust, work: { data: { graph } } } = this.#options;
    const worker = await this.#textOf(key, 'pb', maxTextBytes) ?? '';
    if (state === 'completed') {
      const answer = await this.#textOf(key, 'returnvalue', maxAnswerBytes(graph.pages));
      return this.#checks.believed(key, job, marksOf(job, version), { worker, answer });
    }
    const why = await this.#textOf(key, 'failedReason', maxTextBytes) ?? '';
    const failure = failureOf(why);
    // Trouble of a machine is not the run's, so that to repeat the run says nothing of it.
    if (failure instanceof WorldError && !trust.isDropped(worker)) throw failure;
    return this.#checks.failed(key, job, { worker, answer: undefined }, why);
  }

  /** A field of a job, as it is on the server; undefined if it is longer than this, which is not read. */
  async #textOf(key: string, field: string, maxBytes: number): Promise<string | undefined> {
    const { redis, version } = this.#options;
    const job = jobKey(version, key);
    return await redis.hstrlen(job, field) > maxBytes ? undefined : await redis.hget(job, field) ?? '';
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
      scores: scores && neededFile({ file: scores.file, sha256: scoresChecksum(scores.values) }),
      fit: fitOrigin && neededFile(fitOrigin),
      policyFiles: policyFiles.map(neededFile),
    };
  }
}

const neededFile = ({ file, sha256 }: Omit<NeededFile, 'path'>): NeededFile => ({ file, sha256, path: resolve(file) });

function newRun<Task, Run>(job: RunJob & { readonly task: Task }): OpenRun<Task, Run> {
  let settle: Pick<OpenRun<Task, Run>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<Run | undefined>((resolve, reject) => (settle = { resolve, reject }));
  // Whoever runs it hears of it; an event may come before.
  promise.catch(() => undefined);
  return { job, promise, isEnding: false, ...settle! };
}
