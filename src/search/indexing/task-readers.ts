import { EndedThread, threadModule, WorkerPool } from '../../base/threads/index.ts';
import { preparedPages } from '../store/index.ts';
import { taskReader, type PageTask, type TaskOptions, type TaskResults } from './page-task.ts';

/** Tasks that are sent to a thread together, and the bytes of all but the last of them. */
const MAX_BATCH_TASKS = 100;
const MAX_BATCH_BYTES = 1 << 19;
/** Batches under way per thread: one is read, one waits. */
const BATCHES_PER_THREAD = 2;
const HEAP_MEGABYTES = 1024;

export type Tasks = AsyncIterable<PageTask> | Iterable<PageTask>;

/** Some tasks, with their results. */
type ReadTasks = readonly [tasks: readonly PageTask[], results: TaskResults];

/**
 * Reads tasks on threads; on this one if `threads` is 0. Results are in the order of the tasks; tasks are taken as fast
 * as results are. A page that ends its thread is 'damaged'.
 *
 * Memory  BATCHES_PER_THREAD batches per thread.
 */
export async function* readTasks(
  tasks: Tasks, threads: number, options: TaskOptions,
): AsyncGenerator<ReadTasks, void, void> {
  if (threads === 0) {
    const readBatch = taskReader(options);
    for await (const batch of batches(tasks)) yield [batch, readBatch(batch)];
    return;
  }
  const pool: Pool = new WorkerPool({
    name: 'the readers of pages', module: threadModule(import.meta.url, 'task-worker'), threads, data: options,
    heapMegabytes: HEAP_MEGABYTES,
  });
  const underWay: Promise<readonly ReadTasks[]>[] = [];
  try {
    for await (const batch of batches(tasks)) {
      const results = resultsOf(pool, batch);
      // Waited for in its turn.
      results.catch(() => undefined);
      underWay.push(results);
      if (underWay.length >= BATCHES_PER_THREAD * threads) yield* await underWay.shift()!;
    }
    while (underWay.length > 0) yield* await underWay.shift()!;
  } finally {
    // These end soon. A thread that is terminated as zlib starts crashes the process (an assertion of Node 20).
    await Promise.allSettled(underWay);
    await pool.close();
  }
}

type Pool = WorkerPool<readonly PageTask[], TaskResults>;

async function* batches(tasks: Tasks): AsyncGenerator<readonly PageTask[]> {
  let batch: PageTask[] = [];
  let bytes = 0;
  for await (const task of tasks) {
    batch.push(task);
    bytes += bytesOf(task);
    if (batch.length < MAX_BATCH_TASKS && bytes < MAX_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function bytesOf(task: PageTask): number {
  if (task.kind === 'stored') return task.text.length;
  // The threads read files.
  return task.kind === 'file' ? 0 : task.response.entity.length;
}

/** Pages of a batch that ended its thread are read again one by one, to find the one at fault. */
async function resultsOf(pool: Pool, batch: readonly PageTask[]): Promise<readonly ReadTasks[]> {
  try {
    return [[batch, await pool.run(batch)]];
  } catch (error) {
    if (!(error instanceof EndedThread)) throw error;
    if (batch.length === 1) return [[batch, { left: [{ why: 'damaged' }], prepared: noPage }]];
  }
  const results: ReadTasks[] = [];
  for (const task of batch) results.push(...await resultsOf(pool, [task]));
  return results;
}

const noPage = preparedPages([undefined], new Set());
