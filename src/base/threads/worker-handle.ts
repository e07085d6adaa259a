import { Worker, type Transferable } from 'node:worker_threads';
import { assert } from '../index.ts';
import { EndedThread, errorOf, uncaughtIn, type Reply } from './failure.ts';
import type { Ask, ThreadMessage } from './in-thread.ts';
import { firstModule, isTypeScript } from './thread-module.ts';

export interface WorkerOptions {
  /** Name of the thread in messages. */
  readonly name: string;
  /** See threadModule. */
  readonly module: URL;
  /** Its `workerData`, cloned except for shared memory. */
  readonly data?: unknown;
  readonly heapMegabytes?: number | undefined;
  /** Called with what the thread sends by remarkToOwner. */
  readonly onRemark?: ((remark: never) => void) | undefined;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One worker thread. Its module calls answerOwner once it is ready for requests; a module with its own protocol over
 * shared memory need not.
 *
 * Errors  an exception in an answer rejects that request, with the same class and message, and the thread continues.
 *         The end of the thread rejects pending and later requests: see uncaughtIn, or EndedThread.
 */
export class WorkerHandle<Question = never, Answer = never> {
  readonly name: string;
  /** Settles when the thread is ready; requests may be made before. */
  readonly started: Promise<void>;
  /** Fulfilled when the thread has ended, with the reason; undefined if it was closed. */
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
      // Loaders that the process was started with are looked for from its working folder, and not needed here.
      ...(isTypeScript(module) ? {} : { execArgv: [] }),
      ...(heapMegabytes === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
    });
    this.started = new Promise((resolve, reject) => (this.#start = { resolve, reject }));
    // Callers that await it see the error; none is required to.
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

  /** @param transfer parts of the request to transfer instead of copying. */
  ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      assert(!this.#isClosed, `${this.name}: asked after it was closed`);
      if (this.#why !== undefined) throw this.#why;
      const ask = this.#asks++;
      this.#worker.postMessage({ ask, question } satisfies Ask<Question>, transfer);
      this.#waiting.set(ask, { resolve, reject });
    });
  }

  /** Sends a message to a thread that reads its port itself and does not answer requests. */
  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /**
   * Terminates the thread at once; pending requests are rejected. Fulfilled when it has ended, whether or not it had
   * failed.
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

  /** @returns why the thread has ended; undefined if it was closed. */
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
