import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../base/threads/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { runOne } from './one-run.ts';
import { restoredContext, type ClonedContext, type RunContext } from './run-context.ts';

let context: Promise<RunContext> | undefined;

export default poolWorker(async (experiment: Experiment) =>
  runOne(await (context ??= restoredContext(workerData as ClonedContext)), experiment));
