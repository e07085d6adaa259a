import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../base/threads/index.ts';
import { readTask, type PageTask, type TaskOptions } from './page-task.ts';

export default poolWorker((tasks: readonly PageTask[]) =>
  tasks.map((task) => readTask(task, workerData as TaskOptions)));
