import { workerData } from 'piscina';
import { restoredGraph } from '../../graph/index.ts';
import type { Experiment } from '../schema.ts';
import { runOne, type RunReply, type StudyContext } from './one-run.ts';

const cloned = workerData as StudyContext;
const context = { ...cloned, graph: restoredGraph(cloned.graph) };

export default (experiment: Experiment): Promise<RunReply> => runOne(context, experiment);
