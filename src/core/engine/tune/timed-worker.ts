import { workerData } from 'node:worker_threads';
import { prepare, restoredGraph } from '../../../graphs/graph/index.ts';
import { poolWorker } from '../../../base/threads/index.ts';
import { runTimedTrial, type TimedContext, type TimedTrial } from './timed.ts';
import type { Cloned } from './workers.ts';

const { graph, ...shared } = workerData as Cloned<TimedContext>;
const context: TimedContext = { ...shared, prepared: prepare(restoredGraph(graph)) };

export default poolWorker((trial: TimedTrial) => runTimedTrial(context, trial));
