import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../base/threads/index.ts';
import { taskReader, type PageTask, type TaskOptions } from './page-task.ts';

const read = taskReader(workerData as TaskOptions);

export default poolWorker((tasks: readonly PageTask[]) => tasks.map(read));
