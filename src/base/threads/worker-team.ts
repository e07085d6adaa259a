import { assert } from '../index.ts';
import { EndedThread } from './failure.ts';
import type { WorkerHandle } from './worker-handle.ts';

/**
 * Threads that work together over shared memory. None is of use without the others, which may be asleep at a barrier
 * that it never reaches: the first failure of one ends all, and rejects what waits and all that is asked later.
 */
export class WorkerTeam<Question = never, Answer = never> {
  readonly workers: readonly WorkerHandle<Question, Answer>[];
  /** Settles when all can be asked, or one has failed. */
  readonly started: Promise<void>;
  readonly #name: string;
  readonly #waiting = new Set<(error: Error) => void>();
  #failure: Error | undefined;
  #isClosed = false;

  /** @param name what messages call the team. */
  constructor(name: string, workers: readonly WorkerHandle<Question, Answer>[]) {
    this.#name = name;
    this.workers = workers;
    for (const worker of workers) void worker.ended.then((why) => { if (why !== undefined) this.#fail(why); });
    this.started = this.until(Promise.all(workers.map((worker) => worker.started)).then(() => undefined));
    this.started.catch(() => undefined);
  }

  /** Throws where one has failed, or the team is closed. */
  assertWhole(): void {
    assert(!this.#isClosed, `${this.#name}: closed`);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Asks all the same. The answers, in the order of the workers. */
  async ask(question: Question): Promise<Answer[]> {
    this.assertWhole();
    const answers = this.workers.map((worker) => worker.ask(question));
    for (const answer of answers) answer.catch((error: unknown) => { this.#fail(error as Error); });
    return this.until(Promise.all(answers));
  }

  /** What `work` gives, or the failure of the team. */
  until<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /**
   * Ends the threads at once; what waits is rejected. Fulfilled when they have ended, whether they had failed or not.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#abandon(new EndedThread(`${this.#name}: closed`));
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  /** The first failure counts; those of the threads it ends are its echo. */
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
