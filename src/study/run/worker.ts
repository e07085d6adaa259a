import { workerData } from 'node:worker_threads';
import { prepare, restoredGraph } from '../../graph/index.ts';
import { poolWorker } from '../../base/threads/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { runOne, type ClonedContext, type StudyContext } from './one-run.ts';

const { graph, ...shared } = workerData as ClonedContext;
const context: StudyContext = { ...shared, prepared: prepare(restoredGraph(graph)) };

export default poolWorker((experiment: Experiment) => runOne(context, experiment));
