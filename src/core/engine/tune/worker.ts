import { workerData } from 'node:worker_threads';
import { prepare, restoredGraph } from '../../../graphs/graph/index.ts';
import { poolWorker } from '../../../base/threads/index.ts';
import { runTrial, type Trial, type TuneContext } from './trial.ts';
import type { Cloned } from './workers.ts';

const { graph, ...shared } = workerData as Cloned<TuneContext>;
const context: TuneContext = { ...shared, prepared: prepare(restoredGraph(graph)) };

export default poolWorker((trial: Trial) => runTrial(context, trial));
