import { Worker } from 'node:worker_threads';
import { asSharedUint32, sharedFloat64, transpose, type WebGraph } from '../graph/index.ts';
import { assert, InputError, newBarrierMemory, workerModule } from '../std/index.ts';
import { kernelLayout, kernelMemory, type KernelLayout } from './pagerank-memory.ts';
import type { ThreadAnswer, ThreadQuestion, ThreadTask } from './pagerank-thread.ts';
import { kernelSteps, pageRank, type PageRankOptions, type PageRankSteps } from './pagerank.ts';
import type { PageRank, SolveOptions } from './solve-options.ts';
import { checkedOptions, finishedByPowerSteps } from './plain-pagerank.ts';

const mostThreads = 256;

/**
 * `pageRank` on `threads` threads, which are started for it and ended. On one it is `pageRank` itself.
 *
 * @throws what `pageRank` throws, and what PageRankThreads does.
 */
export async function threadedPageRank(graph: WebGraph, threads: number, options: PageRankOptions = {}): Promise<PageRank> {
  if (threads === 1) return pageRank(graph, options);
  checkedOptions(graph, options);
  const team = new PageRankThreads(graph, threads, options.steps);
  try {
    return await team.solve(options);
  } finally {
    await team.close();
  }
}

/**
 * PageRank of one graph on T worker threads, as often as is asked; the promise of `pageRank`. Sweeps are Gauss-Seidel within each
 * thread's pages and Jacobi between them, so that the ranks differ with T within the bound; for one T, equal input gives equal bits.
 *
 * Cost    of a graph whose sweep takes less than a millisecond, more than one thread. A thread takes tens of milliseconds to start, and
 *         then makes its part of the in-lists; `started` tells when. The caller's thread sleeps meanwhile.
 * Errors  what is thrown in a thread, or its end, ends all and rejects the solve under way, and every later one: an Error that names
 *         the thread, with its own error as the cause.
 */
export class PageRankThreads {
  readonly #graph: WebGraph;
  readonly #steps: PageRankSteps;
  readonly #layout: KernelLayout;
  readonly #memory: WebAssembly.Memory;
  readonly #threads: Worker[] = [];
  /** Settles when every thread has its lists, or one has failed. */
  readonly started: Promise<void>;
  #failure: Error | undefined;
  #isClosed = false;
  /** Called with what the first thread tells while a solve is under way. */
  #hear: ((answer: ThreadAnswer) => void) | undefined;
  /** Reject what may be awaited. */
  #abandonStart: (error: Error) => void = () => undefined;
  #abandonSolve: (error: Error) => void = () => undefined;

  /** Starts the threads; close() ends them, and until then they keep the process alive. @throws as PageRankSolver. */
  constructor(graph: WebGraph, threads: number, steps: PageRankSteps = {}) {
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= mostThreads)) {
      throw new InputError(`threads is ${threads}: it must be an integer from 1 to ${mostThreads}`);
    }
    checkedOptions(graph, {});
    this.#graph = graph;
    this.#steps = steps;
    this.#layout = kernelLayout(graph, threads);
    this.#memory = kernelMemory(this.#layout, graph.name);
    const task = {
      graph: { outOffsets: asSharedUint32(graph.outOffsets), outTargets: asSharedUint32(graph.outTargets) },
      steps: kernelSteps({ steps }),
      layout: this.#layout,
      memory: this.#memory,
      barrier: newBarrierMemory(),
    };
    let waitedFor = threads;
    this.started = new Promise((resolve, reject) => {
      this.#abandonStart = reject;
      const hear = (answer: ThreadAnswer): void => {
        if (answer.kind !== 'ready') this.#hear?.(answer);
        else if (--waitedFor === 0) resolve();
      };
      for (let thread = 0; thread < threads; thread++) this.#threads.push(this.#start({ ...task, thread }, hear));
    });
    // Whoever awaits it, or a solve, is told; nobody need.
    this.started.catch(() => undefined);
  }

  #start(task: ThreadTask, hear: (answer: ThreadAnswer) => void): Worker {
    const worker = new Worker(workerModule(import.meta.url, 'pagerank-thread'), { workerData: task });
    worker.on('message', hear);
    worker.once('error', (cause: Error) => this.#fail(new Error(`PageRank thread ${task.thread}: ${cause.message}`, { cause })));
    worker.once('exit', () => {
      if (!this.#isClosed) this.#fail(new Error(`PageRank thread ${task.thread}: it has ended`));
    });
    return worker;
  }

  /** The first failure counts; those of the threads it ends are its echo. */
  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const worker of this.#threads) void worker.terminate();
    this.#abandonStart(error);
    this.#abandonSolve(error);
  }

  /** One at a time. */
  async solve(options: SolveOptions = {}): Promise<PageRank> {
    assert(!this.#isClosed, 'PageRank threads: closed');
    assert(this.#hear === undefined, 'PageRank threads: the last solve has not ended');
    if (this.#failure !== undefined) throw this.#failure;
    const checked = checkedOptions(this.#graph, options);
    const { onSweep, start } = options;
    const question: ThreadQuestion = {
      options: { start: shared(start), steps: this.#steps },
      checked: { ...checked, preference: shared(checked.preference) },
      isWatched: onSweep !== undefined,
    };
    const ended = new Promise<{ iterations: number; l1ErrorBound?: number }>((resolve, reject) => {
      this.#abandonSolve = reject;
      this.#hear = (answer) => {
        if (answer.kind === 'end') resolve(answer);
        else if (answer.kind === 'sweep') onSweep?.(answer.sweeps, answer.change);
      };
    });
    try {
      for (const worker of this.#threads) worker.postMessage(question);
      const { iterations, l1ErrorBound } = await ended;
      const ranks = new Float64Array(this.#memory.buffer, this.#layout.ranks, this.#layout.pages).slice();
      if (l1ErrorBound !== undefined) return { ranks, iterations, l1ErrorBound };
      return finishedByPowerSteps(this.#graph, transpose(this.#graph), { ...checked, onSweep }, { ranks, iterations });
    } finally {
      this.#hear = undefined;
    }
  }

  /** Ends the threads, at once; a solve under way is rejected. Fulfilled when they have ended, whether they had failed or not. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Error('PageRank threads: closed');
    this.#abandonStart(closed);
    this.#abandonSolve(closed);
    await Promise.all(this.#threads.map((worker) => worker.terminate()));
  }
}

function shared(numbers: Float64Array | undefined): Float64Array | undefined {
  if (numbers === undefined) return undefined;
  const copy = sharedFloat64(numbers.length);
  copy.set(numbers);
  return copy;
}
