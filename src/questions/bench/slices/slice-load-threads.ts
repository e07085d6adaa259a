import { newBarrierMemory, threadModule, WorkerHandle, WorkerTeam } from '../../../base/threads/index.ts';
import type { LoadedQueue } from './slice-load.ts';
import type { LoadRun, LoadTask, LoadTimes } from './slice-load-worker.ts';

export interface LoadThreadsOptions {
  readonly kind: LoadedQueue;
  /** T. */
  readonly threads: number;
  /** N and R over all threads: each thread has N/T and R/T, rounded down. */
  readonly entries: number;
  readonly block: number;
  /** Batches of all runs together, at most. */
  readonly batches: number;
  readonly seed: number;
}

/** T threads, each with its slice and kernel, which stay for many runs. */
export class LoadThreads {
  readonly #team: WorkerTeam<LoadRun, LoadTimes>;
  readonly #batch: number;

  private constructor(team: WorkerTeam<LoadRun, LoadTimes>, batch: number) {
    this.#team = team;
    this.#batch = batch;
  }

  /** Fulfilled when all slices are full; rejected with the error of a thread. */
  static async start({ kind, threads, entries, block, batches, seed }: LoadThreadsOptions): Promise<LoadThreads> {
    const barrier = newBarrierMemory();
    const batch = Math.floor(block / threads);
    const task = { kind, threads, barrier, entries: Math.floor(entries / threads), batch, batches, seed };
    const module = threadModule(import.meta.url, 'slice-load-worker');
    const workers = Array.from({ length: threads }, (_, slice) => new WorkerHandle<LoadRun, LoadTimes>({
      name: `slice load thread ${slice}`, module, data: { ...task, slice } satisfies LoadTask,
    }));
    const team = new WorkerTeam('slice load threads', workers);
    try {
      await team.started;
    } catch (error) {
      await team.close();
      throw error;
    }
    return new LoadThreads(team, batch);
  }

  /**
   * Each thread's rounds of R/T out and R/T in. Returns ns an element, one out and one in, from the first start to the
   * last end.
   */
  async run(run: LoadRun): Promise<number> {
    const times = await this.#team.ask(run);
    const from = times.reduce((least, { from: start }) => (start < least ? start : least), times[0].from);
    const to = times.reduce((most, { to: end }) => (end > most ? end : most), times[0].to);
    return Number(to - from) / (run.batches * this.#batch * times.length);
  }

  async close(): Promise<void> {
    await this.#team.close();
  }
}
