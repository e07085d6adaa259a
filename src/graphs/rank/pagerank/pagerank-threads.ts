import { asSharedUint32, sharedFloat64, transpose, type WebGraph } from '../../graph/index.ts';
import { assert, InputError } from '../../../base/index.ts';
import { newBarrierMemory, threadModule, WorkerHandle, WorkerTeam } from '../../../base/threads/index.ts';
import { kernelLayout, kernelMemory, type KernelLayout } from './pagerank-memory.ts';
import type { Sweep, ThreadAnswer, ThreadQuestion, ThreadTask } from './pagerank-thread.ts';
import { kernelSteps, pageRank, type PageRankOptions, type PageRankSteps } from './pagerank.ts';
import type { PageRank, SolveOptions } from './solve-options.ts';
import { checkedOptions, finishedByPowerSteps } from './power-steps.ts';

const MAX_THREADS = 256;

/**
 * `pageRank` on `threads` threads, which are started for this call and ended after it. With one thread it is `pageRank`
 * itself.
 *
 * @throws what `pageRank` throws, and what PageRankThreads does.
 */
export async function threadedPageRank(
  graph: WebGraph, threads: number, options: PageRankOptions = {},
): Promise<PageRank> {
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
 * PageRank of a graph on T worker threads, any number of times, with the promise of `pageRank`. Sweeps are Gauss-Seidel
 * within each thread's pages and Jacobi between them, so that the ranks differ with T within the bound; for the same T,
 * equal input gives equal bits.
 *
 * Cost    if a sweep takes less than a millisecond, more than with one thread. A thread takes tens of milliseconds to
 *         start, and then builds its part of the in-lists; `started` reports when that is done.
 * Errors  as a WorkerTeam: the first failure of a thread ends all, and rejects the current solve and later ones.
 */
export class PageRankThreads {
  readonly #graph: WebGraph;
  readonly #steps: PageRankSteps;
  readonly #layout: KernelLayout;
  readonly #memory: WebAssembly.Memory;
  readonly #team: WorkerTeam<ThreadQuestion, ThreadAnswer>;
  #isSolving = false;
  #onSweep: PageRankOptions['onSweep'];

  /** Starts the threads; close() ends them, and until then they keep the process alive. @throws as PageRankSolver. */
  constructor(graph: WebGraph, threads: number, steps: PageRankSteps = {}) {
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS)) {
      throw new InputError(`threads is ${threads}: it must be an integer from 1 to ${MAX_THREADS}`);
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
    const module = threadModule(import.meta.url, 'pagerank-thread');
    this.#team = new WorkerTeam('PageRank threads', Array.from({ length: threads }, (_, thread) => new WorkerHandle({
      name: `PageRank thread ${thread}`,
      module,
      data: { ...task, thread } satisfies ThreadTask,
      onRemark: ({ sweeps, change }: Sweep) => this.#onSweep?.(sweeps, change),
    })));
  }

  /** Settles when every thread has built its lists, or one has failed. */
  get started(): Promise<void> {
    return this.#team.started;
  }

  /** One at a time. */
  async solve(options: SolveOptions = {}): Promise<PageRank> {
    this.#team.assertWhole();
    assert(!this.#isSolving, 'PageRank threads: the last solve has not ended');
    const checked = checkedOptions(this.#graph, options);
    const { onSweep, start } = options;
    this.#isSolving = true;
    this.#onSweep = onSweep;
    try {
      // All threads decide alike.
      const [{ iterations, l1ErrorBound }] = await this.#team.ask({
        options: { start: shared(start), steps: this.#steps },
        checked: { ...checked, preference: shared(checked.preference) },
        isWatched: onSweep !== undefined,
      });
      const ranks = new Float64Array(this.#memory.buffer, this.#layout.ranks, this.#layout.pages).slice();
      if (l1ErrorBound !== undefined) return { ranks, iterations, l1ErrorBound };
      return finishedByPowerSteps(this.#graph, transpose(this.#graph), { ...checked, onSweep }, { ranks, iterations });
    } finally {
      this.#isSolving = false;
    }
  }

  /**
   * Terminates the threads at once; a current solve is rejected. Fulfilled when they have ended, whether or not they
   * had failed.
   */
  close(): Promise<void> {
    return this.#team.close();
  }
}

function shared(numbers: Float64Array | undefined): Float64Array | undefined {
  if (numbers === undefined) return undefined;
  const copy = sharedFloat64(numbers.length);
  copy.set(numbers);
  return copy;
}
