import { assert } from '../../../base/index.ts';
import { threadModule, WorkerHandle, WorkerTeam } from '../../../base/threads/index.ts';
import { assertBatch, assertExtraction } from '../preconditions.ts';
import type { QueueOptions } from '../priority-queue.ts';
import { newSliceMemory, operation, SliceChannel, type Operation, type SliceTask } from './slice-channel.ts';
import type { SliceCounts } from './sliced-queue.ts';
import { assertSlices, sharesOf, sliceOptions, splitBySlice } from './slicing.ts';

export type ThreadedSlicesOptions = Omit<QueueOptions, 'slicing'> & { readonly slices: number };

/** Entries that fit a slice's memory at first; it grows. */
const FIRST_BATCH = 1024;

/**
 * T approximate slices on T worker threads: the same entries leave, and the same comparisons are made in each slice, as
 * from `SlicedQueue` with `slicing: 'approximate'`, but T insert-many or extract-many run at a time.
 *
 * Each call is a superstep: entries are split by the hash of their index and copied to the slices' shared memory, or
 * k/T entries copied from each; the threads work while the caller awaits; the next call may come when it has its
 * answer.
 *
 * Cost    a call copies its entries twice, wakes each thread it needs and waits for the slowest: about 90 us for two
 *         threads on two cores, where a kernel takes 25 ns an entry. Only batches of ten thousands of entries, and a
 *         core for each thread and the caller, gain anything (`orbweaver bench queues --parts figure-10`); threads that
 *         make their own keys gain from R = 1000 on. A thread takes tens of milliseconds to start; the first call waits
 *         for it.
 * Memory  the slices', and the greatest batch a slice was given, up to twice.
 * Errors  AssertionError for wrong arguments, for a call before the last has its answer or after `close`; nothing
 *         changes then. Otherwise those of a WorkerTeam: the first failure of a thread ends all, and rejects the call
 *         under way and every later one.
 * Source  Marin, Paredes & Bonacic, WIDM 2008: T light threads, extract-top(R/T) then insert-many(R/T) in each.
 */
export class ThreadedSlices {
  readonly #team: WorkerTeam;
  readonly #channels: readonly SliceChannel[];
  readonly #starts: Uint32Array;
  /** The batch under way, split by slice. */
  #split = new Float64Array(FIRST_BATCH);
  /** Settles with the superstep under way, and never rejects. */
  #underWay: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  /** Starts the threads; close() ends them, and until then they keep the process alive. */
  constructor(options: ThreadedSlicesOptions) {
    const { slices } = options;
    assertSlices(slices);
    this.#starts = new Uint32Array(slices + 1);
    // One thread more may want a core: the caller's.
    const memories = Array.from({ length: slices }, () => newSliceMemory(FIRST_BATCH, slices + 1));
    const module = threadModule(import.meta.url, 'slice-worker');
    const workers = memories.map(
      (memory, slice) =>
        new WorkerHandle({
          name: `slice thread ${slice}`,
          module,
          data: { memory, options: sliceOptions(options, slice) } satisfies SliceTask,
        }),
    );
    this.#team = new WorkerTeam('threaded slices', workers);
    this.#channels = memories.map(
      (memory, slice) =>
        new SliceChannel(memory, (batch) => {
          workers[slice].post(batch);
        }),
    );
  }

  /** The slices in order, as they last answered. */
  get slices(): readonly SliceCounts[] {
    return this.#channels.map(({ size, comparisons }) => ({ size, comparisons }));
  }

  get size(): number {
    return this.#channels.reduce((sum, { size }) => sum + size, 0);
  }

  /** Inserts entries[from ... to), which are copied before the call returns its promise. */
  async insertMany(entries: Float64Array, from: number, to: number): Promise<void> {
    this.#assertReady();
    assertBatch(entries, from, to);
    const starts = this.#starts;
    if (to - from > this.#split.length) this.#split = new Float64Array(Math.max(to - from, 2 * this.#split.length));
    splitBySlice(entries, from, to, this.#channels.length, this.#split, starts);
    this.#channels.forEach((channel, slice) => {
      const share = this.#split.subarray(starts[slice], starts[slice + 1]);
      channel.batch(share.length).set(share);
    });
    await this.#superstep(operation.insertMany, this.#channels.map((_, slice) => starts[slice + 1] - starts[slice]));
  }

  /**
   * Writes the greatest entries of each slice, min(k, size) in all, to `into` from position 0, removes them, and
   * returns their number. Each slice gives k/T, as `SlicedQueue` has it.
   */
  async extractTop(k: number, into: Float64Array): Promise<number> {
    this.#assertReady();
    const leaving = assertExtraction(k, this.size, into);
    const shares = sharesOf(leaving, this.#channels.map(({ size }) => size));
    const batches = this.#channels.map((channel, slice) => channel.batch(shares[slice]));
    await this.#superstep(operation.extractTop, shares, () => {
      let at = 0;
      batches.forEach((batch, slice) => {
        into.set(batch.subarray(0, shares[slice]), at);
        at += shares[slice];
      });
    });
    return leaving;
  }

  /** Ends the threads after the current superstep. Resolves when they have ended, whether they failed or not. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#underWay;
    await this.#team.close();
  }

  #assertReady(): void {
    assert(this.#closed === undefined, 'threaded slices: closed');
    assert(this.#underWay === undefined, 'threaded slices: the last call has not had its answer');
    this.#team.assertWhole();
  }

  /** Lets the slices work, each on its count; slices without any sleep. Then `collect` reads their answers. */
  async #superstep(what: Operation, counts: readonly number[], collect: () => void = () => undefined): Promise<void> {
    const working = this.#channels.filter((_, slice) => counts[slice] > 0);
    this.#channels.forEach((channel, slice) => {
      if (counts[slice] > 0) channel.ask(what, counts[slice]);
    });
    const answers = this.#team.until(Promise.all(working.map((channel) => channel.answered())).then(collect));
    const finish = (): void => { this.#underWay = undefined; };
    // Before the caller goes on, so that its next call finds the slices ready.
    this.#underWay = answers.then(finish, finish);
    await answers;
  }
}
