import { InputError } from '../../../base/index.ts';
import { outDegrees, type InArcs, type WebGraph } from '../../graph/index.ts';
import type { PageRank, SolveOptions } from './solve-options.ts';

/**
 * PageRank: the vector x >= 0 with sum 1 for which x = G(x),
 *
 *   G(x)[v] = damping * (sum over arcs u -> v of x[u] / outDegree[u]  +  dangling * p[v])  +  (1 - damping) * p[v],
 *
 * where dangling is the rank of the pages without out-links, and p the preference, which sums to 1 and is 1 / n by
 * default: it distributes the rank of dangling pages and of teleports (the strongly preferential definition of Boldi,
 * Santini & Vigna, "PageRank: Functional Dependencies", ACM TOIS 27(4), 2009). Self-loops count as links.
 *
 * Method   Gauss-Seidel on the linear system y = damping * P^T y + (1 - damping) * p, in which dangling rank is simply
 *          lost; y / sum(y) is x, so dangling pages cost nothing until the end. (Del Corso, Gulli & Romani, "Fast
 *          PageRank Computation via a Sparse Linear System", Internet Mathematics 2(3), 2005.) Each page's equation is
 *          solved exactly for its self-loop: pages that link to little but themselves would otherwise converge by a
 *          factor of `damping` per sweep, and crawls have many of them.
 *
 * Promise  |ranks - x|_1 <= l1ErrorBound <= tolerance, rounding included. G shrinks L1 distances by `damping`, hence
 *          |ranks - x|_1 <= |G(ranks) - ranks|_1 / (1 - damping); that is measured on the very vector returned.
 *          About 2^-50 / (1 - damping) is the least that can be certified: 6e-15 at 0.85, 9e-14 at 0.99.
 *          Equal input gives bit-equal output: every sum runs in a fixed order.
 * Cost     O(n + m) per sweep; at most about log(tolerance * (1 - damping)) / log(damping) sweeps, in practice a third
 *          of that. Memory: the transpose (4 (n + m) bytes) and about 44 n bytes.
 */

/**
 * What rounding can hide in the residual measured by `powerStep`, in units of the total rank. A link's share,
 * the compensated sum of shares, and the three operations that make a page's rank of it lose at most 8 x 2^-53 of each
 * page's rank, so 2^-50 of their sum; the difference of nearby numbers is exact.
 */
export const ROUNDING = 2 ** -50;

/**
 * The options with defaults filled in and the preference normalised to sum 1. @throws InputError for options that
 * `pageRank` refuses.
 */
export function checkedOptions(
  graph: WebGraph, { damping = 0.85, tolerance = 1e-9, preference, start }: SolveOptions,
): { damping: number; tolerance: number; preference: Float64Array | undefined } {
  if (!(damping >= 0 && damping < 1)) {
    throw new InputError(`damping is ${damping}: it must be at least 0 and less than 1`);
  }
  if (!(tolerance >= 1e-14 && tolerance <= 1)) {
    throw new InputError(`tolerance is ${tolerance}: it must lie between 1e-14 and 1`);
  }
  const least = ROUNDING / (1 - damping);
  if (least >= tolerance) throw new InputError(unreachable(graph.name, damping, tolerance, 2 * least));
  if (graph.pages === 0) throw new InputError(`${graph.name} has no pages, so there is nothing to rank`);
  if (start !== undefined) checkedSum('start', graph, start);
  if (preference === undefined) return { damping, tolerance, preference };
  const sum = checkedSum('preference', graph, preference);
  return { damping, tolerance, preference: preference.map((weight) => weight / sum) };
}

