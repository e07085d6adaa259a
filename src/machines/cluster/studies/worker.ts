import { UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { WorldError } from '../../../base/index.ts';
import { machineName } from '../../../base/files/index.ts';
import { codeVersion } from '../../../questions/study/index.ts';
import { goodbye, openRedis } from '../index.ts';
import { marksOf, type Answer } from './checks.ts';
import { Contexts, type ContextsOptions } from './contexts.ts';
import { failureText, prefix, queueName, workerName, type RunJob } from './job.ts';

/** A run whose worker ended is begun anew this often. */
const maxStalls = 5;
/** Results that nobody has come for are removed after a week, or when there are this many. */
const unclaimed = { age: 7 * 24 * 3600, count: 10_000 };

export interface WorkerOptions extends Pick<ContextsOptions, 'threads' | 'graphs' | 'signal'> {
  /** After this time without a sign of a worker, its runs are given to others. */
  readonly lostAfterMs: number;
  readonly onRemark: (text: string) => void;
  readonly onReady?: ((version: string) => void) | undefined;
  /** Other than the code's, for tests. @internal */
  readonly version?: string | undefined;
}

/**
 * Runs what studies and plans queue on a Redis server, until the signal ends it.
 * @returns how many runs it finished.
 * @throws as openRedis; WorldError when the server is full.
 */
export async function runWorker(url: string, options: WorkerOptions): Promise<number> {
  const { threads, graphs, signal, lostAfterMs, onRemark, onReady, version = codeVersion() } = options;
  const redis = await openRedis(url, {
    onConnection: (loss) => onRemark(loss === undefined ? 'connected again' : `the connection is lost (${loss})`),
  });
  const place = `${machineName()}-${process.pid}`;
  const contexts = new Contexts({
    threads, graphs, signal,
    onOpen: (name) => onRemark(`opening graph ${name}`), onDeath: (why) => onRemark(`${why}; the run is repeated`),
  });
  let finished = 0;
  const worker = new Worker<RunJob, unknown>(queueName(version), async (job, token) => {
    let run: unknown;
    try {
      run = await contexts.run(job.data);
    } catch (error) {
      if (!signal.aborted) throw failed(error, place);
    }
    if (run === undefined) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    finished++;
    return { job: marksOf(job.data, version), run } satisfies Answer;
  }, {
    connection: redis, prefix, concurrency: threads, name: workerName(threads, place), lockDuration: lostAfterMs,
    stalledInterval: lostAfterMs, maxStalledCount: maxStalls, removeOnComplete: unclaimed, removeOnFail: unclaimed,
  });
  const ended = new Promise<void>((resolve, reject) => {
    // Without a listener, BullMQ prints errors whole, and with them the command that failed. The connection is reported
    // above; a lock that was lost means that another worker has the run. On a full server, nothing comes of its trying.
    worker.on('error', (error) => { if (error instanceof WorldError) reject(error); });
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // It may be full before anybody waits for the end.
  ended.catch(() => undefined);
  try {
    await worker.waitUntilReady();
    onReady?.(version);
    await ended.finally(() => goodbye(worker.close(redis.status !== 'ready')));
  } finally {
    await contexts.close();
    redis.disconnect();
  }
  return finished;
}

/** Trouble of a machine is tried again, perhaps on another; anything else would end the same way. */
function failed(error: unknown, place: string): Error {
  return error instanceof WorldError
    ? new Error(failureText(new WorldError(`worker ${place}: ${error.message}`)))
    : new UnrecoverableError(failureText(error));
}
