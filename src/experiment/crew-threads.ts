import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { asSharedFloat64, asSharedUint32 } from '../graph/index.ts';
import type { SuperstepCounts } from '../scheduler/index.ts';
import { assert, AssertionError, InputError, WorldError, workerModule } from '../std/index.ts';
import type { CrewAnswer, CrewCalls, CrewQuestion, CrewRecord, CrewTask } from './crew-thread.ts';
import { MailReader, MailWriter, putSettlement, putWork, takeArrival, takeSettled } from './crew-mail.ts';
import type { Arrival, Crew, Settled, Settlement, Standing, SuperstepWork } from './crew.ts';
import { policiesUsed } from './schema.ts';

const mostThreads = 256;

/** The processors of each thread's crew: dealt out in turn. */
export function crewsOf(processors: number, threads: number): number[][] {
  return Array.from({ length: Math.min(processors, threads) }, (_, crew) => {
    const ids: number[] = [];
    for (let id = crew; id < processors; id += threads) ids.push(id);
    return ids;
  });
}

/**
 * Worker threads for the crews of simulated crawls, one crawl after the other: with T threads, T - 1 besides that of the caller.
 *
 * Errors  what is thrown in a thread rejects what was asked of it, as the same kind of error; the end of a thread rejects that and all that is
 *         asked later, as a WorldError.
 */
export class CrewThreads {
  /** That of the caller included. */
  readonly threads: number;
  readonly #workers: CrewWorker[] = [];

  /** Threads start when a crawl is about to need them; close() ends them. They keep the process alive while they have work. */
  constructor(threads: number) {
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= mostThreads)) {
      throw new InputError(`threads is ${threads}: it must be an integer from 1 to ${mostThreads}`);
    }
    this.threads = threads;
  }

  /** Starts the threads that a crawl of so many processors will need. A thread takes tens of milliseconds to come up, beside the caller's. */
  start(processors: number): void {
    while (this.#workers.length + 1 < Math.min(this.threads, processors)) this.#workers.push(new CrewWorker(this.#workers.length + 2));
  }

  /** Crews of `crews[1]`, `crews[2]` ..., each in a thread of its own. @param task `folder` is that of all crews. */
  async assemble(crews: readonly (readonly number[])[], task: Omit<CrewTask, 'ids'>): Promise<RemoteCrew[]> {
    this.start(crews.length);
    assert(crews.length <= this.threads, 'a crew needs a thread');
    const used = policiesUsed(task.experiment);
    const shared = {
      ...task,
      processorOfHost: asSharedUint32(task.processorOfHost),
      ranks: used.includes('pagerank') ? task.ranks && asSharedFloat64(task.ranks) : undefined,
      scores: used.includes('scores') ? task.scores && asSharedFloat64(task.scores) : undefined,
    };
    return Promise.all(crews.slice(1).map(async (ids, i) => {
      const folder = crewFolder(task.folder, i + 1);
      return new RemoteCrew(this.#workers[i], ids, await this.#workers[i].ask('assemble', { ...shared, ids, folder }));
    }));
  }

  /** The crews of the last crawl, ended or given up, hold nothing more when it is fulfilled. */
  async release(): Promise<void> {
    await Promise.allSettled(this.#workers.map((worker) => worker.ask('dispose')));
  }

  /** Ends the threads at once, whatever they do. Fulfilled when they have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}

/** Where a crew has its queues' files: each empties its own. */
export function crewFolder(folder: string | undefined, crew: number): string | undefined {
  return folder === undefined ? undefined : join(folder, `crew-${crew + 1}`);
}

/** A crew in another thread. */
export class RemoteCrew implements Crew {
  readonly ids: readonly number[];
  standings: readonly Standing[];
  readonly #worker: CrewWorker;

  constructor(worker: CrewWorker, ids: readonly number[], standings: readonly Standing[]) {
    this.#worker = worker;
    this.ids = ids;
    this.standings = standings;
  }

  async begin(work: SuperstepWork): Promise<Arrival> {
    putWork(this.#worker.written, work);
    await this.#worker.ask('begin');
    return takeArrival(this.#worker.read, this.ids.length);
  }

  async settle(settlement: Settlement): Promise<Settled> {
    putSettlement(this.#worker.written, settlement);
    await this.#worker.ask('settle');
    const settled = takeSettled(this.#worker.read, this.ids.length);
    this.standings = settled.standings;
    return settled;
  }

  async revive(resumedUs: number): Promise<SuperstepCounts[]> {
    const { counts, standings } = await this.#worker.ask('revive', resumedUs);
    this.standings = standings;
    return counts;
  }

  /** The crawl is at its end: what the crew leaves behind. It is asked once. */
  finish(): Promise<CrewRecord> {
    return this.#worker.ask('finish');
  }
}

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A thread, and what it was asked and has not answered, in order. */
class CrewWorker {
  readonly written = new MailWriter();
  readonly read = new MailReader();
  readonly #worker: Worker;
  readonly #asked: Asked[] = [];
  #end: Error | undefined;

  constructor(thread: number) {
    this.#worker = new Worker(workerModule(import.meta.url, 'crew-thread'));
    this.#worker.unref();
    this.#worker.on('message', (answer: CrewAnswer) => {
      const asked = this.#asked.shift();
      if (this.#asked.length === 0) this.#worker.unref();
      this.read.begin(answer.memory);
      if (answer.kind === 'answer') asked?.resolve(answer.value);
      else asked?.reject(errorOf(answer));
    });
    this.#worker.once('error', (cause: Error) => { this.#fail(new WorldError(`simulation thread ${thread} broke down: ${cause.message}`, { cause })); });
    this.#worker.once('exit', () => { this.#fail(new WorldError(`simulation thread ${thread} has ended before its crawl`)); });
  }

  /** The first failure counts; the others are its echo. */
  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#end);
  }

  ask<Call extends keyof CrewCalls>(call: Call, ...of: Parameters<CrewCalls[Call]>): Promise<Awaited<ReturnType<CrewCalls[Call]>>> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end);
        return;
      }
      this.#worker.ref();
      this.#asked.push({ resolve: resolve as Asked['resolve'], reject });
      this.#worker.postMessage({ call, of: of[0], memory: this.written.end() } satisfies CrewQuestion);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The error as it was thrown in the thread: cloning would lose its kind. */
function errorOf({ name, message, stack }: CrewAnswer & { readonly kind: 'failure' }): Error {
  const kinds: Record<string, new (message: string) => Error> = { AssertionError, InputError, RangeError, WorldError };
  const error = new (kinds[name] ?? Error)(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
