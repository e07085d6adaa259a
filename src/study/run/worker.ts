import { workerData } from 'node:worker_threads';
import { prepare, restoredGraph } from '../../graph/index.ts';
import { poolWorker } from '../../base/threads/index.ts';
import { loadPolicy } from '../../policy/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { runOne, type ClonedContext, type StudyContext } from './one-run.ts';

const { graph, policyFiles, ...shared } = workerData as ClonedContext;
const prepared = prepare(restoredGraph(graph));
let loaded: Promise<StudyContext> | undefined;

/** Each thread loads the files of the user's policies itself: functions cannot be cloned. */
async function load(): Promise<StudyContext> {
  const policies = await Promise.all(policyFiles.map(({ file, sha256 }) => loadPolicy(file, sha256)));
  return { ...shared, policies, prepared };
}

export default poolWorker(async (experiment: Experiment) => runOne(await (loaded ??= load()), experiment));