/** The (compensated) sum of finite numbers >= 0, one per page, not all of them 0. */
function checkedSum(what: string, graph: WebGraph, weights: Float64Array): number {
  if (weights.length !== graph.pages) {
    throw new InputError(
      `${what} has ${weights.length} numbers: ${graph.name} has ${graph.pages} pages, and each needs one`,
    );
  }
  let sum = 0;
  let lost = 0;
  for (let page = 0; page < weights.length; page++) {
    if (!(weights[page] >= 0 && weights[page] < Infinity)) {
      throw new InputError(`${what} of page ${page} is ${weights[page]}: it must be a number, 0 or more`);
    }
    const term = weights[page] - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  // Below this range shares would lose digits; above it the sum overflows.
  if (!(sum >= 1e-280 && sum <= 1e280))
    throw new InputError(`${what} sums to ${sum}: it must lie between 1e-280 and 1e280`);
  return sum;
}

/**
 * Removes, in place, the error that sweeps leave, by compensated power iteration: plain sums lose digits, since
 * thousands of equal shares on one page all round in the same direction. It takes half steps, because on a graph of
 * even cycles whole steps end up alternating between two vectors that rounding keeps apart.
 *
 * @throws InputError if rounding keeps the certified bound above the tolerance.
 */
export function finishedByPowerSteps(
  graph: WebGraph, { inOffsets, inSources }: InArcs,
  { damping, tolerance, preference, onSweep }: ReturnType<typeof checkedOptions> & Pick<SolveOptions, 'onSweep'>,
  { ranks, iterations }: { ranks: Float64Array; iterations: number },
): PageRank {
  const outDegree = outDegrees(graph);
  const p = preference ?? new Float64Array(graph.pages).fill(1 / graph.pages);
  const stepped = new Float64Array(graph.pages);
  const scratch = new Float64Array(graph.pages);
  let bestBound = Infinity;
  const maxSteps = 2 * sweepsInExactArithmetic(damping, tolerance);
  for (let steps = 0; steps <= maxSteps; steps++) {
    if (steps > 0) for (let page = 0; page < ranks.length; page++) ranks[page] = (ranks[page] + stepped[page]) / 2;
    const residual = powerStep(inOffsets, inSources, outDegree, damping, p, ranks, scratch, stepped);
    if (steps > 0) onSweep?.(iterations + steps, residual);
    const bound = (residual + ROUNDING) / (1 - damping);
    if (bound <= tolerance) return { ranks, iterations: iterations + steps, l1ErrorBound: bound };
    bestBound = Math.min(bestBound, bound);
    if (steps > 0 && residual <= ROUNDING / 8) break;
  }
  throw new InputError(unreachable(graph.name, damping, tolerance, bestBound));
}

/**
 * Sweeps after which exact arithmetic would certainly have reached half the tolerance; what is missing then is
 * rounding. The system's residual is at most 2 at first and falls to `damping` of itself or less each sweep;
 * normalising divides it by the sum of y, at least 1 - damping, and at most doubles it (G adds the residual's sum,
 * evenly); the bound divides by 1 - damping once more.
 */
export function sweepsInExactArithmetic(damping: number, tolerance: number): number {
  if (damping === 0) return 1;
  return 1 + Math.ceil(Math.log((tolerance * (1 - damping) ** 2) / 8) / Math.log(damping));
}

/** `bound` times 1.25, because ranks take part in their own rounding, rounded up to two digits. */
function unreachable(name: string, damping: number, tolerance: number, bound: number): string {
  const digits = 10 ** (1 - Math.floor(Math.log10(bound)));
  const reachable = Math.ceil(bound * 1.25 * digits) / digits;
  const allowed = reachable <= 1 ? `ask for ${reachable} or more` : 'no tolerance can be had at this damping';
  return `tolerance is ${tolerance}, but rounding keeps the error bound of ${name} above it at damping ${damping}: ${allowed}`;
}

/**
 * One step of power iteration, stepped = G(ranks) with G as at the head of this file. Returns |stepped - ranks|_1.
 *
 * Shapes   n pages, m arcs. inOffsets: n+1. inSources: m. The others: n; `shares` and `stepped` are overwritten.
 *          Arrays of arcs belong to the TRANSPOSE.
 * Units    probabilities. Sums are compensated (Kahan, CACM 8(1), 1965), so that the error does not grow with a page's
 *          in-degree: the result is within 2^-50 of the exact residual where ranks sum to 1.
 * Cost     about two sweeps.
 */
export function powerStep(
  inOffsets: Uint32Array, inSources: Uint32Array, outDegree: Uint32Array,
  damping: number, preference: Float64Array, ranks: Float64Array, shares: Float64Array, stepped: Float64Array,
): number {
  const pages = ranks.length;
  let dangling = 0;
  let danglingLost = 0;
  for (let page = 0; page < pages; page++) {
    if (outDegree[page] !== 0) {
      shares[page] = ranks[page] / outDegree[page];
      continue;
    }
    shares[page] = 0;
    const term = ranks[page] - danglingLost;
    const next = dangling + term;
    danglingLost = next - dangling - term;
    dangling = next;
  }
  const rest = damping * dangling + (1 - damping);
  let residual = 0;
  let residualLost = 0;
  for (let page = 0; page < pages; page++) {
    let sum = 0;
    let lost = 0;
    const end = inOffsets[page + 1];
    for (let arc = inOffsets[page]; arc < end; arc++) {
      const term = shares[inSources[arc]] - lost;
      const next = sum + term;
      lost = next - sum - term;
      sum = next;
    }
    const rank = damping * sum + rest * preference[page];
    stepped[page] = rank;
    const term = Math.abs(rank - ranks[page]) - residualLost;
    const next = residual + term;
    residualLost = next - residual - term;
    residual = next;
  }
  return residual;
}
