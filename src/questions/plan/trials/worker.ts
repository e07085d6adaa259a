import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../../base/threads/index.ts';
import { restoredContext, type ClonedContext, type RunContext } from '../../study/run/run-context.ts';
import { runTrial, type TrialTask } from './trial.ts';

let context: Promise<RunContext> | undefined;

export default poolWorker(async (task: TrialTask) =>
  runTrial(await (context ??= restoredContext(workerData as ClonedContext)), task));
