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
 * What runs need, read and checked, and the ranks. In a thread of its own: a worker whose main thread computed for half
 * a minute would lose its runs to others.
 */
export default poolWorker(async ({ needs, graphs }: OpeningTask): Promise<ClonedContext> => {
  const { policyFiles, scores, fit } = needs;
  // The threads that run load them again; here, what is wrong with a file is found before.
  for (const { path, sha256 } of policyFiles) await loadPolicy(path, sha256);
  const prepared = await storedGraph(needs.graph, graphs);
  const { graph } = prepared;
  const given = scores && { file: scores.file, values: (await readScores(scores.path, graph)).scores };
  if (given !== undefined) check(scores!, scoresChecksum(given.values));
  const fitted = fit && await fitNetwork(fit.path);
  if (fitted !== undefined) check(fit!, fitted.network.fit!.sha256);
  return {
    graph, policyFiles, ranks: trueRanks(prepared), fit: fitted?.fit, scores: sharedScores(given),
    fitOrigin: fit && { file: fit.file, sha256: fit.sha256 },
  };
});

function check({ path, sha256 }: NeededFile, found: string): void {
  if (found === sha256) return;
  throw new InputError(`${path}: differs from the file that the study was started with`);
}
