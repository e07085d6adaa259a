import { outDegrees, transpose, type WebGraph } from '../../src/graphs/graph/index.ts';
import type { PageRank, SolveOptions } from '../../src/graphs/rank/index.ts';
import {
  checkedOptions, finishedByPowerSteps, powerStep, ROUNDING, sweepsInExactArithmetic,
} from '../../src/graphs/rank/pagerank/power-steps.ts';

/**
 * PageRank of `graph` in plain TypeScript, for checking the kernel of `pageRank`; see the head of `power-steps.ts`.
 *
 * @throws InputError as `pageRank`.
 */
export function plainPageRank(graph: WebGraph, options: SolveOptions = {}): PageRank {
  const { onSweep } = options;
  const { damping, tolerance, preference } = checkedOptions(graph, options);
  const pages = graph.pages;
  const p = preference ?? new Float64Array(pages).fill(1 / pages);
  const inArcs = transpose(graph);
  const { inOffsets, inSources } = inArcs;
  const outDegree = outDegrees(graph);
  const shareFactor = shareFactors(graph, damping);
  // A page's rank divided by its out-degree, which is all that its links need to know; 0 for dangling pages.
  const shares = new Float64Array(pages);
  const start = options.start ?? p;
  for (let page = 0; page < pages; page++) shares[page] = outDegree[page] === 0 ? 0 : start[page] / outDegree[page];

  const ranks = new Float64Array(pages);
  const stepped = new Float64Array(pages);
  const scratch = new Float64Array(pages);

  const maxSweeps = sweepsInExactArithmetic(damping, tolerance);
  // With this little change the bound probably holds; measuring it costs two sweeps, so not after every sweep.
  let boundPerChange = damping / (1 - damping);
  let sweeps = 0;
  for (let sweepable = true; sweepable; ) {
    const change = gaussSeidelSweep(inOffsets, inSources, outDegree, shareFactor, damping, p, shares);
    sweeps++;
    onSweep?.(sweeps, change);
    // Rounding aside, the residual is at most 2 * change / (1 - damping): what there is besides cannot be swept away.
    sweepable = change > (ROUNDING * (1 - damping)) / 16 && sweeps < maxSweeps;
    if (sweepable && change * boundPerChange > tolerance) continue;
    ranksOfShares(inOffsets, inSources, outDegree, damping, p, shares, ranks);
    const residual = powerStep(inOffsets, inSources, outDegree, damping, p, ranks, scratch, stepped);
    const bound = (residual + ROUNDING) / (1 - damping);
    if (bound <= tolerance) return { ranks, iterations: sweeps, l1ErrorBound: bound };
    // The next measurement is due when the change has fallen by what was missing, and at least by half.
    boundPerChange = Math.max(bound, 2 * tolerance) / change;
  }
  return finishedByPowerSteps(
    graph, inArcs, { damping, tolerance, preference, onSweep }, { ranks, iterations: sweeps },
  );
}

/**
 * What turns the rank that reaches a page from others into the share of each of its links: with a self-loop,
 * y = inflow + damping * y / degree has the solution y = inflow / (1 - damping / degree), and the share is y / degree.
 * 0 marks dangling pages.
 */
function shareFactors(graph: WebGraph, damping: number): Float64Array {
  const { pages, outOffsets, outTargets } = graph;
  const factors = new Float64Array(pages);
  for (let page = 0; page < pages; page++) {
    const degree = outOffsets[page + 1] - outOffsets[page];
    if (degree === 0) continue;
    let selfLoop = false;
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) if (outTargets[arc] === page) selfLoop = true;
    factors[page] = 1 / (selfLoop ? degree - damping : degree);
  }
  return factors;
}

/**
 * One Gauss-Seidel sweep, in place and in ascending page order, on y = damping * P^T y + (1 - damping) * preference,
 * where shares[u] = y[u] / outDegree[u]. Dangling pages (shareFactor 0) pass nothing on and are skipped.
 *
 * Shapes   n pages, m arcs. inOffsets: n+1, rising, inOffsets[n] = m. inSources: m. The others: n.
 * Units    ranks, unnormalised: the solution sums to at most 1, to less where dangling pages lose rank.
 * Returns  the L1 change of y over the pages that are not dangling. damping times it bounds the residual.
 * Cost     O(n + m) time, no allocation. Reads `shares` at random: bound by memory latency, not arithmetic.
 * Order    sums run in ascending arc order, so equal input gives bit-equal output. Do not reorder for speed.
 * Errors   none here: `pageRank()` made the arrays. Wrong shapes give wrong numbers silently.
 * Traps    arrays are those of the TRANSPOSE. outDegree and shareFactor are those of the graph itself.
 */
function gaussSeidelSweep(
  inOffsets: Uint32Array, inSources: Uint32Array, outDegree: Uint32Array, shareFactor: Float64Array,
  damping: number, preference: Float64Array, shares: Float64Array,
): number {
  const pages = shares.length;
  let change = 0;
  for (let page = 0; page < pages; page++) {
    const factor = shareFactor[page];
    if (factor === 0) continue;
    const before = shares[page];
    // The factor accounts for the self-loop, so it must not count again in the sum.
    shares[page] = 0;
    let sum = 0;
    const end = inOffsets[page + 1];
    for (let arc = inOffsets[page]; arc < end; arc++) sum += shares[inSources[arc]];
    const share = (damping * sum + (1 - damping) * preference[page]) * factor;
    shares[page] = share;
    change += Math.abs(share - before) * outDegree[page];
  }
  return change;
}

/**
 * Writes the normalised ranks that belong to `shares`, dangling pages included, into `ranks`.
 * Shapes and order as in `gaussSeidelSweep`; O(n + arcs to dangling pages).
 */
function ranksOfShares(
  inOffsets: Uint32Array, inSources: Uint32Array, outDegree: Uint32Array,
  damping: number, preference: Float64Array, shares: Float64Array, ranks: Float64Array,
): void {
  const pages = ranks.length;
  let total = 0;
  let lost = 0;
  for (let page = 0; page < pages; page++) {
    let rank = shares[page] * outDegree[page];
    if (outDegree[page] === 0) {
      let sum = 0;
      for (let arc = inOffsets[page]; arc < inOffsets[page + 1]; arc++) sum += shares[inSources[arc]];
      rank = damping * sum + (1 - damping) * preference[page];
    }
    ranks[page] = rank;
    const term = rank - lost;
    const next = total + term;
    lost = next - total - term;
    total = next;
  }
  for (let page = 0; page < pages; page++) ranks[page] /= total;
}
