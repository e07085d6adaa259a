import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../base/threads/index.ts';
import { taskReader, type TaskOptions } from './page-task.ts';

export default poolWorker(taskReader(workerData as TaskOptions));
