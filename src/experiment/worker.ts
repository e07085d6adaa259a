import { workerData } from 'piscina';
import { restoredGraph } from '../graph/index.ts';
import { runTrial, type SweepRow, type Trial, type TuneContext } from './trial.ts';

const cloned = workerData as TuneContext;
const context = { ...cloned, graph: restoredGraph(cloned.graph) };

export default (trial: Trial): Promise<SweepRow | undefined> => runTrial(context, trial);
