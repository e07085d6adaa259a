import type { WebGraph } from '../../src/graphs/graph/index.ts';
import type { PageRankSteps } from '../../src/graphs/rank/index.ts';
import { PageRankKernel } from '../../src/graphs/rank/pagerank/pagerank-kernel.ts';
import { singleThread } from '../../src/graphs/rank/pagerank/pagerank-memory.ts';
import { kernelSteps, sweepToTolerance } from '../../src/graphs/rank/pagerank/pagerank.ts';
import { l1Distance } from './graphs.ts';
import { plainPageRank } from './plain-pagerank.ts';

export interface OracleReport {
  /** Sweeps after which the ranks are within the tolerance for good, as only an oracle knows. */
  readonly oracle: number;
  /** Sweeps that it takes to certify that. */
  readonly certified: number;
  /** Measured bound and true error after each sweep. */
  readonly sweeps: readonly { readonly bound: number; readonly error: number }[];
}

interface OracleOptions {
  readonly damping?: number;
  readonly steps?: PageRankSteps;
  readonly converged?: Float64Array;
}

/**
 * The kernel's sweeps to a tolerance, each looked at: what a certified stop costs over one that knows the true ranks.
 */
export function sweepsBesideOracle(
  graph: WebGraph, tolerance: number,
  { damping = 0.85, steps = {}, converged = trueRanks(graph, damping) }: OracleOptions = {},
): OracleReport {
  const thread = singleThread(graph, true);
  const { ranks, pages } = thread.layout;
  const kernel = new PageRankKernel(graph, kernelSteps({ steps }), thread);
  kernel.code();
  const sweeps: { bound: number; error: number }[] = [];
  const look = (): void => {
    // Between an extrapolation and the next sweep the kernel keeps something else there.
    const saved = new Float64Array(thread.memory.buffer, ranks, pages).slice();
    const { residual, rounding } = kernel.measure();
    sweeps.push({ bound: (residual + rounding) / (1 - damping), error: l1Distance(kernel.ranks(), converged) });
    new Float64Array(thread.memory.buffer, ranks, pages).set(saved);
  };
  const { iterations } = sweepToTolerance(
    kernel, { steps, onSweep: look }, { damping, tolerance, preference: undefined },
  );
  const lastAbove = sweeps.findLastIndex(({ error }) => error > tolerance);
  return { oracle: Math.max(1, lastAbove + 2), certified: iterations, sweeps };
}

export function trueRanks(graph: WebGraph, damping = 0.85): Float64Array {
  return plainPageRank(graph, { damping, tolerance: Math.max(1e-14, 2 ** -48 / (1 - damping)) }).ranks;
}
