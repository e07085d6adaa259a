import { DrawStream } from '../../base/index.ts';
import { distanceOfShare, drawnPages, neighbourhoodsOf, sumSweep, type WebGraph } from '../../graphs/graph/index.ts';
import type { StatisticsRow } from '../measure/index.ts';
import { studentQuantile } from '../measure/interval.ts';

export type DistanceFigures = Pick<
  StatisticsRow, 'diameter' | 'maxDiameter' | 'averageDistance' | 'averageDistanceLow' | 'averageDistanceHigh' |
  'effectiveDiameter' | 'effectiveDiameterLow' | 'effectiveDiameterHigh'
>;

/** Without a page that reaches another. */
export const noDistances: DistanceFigures = {
  diameter: null, maxDiameter: null, averageDistance: null, averageDistanceLow: null, averageDistanceHigh: null,
  effectiveDiameter: null, effectiveDiameterLow: null, effectiveDiameterHigh: null,
};

/** Share of the pairs within the effective diameter. */
const EFFECTIVE_SHARE = 0.9;

/** Pages from which distances are measured, and searches for the diameter. */
interface Effort {
  readonly sources: number;
  readonly searches: number;
}

const FULL: Effort = { sources: 512, searches: 200 };
/** Of `auto`: arcs that passes from 32 sampled pages may have in all, and the most passes. */
const THRIFTY_VISITS = 4e6;
const THRIFTY_PASSES = 4;
/** Of `auto`: up to so many arcs it searches for the diameter; a larger graph takes tens of milliseconds per search. */
const THRIFTY_SEARCH_ARCS = 2 ** 18;
const THRIFTY_SEARCHES = 20;

/** The effort depends on counts alone, so that every machine computes the same. */
function effortOf(arcs: number, isThrifty: boolean): Effort {
  if (!isThrifty) return FULL;
  const passes = Math.max(1, Math.min(THRIFTY_PASSES, Math.floor(THRIFTY_VISITS / Math.max(1, arcs))));
  return { sources: 32 * passes, searches: arcs > THRIFTY_SEARCH_ARCS ? 0 : THRIFTY_SEARCHES };
}

/**
 * Distances in a graph, from breadth-first searches of sampled pages, with 95 % intervals; exact if they are all
 * pages. The diameter is found, or bounded, by SumSweep.
 *
 * Source  Cochran, "Sampling Techniques", 1977, sections 2.6 and 6.4: ratios of sums over a sample of a finite
 *         population; with Student's t.
 */
export function estimatedDistances(
  graph: Pick<WebGraph, 'pages' | 'arcs' | 'outOffsets' | 'outTargets'>,
  { isThrifty, seed, superstep }: { readonly isThrifty: boolean; readonly seed: number; readonly superstep: number },
): DistanceFigures {
  const { pages, arcs } = graph;
  const { sources, searches } = effortOf(arcs, isThrifty);
  const sample = drawnPages(pages, sources, new DrawStream(seed, `statistics, superstep ${superstep}`));
  const functions = neighbourhoodsOf(graph, sample);
  const total = sumOf(functions);
  const reached = total.length === 0 ? 0 : total[total.length - 1] - total[0];
  const { low, high } = searches === 0 ? { low: 0, high: null } : sumSweep(graph, searches);
  const longest = Math.max(low, total.length - 1);
  const diameter = longest === 0 ? {} : { diameter: longest, maxDiameter: high };
  if (reached === 0) return { ...noDistances, ...diameter };
  const scale = Math.sqrt(1 - sample.length / pages) * (sample.length < 2 ? 0 : studentQuantile(sample.length - 1));
  /** Half of the interval of a ratio to the pages reached, from what each source adds to it beyond its share. */
  const half = (residuals: readonly number[]): number =>
    (scale * Math.sqrt((residuals.length / Math.max(1, residuals.length - 1)) *
      residuals.reduce((sum, residual) => sum + residual * residual, 0))) / reached;

  const average = functions.reduce((sum, function_) => sum + lengthsOf(function_), 0) / reached;
  const averageHalf = half(functions.map((function_) => lengthsOf(function_) - average * reachedBy(function_)));
  // The interval of the share within that distance, as one of distances (Woodruff, JASA 47, 1952).
  const effective = distanceOfShare(total, EFFECTIVE_SHARE);
  const shareHalf = half(functions.map((function_) =>
    within(function_, effective) - EFFECTIVE_SHARE * reachedBy(function_)));
  return {
    ...noDistances, ...diameter,
    averageDistance: average,
    averageDistanceLow: Math.max(1, average - averageHalf),
    averageDistanceHigh: average + averageHalf,
    effectiveDiameter: effective,
    effectiveDiameterLow: distanceOfShare(total, Math.max(0, EFFECTIVE_SHARE - shareHalf)),
    effectiveDiameterHigh: distanceOfShare(total, Math.min(1, EFFECTIVE_SHARE + shareHalf)),
  };
}

/** The sum of neighbourhood functions, each continued by its last value. */
function sumOf(functions: readonly Float64Array[]): Float64Array {
  const length = Math.max(0, ...functions.map((function_) => function_.length));
  return Float64Array.from({ length }, (_, t) =>
    functions.reduce((sum, function_) => sum + function_[Math.min(t, function_.length - 1)], 0));
}

/** Other pages that a source reaches. */
function reachedBy(function_: Float64Array): number {
  return function_[function_.length - 1] - function_[0];
}

/** The sum of the distances to them. */
function lengthsOf(function_: Float64Array): number {
  let sum = 0;
  for (let t = 1; t < function_.length; t++) sum += t * (function_[t] - function_[t - 1]);
  return sum;
}

/** Those within a distance, interpolated between whole numbers. */
function within(function_: Float64Array, distance: number): number {
  const at = (t: number): number => function_[Math.min(t, function_.length - 1)];
  const whole = Math.floor(distance);
  return at(whole) + (distance - whole) * (at(whole + 1) - at(whole)) - function_[0];
}
