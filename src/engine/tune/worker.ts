import { workerData } from 'node:worker_threads';
import { restoredGraph } from '../../graph/index.ts';
import { poolWorker } from '../../base/threads/index.ts';
import { runTrial, type Trial, type TuneContext } from './trial.ts';

const cloned = workerData as TuneContext;
const context = { ...cloned, graph: restoredGraph(cloned.graph) };

export default poolWorker((trial: Trial) => runTrial(context, trial));
