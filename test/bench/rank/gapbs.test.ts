import { expect, test } from 'vitest';
import { pageRank } from '../../../src/graphs/rank/index.ts';
import { docsWeb } from '../../docs-web.ts';
import { isFullSweep } from '../../sweep.ts';
import { gapbsSweeps, type GapbsScore } from './gapbs.ts';

// GAPBS as it is shipped counts in f32, and stands still some 2e-6 from the ranks of docs-web.
test("GAPBS's loop comes near the ranks, in f32 not very", () => {
  const graph = docsWeb;
  const { ranks } = pageRank(graph, { tolerance: 1e-12 });
  const sweeps = (score: GapbsScore): (number | undefined)[] => gapbsSweeps(graph, score, 0.85, ranks, [1e-4, 1e-8]);
  expect(sweeps('f64')).toEqual([25, 54]);
  if (isFullSweep) expect(sweeps('f32')).toEqual([25, undefined]);
});
