import { join } from 'node:path';
import type { Drained, DrainTask } from '../paged/drain.ts';
import { compileCpp } from './cpp-program.ts';
import type { Absent } from './javascript.ts';

/** Our name for it; the library's is stxxl::PRIORITY_QUEUE_GENERATOR. */
export const stxxlName = 'stxxl::priority_queue';

/** STXXL's queue, compiled for one task. `remove` takes its folder away, and with it file and logs. */
export interface StxxlPriorityQueue {
  /** Compiler and flags, for which any figure holds. */
  readonly compiler: string;
  /** Fills and empties it in another process. Aborted, that is killed and this rejects. */
  drain(signal?: AbortSignal): Promise<Drained>;
  remove(): Promise<void>;
}

/** Compiles the peer for so many entries and so much memory, or says why it is absent. */
export async function stxxlPriorityQueue({
  entries, memoryBytes, seed,
}: DrainTask): Promise<StxxlPriorityQueue | Absent> {
  const flags = [`-DENTRIES=${entries}`, `-DMEMORY_BYTES=${memoryBytes}`, '-lstxxl', '-fopenmp'];
  const program = await compileCpp('stxxl-priority-queue.cpp', flags);
  if (typeof program === 'string') {
    // The library searches by templates, of which some error is all that is seen where it finds nothing.
    const isTooSmall = /find_B_m|find_settings|Parameters_for/.test(program);
    return {
      name: stxxlName, reason: isTooSmall ? 'it has no block size for so many entries in so little memory' : program,
    };
  }
  const { compiler, folder, run, remove } = program;
  return {
    compiler,
    drain: async (signal) => (await run([join(folder, 'queue'), String(seed)], signal)) as Drained,
    remove,
  };
}
