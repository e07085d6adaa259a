import { scoresChecksum } from '../../../graphs/formats/index.ts';
import {
  computedOnce, sharedFloat64, type GraphPages, type PreparedGraph, type WebGraph,
} from '../../../graphs/graph/index.ts';
import { pageRank } from '../../../graphs/rank/index.ts';
import { InputError } from '../../../base/index.ts';
import { shippedPolicies } from '../../policy/index.ts';
import type { Experiment } from '../../settings/index.ts';

/**
 * The PageRank that measures, tuning and policies use: damping 0.85, uniform teleport, on the whole stored graph. It is
 * computed once per PreparedGraph, in shared memory, so that the threads of a study or of tuning read one copy.
 *
 * @param graph - any graph.
 * @returns the rank of each page; borrowed from a PreparedGraph, and not to be changed.
 * @throws InputError for a graph without pages.
 */
export const trueRanks: (graph: WebGraph | PreparedGraph) => Float64Array = computedOnce(
  'true PageRank',
  ({ graph }) => {
    const { ranks } = pageRank(graph, { damping: 0.85, tolerance: 1e-12 });
    const shared = sharedFloat64(ranks.length);
    shared.set(ranks);
    return shared;
  },
);

/** Scores for policies that need them, directly or weighted: one per page, >= 0, and their name. */
export interface GivenScores {
  readonly file: string;
  readonly values: Float64Array;
}

/**
 * The experiment with the checksum of its scores, if its policy uses them; otherwise the experiment itself.
 * @throws InputError if scores are missing, not one per page, or differ from the scores that the experiment names.
 */
export function withScores(
  graph: GraphPages, experiment: Experiment, scores: GivenScores | undefined, policies = shippedPolicies,
): Experiment {
  const needy = policies.settings.policiesUsed(experiment).find(({ needs }) => needs.includes('scores'));
  if (needy === undefined) return experiment;
  if (scores === undefined) {
    throw new InputError(`policy ${needy.name} needs a score for each page (--scores <FILE>)`, { field: 'scores' });
  }
  const { file, values } = scores;
  if (values.length !== graph.pages)
    throw new InputError(`${file}: has ${values.length} scores for the ${graph.pages} pages of ${graph.name}`, {
      field: 'scores',
    });
  const sha256 = scoresChecksum(values);
  if (experiment.scores !== undefined && experiment.scores.sha256 !== sha256) {
    throw new InputError(
      `${file}: does not have the scores that the experiment names: their SHA-256 is ${sha256}, not ${experiment.scores.sha256}`,
      { field: 'scores' },
    );
  }
  return { ...experiment, scores: { file, sha256 } };
}
