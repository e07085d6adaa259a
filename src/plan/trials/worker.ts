import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../base/threads/index.ts';
import { prepare, restoredGraph } from '../../graph/index.ts';
import { loadPolicy } from '../../policy/index.ts';
import { runTrial, type ClonedContext, type TrialContext, type TrialTask } from './trial.ts';

const { graph, policyFiles, ...shared } = workerData as ClonedContext;
const prepared = prepare(restoredGraph(graph));
let loaded: Promise<TrialContext> | undefined;

/** Each thread loads the files of the user's policies itself: functions cannot be cloned. */
async function load(): Promise<TrialContext> {
  const policies = await Promise.all(policyFiles.map(({ file, sha256 }) => loadPolicy(file, sha256)));
  return { ...shared, policies, prepared };
}

export default poolWorker(async (task: TrialTask) => runTrial(await (loaded ??= load()), task));
