import { Worker, type Transferable } from 'node:worker_threads';
import { assert } from '../index.ts';
import { EndedThread, errorOf, uncaughtIn, type Reply } from './failure.ts';
import type { Ask, ThreadMessage } from './in-thread.ts';
import { firstModule } from './thread-module.ts';

export interface WorkerOptions {
  /** What messages call the thread. */
  readonly name: string;
  /** See threadModule. */
  readonly module: URL;
  /** Its `workerData`: cloned, what lies in shared memory apart. */
  readonly data?: unknown;
  readonly heapMegabytes?: number | undefined;
  /** Hears what the thread reports by remarkToOwner. */
  readonly onRemark?: ((remark: never) => void) | undefined;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One worker thread. Its module calls answerOwner once it can be asked; one that has its own protocol over shared
 * memory need not.
 *
 * Errors  what is thrown in an answer rejects that question: same class, same message, and the thread goes on. The end
 *         of the thread rejects what waits and what is asked later: see uncaughtIn, or EndedThread.
 */
export class WorkerHandle<Question = never, Answer = never> {
  readonly name: string;
  /** Settles when the thread can be asked; a question may come before. */
  readonly started: Promise<void>;
  /** Fulfilled when the thread has ended, with why; undefined where it was closed. */
  readonly ended: Promise<Error | undefined>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #start: Waiting<void> = { resolve: () => undefined, reject: () => undefined };
  #asks = 0;
  #why: Error | undefined;
  #isClosed = false;

  /** Starts the thread. Until close() it keeps the process alive. */
  constructor({ name, module, data, heapMegabytes, onRemark }: WorkerOptions) {
    this.name = name;
    this.#worker = new Worker(firstModule(module), {
      workerData: data,
      ...(heapMegabytes === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
    });
    this.started = new Promise((resolve, reject) => (this.#start = { resolve, reject }));
    // Whoever awaits it is shown; nobody need.
    this.started.catch(() => undefined);
    this.#worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'started') this.#start.resolve();
      else if (message.kind === 'reply') this.#settle(message.ask, message.reply as Reply<Answer>);
      else onRemark?.(message.remark as never);
    });
    this.#worker.once('error', (thrown: unknown) => (this.#why ??= uncaughtIn(name, thrown)));
    this.#worker.once('messageerror', (thrown) => {
      this.#why ??= uncaughtIn(name, thrown);
      void this.#worker.terminate();
    });
    this.ended = new Promise((resolve) => this.#worker.once('exit', (code) => { resolve(this.#end(code)); }));
  }

  /** @param transfer what of the question is handed over and not copied. */
  ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      assert(!this.#isClosed, `${this.name}: asked after it was closed`);
      if (this.#why !== undefined) throw this.#why;
      const ask = this.#asks++;
      this.#worker.postMessage({ ask, question } satisfies Ask<Question>, transfer);
      this.#waiting.set(ask, { resolve, reject });
    });
  }

  /** Sends a thread that does not answer questions what it takes from its port by itself. */
  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /**
   * Ends the thread at once, whatever it does; what waits is rejected. Fulfilled when it has ended, whether it had
   * failed or not.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#abandon(this.#why ?? new EndedThread(`${this.name}: closed`));
    await this.#worker.terminate();
    await this.ended;
  }

  #settle(ask: number, reply: Reply<Answer>): void {
    const waiting = this.#waiting.get(ask);
    this.#waiting.delete(ask);
    if (reply.kind === 'answer') waiting?.resolve(reply.answer);
    else waiting?.reject(errorOf(reply.failure));
  }

  /** @returns why the thread has ended; undefined where it was closed. */
  #end(exitCode: number): Error | undefined {
    if (!this.#isClosed) this.#why ??= new EndedThread(`${this.name} has ended (exit code ${exitCode})`);
    if (this.#why !== undefined) this.#abandon(this.#why);
    return this.#why;
  }

  #abandon(why: Error): void {
    this.#start.reject(why);
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}
