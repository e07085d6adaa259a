import { assert } from '../index.ts';
import { EndedThread } from './failure.ts';
import type { WorkerHandle } from './worker-handle.ts';

/**
 * Threads that work together over shared memory. When one fails, the others may be asleep at a barrier that it never
 * reaches: so the first failure ends all threads, and rejects pending and later requests.
 */
export class WorkerTeam<Question = never, Answer = never> {
  readonly workers: readonly WorkerHandle<Question, Answer>[];
  /** Settles when all are ready, or one has failed. */
  readonly started: Promise<void>;
  readonly #name: string;
  readonly #waiting = new Set<(error: Error) => void>();
  #failure: Error | undefined;
  #isClosed = false;

  /** @param name of the team in messages. */
  constructor(name: string, workers: readonly WorkerHandle<Question, Answer>[]) {
    this.#name = name;
    this.workers = workers;
    for (const worker of workers) void worker.ended.then((why) => { if (why !== undefined) this.#fail(why); });
    this.started = this.until(Promise.all(workers.map((worker) => worker.started)).then(() => undefined));
    this.started.catch(() => undefined);
  }

  /** Throws if one has failed, or the team is closed. */
  assertWhole(): void {
    assert(!this.#isClosed, `${this.#name}: closed`);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Sends the same request to all. Returns their answers, in the order of the workers. */
  async ask(question: Question): Promise<Answer[]> {
    this.assertWhole();
    const answers = this.workers.map((worker) => worker.ask(question));
    for (const answer of answers) answer.catch((error: unknown) => { this.#fail(error as Error); });
    return this.until(Promise.all(answers));
  }

  /** The result of `work`, or the failure of the team. */
  until<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /**
   * Terminates the threads at once; pending requests are rejected. Fulfilled when they have ended, whether or not they
   * had failed.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#abandon(new EndedThread(`${this.#name}: closed`));
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  /** Only the first failure counts; the failures of threads that it terminates follow from it. */
  #fail(error: Error): void {
    if (this.#failure !== undefined || this.#isClosed) return;
    this.#failure = error;
    this.#abandon(error);
    for (const worker of this.workers) void worker.close();
  }

  #abandon(error: Error): void {
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}
