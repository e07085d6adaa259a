import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../../base/threads/index.ts';
import { runOne, type StudyTask } from './one-run.ts';
import { restoredContext, type ClonedContext, type RunContext } from './run-context.ts';

let context: Promise<RunContext> | undefined;

export default poolWorker(async (task: StudyTask) =>
  runOne(await (context ??= restoredContext(workerData as ClonedContext)), task));
