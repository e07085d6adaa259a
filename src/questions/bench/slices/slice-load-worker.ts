import { workerData } from 'node:worker_threads';
import { answerOwner, barrier } from '../../../base/threads/index.ts';
import { SliceLoad, type LoadedQueue, type LoadOptions } from './slice-load.ts';

/** The thread of one slice: started by `slice-load-threads.ts` with this; each message is a run. */
export interface LoadTask extends LoadOptions {
  readonly kind: LoadedQueue;
  readonly threads: number;
  readonly barrier: SharedArrayBuffer;
}

export interface LoadRun {
  readonly batches: number;
  /** Whether threads wait for each other after every batch, or only before the first. */
  readonly hasBarrier: boolean;
}

/** When a thread began and ended, by the clock that all threads of a process share, in ns. */
export interface LoadTimes {
  readonly from: bigint;
  readonly to: bigint;
}

const { kind, threads, barrier: memory, ...options } = workerData as LoadTask;
const meet = barrier(memory, threads);
const load = new SliceLoad(kind, { ...options, compareOnly: false });
answerOwner(({ batches, hasBarrier }: LoadRun): LoadTimes => {
  const prepared = load.prepare(batches);
  meet();
  const from = process.hrtime.bigint();
  for (let at = 0; at < prepared.length; at += options.batch) {
    load.run(prepared, at);
    if (hasBarrier) meet();
  }
  return { from, to: process.hrtime.bigint() };
});
