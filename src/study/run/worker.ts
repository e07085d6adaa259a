import { workerData } from 'node:worker_threads';
import { prepare, restoredGraph } from '../../graph/index.ts';
import { poolWorker } from '../../base/threads/index.ts';
import { loadPolicy } from '../../policy/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { runOne, type ClonedContext, type StudyContext } from './one-run.ts';

const { graph, policyFiles, ...shared } = workerData as ClonedContext;
const policies = await Promise.all(policyFiles.map(({ file, sha256 }) => loadPolicy(file, sha256)));
const context: StudyContext = { ...shared, policies, prepared: prepare(restoredGraph(graph)) };

export default poolWorker((experiment: Experiment) => runOne(context, experiment));
