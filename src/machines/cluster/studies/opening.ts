import { InputError } from '../../../base/index.ts';
import { poolWorker } from '../../../base/threads/index.ts';
import { fitNetwork, trueRanks } from '../../../core/engine/index.ts';
import { readScores, scoresChecksum } from '../../../graphs/formats/index.ts';
import { loadPolicy } from '../../../core/policy/index.ts';
import { sharedScores, type ClonedContext } from '../../../questions/study/index.ts';
import { storedGraph, type GraphStore } from './graph-store.ts';
import type { NeededFile, RunNeeds } from './job.ts';

export interface OpeningTask {
  readonly needs: RunNeeds;
  readonly graphs: GraphStore;
}

/**
 * Reads and checks the needs of runs, and computes the ranks, on a separate thread: a worker whose main thread computed
 * for half a minute would lose its runs to others.
 */
export default poolWorker(async ({ needs, graphs }: OpeningTask): Promise<ClonedContext> => {
  const { policyFiles, scores, fit } = needs;
  // The threads that run load them again; here, faults of a file are found before.
  for (const { path, sha256 } of policyFiles) await loadPolicy(path, sha256);
  const prepared = await storedGraph(needs.graph, graphs);
  const { graph } = prepared;
  const values = scores && (await readScores(scores.path, graph)).scores;
  if (values !== undefined) check(scores!, scoresChecksum(values));
  const fitted = fit && await fitNetwork(fit.path);
  if (fitted !== undefined) check(fit!, fitted.network.fit!.sha256);
  return {
    graph, policyFiles, ranks: trueRanks(prepared), fit: fitted?.fit,
    scores: sharedScores(values && { file: scores.file, values }),
    fitOrigin: fit && { file: fit.file, sha256: fit.sha256 },
  };
});

function check({ path, sha256 }: NeededFile, actual: string): void {
  if (actual === sha256) return;
  throw new InputError(`${path}: differs from the file that the study was started with`);
}
