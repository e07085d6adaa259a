import { DrawStream } from '../base/index.ts';
import { distancesOf, drawnPages, neighbourhoodsOf, sumSweep, type Estimate, type WebGraph } from '../graph/index.ts';
import { studentQuantile, type StatisticsRow } from '../measure/index.ts';

export type DistanceFigures = Pick<
  StatisticsRow, 'diameter' | 'maxDiameter' | 'averageDistance' | 'averageDistanceLow' | 'averageDistanceHigh' |
  'effectiveDiameter' | 'effectiveDiameterLow' | 'effectiveDiameterHigh'
>;

/** Pages from which distances are measured, and searches for the diameter. */
interface Effort {
  readonly sources: number;
  readonly searches: number;
}

const FULL: Effort = { sources: 512, searches: 200 };
/** Visits of arcs that an estimate beside a crawl may take: some tens of milliseconds. */
const THRIFTY_VISITS = 2e7;

/** By counts alone, so that every machine computes the same. */
function effortOf(arcs: number, isThrifty: boolean): Effort {
  if (!isThrifty) return FULL;
  const visits = Math.floor(THRIFTY_VISITS / Math.max(1, arcs));
  const within = (low: number, high: number): number => Math.max(low, Math.min(high, visits));
  return { sources: 32 * within(1, 8), searches: within(4, FULL.searches) };
}

/**
 * Distances in a graph, from breadth-first searches of sampled pages, with 95 % intervals; exact if they are all
 * pages. The diameter is found, or bounded, by SumSweep.
 *
 * Source  the jackknife over the sources, with Student's t and the correction for a sample of a finite population
 *         (Cochran, "Sampling Techniques", 1977, sections 2.6 and 6.17).
 */
export function estimatedDistances(
  graph: Pick<WebGraph, 'pages' | 'arcs' | 'outOffsets' | 'outTargets'>,
  { isThrifty, seed, superstep }: { readonly isThrifty: boolean; readonly seed: number; readonly superstep: number },
): DistanceFigures {
  const { pages, arcs } = graph;
  const { sources, searches } = effortOf(arcs, isThrifty);
  const drawn = drawnPages(pages, sources, new DrawStream(seed, `statistics, superstep ${superstep}`));
  const functions = neighbourhoodsOf(graph, drawn).map((function_) => function_.map((reached) => reached * pages));
  const { average, effectiveDiameter } = distancesOf(pages, functions);
  const { low, high } = sumSweep(graph, searches);
  const half = ({ standardError }: Estimate): number => (drawn.length === pages || drawn.length < 2 ? 0
    : studentQuantile(drawn.length - 1) * standardError * Math.sqrt(1 - drawn.length / pages));
  return {
    diameter: low === 0 ? null : low, maxDiameter: low === 0 ? null : high,
    averageDistance: average?.value ?? null,
    averageDistanceLow: average && Math.max(1, average.value - half(average)),
    averageDistanceHigh: average && average.value + half(average),
    effectiveDiameter: effectiveDiameter?.value ?? null,
    effectiveDiameterLow: effectiveDiameter && Math.max(0, effectiveDiameter.value - half(effectiveDiameter)),
    effectiveDiameterHigh: effectiveDiameter && effectiveDiameter.value + half(effectiveDiameter),
  };
}
