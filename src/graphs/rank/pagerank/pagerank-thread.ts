import { workerData } from 'node:worker_threads';
import type { WebGraph } from '../../graph/index.ts';
import { answerOwner, barrier, remarkToOwner } from '../../../base/threads/index.ts';
import { PageRankKernel, type KernelSteps } from './pagerank-kernel.ts';
import type { KernelLayout } from './pagerank-memory.ts';
import { sweepToTolerance, type PageRankOptions } from './pagerank.ts';
import type { checkedOptions } from './power-steps.ts';

/** The data with which `pagerank-threads.ts` starts a thread; all arrays are in shared memory. */
export interface ThreadTask {
  readonly thread: number;
  readonly graph: Pick<WebGraph, 'outOffsets' | 'outTargets'>;
  readonly steps: KernelSteps;
  readonly layout: KernelLayout;
  readonly memory: WebAssembly.Memory;
  readonly barrier: SharedArrayBuffer;
}

/** A request; all threads receive the same one. */
export interface ThreadQuestion {
  readonly options: Pick<PageRankOptions, 'start' | 'steps'>;
  readonly checked: ReturnType<typeof checkedOptions>;
  /** Whether to report sweeps. */
  readonly isWatched: boolean;
}

/** What the first thread reports if sweeps are watched. */
export interface Sweep {
  readonly sweeps: number;
  readonly change: number;
}

export interface ThreadAnswer {
  readonly iterations: number;
  readonly l1ErrorBound?: number;
}

const { thread, graph, steps, layout, memory, barrier: barrierMemory } = workerData as ThreadTask;

const kernel = new PageRankKernel(graph, steps, {
  thread, layout, memory, barrier: barrier(barrierMemory, layout.threads),
});
kernel.code();
answerOwner(({ options, checked, isWatched }: ThreadQuestion): ThreadAnswer => {
  const onSweep = isWatched && thread === 0
    ? (sweeps: number, change: number) => { remarkToOwner({ sweeps, change } satisfies Sweep); }
    : undefined;
  return sweepToTolerance(kernel, { ...options, onSweep }, checked);
});
