import type { PolicyInput } from '../../src/core/policy/index.ts';

export const usualOptions = {
  opicRoot: 'keep', opicWindow: 1, rankEveryPages: 1000, hostUrls: 300, resetHosts: 5000,
};

/** A context of 100 pages, the first ones best by rank, the last ones by given score. */
export const usualContext: PolicyInput = {
  processor: 0,
  processors: 1,
  seed: 1,
  seedPages: 1,
  pendingTarget: () => 16,
  reinsert: 1,
  options: { ...usualOptions, weights: { opic: 0.7, 'depth-first': 0.3 } },
  ranks: Float64Array.from({ length: 100 }, (_, page) => 1 / (1 + page)),
  scores: Float64Array.from({ length: 100 }, (_, page) => page),
};
