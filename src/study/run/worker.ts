import { workerData } from 'node:worker_threads';
import { restoredGraph } from '../../graph/index.ts';
import { poolWorker } from '../../base/threads/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { runOne, type StudyContext } from './one-run.ts';

const cloned = workerData as StudyContext;
const context = { ...cloned, graph: restoredGraph(cloned.graph) };

export default poolWorker((experiment: Experiment) => runOne(context, experiment));
